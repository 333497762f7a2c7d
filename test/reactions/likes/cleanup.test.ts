import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { toTimestamp } from '../../../src/core/timestamps.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys, likers } from '../../../src/dynamo/keys.ts';
import { createJobsHandler } from '../../../src/jobs/handlers.ts';
import { createJobs } from '../../../src/jobs/jobs.ts';
import { type MessageKey, storedMessageKey } from '../../../src/messages/message.ts';
import { CleanupIncomplete, createCleanupVisitor } from '../../../src/reactions/cleanup.ts';
import { createCleanupHandler } from '../../../src/reactions/handlers.ts';
import { likesKind } from '../../../src/reactions/likes/kind.ts';
import { BATCH_SIZE, INDEX_RETRIES } from '../../../src/reactions/toggles/cleanup.ts';
import { rebuild } from '../../../src/rebuild/rebuild.ts';
import type { Change } from '../../../src/stream/change.ts';
import { DeleteMessage } from '../../messages/support/operations.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { eventually } from '../../support/eventually.ts';
import { messageKey, say } from '../../support/people.ts';
import { createStreamGate } from '../../support/streamGate.ts';
import { createRoomWithMessage } from '../support/room.ts';
import { inTable, like, likedByMany, likesOf } from './support/likes.ts';

const gate = createStreamGate();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ wrapDispatcher: gate.wrapDispatcher });
});
afterAll(async () => {
  gate.open();
  await app.stop();
});
beforeEach(() => gate.open());

const left = async (message: MessageKey) => {
  const { count, users } = await inTable(app.dynamo, message);
  return { count, likes: users.length };
};
const NOTHING = { count: 0, likes: 0 };

const cleared = (message: MessageKey) => eventually(async () => expect(await left(message)).toEqual(NOTHING));

test('likesClearing: a deleted message shows no likes before they are deleted', async () => {
  const { aki, ben, roomId, message } = await createRoomWithMessage(app);
  const reply = (await say(ben, roomId, 'Yes.', message)).id;
  for (const id of [message, reply]) {
    await like(aki, id);
    await like(ben, id);
  }
  gate.close();
  await aki.do(DeleteMessage, { messageId: message });
  const gone = { likeCount: 0, viewerHasLiked: false, likers: { edges: [] } };
  expect(await likesOf(ben, message)).toMatchObject(gone);
  expect(await left(messageKey(message))).toEqual({ count: 2, likes: 2 });

  gate.open();
  await cleared(messageKey(message));
  // Likes of other messages stay.
  expect(await likesOf(ben, reply)).toMatchObject({ likeCount: 2, viewerHasLiked: true });
  await aki.do(DeleteMessage, { messageId: message });
  expect(await left(messageKey(reply))).toEqual({ count: 2, likes: 2 });
});

test('likesClearing: deletes more likes than one step takes', async () => {
  const { aki, message } = await createRoomWithMessage(app);
  const key = messageKey(message);
  await likedByMany(app.dynamo, key, 3 * BATCH_SIZE + 7);
  await aki.do(DeleteMessage, { messageId: message });
  await cleared(key);
});

/** A deleted message with likes. No handler has seen the records of its deletion. */
async function leftovers(count: number): Promise<MessageKey> {
  const { aki, message } = await createRoomWithMessage(app);
  const key = messageKey(message);
  await likedByMany(app.dynamo, key, count);
  gate.close();
  await app.services.messages.remove(aki.id, key);
  return key;
}

/** The stream record of a message's change. */
const recordOf = ({ room, threadTs, ts }: MessageKey, old: object, now: object): Change => ({
  stream: 'stream',
  sequence: '1',
  kind: 'MODIFY',
  key: threadTs === ts ? { type: 'root', room, threadTs, ts } : { type: 'reply', room, threadTs, ts },
  old: { ...old },
  new: { ...now },
  expired: false,
});

const deletedAt = toTimestamp(1);

/** The handlers of a consumer that clears likes. `now`: its clock. */
function clearing(dynamo: Dynamo, now: () => number = Date.now) {
  const cleanup = likesKind.createCleanup({ dynamo, now });
  const jobs = createJobs({ dynamo, now });
  const handler = createCleanupHandler({ jobs, cleanup });
  return { cleanup, jobs, handler, jobsHandler: createJobsHandler({ dynamo, kinds: [cleanup.kind], now }) };
}
type Clearing = ReturnType<typeof clearing>;

const jobId = (message: MessageKey) =>
  likesKind.createCleanup({ dynamo: app.dynamo, now: Date.now }).id(message);
const jobOf = (message: MessageKey) => app.dynamo.get(keys.job(jobId(message)));

