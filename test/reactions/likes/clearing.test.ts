import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { toTimestamp } from '../../../src/core/timestamps.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys, likers } from '../../../src/dynamo/keys.ts';
import type { MessageKey } from '../../../src/messages/message.ts';
import { clearLeftovers, LeftoversRemain } from '../../../src/reactions/cleanup.ts';
import { AT_ONCE, clearLikes, clearSomeLikes } from '../../../src/reactions/likes/clearing.ts';
import { createLikesClearingHandler } from '../../../src/reactions/likes/handlers.ts';
import type { Change } from '../../../src/stream/change.ts';
import { DeleteMessage } from '../../roomEvents/operations.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { say } from '../../support/people.ts';
import { createStreamGate } from '../../support/streamGate.ts';
import { inTable, like, likedByMany, likesOf, likingRoom, messageKey } from './liking.ts';

const gate = createStreamGate();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ dispatching: gate.dispatching });
});
afterAll(async () => {
  gate.open();
  await app.stop();
});
beforeEach(() => gate.open());

const left = async (message: MessageKey) => {
  const { said, users } = await inTable(app.dynamo, message);
  return { said, likes: users.length };
};
const NOTHING = { said: 0, likes: 0 };

const cleared = (message: MessageKey) => eventually(async () => expect(await left(message)).toEqual(NOTHING));

test('with the message its likes are gone from every answer, before anything is cleared away', async () => {
  const { aki, ben, roomId, message } = await likingRoom(app);
  const reply = (await say(ben, roomId, 'Yes.', message)).id;
  for (const id of [message, reply]) {
    await like(aki, id);
    await like(ben, id);
  }
  gate.close();
  await aki.do(DeleteMessage, { messageId: message });
  const gone = { likeCount: 0, viewerHasLiked: false, likers: { edges: [] } };
  expect(await likesOf(ben, message)).toMatchObject(gone);
  expect(await left(messageKey(message))).toEqual({ said: 2, likes: 2 });

  gate.open();
  await cleared(messageKey(message));
  // What is not of the message stays.
  expect(await likesOf(ben, reply)).toMatchObject({ likeCount: 2, viewerHasLiked: true });
  await aki.do(DeleteMessage, { messageId: message });
  expect(await left(messageKey(reply))).toEqual({ said: 2, likes: 2 });
});

test('more likes than one step takes are cleared, one step bringing about the next', async () => {
  const { aki, message } = await likingRoom(app);
  const key = messageKey(message);
  await likedByMany(app.dynamo, key, 3 * AT_ONCE + 7);
  await aki.do(DeleteMessage, { messageId: message });
  await cleared(key);
});

/** A deleted message with likes that nobody has cleared away; of its stream's records none were handled. */
async function leftovers(count: number): Promise<MessageKey> {
  const { aki, message } = await likingRoom(app);
  const key = messageKey(message);
  await likedByMany(app.dynamo, key, count);
  gate.close();
  await app.services.messages.remove(aki.id, key);
  return key;
}

/** The record of a message's change, as the stream tells it. */
const recordOf = ({ room, t, c }: MessageKey, old: object, now: object): Change => ({
  stream: 'stream',
  sequence: '1',
  kind: 'MODIFY',
  key: t === c ? { type: 'root', room, t, c } : { type: 'reply', room, t, c },
  old: { ...old },
  new: { ...now },
  expired: false,
});

const deletedAt = toTimestamp(1);

test('each record is worth one step, which leaves the count and the likes the same', async () => {
  const message = await leftovers(AT_ONCE + 10);
  const handler = createLikesClearingHandler({ dynamo: app.dynamo });
  const deletion = recordOf(message, { likeCount: AT_ONCE + 10 }, { likeCount: AT_ONCE + 10, deletedAt });
  await handler.handle([deletion, deletion]);
  expect(await left(message)).toEqual({ said: 10, likes: 10 });
  await handler.handle([recordOf(message, deletion.new ?? {}, { likeCount: 10, deletedAt })]);
  expect(await left(message)).toEqual(NOTHING);
  // Repeated, it finds nothing to do.
  await handler.handle([deletion]);
  expect(await left(message)).toEqual(NOTHING);
});

test('cut short before and after a step, it goes on where it was when the record comes again', async () => {
  const message = await leftovers(AT_ONCE + 10);
  const deletion = recordOf(message, { likeCount: 60 }, { likeCount: 60, deletedAt });
  const dying = (when: 'before' | 'after'): Dynamo => ({
    ...app.dynamo,
    async transact(writes, retry) {
      if (when === 'after') await app.dynamo.transact(writes, retry);
      throw new Error('The process ended here.');
    },
  });
  for (const when of ['before', 'after'] as const) {
    const handler = createLikesClearingHandler({ dynamo: dying(when) });
    await expect(handler.handle([deletion])).rejects.toThrow('ended here');
    const there = when === 'before' ? AT_ONCE + 10 : 10;
    expect(await left(message)).toEqual({ said: there, likes: there });
  }
  await createLikesClearingHandler({ dynamo: app.dynamo }).handle([deletion]);
  expect(await left(message)).toEqual(NOTHING);
});

