import fc from 'fast-check';
import { type ExecutionResult, parse, print, subscribe, validate } from 'graphql';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createSchema } from '../../src/app/schema.ts';
import { createItemLoader } from '../../src/dynamo/itemLoader.ts';
import type { Context } from '../../src/graphql/context.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { createSharedExecution } from '../../src/live/sharedExecution.ts';
import type { RoomEvent } from '../../src/roomEvents/roomLogReader.ts';
import { createRoomLogReader } from '../../src/roomEvents/roomLogReader.ts';
import { eventsCursor } from '../../src/roomEvents/types.ts';
import { RoomEventsDocument } from '../../web/src/generated/graphql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { seed } from '../support/seed.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

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
          ... on MessageAdded { message { ...Said mine: viewerHasLiked first: likers(first: $first) { edges { cursor } } } }
          ... on MessageChanged { message { ...Said } }
          ... on MembershipChanged { user { handle } membership { ${membership} } }
        }
      }
      fragment InRoom on RoomEvent { __typename room { ${room} } }
      fragment Said on Message { ${message} }`,
  );

/** The owner, a moderator, members who like, stamp, are mentioned and mute; and an outsider. */
const WHO = ['aki', 'ben', 'chi', 'dai', 'emi', 'fuu'] as const;
const LANGUAGES = ['ja', 'en', undefined];

let app: TestApp;
let room: string;
let occurrences: RoomEvent[];
const ids = new Map<string, string>();
const schema = createSchema();

beforeAll(async () => {
  app = await startTestApp();
  const { users, rooms, messages, likes, stamps, reading, catalogue } = app.services;
  for (const handle of WHO) ids.set(handle, await users.ensure({ sub: handle, handle }));
  const [aki, ben, chi, dai, emi] = [...ids.values()] as [string, string, string, string, string];
  const made = { name: 'Shared', topic: null, visibility: 'PUBLIC', capacity: null } as const;
  ({ id: room } = await rooms.create(aki, made));
  for (const user of [ben, chi, dai, emi]) await rooms.join(user, room);
  const send = (author: string, body: string) => messages.send({ room, author, body });
  const [first, liked] = [await send(aki, 'Hello, @emi'), await send(ben, 'Liked')];
  await messages.send({ room, author: chi, body: 'A reply to @ben', replyTo: liked });
  await likes.like(chi, liked);
  await likes.like(aki, liked);
  await stamps.add(dai, liked, catalogue.stamps[0]?.key ?? '');
  await likes.like(emi, first);
  await rooms.setRole({ by: aki, room, user: ben }, 'MODERATOR');
  await reading.mute(emi, room, true);
  await app.quiet();
  const history = createRoomLogReader({ dynamo: app.dynamo });
  const changes = await history.changes(room, 1, await history.lastNumber(room));
  const list = await history.events(room, changes ?? []);
  const some = ({ type }: RoomEvent, i: number) => type === 'MessageAdded' || i >= list.length - 3;
  occurrences = list.filter(some);
});
afterAll(() => app.stop());

const contextOf = (who: string, language: string | undefined, tell = occurrences): Context => ({
  viewer: ids.get(who) ?? null,
  acceptLanguage: language,
  items: createItemLoader(app.dynamo),
  // Only the shared execution of events is tested here; other tests cover who receives which.
  services: { ...app.services, roomEvents: { open: async () => each(tell) } },
});

async function* each<T>(values: readonly T[]) {
  yield* values;
}

const plain = (results: readonly ExecutionResult[]): unknown => JSON.parse(JSON.stringify(results));

async function all(stream: unknown): Promise<ExecutionResult[]> {
  const results: ExecutionResult[] = [];
  for await (const result of stream as AsyncIterable<ExecutionResult>) results.push(result);
  return results;
}

test('shared execution: the fixture has events of each kind, of liked, stamped and plain messages', () => {
  const kinds = new Set(occurrences.map(({ type }) => type));
  expect([...kinds].sort()).toEqual(['MembershipChanged', 'MessageAdded', 'MessageChanged']);
});

const variables = fc.record({ first: fc.constantFrom(1, 3, null), more: fc.boolean() }, { requiredKeys: [] });
/** All readers, most of them with the same selection: mostly the first of two documents and two sets of variables. */
const mostlyFirst = fc.constantFrom(0, 0, 0, 0, 1);
const readers = fc.tuple(
  ...WHO.map((who) =>
    fc.record({
      who: fc.constant(who),
      language: fc.constantFrom(...LANGUAGES),
      document: mostlyFirst,
      set: mostlyFirst,
      after: fc.constantFrom(undefined, 0, 1),
    }),
  ),
);

test(`shared execution: each reader receives what they would receive alone (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(selections, selections),
      fc.tuple(variables, variables),
      readers,
      async (texts, sets, asking) => {
        const documents = texts.map((text) => parse(text));
        for (const document of documents) expect(validate(schema, document)).toEqual([]);
        const argsOf = (
          { who, language, document, set, after }: (typeof asking)[number],
          tell = occurrences,
        ) => ({
          schema,
          document: documents[document] ?? parse('{ __typename }'),
          operationName: 'Sharing',
          variableValues: {
            roomId: encodeId('Room', room),
            ...sets[set],
            ...(after === undefined ? {} : { after: eventsCursor(room, after) }),
          },
          contextValue: contextOf(who, language, tell),
        });
        const alone = occurrences.map(({ source: _shared, ...own }) => own as RoomEvent);
        // One after the other: this test is not about how many reads at once the database accepts.
        const expected: ExecutionResult[][] = [];
        for (const reader of asking) expected.push(await all(await subscribe(argsOf(reader, alone))));
        const shared = createSharedExecution();
        const told = await Promise.all(
          asking.map(async (reader) => all(await shared(argsOf(reader), subscribe))),
        );
        expect(told.map(plain)).toEqual(expected.map(plain));
      },
    ),
    { numRuns: 5 },
  );
});

test('shared execution: with the web client, a new message is executed once for all, a liked one for each', async () => {
  const document = parse(print(RoomEventsDocument));
  const shared = createSharedExecution();
  const told = await Promise.all(
    WHO.map(async (who) => {
      const variableValues = { room: encodeId('Room', room) };
      return all(
        await shared(
          { schema, document, variableValues, contextValue: contextOf(who, undefined) },
          subscribe,
        ),
      );
    }),
  );
  const sameForAll = (i: number) => told.every((results) => results[i] === told[0]?.[i]);
  const added = occurrences.flatMap((one, i) => (one.type === 'MessageAdded' ? [{ i, ...one }] : []));
  expect(added.map(({ i, message }) => [message.body, message.likeCount > 0, sameForAll(i)])).toEqual([
    [expect.stringContaining('Hello'), true, false],
    ['Liked', true, false],
    [expect.stringContaining('A reply'), false, true],
  ]);
});
