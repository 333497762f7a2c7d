import { expect, test } from 'vitest';
import { toTimestamp } from '../../../src/core/timestamps.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys, likers } from '../../../src/dynamo/keys.ts';
import { storedMessageKey } from '../../../src/messages/message.ts';
import { createCleanupVisitor } from '../../../src/reactions/cleanup.ts';
import { BATCH_SIZE } from '../../../src/reactions/toggles/cleanup.ts';
import { rebuild } from '../../../src/rebuild/rebuild.ts';
import { DeleteMessage } from '../../messages/support/operations.ts';
import { messageKey, say } from '../../support/clients/people.ts';
import { createRoomWithMessage } from '../support/room.ts';
import { clearing, deletedAt, NOTHING, recordOf, useCleanup } from './support/cleanup.ts';
import { like, likedByMany, likesOf } from './support/likes.ts';

const fixture = useCleanup();

test('likesClearing: a deleted message shows no likes before they are deleted', async () => {
  const { aki, ben, roomId, message } = await createRoomWithMessage(fixture.app);
  const reply = (await say(ben, roomId, 'Yes.', message)).id;
  for (const id of [message, reply]) {
    await like(aki, id);
    await like(ben, id);
  }
  fixture.gate.close();
  await aki.do(DeleteMessage, { messageId: message });
  const gone = { likeCount: 0, viewerHasLiked: false, likers: { edges: [] } };
  expect(await likesOf(ben, message)).toMatchObject(gone);
  expect(await fixture.left(messageKey(message))).toEqual({ count: 2, likes: 2 });

  fixture.gate.open();
  await fixture.cleared(messageKey(message));
  // Likes of other messages stay.
  expect(await likesOf(ben, reply)).toMatchObject({ likeCount: 2, viewerHasLiked: true });
  await aki.do(DeleteMessage, { messageId: message });
  expect(await fixture.left(messageKey(reply))).toEqual({ count: 2, likes: 2 });
});

test('likesClearing: deletes more likes than one step takes', async () => {
  const { aki, message } = await createRoomWithMessage(fixture.app);
  const key = messageKey(message);
  await likedByMany(fixture.app.dynamo, key, 3 * BATCH_SIZE + 7);
  await aki.do(DeleteMessage, { messageId: message });
  await fixture.cleared(key);
});

test('likesClearing: a deletion runs one step, and a job runs the others', async () => {
  const message = await fixture.leftovers(BATCH_SIZE + 10);
  const consumer = clearing(fixture.app.dynamo);
  const count = BATCH_SIZE + 10;
  const deletion = recordOf(message, { likeCount: count }, { likeCount: count, deletedAt });
  await consumer.handler.handle([deletion, deletion]);
  expect(await fixture.left(message)).toEqual({ count: 10, likes: 10 });
  // The record of the step itself starts no second job.
  const job = await fixture.jobOf(message);
  await consumer.handler.handle([recordOf(message, deletion.new ?? {}, { likeCount: 10, deletedAt })]);
  expect(await fixture.jobOf(message)).toEqual(job);
  expect(await fixture.stepOf(message, consumer)).toBe(true);
  expect(await fixture.left(message)).toEqual(NOTHING);
  expect(await fixture.stepOf(message, consumer)).toBe(false);
  // The same record again has nothing to do.
  await consumer.handler.handle([deletion]);
  expect(await fixture.left(message)).toEqual(NOTHING);
  expect(await fixture.jobOf(message)).toBeUndefined();
});

test('likesClearing: continues the work of an earlier release, which had no jobs', async () => {
  const message = await fixture.leftovers(10);
  const consumer = clearing(fixture.app.dynamo);
  // That release reduced the count in its handler, and this record started its next step.
  const steps = [1, 2].map(() =>
    recordOf(message, { likeCount: 60, deletedAt }, { likeCount: 10, deletedAt }),
  );
  await consumer.handler.handle(steps);
  expect(await fixture.jobOf(message)).toMatchObject({
    kind: 'clearLikes',
    state: 'QUEUED',
    done: 0,
    about: { room: message.room, t: message.threadTs, c: message.ts },
  });
  await fixture.stepOf(message, consumer);
  expect(await fixture.left(message)).toEqual(NOTHING);
  expect(await fixture.jobOf(message)).toBeUndefined();
});

