import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TsudoiError } from '../../../src/core/errors.ts';
import { createTimestamps } from '../../../src/core/timestamps.ts';
import { keys, ranges } from '../../../src/dynamo/keys.ts';
import type { MessageKey } from '../../../src/messages/message.ts';
import { KINDS_MAX, type MessageStamp, TOTAL_MAX } from '../../../src/reactions/stamps/stamp.ts';
import { createStamps } from '../../../src/reactions/stamps/stamps.ts';
import { messageKey, people, roomOf, say } from '../../support/clients/people.ts';
import { beforeTransactions } from '../../support/database/beforeTransactions.ts';
import { openTestDynamo, type TestDynamo } from '../../support/database/dynamo.ts';
import { itemsIn } from '../../support/database/table.ts';
import { budget } from '../../support/run/budget.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { createRoomWithMessage } from '../support/room.ts';
import { AddStamp } from './support/operations.ts';
import { put, stampsOf } from './support/stamps.ts';

// Two servers, so that writes of one message conflict in the table and not only wait in one process' queue.
let database: TestDynamo;
let app: TestApp;
let other: TestApp;
beforeAll(async () => {
  database = await openTestDynamo({ file: true });
  [app, other] = await Promise.all([startTestApp({ database }), startTestApp({ database })]);
});
afterAll(async () => {
  await Promise.all([app.stop(), other.stop()]);
  await database.stop();
});

type Counts = Readonly<Record<string, number>>;

/** The counts that the message has, and those of the stamps and guards in the table. They must be equal. */
async function countsOf(message: MessageKey) {
  const { room, threadTs, ts } = message;
  const [item, stamps] = await Promise.all([
    app.dynamo.get(keys.message(room, threadTs, ts)),
    itemsIn(app.dynamo, ranges.stamps(room, threadTs, ts)),
  ]);
  const guards = await app.dynamo.batchGet(
    stamps.map(({ user, stampKey }) => keys.stampGuard(String(user), message, String(stampKey))),
  );
  const found: Record<string, number> = {};
  for (const { stampKey } of stamps) found[String(stampKey)] = (found[String(stampKey)] ?? 0) + 1;
  return {
    stored: item?.stamps as Counts,
    total: Number(item?.stampTotal ?? 0),
    found,
    stamps: stamps.length,
    guards: guards.filter((guard) => guard !== undefined).length,
  };
}

const NONE = { stored: {}, total: 0, found: {}, stamps: 0, guards: 0 };

const sum = (counts: Counts) => Object.values(counts).reduce((total, count) => total + count, 0);

const codeOf = (error: unknown) => (error instanceof TsudoiError ? error.code : error);

test('stampCounts: are exact after fifty users added and removed one stamp at once on two servers', async () => {
  const [aki, ...others] = await people(app, 50);
  if (aki === undefined) throw new Error('There are no users.');
  const roomId = await roomOf(aki, others);
  const { id } = await say(aki, roomId, 'Who is in?');
  const message = messageKey(id);
  const stay = await Promise.all(
    [aki, ...others].map(async (person, i) => {
      const { stamps } = (i % 2 === 0 ? app : other).services;
      const placed = await stamps.add(person.id, message, 'check');
      if (i % 3 === 0) return true;
      await stamps.remove(person.id, placed);
      return false;
    }),
  );
  const left = stay.filter(Boolean).length;
  expect(await countsOf(message)).toEqual({
    stored: { check: left },
    total: left,
    found: { check: left },
    stamps: left,
    guards: left,
  });
  const { stampCounts } = await stampsOf(aki, id);
  expect(stampCounts).toEqual([{ count: left, viewerHasStamped: true, stamp: { key: 'check' } }]);
});

const { numRuns, timeout, start } = budget({ runs: 2, seconds: 5 });

test(
  'stampCounts: are exact after random stamps of six users at once, and each gets the right answer',
  async () => {
    const crowd = await people(app, 6);
    const [aki, ...others] = crowd;
    if (aki === undefined) throw new Error('There are no users.');
    const roomId = await roomOf(aki, others);
    const kinds = ['heart', 'tea', 'fuji'];

    /** The clicks of one user. Each adds the stamp, or removes it if the user has already added it. */
    const clicks = fc.array(
      fc.record({ stamp: fc.constantFrom(...kinds), again: fc.boolean(), onOther: fc.boolean() }),
      { minLength: 1, maxLength: 8 },
    );
    const sessions = fc.array(clicks, { minLength: crowd.length, maxLength: crowd.length });

    const isOver = start();
    await fc.assert(
      fc.asyncProperty(sessions, async (all) => {
        if (isOver()) return;
        const message = messageKey((await say(aki, roomId, 'And now?')).id);
        const left = await Promise.all(
          all.map(async (session, i) => {
            const user = crowd[i]?.id ?? '';
            const own = new Map<string, MessageStamp>();
            for (const { stamp, again, onOther } of session) {
              const { stamps } = (onOther ? other : app).services;
              const placed = own.get(stamp);
              if (placed === undefined) {
                own.set(stamp, await stamps.add(user, message, stamp));
              } else if (again) {
                expect(await stamps.add(user, message, stamp).catch(codeOf)).toBe('CONFLICT');
              } else {
                await stamps.remove(user, placed);
                own.delete(stamp);
                expect(await stamps.remove(user, placed).catch(codeOf)).toBe('NOT_FOUND');
              }
            }
            return [...own.keys()];
          }),
        );
        const model: Record<string, number> = {};
        for (const key of left.flat()) model[key] = (model[key] ?? 0) + 1;
        const total = sum(model);
        expect(await countsOf(message)).toEqual({
          stored: model,
          total,
          found: model,
          stamps: total,
          guards: total,
        });
      }),
      { numRuns, endOnFailure: true },
    );
  },
  timeout,
);

