import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { microsOf, toTimestamp } from '../../../src/core/timestamps.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys, MAX_SUFFIX, ranges } from '../../../src/dynamo/keys.ts';
import { FIRST_SHAPE } from '../../../src/dynamo/shapes.ts';
import type { Write } from '../../../src/dynamo/write.ts';
import { createJobs } from '../../../src/jobs/jobs.ts';
import type { MessageKey } from '../../../src/messages/message.ts';
import { createCleanupVisitor } from '../../../src/reactions/cleanup.ts';
import { createCleanupHandler } from '../../../src/reactions/handlers.ts';
import { createStampsCleanup } from '../../../src/reactions/stamps/cleanup.ts';
import { type MessageStamp, stampItem } from '../../../src/reactions/stamps/stamp.ts';
import { rebuild } from '../../../src/rebuild/rebuild.ts';
import type { Change } from '../../../src/stream/change.ts';
import { stepOf, storedJob } from '../../jobs/support/steps.ts';
import { messageKey, type Person, say } from '../../support/clients/people.ts';
import { itemsIn } from '../../support/database/table.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { createStreamGate } from '../../support/stream/streamGate.ts';
import { eventually } from '../../support/time/eventually.ts';
import { createRoomWithMessage } from '../support/room.ts';
import { DeleteStamped, StampNode } from './support/operations.ts';
import { put, stampsOf } from './support/stamps.ts';

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

/** Counts in the table a message's stamps, and the guards of one user. */
async function left(message: MessageKey, user: string) {
  const { room, threadTs, ts } = message;
  const marks = ranges.viewerReactions(user, message, message);
  const [stamps, guards] = await Promise.all([
    itemsIn(app.dynamo, ranges.stamps(room, threadTs, ts)),
    itemsIn(app.dynamo, { ...marks, to: `${marks.from}#STAMP#${MAX_SUFFIX}` }),
  ]);
  return { stamps: stamps.length, guards: guards.length };
}

const NOTHING = { stamps: 0, guards: 0 };

test('stampsClearing: a deleted message shows no stamps before they are deleted', async () => {
  const { aki, ben, roomId, message } = await createRoomWithMessage(app);
  const reply = (await say(ben, roomId, 'Yes.', message)).id;
  const { id } = await put(ben, message, 'tea');
  await put(ben, message, 'cake');
  await put(ben, reply, 'tea');
  gate.close();
  const { deleteMessage } = await aki.do(DeleteStamped, { messageId: message });
  expect(deleteMessage.message).toMatchObject({ stampCounts: [], stamps: { edges: [] } });
  expect((await stampsOf(ben, message)).stamps.edges).toEqual([]);
  expect((await ben.do(StampNode, { id })).node).toBeNull();
  expect(await left(messageKey(message), ben.id)).toEqual({ stamps: 2, guards: 2 });

  gate.open();
  await eventually(async () => expect(await left(messageKey(message), ben.id)).toEqual(NOTHING));
  // Stamps of other messages stay.
  expect(await left(messageKey(reply), ben.id)).toEqual({ stamps: 1, guards: 1 });
  expect((await stampsOf(aki, reply)).stampCounts).toMatchObject([{ count: 1 }]);
});

test('stampsClearing: of a deleted reply leaves the stamps of the root and of other replies', async () => {
  const { aki, ben, roomId, message } = await createRoomWithMessage(app);
  const replies = [];
  for (let i = 0; i < 3; i++) replies.push((await say(ben, roomId, `Reply ${i}`, message)).id);
  for (const id of [message, ...replies]) await put(ben, id, 'sun');
  const [before = '', deleted = '', after = ''] = replies;
  await ben.do(DeleteStamped, { messageId: deleted });
  await eventually(async () => expect(await left(messageKey(deleted), ben.id)).toEqual(NOTHING));
  for (const id of [message, before, after]) {
    expect((await stampsOf(aki, id)).stampCounts).toMatchObject([{ count: 1 }]);
    expect(await left(messageKey(id), ben.id)).toEqual({ stamps: 1, guards: 1 });
  }
});

/** Puts different stamps of one user on a message without counting them. */
async function putStamps(message: MessageKey, user: string, count: number): Promise<void> {
  const writes = Array.from({ length: count }, (_, i): Write[] => {
    const stampKey = `kind-${i}`;
    const placed: MessageStamp = {
      ...message,
      stampedAt: toTimestamp(microsOf(message.ts) + 1 + i),
      user,
      stampKey,
    };
    const guard = { ...keys.stampGuard(user, message, stampKey), v: FIRST_SHAPE, s: placed.stampedAt };
    return [{ put: stampItem(placed) }, { put: guard }];
  });
  for (let i = 0; i < count; i += 10) await app.dynamo.transact(writes.slice(i, i + 10).flat());
}

/** The stream record of a message's deletion. */
const deletionOf = ({ room, threadTs, ts }: MessageKey): Change => ({
  stream: 'stream',
  sequence: '1',
  kind: 'MODIFY',
  key: threadTs === ts ? { type: 'root', room, threadTs, ts } : { type: 'reply', room, threadTs, ts },
  old: { body: 'Tea?' },
  new: { deletedAt: toTimestamp(microsOf(ts) + 1) },
  expired: false,
});

/** An hour ahead of the app's clock, because the app runs due jobs too. */
const now = () => Date.now() + 3_600_000;

/** The handlers of a consumer that clears stamps. */
function clearing(dynamo: Dynamo) {
  const cleanup = createStampsCleanup({ dynamo });
  const handler = createCleanupHandler({ jobs: createJobs({ dynamo, now }), cleanup });
  return { handler, work: { dynamo, kinds: [cleanup.kind], now } };
}

