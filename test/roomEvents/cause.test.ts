import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { lastChangeOf, type MessageChange } from '../../src/messages/lastChange.ts';
import { type Message, type MessageKey, messageId } from '../../src/messages/message.ts';
import { coalesce, createRoomLogReader, type NumberedEntry } from '../../src/roomEvents/roomLogReader.ts';
import { graphql } from '../generated/gql.ts';
import { DeleteMessage, EditMessage } from '../messages/support/operations.ts';
import { LikeMessage, UnlikeMessage } from '../reactions/likes/support/operations.ts';
import { AddStamp, RemoveStamp } from '../reactions/stamps/support/operations.ts';
import { people, rawId, roomOf, say } from '../support/clients/people.ts';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { createStreamRepeats } from '../support/stream/streamRepeats.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ wrapDispatcher: createStreamRepeats(seed) });
});
afterAll(() => app.stop());

const Causes = graphql(`
  subscription Causes($roomId: ID!) {
    roomEvents(roomId: $roomId) {
      __typename
      ... on MessageChanged { message { id version } cause { kind actor { handle } stamp { key } } }
    }
  }
`);

test('MessageChanged.cause: has the kind of change, the user and the stamp', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const { id: messageId } = await say(ben, roomId, 'Tea?');
  await app.quiet();
  const events = ben.subscribe(Causes, { roomId });
  await events.until(({ roomEvents: e }) => e.__typename === 'Synced');
  const cause = async () => {
    const { roomEvents: e } = await events.until(
      ({ roomEvents }) => roomEvents.__typename === 'MessageChanged',
    );
    return e.__typename === 'MessageChanged' ? e.cause : undefined;
  };
  const [byAki, byBen] = [aki, ben].map(({ handle }) => ({ actor: { handle }, stamp: null }));

  await aki.do(LikeMessage, { messageId });
  expect(await cause()).toEqual({ kind: 'LIKED', ...byAki });
  await ben.do(LikeMessage, { messageId });
  expect(await cause()).toEqual({ kind: 'LIKED', ...byBen });
  await aki.do(UnlikeMessage, { messageId });
  expect(await cause()).toEqual({ kind: 'UNLIKED', ...byAki });
  const { addStamp } = await aki.do(AddStamp, { messageId, stamp: 'tea' });
  expect(await cause()).toEqual({ kind: 'STAMPED', ...byAki, stamp: { key: 'tea' } });
  await aki.do(RemoveStamp, { messageStampId: addStamp.messageStamp.id });
  expect(await cause()).toEqual({ kind: 'UNSTAMPED', ...byAki, stamp: { key: 'tea' } });
  await ben.do(EditMessage, { messageId, body: 'Coffee?' });
  expect(await cause()).toEqual({ kind: 'EDITED', ...byBen });
  await say(aki, roomId, 'Yes', messageId);
  expect(await cause()).toEqual({ kind: 'REPLIED', ...byAki });
  // By the owner. The like that is left is deleted afterwards, which is not a change of its own.
  await aki.do(DeleteMessage, { messageId });
  expect(await cause()).toEqual({ kind: 'DELETED', ...byAki });
});

test('lastChangeOf: is null for an item of an earlier release, and after such a release has changed it', () => {
  const old = { author: 'u', body: 'Tea?', rev: 3, likeCount: 1 };
  expect(lastChangeOf(old)).toBeNull();
  const liked = { ...old, rev: 4, lastChange: { kind: 'LIKED', by: 'u' }, lastChangeRev: 4 };
  expect(lastChangeOf(liked)).toEqual({ kind: 'LIKED', actor: 'u' });
  expect(lastChangeOf({ ...liked, rev: 5 })).toBeNull();
});