test('likesClearing: continues after a crash before or after a step', async () => {
  const message = await fixture.leftovers(BATCH_SIZE + 10);
  const deletion = recordOf(message, { likeCount: 60 }, { likeCount: 60, deletedAt });
  const dying = (when: 'before' | 'after'): Dynamo => ({
    ...fixture.app.dynamo,
    async tryTransact(writes, options) {
      if (when === 'after') await fixture.app.dynamo.tryTransact(writes, options);
      throw new Error('The process ended here.');
    },
  });
  for (const when of ['before', 'after'] as const) {
    const { handler } = clearing(dying(when));
    await expect(handler.handle([deletion])).rejects.toThrow('ended here');
    const remaining = when === 'before' ? BATCH_SIZE + 10 : 10;
    expect(await fixture.left(message)).toEqual({ count: remaining, likes: remaining });
  }
  await clearing(fixture.app.dynamo).handler.handle([deletion]);
  expect(await fixture.left(message)).toEqual(NOTHING);
});

test('clearLikes: two consumers that clear one message at the same time both come to its end', async () => {
  const message = await fixture.leftovers(2 * BATCH_SIZE);
  const about = storedMessageKey(message);
  await Promise.all(
    [1, 2, 3].map(() => {
      const { jobs, cleanup } = clearing(fixture.app.dynamo);
      return jobs.runToEnd(cleanup.kind, cleanup.id(message), about);
    }),
  );
  expect(await fixture.left(message)).toEqual(NOTHING);
});

test('likesClearing: reads nothing for changes other than a deletion and its steps', async () => {
  const { message } = await createRoomWithMessage(fixture.app);
  const queried: string[] = [];
  const watched: Dynamo = {
    ...fixture.app.dynamo,
    queryIndex(pk, page) {
      queried.push(pk);
      return fixture.app.dynamo.queryIndex(pk, page);
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
  const { aki, ben, roomId, message } = await createRoomWithMessage(fixture.app);
  const alive = messageKey((await say(aki, roomId, 'Coffee?')).id);
  const deleted = messageKey(message);
  for (const key of [deleted, alive]) await fixture.app.services.likes.add(ben.id, key);
  await likedByMany(fixture.app.dynamo, deleted, BATCH_SIZE);
  fixture.gate.close();
  await fixture.app.services.messages.remove(aki.id, deleted);
  // A broken message does not prevent the others from being cleared.
  const broken = { ...keys.root(deleted.room, toTimestamp(1)), deletedAt, likeCount: 1 };
  await fixture.app.dynamo.put(broken);
  const { jobs, cleanup } = clearing(fixture.app.dynamo);
  const visitors = [createCleanupVisitor(jobs, [cleanup])];
  expect(await rebuild({ dynamo: fixture.app.dynamo, visitors })).toEqual({ incompleteCleanups: 1 });
  expect(await fixture.left(deleted)).toEqual(NOTHING);
  expect(await fixture.left(alive)).toEqual({ count: 1, likes: 1 });
  const { items } = await fixture.app.dynamo.queryIndex(likers.pk(deleted), { limit: 10 });
  expect(items).toEqual([]);
});

test('likesClearing: likes that race with the deletion are refused or deleted', async () => {
  const { aki, ben, message } = await createRoomWithMessage(fixture.app);
  const key = messageKey(message);
  const { likes, messages } = fixture.app.services;
  const clicks = Array.from({ length: 10 }, (_, i) =>
    i % 2 === 0 ? likes.add(ben.id, key) : likes.remove(ben.id, key),
  );
  await Promise.allSettled([...clicks, messages.remove(aki.id, key), likes.add(ben.id, key)]);
  await fixture.cleared(key);
  expect(await likesOf(aki, message)).toMatchObject({ likeCount: 0, likers: { edges: [] } });
});
