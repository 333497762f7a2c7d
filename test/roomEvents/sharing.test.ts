import fc from 'fast-check';
import { type ExecutionResult, parse, print, subscribe, validate } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSchema } from '../../src/app/schema.ts';
import { createItemLoader } from '../../src/dynamo/itemLoader.ts';
import type { Context, Services } from '../../src/graphql/context.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { resultsOf } from '../../src/live/completeOnPartialError.ts';
import { createSharedExecution } from '../../src/live/sharedExecution.ts';
import { likesKind } from '../../src/reactions/likes/kind.ts';
import { createStampHolders } from '../../src/reactions/stamps/holders.ts';
import { createToggleHolders } from '../../src/reactions/toggles/holders.ts';
import type { RoomEvent } from '../../src/roomEvents/roomLogReader.ts';
import { createRoomLogReader } from '../../src/roomEvents/roomLogReader.ts';
import { eventsCursor } from '../../src/roomEvents/types.ts';
import { RoomEventsDocument } from '../../web/src/generated/graphql.ts';
import { pushed, streamOf } from '../live/support/pushed.ts';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

const ROOM = [
  'id',
  'name',
  'memberCount',
  'eventsCursor',
  'waitlistPosition',
  'viewerMembership { id role muted unreadCount }',
  'members(first: $first) { edges { node { role muted unreadCount user { handle } } } }',
];
const MESSAGE = [
  'id',
  'body',
  'version',
  'author { handle displayName }',
  'mentions { handle }',
  'likeCount',
  'viewerHasLiked',
  'viewerIsFollowing',
  'likers(first: $first) { edges { node { handle } } }',
  'stampCounts { count viewerHasStamped stamp { key } }',
  'root { id viewerHasLiked stampCounts { viewerHasStamped } }',
  'replies(first: $first) { edges { node { body viewerHasLiked } } }',
  'room { name viewerMembership { role } }',
];
const MEMBERSHIP = ['id', 'role', 'muted', 'unreadCount', 'user { handle }'];

/** Some fields of a list, some with an alias, some only if `$more` is true. */
const fields = (all: readonly string[]) =>
  fc
    .array(fc.record({ field: fc.constantFrom(...all), alias: fc.boolean(), more: fc.boolean() }), {
      maxLength: 3,
    })
    .map((list) =>
      list.map(({ field, alias, more }, i) => {
        const conditional = more && !field.includes('{') ? `${field} @include(if: $more)` : field;
        return alias ? `x${i}: ${conditional}` : `${/^\w+/.exec(field)?.[0]}_${i}: ${conditional}`;
      }),
    )
    .map((list) => `__typename ${list.join(' ')}`);

const selections = fc
  .record({ room: fields(ROOM), message: fields(MESSAGE), membership: fields(MEMBERSHIP) })
  .map(
    ({ room, message, membership }) => `
      subscription Sharing($roomId: ID!, $after: String, $first: Int = 2, $more: Boolean! = true) {
        roomEvents(roomId: $roomId, after: $after) {
          cursor @include(if: $more) ... on RoomEvent { ...InRoom }
          ... on MessageAdded { message { ...InMessage own: viewerHasLiked first: likers(first: $first) { edges { cursor } } } }
          ... on MessageChanged { message { ...InMessage } cause { kind actor { handle } stamp { key } } }
          ... on MembershipChanged { user { handle } membership { ${membership} } }
        }
      }
      fragment InRoom on RoomEvent { __typename room { ${room} } }
      fragment InMessage on Message { ${message} }`,
  );

/** The owner, a moderator, members who like, stamp, are mentioned and mute, and an outsider. */
const WHO = ['aki', 'ben', 'chi', 'dai', 'emi', 'fuu'] as const;
const LANGUAGES = ['ja', 'en', undefined];

let app: TestApp;
let room: string;
let events: RoomEvent[];
const ids = new Map<string, string>();
const schema = createSchema();

beforeAll(async () => {
  app = await startTestApp();
  const { users, rooms, messages, likes, stamps, readPositions: reading, catalogue } = app.services;
  for (const handle of WHO) ids.set(handle, await users.ensure({ sub: handle, handle }));
  const [aki, ben, chi, dai, emi] = [...ids.values()] as [string, string, string, string, string];
  const made = { name: 'Shared', topic: null, visibility: 'PUBLIC', capacity: null } as const;
  ({ id: room } = await rooms.create(aki, made));
  for (const user of [ben, chi, dai, emi]) await rooms.join(user, room);
  const send = (author: string, body: string) => messages.send({ room, author, body });
  const [first, liked] = [await send(aki, 'Hello, @emi'), await send(ben, 'Liked')];
  await messages.send({ room, author: chi, body: 'A reply to @ben', replyTo: liked });
  await likes.add(chi, liked);
  await likes.add(aki, liked);
  await stamps.add(dai, liked, catalogue.stamps[0]?.key ?? '');
  await likes.add(emi, first);
  await rooms.setRole({ by: aki, room, user: ben }, 'MODERATOR');
  await reading.mute(emi, room, true);
  await app.quiet();
  const history = createRoomLogReader({ dynamo: app.dynamo });
  const changes = await history.changes(room, 1, await history.lastNumber(room));
  const list = await history.events(room, changes ?? []);
  const some = ({ type }: RoomEvent, i: number) => type === 'MessageAdded' || i >= list.length - 3;
  const batch: RoomEvent[] = [];
  for (const event of list.filter(some)) batch.push({ ...event, batch });
  events = batch;
});
afterAll(() => app.stop());