test('two consumers that clear one message at the same time both come to its end', async () => {
  const message = await leftovers(2 * AT_ONCE);
  const item = { deletedAt, likeCount: 2 * AT_ONCE };
  await Promise.all([1, 2, 3].map(() => clearLikes(app.dynamo, message, item)));
  expect(await left(message)).toEqual(NOTHING);
});

/** The table whose index shows what it showed when it was asked first, for so many times. */
function lagging(times: number): Dynamo {
  const pages = new Map<string, ReturnType<Dynamo['queryIndex']>>();
  let asked = 0;
  return {
    ...app.dynamo,
    queryIndex(pk, page) {
      if (++asked > times) return app.dynamo.queryIndex(pk, page);
      const name = JSON.stringify([pk, page]);
      const known = pages.get(name) ?? app.dynamo.queryIndex(pk, page);
      pages.set(name, known);
      return known;
    },
  };
}

test('an index that still names what is cleared already makes it look further', async () => {
  const message = await leftovers(3 * AT_ONCE);
  const dynamo = lagging(Number.POSITIVE_INFINITY);
  for (const there of [2 * AT_ONCE, AT_ONCE, 0]) {
    await clearSomeLikes(dynamo, message);
    expect(await left(message)).toEqual({ said: there, likes: there });
  }
});

test('an index that does not name a like yet is waited for; one that never does is no end without a word', async () => {
  const message = await leftovers(2);
  let shown = 0;
  const dynamo: Dynamo = {
    ...app.dynamo,
    queryIndex: async (pk, page) =>
      ++shown > 2 ? app.dynamo.queryIndex(pk, page) : { items: [], more: false },
  };
  expect(await clearSomeLikes(dynamo, message)).toBe(true);
  expect(await left(message)).toEqual(NOTHING);

  const count = (likes: number) =>
    app.dynamo.update(keys.message(message.room, message.t, message.c), {
      update: 'SET likeCount = :likes',
      values: { ':likes': likes },
    });
  await count(2);
  await expect(clearSomeLikes(app.dynamo, message)).rejects.toThrow(LeftoversRemain);
  await count(0);
});

test('only the deletion clears, and the steps behind it: other changes read nothing', async () => {
  const { message } = await likingRoom(app);
  const asked: string[] = [];
  const watched: Dynamo = {
    ...app.dynamo,
    queryIndex(pk, page) {
      asked.push(pk);
      return app.dynamo.queryIndex(pk, page);
    },
  };
  const key = messageKey(message);
  const deleted = { deletedAt, likeCount: 3 };
  const { new: _, ...removed } = { ...recordOf(key, deleted, deleted), kind: 'REMOVE' as const };
  await createLikesClearingHandler({ dynamo: watched }).handle([
    recordOf(key, { likeCount: 2 }, { likeCount: 3 }),
    recordOf(key, {}, { deletedAt }),
    recordOf(key, deleted, { ...deleted, position: 7 }),
    recordOf(key, { deletedAt, likeCount: 1 }, { deletedAt, likeCount: 0 }),
    removed,
  ]);
  expect(asked).toEqual([]);
});

test('after records were trimmed unread, what deleted messages left is cleared, and nothing else', async () => {
  const { aki, ben, roomId, message } = await likingRoom(app);
  const alive = messageKey((await say(aki, roomId, 'Coffee?')).id);
  const deleted = messageKey(message);
  for (const key of [deleted, alive]) await app.services.likes.like(ben.id, key);
  await likedByMany(app.dynamo, deleted, AT_ONCE);
  gate.close();
  await app.services.messages.remove(aki.id, deleted);
  // One that is broken does not keep the others.
  const broken = { ...keys.root(deleted.room, toTimestamp(1)), deletedAt, likeCount: 1 };
  await app.dynamo.put(broken);
  expect(await clearLeftovers({ dynamo: app.dynamo, clear: [clearLikes] })).toBe(1);
  expect(await left(deleted)).toEqual(NOTHING);
  expect(await left(alive)).toEqual({ said: 1, likes: 1 });
  const { items } = await app.dynamo.queryIndex(likers.pk(deleted), { limit: 10 });
  expect(items).toEqual([]);
});

test('likes that race with the deletion are either refused or cleared with it', async () => {
  const { aki, ben, message } = await likingRoom(app);
  const key = messageKey(message);
  const { likes, messages } = app.services;
  const clicks = Array.from({ length: 10 }, (_, i) =>
    i % 2 === 0 ? likes.like(ben.id, key) : likes.unlike(ben.id, key),
  );
  await Promise.allSettled([...clicks, messages.remove(aki.id, key), likes.like(ben.id, key)]);
  await cleared(key);
  expect(await likesOf(aki, message)).toMatchObject({ likeCount: 0, likers: { edges: [] } });
});