/** Runs one step of the message's job, as its stream record would. Resolves to whether there is a job. */
async function stepOf(message: MessageKey, { jobsHandler }: Clearing): Promise<boolean> {
  const item = await jobOf(message);
  if (item === undefined) return false;
  const key = { type: 'job', id: jobId(message) } as const;
  await jobsHandler.handle([
    { stream: 'stream', sequence: '2', kind: 'MODIFY', key, new: item, expired: false },
  ]);
  return true;
}

const countOf = (message: MessageKey, likeCount: number) =>
  app.dynamo.update(keys.message(message.room, message.threadTs, message.ts), {
    update: 'SET likeCount = :likes',
    values: { ':likes': likeCount },
  });

test('likesClearing: a deletion runs one step, and a job runs the others', async () => {
  const message = await leftovers(BATCH_SIZE + 10);
  const consumer = clearing(app.dynamo);
  const count = BATCH_SIZE + 10;
  const deletion = recordOf(message, { likeCount: count }, { likeCount: count, deletedAt });
  await consumer.handler.handle([deletion, deletion]);
  expect(await left(message)).toEqual({ count: 10, likes: 10 });
  // The record of the step itself starts no second job.
  const job = await jobOf(message);
  await consumer.handler.handle([recordOf(message, deletion.new ?? {}, { likeCount: 10, deletedAt })]);
  expect(await jobOf(message)).toEqual(job);
  expect(await stepOf(message, consumer)).toBe(true);
  expect(await left(message)).toEqual(NOTHING);
  expect(await stepOf(message, consumer)).toBe(false);
  // The same record again has nothing to do.
  await consumer.handler.handle([deletion]);
  expect(await left(message)).toEqual(NOTHING);
  expect(await jobOf(message)).toBeUndefined();
});

test('likesClearing: continues the work of an earlier release, which had no jobs', async () => {
  const message = await leftovers(10);
  const consumer = clearing(app.dynamo);
  // That release reduced the count in its handler, and this record started its next step.
  const steps = [1, 2].map(() =>
    recordOf(message, { likeCount: 60, deletedAt }, { likeCount: 10, deletedAt }),
  );
  await consumer.handler.handle(steps);
  expect(await jobOf(message)).toMatchObject({
    ...{ kind: 'clearLikes', rev: 1 },
    about: { room: message.room, t: message.threadTs, c: message.ts },
  });
  await stepOf(message, consumer);
  expect(await left(message)).toEqual(NOTHING);
  expect(await jobOf(message)).toBeUndefined();
});

test('likesClearing: continues after a crash before or after a step', async () => {
  const message = await leftovers(BATCH_SIZE + 10);
  const deletion = recordOf(message, { likeCount: 60 }, { likeCount: 60, deletedAt });
  const dying = (when: 'before' | 'after'): Dynamo => ({
    ...app.dynamo,
    async tryTransact(writes, options) {
      if (when === 'after') await app.dynamo.tryTransact(writes, options);
      throw new Error('The process ended here.');
    },
  });
  for (const when of ['before', 'after'] as const) {
    const { handler } = clearing(dying(when));
    await expect(handler.handle([deletion])).rejects.toThrow('ended here');
    const remaining = when === 'before' ? BATCH_SIZE + 10 : 10;
    expect(await left(message)).toEqual({ count: remaining, likes: remaining });
  }
  await clearing(app.dynamo).handler.handle([deletion]);
  expect(await left(message)).toEqual(NOTHING);
});

test('clearLikes: two consumers that clear one message at the same time both come to its end', async () => {
  const message = await leftovers(2 * BATCH_SIZE);
  const about = storedMessageKey(message);
  await Promise.all(
    [1, 2, 3].map(() => {
      const { jobs, cleanup } = clearing(app.dynamo);
      return jobs.runToEnd(cleanup.kind, cleanup.id(message), about);
    }),
  );
  expect(await left(message)).toEqual(NOTHING);
});

/** A table whose index returns its first answers again, for that many requests. */
function lagging(times: number): Dynamo {
  const pages = new Map<string, ReturnType<Dynamo['queryIndex']>>();
  let requests = 0;
  return {
    ...app.dynamo,
    queryIndex(pk, page) {
      if (++requests > times) return app.dynamo.queryIndex(pk, page);
      const name = JSON.stringify([pk, page]);
      const first = pages.get(name) ?? app.dynamo.queryIndex(pk, page);
      pages.set(name, first);
      return first;
    },
  };
}

test('clearLikes: reads the next page if the index still lists likes that are deleted', async () => {
  const message = await leftovers(3 * BATCH_SIZE);
  const { cleanup } = clearing(lagging(Number.POSITIVE_INFINITY));
  for (const remaining of [2 * BATCH_SIZE, BATCH_SIZE, 0]) {
    expect(await cleanup.kind.step(storedMessageKey(message), null)).toBe(remaining === 0 ? null : '0');
    expect(await left(message)).toEqual({ count: remaining, likes: remaining });
  }
});