/** Reads the reactions to a message as for this many readers. */
function reactionsFor(readers: number): Pick<Services, 'likes' | 'stamps'> {
  const { dynamo, services } = app;
  const likers = createToggleHolders({ dynamo, kind: likesKind });
  const stampers = createStampHolders({ dynamo });
  return {
    likes: { ...services.likes, holders: (of) => likers(of, readers) },
    stamps: { ...services.stamps, holders: (of) => stampers(of, readers) },
  };
}

interface Reader {
  readonly who: string;
  readonly language?: string | undefined;
  /** How many readers there seem to be. */
  readonly crowd: number;
}

const contextOf = ({ who, language, crowd }: Reader, sent = events): Context => ({
  viewer: ids.get(who) ?? null,
  identity: null,
  acceptLanguage: language,
  items: createItemLoader(app.dynamo),
  // Other tests cover which user receives which event. Here all receive the same.
  services: {
    ...app.services,
    ...reactionsFor(crowd),
    roomEvents: { open: async () => streamOf(sent) },
  },
});

const plain = (results: readonly ExecutionResult[]): unknown => JSON.parse(JSON.stringify(results));

async function all(stream: unknown): Promise<ExecutionResult[]> {
  const results: ExecutionResult[] = [];
  for await (const result of stream as AsyncIterable<ExecutionResult>) results.push(result);
  return results;
}

test('shared execution: the fixture has events of each kind, of liked, stamped and plain messages', () => {
  const kinds = new Set(events.map(({ type }) => type));
  expect([...kinds].sort()).toEqual(['MembershipChanged', 'MessageAdded', 'MessageChanged']);
});

const variables = fc.record({ first: fc.constantFrom(1, 3, null), more: fc.boolean() }, { requiredKeys: [] });
/** Most readers have the first of two documents and the first of two sets of variables, so they can share results. */
const mostlyFirst = fc.constantFrom(0, 0, 0, 0, 1);
const readers = fc.tuple(
  ...WHO.map((who) =>
    fc.record({
      who: fc.constant(who),
      language: fc.constantFrom(...LANGUAGES),
      crowd: fc.constantFrom(WHO.length, 1_000),
      document: mostlyFirst,
      set: mostlyFirst,
      after: fc.constantFrom(undefined, 0, 1),
    }),
  ),
);

const { numRuns, timeout, start } = budget({ runs: 1, seconds: 3 });

test(`shared execution: each reader receives what they would receive alone (seed ${seed})`, {
  timeout,
}, async () => {
  const isOver = start();
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(selections, selections),
      fc.tuple(variables, variables),
      readers,
      async (texts, sets, subscribers) => {
        if (isOver()) return;
        const documents = texts.map((text) => parse(text));
        for (const document of documents) expect(validate(schema, document)).toEqual([]);
        const argsOf = (
          { who, language, crowd, document, set, after }: (typeof subscribers)[number],
          sent = events,
        ) => ({
          schema,
          document: documents[document] ?? parse('{ __typename }'),
          operationName: 'Sharing',
          variableValues: {
            roomId: encodeId('Room', room),
            ...sets[set],
            ...(after === undefined ? {} : { after: eventsCursor(room, after) }),
          },
          contextValue: contextOf({ who, language, crowd }, sent),
        });
        const alone = events.map(({ source: _source, batch: _batch, ...own }) => own as RoomEvent);
        // One after the other, because the database accepts a limited number of concurrent reads.
        const expected: ExecutionResult[][] = [];
        for (const reader of subscribers) {
          const stream = await subscribe(argsOf(reader, alone));
          // Like the shared execution, it completes after an event that could be read only in part.
          expected.push(await all(resultsOf(stream as AsyncIterable<ExecutionResult>, (result) => result)));
        }
        const shared = createSharedExecution();
        const received = await Promise.all(subscribers.map((reader) => pushed(shared, argsOf(reader))));
        expect(received.map(plain)).toEqual(expected.map(plain));
      },
    ),
    { numRuns },
  );
});

/** What the web client asked for before it followed the causes of changes. */
const WITH_OWN_FIELDS = `
  subscription WithOwnFields($room: ID!) {
    roomEvents(roomId: $room) {
      ... on MessageAdded { message { ...Own } }
      ... on MessageChanged { message { ...Own } }
    }
  }
  fragment Own on Message { body viewerHasLiked stampCounts { viewerHasStamped } }`;

test.each([
  ["the web client's selection", print(RoomEventsDocument)],
  ["a selection with the viewer's own fields", WITH_OWN_FIELDS],
])('shared execution: %s is executed once for all', async (_, text) => {
  const document = parse(text);
  const shared = createSharedExecution();
  let executions = 0;
  const { catalogue } = app.services;
  const counted = {
    ...catalogue,
    get compare() {
      executions++;
      return catalogue.compare;
    },
  };
  const received = await Promise.all(
    WHO.map((who) => {
      const { services, ...context } = contextOf({ who, crowd: 1_000 });
      const contextValue = { ...context, services: { ...services, catalogue: counted } };
      const variableValues = { room: encodeId('Room', room) };
      return pushed(shared, { schema, document, variableValues, contextValue });
    }),
  );
  const messages = events.filter(({ type }) => type.startsWith('Message'));
  expect(executions).toBe(messages.length);
  if (text !== WITH_OWN_FIELDS) return;
  const likedBy = (body: string) =>
    WHO.filter((_, i) =>
      received[i]?.some(({ data }) => {
        const { message } = (data as { roomEvents: { message?: { body: string; viewerHasLiked: boolean } } })
          .roomEvents;
        return message?.body.startsWith(body) === true && message.viewerHasLiked;
      }),
    );
  expect([likedBy('Hello'), likedBy('Liked'), likedBy('A reply')]).toEqual([['emi'], ['aki', 'chi'], []]);
});