const jobOf = (message: MessageKey) => ({ id: createStampsCleanup(app).id(message) });

/** Runs the message's job step by step, as its timers do. */
async function runJob(message: MessageKey, { work }: ReturnType<typeof clearing>): Promise<void> {
  while (await stepOf(work, jobOf(message)));
}

interface Leftovers {
  readonly ben: Person;
  readonly message: MessageKey;
}

/** A message with stamps. The stream's own consumer is stopped until the next test. */
async function leftovers(count: number): Promise<Leftovers> {
  const { ben, message } = await createRoomWithMessage(app);
  const key = messageKey(message);
  await putStamps(key, ben.id, count);
  gate.close();
  return { ben, message: key };
}

test('stampsClearing: continues after a crash', async () => {
  const { ben, message } = await leftovers(45);
  let transactions = 0;
  const failing: Dynamo = {
    ...app.dynamo,
    async transact(writes, retry) {
      if (++transactions > 2) throw new Error('The process ended here.');
      await app.dynamo.transact(writes, retry);
    },
  };
  const record = [deletionOf(message)];
  const dying = clearing(failing);
  await dying.handler.handle(record);
  await expect(runJob(message, dying)).rejects.toThrow('ended here');
  const { stamps, guards } = await left(message, ben.id);
  expect([stamps, stamps === guards]).toEqual([25, true]);

  await runJob(message, clearing(app.dynamo));
  expect(await left(message, ben.id)).toEqual(NOTHING);
  await clearing(app.dynamo).handler.handle(record);
  expect(await storedJob(app.dynamo, jobOf(message))).toBeUndefined();
});

test('stampsClearing: continues the work of an earlier release, which had no jobs', async () => {
  const { ben, message } = await leftovers(45);
  // That release cleared in the handler, ten at a time, and made no job.
  const { room, threadTs, ts } = message;
  const { items } = await app.dynamo.query(ranges.stamps(room, threadTs, ts), { limit: 20 });
  for (const { pk, sk, stampKey } of items) {
    const guard = keys.stampGuard(ben.id, message, String(stampKey));
    await app.dynamo.transact([{ delete: { pk: String(pk), sk: String(sk) } }, { delete: guard }]);
  }
  const consumer = clearing(app.dynamo);
  await consumer.handler.handle([deletionOf(message)]);
  await runJob(message, consumer);
  expect(await left(message, ben.id)).toEqual(NOTHING);
});

test('stampsClearing: two consumers can clear one message at the same time', async () => {
  const { ben, message } = await leftovers(30);
  const consumers = [clearing(app.dynamo), clearing(app.dynamo)];
  await Promise.all(
    consumers.map(async (consumer) => {
      await consumer.handler.handle([deletionOf(message)]);
      await runJob(message, consumer);
    }),
  );
  expect(await left(message, ben.id)).toEqual(NOTHING);
});

test('stampsClearing: reads nothing for changes other than a deletion', async () => {
  const { message } = await leftovers(1);
  const reads: string[] = [];
  const watched: Dynamo = {
    ...app.dynamo,
    query(range, page) {
      reads.push(range.from);
      return app.dynamo.query(range, page);
    },
  };
  const { handler } = clearing(watched);
  const deletion = deletionOf(message);
  const { deletedAt } = deletion.new ?? {};
  const { new: _, ...removed } = { ...deletion, kind: 'REMOVE' as const };
  await handler.handle([
    { ...deletion, new: { body: 'edited' } },
    { ...deletion, old: { deletedAt }, new: { deletedAt, rev: 3 } },
    removed,
  ]);
  expect(reads).toEqual([]);
});

test('rebuild: deletes the stamps that deleted messages have left, and no others', async () => {
  const { aki, ben, roomId, message } = await createRoomWithMessage(app);
  const deleted = messageKey(message);
  const reply = messageKey((await say(ben, roomId, 'Yes.', message)).id);
  const alive = messageKey((await say(aki, roomId, 'Coffee?')).id);
  for (const key of [deleted, reply, alive]) {
    await app.services.stamps.add(ben.id, key, 'tea');
    await app.services.stamps.add(ben.id, key, 'cake');
  }
  gate.close();
  await app.services.messages.remove(aki.id, deleted);
  await app.services.messages.remove(ben.id, reply);
  const visitor = createCleanupVisitor(createJobs(app), [createStampsCleanup(app)]);
  expect(await rebuild({ dynamo: app.dynamo, visitors: [visitor] })).toEqual({ incompleteCleanups: 0 });
  expect(await left(deleted, ben.id)).toEqual(NOTHING);
  expect(await left(reply, ben.id)).toEqual(NOTHING);
  expect(await left(alive, ben.id)).toEqual({ stamps: 2, guards: 2 });
});

test('stampsClearing: stamps that race with the deletion are refused or deleted', async () => {
  const { aki, ben, message } = await createRoomWithMessage(app);
  const key = messageKey(message);
  const { stamps, messages } = app.services;
  const kinds = app.services.catalogue.stamps.map((stamp) => stamp.key);
  await Promise.allSettled([
    ...kinds.slice(0, 12).map((kind) => stamps.add(ben.id, key, kind)),
    messages.remove(aki.id, key),
    ...kinds.slice(12, 24).map((kind) => stamps.add(ben.id, key, kind)),
  ]);
  await eventually(async () => expect(await left(key, ben.id)).toEqual(NOTHING));
  expect((await stampsOf(aki, message)).stampCounts).toEqual([]);
});