test('clearLikes: retries later if the index lists no like yet', async () => {
  const message = await leftovers(2);
  // Ahead of the app's clock, because the app starts due jobs too.
  let now = Date.now() + 3_600_000;
  let lags = true;
  const dynamo: Dynamo = {
    ...app.dynamo,
    queryIndex: async (pk, page) =>
      lags && pk.startsWith('LIKES#') ? { items: [], more: false } : app.dynamo.queryIndex(pk, page),
  };
  const consumer = clearing(dynamo, () => now);
  await consumer.handler.handle([recordOf(message, { likeCount: 2 }, { likeCount: 2, deletedAt })]);
  const job = await jobOf(message);
  expect(job).toMatchObject({ cursor: '1', rev: 1, runAt: now + 1_000 });
  // Before `runAt` neither the job's record nor `startDue` does anything.
  lags = false;
  now += 999;
  await stepOf(message, consumer);
  await consumer.jobs.startDue();
  expect(await jobOf(message)).toEqual(job);
  now += 1;
  await eventually(async () => {
    await consumer.jobs.startDue();
    expect((await jobOf(message))?.rev).toBe(2);
  });
  expect(await jobOf(message)).not.toHaveProperty('runAt');
  expect(await jobOf(message)).not.toHaveProperty('gsi1pk');
  await stepOf(message, consumer);
  expect(await left(message)).toEqual(NOTHING);
  expect(await jobOf(message)).toBeUndefined();
});

test('clearLikes: throws CleanupIncomplete if the index never lists what is left', async () => {
  const message = await leftovers(0);
  await countOf(message, 2);
  const { cleanup } = clearing(app.dynamo, () => 0);
  const { kind } = cleanup;
  let cursor: string | null = null;
  for (let retry = 0; retry < INDEX_RETRIES; retry++) {
    const next = await kind.step(storedMessageKey(message), cursor);
    expect(next).toEqual({ cursor: String(retry + 1), runAt: 1_000 * 2 ** retry });
    cursor = String(retry + 1);
  }
  await expect(kind.step(storedMessageKey(message), cursor)).rejects.toThrow(CleanupIncomplete);
  await countOf(message, 0);
});

test('likesClearing: reads nothing for changes other than a deletion and its steps', async () => {
  const { message } = await createRoomWithMessage(app);
  const queried: string[] = [];
  const watched: Dynamo = {
    ...app.dynamo,
    queryIndex(pk, page) {
      queried.push(pk);
      return app.dynamo.queryIndex(pk, page);
    },
  };
  const key = messageKey(message);
  const deleted = { deletedAt, likeCount: 3 };
  const { new: _, ...removed } = { ...recordOf(key, deleted, deleted), kind: 'REMOVE' as const };
  await clearing(watched).handler.handle([
    recordOf(key, { likeCount: 2 }, { likeCount: 3 }),
    recordOf(key, {}, { deletedAt }),
    recordOf(key, deleted, { ...deleted, position: 7 }),
    recordOf(key, { deletedAt, likeCount: 1 }, { deletedAt, likeCount: 0 }),
    removed,
  ]);
  expect(queried).toEqual([]);
});

test('rebuild: deletes the likes that deleted messages have left, and no others', async () => {
  const { aki, ben, roomId, message } = await createRoomWithMessage(app);
  const alive = messageKey((await say(aki, roomId, 'Coffee?')).id);
  const deleted = messageKey(message);
  for (const key of [deleted, alive]) await app.services.likes.add(ben.id, key);
  await likedByMany(app.dynamo, deleted, BATCH_SIZE);
  gate.close();
  await app.services.messages.remove(aki.id, deleted);
  // A broken message does not prevent the others from being cleared.
  const broken = { ...keys.root(deleted.room, toTimestamp(1)), deletedAt, likeCount: 1 };
  await app.dynamo.put(broken);
  const { jobs, cleanup } = clearing(app.dynamo);
  const visitors = [createCleanupVisitor(jobs, [cleanup])];
  expect(await rebuild({ dynamo: app.dynamo, visitors })).toEqual({ incompleteCleanups: 1 });
  expect(await left(deleted)).toEqual(NOTHING);
  expect(await left(alive)).toEqual({ count: 1, likes: 1 });
  const { items } = await app.dynamo.queryIndex(likers.pk(deleted), { limit: 10 });
  expect(items).toEqual([]);
});

test('likesClearing: likes that race with the deletion are refused or deleted', async () => {
  const { aki, ben, message } = await createRoomWithMessage(app);
  const key = messageKey(message);
  const { likes, messages } = app.services;
  const clicks = Array.from({ length: 10 }, (_, i) =>
    i % 2 === 0 ? likes.add(ben.id, key) : likes.remove(ben.id, key),
  );
  await Promise.allSettled([...clicks, messages.remove(aki.id, key), likes.add(ben.id, key)]);
  await cleared(key);
  expect(await likesOf(aki, message)).toMatchObject({ likeCount: 0, likers: { edges: [] } });
});