const STAMPS = ['tea', 'heart'] as const;
const step = fc.record({
  what: fc.constantFrom(
    'edit',
    'delete',
    'like',
    'like',
    'stamp',
    'stamp',
    'reply',
    'release before',
    'read',
  ),
  who: fc.nat({ max: 2 }),
  message: fc.nat({ max: 1 }),
  pick: fc.nat({ max: 99 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const { numRuns, timeout, within } = budget({ runs: 10, seconds: 1.5 });

/** A room with two messages, everything that happened to them, by the version that it made, and what the log has. */
async function newRoom() {
  const { dynamo, services } = app;
  const [aki, ben, chi] = await people(app, 3);
  const users = [aki.id, ben.id, chi.id];
  const room = rawId(await roomOf(aki, [ben, chi]));
  const messages = [
    await services.messages.send({ room, author: aki.id, body: 'One' }),
    await services.messages.send({ room, author: ben.id, body: 'Two' }),
  ];
  await app.quiet();
  const log = createRoomLogReader({ dynamo });
  const changes = new Map<string, MessageChange>();
  const versions = new Map<string, number>();
  const nameOf = (message: MessageKey, version: number) => `${messageId(message)} ${version}`;
  const itemOf = ({ room: id, threadTs, ts }: MessageKey) => dynamo.get(keys.message(id, threadTs, ts));

  async function did(message: MessageKey, change: MessageChange | null): Promise<void> {
    const version = (await itemOf(message))?.rev as number;
    if (change !== null && version !== versions.get(messageId(message)))
      changes.set(nameOf(message, version), change);
    versions.set(messageId(message), version);
  }

  /** What the message's readers must be sent for a stretch of the log. */
  const expected = (stretch: readonly NumberedEntry[], { room: _, ...message }: Message) => {
    const entries = stretch.flatMap(({ entry }) =>
      entry.type === 'message' && entry.added === undefined && entry.ts === message.ts ? [entry.version] : [],
    );
    const only = entries.length === 1 && entries[0] === message.version;
    return only ? (changes.get(nameOf({ room, ...message }, message.version)) ?? null) : null;
  };

  async function run({ what, who, message: at, pick }: Step): Promise<void> {
    const [message, actor] = [messages[at], users[who]];
    if (message === undefined || actor === undefined) throw new Error('There is no such message.');
    const { messages: service, likes, stamps } = services;
    const item = await itemOf(message);
    const deleted = item?.deletedAt !== undefined;
    const stamp = STAMPS[pick % STAMPS.length] ?? 'tea';
    switch (what) {
      case 'edit':
        if (deleted) return;
        await service.edit(message.author, message, `Edited ${pick}`);
        return did(message, { kind: 'EDITED', actor: message.author });
      case 'delete':
        // Seldom: no other change is possible after it.
        if (deleted || pick < 80) return;
        await service.remove(users[0] ?? '', message);
        return did(message, { kind: 'DELETED', actor: users[0] ?? '' });
      case 'like': {
        if (deleted) return;
        const liked = (await dynamo.get(keys.like(actor, message))) !== undefined;
        await likes[liked ? 'remove' : 'add'](actor, message);
        return did(message, { kind: liked ? 'UNLIKED' : 'LIKED', actor });
      }
      case 'stamp': {
        if (deleted) return;
        const guard = await dynamo.get(keys.stampGuard(actor, message, stamp));
        if (guard === undefined) await stamps.add(actor, message, stamp);
        else await stamps.remove(actor, { ...message, stampedAt: guard.s as typeof message.ts });
        return did(message, { kind: guard === undefined ? 'STAMPED' : 'UNSTAMPED', actor, detail: stamp });
      }
      case 'reply':
        if (deleted) return;
        await service.send({ room, author: actor, body: 'A reply', replyTo: message });
        return did(message, { kind: 'REPLIED', actor });
      case 'release before':
        await dynamo.transact([
          {
            key: keys.message(room, message.threadTs, message.ts),
            update: 'SET rev = rev + :one',
            condition: 'attribute_exists(pk)',
            values: { ':one': 1 },
          },
        ]);
        return did(message, null);
      case 'read':
        return compare(pick);
    }
  }

  /** Reads a part of the log: what was missed, or an update that is read after more has happened. */
  async function compare(pick: number): Promise<void> {
    await app.quiet();
    const last = await log.lastNumber(room);
    const from = 1 + (pick % last);
    const stretch = await log.changes(room, from, from + ((pick * 7) % (last - from + 1)));
    const sent = await log.events(room, coalesce(stretch ?? []));
    for (const event of sent) {
      if (event.type === 'MessageChanged')
        expect(event.cause).toEqual(expected(stretch ?? [], event.message));
    }
  }

  return { run, compare, changes };
}

test(`MessageChanged.cause: is the one change since the event before it, or null (seed ${seed})`, {
  timeout,
}, async () => {
  let known = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 25 }),
      within(async (steps) => {
        const { run, compare, changes } = await newRoom();
        for (const one of steps) await run(one);
        for (let pick = 0; pick < 40; pick += 3) await compare(pick);
        known += changes.size;
      }),
    ),
    { numRuns, endOnFailure: true },
  );
  expect(known).toBeGreaterThan(0);
});