test('remove: of ten at once of one stamp, one succeeds', async () => {
  const { ben, message } = await createRoomWithMessage(app);
  const placed = await app.services.stamps.add(ben.id, messageKey(message), 'tea');
  const codes = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      (i % 2 === 0 ? app : other).services.stamps.remove(ben.id, placed).then(() => 'OK', codeOf),
    ),
  );
  expect(codes.sort()).toEqual([...Array.from({ length: 9 }, () => 'NOT_FOUND'), 'OK']);
  expect(await countsOf(messageKey(message))).toEqual(NONE);
});

/** The stamps of another server, which runs `between` before its first write. */
function serverThat(between: () => Promise<unknown>) {
  const first = [between];
  const dynamo = beforeTransactions(app.dynamo, () => first.shift()?.());
  return createStamps({ dynamo, timestamps: createTimestamps() });
}

test('remove: if the last two stamps of a kind are removed at once, no count of zero is left', async () => {
  const { aki, ben, message } = await createRoomWithMessage(app);
  const key = messageKey(message);
  const { stamps } = app.services;
  const [first, second] = [await stamps.add(aki.id, key, 'tea'), await stamps.add(ben.id, key, 'tea')];
  // The server has read a count of two when the other stamp is removed.
  await serverThat(() => stamps.remove(aki.id, first)).remove(ben.id, second);
  expect(await countsOf(key)).toEqual(NONE);
});

test('remove: if a stamp is added while the last one of its kind is removed, it is counted', async () => {
  const { aki, ben, message } = await createRoomWithMessage(app);
  const key = messageKey(message);
  const { stamps } = app.services;
  const last = await stamps.add(ben.id, key, 'tea');
  // The server has read a count of one when the other stamp is added.
  await serverThat(() => stamps.add(aki.id, key, 'tea')).remove(ben.id, last);
  expect(await countsOf(key)).toEqual({
    stored: { tea: 1 },
    total: 1,
    found: { tea: 1 },
    stamps: 1,
    guards: 1,
  });
});

/** Writes the counts of a message, without stamps. */
async function setCounts(message: MessageKey, counts: Counts): Promise<void> {
  await app.dynamo.update(keys.message(message.room, message.threadTs, message.ts), {
    update: 'SET stamps = :stamps, stampTotal = :total',
    values: { ':stamps': counts, ':total': sum(counts) },
  });
}

test(`addStamp: a message has at most ${TOTAL_MAX} stamps, and of two users at once one adds the last`, async () => {
  const { aki, ben, message } = await createRoomWithMessage(app);
  await setCounts(messageKey(message), { heart: TOTAL_MAX - 1 });
  const codes = await Promise.all(
    [aki, ben].map((person) => person.refused(AddStamp, { messageId: message, stamp: 'heart' })),
  );
  expect(codes.sort()).toEqual(['CONFLICT', undefined]);
  const { errors } = await ben.send(AddStamp, { messageId: message, stamp: 'tea' });
  expect(errors?.[0]?.message).toBe('A message can have at most 50 different stamps and 500 in total.');
  expect((await stampsOf(aki, message)).stampCounts).toMatchObject([{ count: TOTAL_MAX }]);
});

test('addStamp: is possible again after a stamp of a full message was removed', async () => {
  const { aki, ben, message } = await createRoomWithMessage(app);
  const placed = await app.services.stamps.add(ben.id, messageKey(message), 'heart');
  await setCounts(messageKey(message), { heart: TOTAL_MAX });
  expect(await aki.refused(AddStamp, { messageId: message, stamp: 'heart' })).toBe('CONFLICT');
  await app.services.stamps.remove(ben.id, placed);
  await put(aki, message, 'heart');
});

test(`addStamp: a message has at most ${KINDS_MAX} different stamps, and more of each of them`, async () => {
  const { aki, ben, message } = await createRoomWithMessage(app);
  const kinds = Array.from({ length: KINDS_MAX - 1 }, (_, i) => [`kind-${i}`, 1]);
  await setCounts(messageKey(message), Object.fromEntries(kinds));
  await put(aki, message, 'heart');
  expect(await ben.refused(AddStamp, { messageId: message, stamp: 'tea' })).toBe('CONFLICT');
  await put(ben, message, 'heart');
  const { stampCounts } = await stampsOf(aki, message);
  expect(stampCounts).toHaveLength(KINDS_MAX);
  // Without the last stamp of a kind, another kind is possible.
  await app.services.stamps.remove(ben.id, await stampBy(message, ben.id));
  await app.services.stamps.remove(aki.id, await stampBy(message, aki.id));
  await put(ben, message, 'tea');
});

async function stampBy(message: string, user: string): Promise<MessageStamp> {
  const page = { limit: 100, from: undefined };
  const { nodes } = await app.services.stamps.list(messageKey(message), page);
  const found = nodes.find((node) => node.user === user);
  if (found === undefined) throw new Error('The user has no stamp on this message.');
  return found;
}
