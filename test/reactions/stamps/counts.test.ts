import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TsudoiError } from '../../../src/core/errors.ts';
import { createTimestamps } from '../../../src/core/timestamps.ts';
import { keys, ranges } from '../../../src/dynamo/keys.ts';
import type { MessageKey } from '../../../src/messages/message.ts';
import type { MessageStamp } from '../../../src/reactions/stamps/stamp.ts';
import { createStamps, KINDS_MAX, TOTAL_MAX } from '../../../src/reactions/stamps/stamps.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { beforeTransactions } from '../../support/beforeTransactions.ts';
import { budget } from '../../support/budget.ts';
import { openTestDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { people, roomOf, say } from '../../support/people.ts';
import { itemsIn } from '../../support/table.ts';
import { AddStamp } from './support/operations.ts';
import { messageKey, put, stampingRoom, stampsOf } from './support/stamps.ts';

// Two servers, so that writers of one message meet in the table and not only in one process' queue.
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

/** What the message says of its stamps, beside what is there: both must be the same. */
async function recounted(message: MessageKey) {
  const { room, t, c } = message;
  const [item, stamps] = await Promise.all([
    app.dynamo.get(keys.message(room, t, c)),
    itemsIn(app.dynamo, ranges.stamps(room, t, c)),
  ]);
  const guards = await app.dynamo.batchGet(
    stamps.map(({ user, stampKey }) => keys.stampGuard(String(user), message, String(stampKey))),
  );
  const found: Record<string, number> = {};
  for (const { stampKey } of stamps) found[String(stampKey)] = (found[String(stampKey)] ?? 0) + 1;
  return {
    said: item?.stamps as Counts,
    total: Number(item?.stampTotal ?? 0),
    found,
    stamps: stamps.length,
    guards: guards.filter((guard) => guard !== undefined).length,
  };
}

const NONE = { said: {}, total: 0, found: {}, stamps: 0, guards: 0 };

const sum = (counts: Counts) => Object.values(counts).reduce((total, count) => total + count, 0);

const codeOf = (error: unknown) => (error instanceof TsudoiError ? error.code : error);

test('counts are exact after fifty people have put and taken back one stamp at the same time, on two servers', async () => {
  const [aki, ...others] = await people(app, 50);
  if (aki === undefined) throw new Error('Fifty were asked for.');
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
  expect(await recounted(message)).toEqual({
    ...{ said: { check: left }, total: left, found: { check: left }, stamps: left, guards: left },
  });
  const { stampCounts } = await stampsOf(aki, id);
  expect(stampCounts).toEqual([{ count: left, viewerHasStamped: true, stamp: { key: 'check' } }]);
});

const { numRuns, timeout, start } = budget({ runs: 2, seconds: 5 });

test(
  'whatever people put and take back at the same time, each is answered rightly and the counts are a recount',
  async () => {
    const crowd = await people(app, 6);
    const [aki, ...others] = crowd;
    if (aki === undefined) throw new Error('Six were asked for.');
    const roomId = await roomOf(aki, others);
    const kinds = ['heart', 'tea', 'fuji'];

    /** One person's clicks, one after another: each puts the stamp, or takes it back where it is there. */
    const clicks = fc.array(
      fc.record({ stamp: fc.constantFrom(...kinds), again: fc.boolean(), there: fc.boolean() }),
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
            const mine = new Map<string, MessageStamp>();
            for (const { stamp, again, there } of session) {
              const { stamps } = (there ? other : app).services;
              const placed = mine.get(stamp);
              if (placed === undefined) {
                mine.set(stamp, await stamps.add(user, message, stamp));
              } else if (again) {
                expect(await stamps.add(user, message, stamp).catch(codeOf)).toBe('CONFLICT');
              } else {
                await stamps.remove(user, placed);
                mine.delete(stamp);
                expect(await stamps.remove(user, placed).catch(codeOf)).toBe('NOT_FOUND');
              }
            }
            return [...mine.keys()];
          }),
        );
        const model: Record<string, number> = {};
        for (const key of left.flat()) model[key] = (model[key] ?? 0) + 1;
        const total = sum(model);
        expect(await recounted(message)).toEqual({
          ...{ said: model, total, found: model, stamps: total, guards: total },
        });
      }),
      { numRuns, endOnFailure: true },
    );
  },
  timeout,
);

test('when two take back one stamp at once, it is gone once', async () => {
  const { ben, message } = await stampingRoom(app);
  const placed = await app.services.stamps.add(ben.id, messageKey(message), 'tea');
  const codes = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      (i % 2 === 0 ? app : other).services.stamps.remove(ben.id, placed).then(() => 'OK', codeOf),
    ),
  );
  expect(codes.sort()).toEqual([...Array.from({ length: 9 }, () => 'NOT_FOUND'), 'OK']);
  expect(await recounted(messageKey(message))).toEqual(NONE);
});

/** Stamps as a server of its own has them, which does `between` before the first thing that it writes. */
function serverThat(between: () => Promise<unknown>) {
  const first = [between];
  const dynamo = beforeTransactions(app.dynamo, () => first.shift()?.());
  return createStamps({ dynamo, timestamps: createTimestamps() });
}

test('when the last two of a kind are taken back at once, no count of zero is left', async () => {
  const { aki, ben, message } = await stampingRoom(app);
  const key = messageKey(message);
  const { stamps } = app.services;
  const [first, second] = [await stamps.add(aki.id, key, 'tea'), await stamps.add(ben.id, key, 'tea')];
  // It has read that there are two when the other one goes.
  await serverThat(() => stamps.remove(aki.id, first)).remove(ben.id, second);
  expect(await recounted(key)).toEqual(NONE);
});

test('when the last of a kind is taken back while another comes, the other is counted', async () => {
  const { aki, ben, message } = await stampingRoom(app);
  const key = messageKey(message);
  const { stamps } = app.services;
  const last = await stamps.add(ben.id, key, 'tea');
  // It has read that this is the only one when the other one comes.
  await serverThat(() => stamps.add(aki.id, key, 'tea')).remove(ben.id, last);
  expect(await recounted(key)).toEqual({
    ...{ said: { tea: 1 }, total: 1, found: { tea: 1 }, stamps: 1, guards: 1 },
  });
});

/** A message with these counts, as if that many people had stamped it. */
async function countedAs(message: MessageKey, counts: Counts): Promise<void> {
  await app.dynamo.update(keys.message(message.room, message.t, message.c), {
    update: 'SET stamps = :stamps, stampTotal = :total',
    values: { ':stamps': counts, ':total': sum(counts) },
  });
}

test(`a message bears ${TOTAL_MAX} stamps; when two race for the last place, one gets it`, async () => {
  const { aki, ben, message } = await stampingRoom(app);
  await countedAs(messageKey(message), { heart: TOTAL_MAX - 1 });
  const codes = await Promise.all(
    [aki, ben].map((person) => person.refused(AddStamp, { messageId: message, stamp: 'heart' })),
  );
  expect(codes.sort()).toEqual(['CONFLICT', undefined]);
  const { errors } = await ben.send(AddStamp, { messageId: message, stamp: 'tea' });
  expect(errors?.[0]?.message).toBe('A message can have at most 50 different stamps and 500 in total.');
  expect((await stampsOf(aki, message)).stampCounts).toMatchObject([{ count: TOTAL_MAX }]);
});

test('a place that is given up can be taken', async () => {
  const { aki, ben, message } = await stampingRoom(app);
  const placed = await app.services.stamps.add(ben.id, messageKey(message), 'heart');
  await countedAs(messageKey(message), { heart: TOTAL_MAX });
  expect(await aki.refused(AddStamp, { messageId: message, stamp: 'heart' })).toBe('CONFLICT');
  await app.services.stamps.remove(ben.id, placed);
  await put(aki, message, 'heart');
});

test(`a message bears ${KINDS_MAX} different stamps, and of each of those more`, async () => {
  const { aki, ben, message } = await stampingRoom(app);
  const kinds = Array.from({ length: KINDS_MAX - 1 }, (_, i) => [`kind-${i}`, 1]);
  await countedAs(messageKey(message), Object.fromEntries(kinds));
  await put(aki, message, 'heart');
  expect(await ben.refused(AddStamp, { messageId: message, stamp: 'tea' })).toBe('CONFLICT');
  await put(ben, message, 'heart');
  const { stampCounts } = await stampsOf(aki, message);
  expect(stampCounts).toHaveLength(KINDS_MAX);
  // The last of a kind makes room for another.
  await app.services.stamps.remove(ben.id, await theirs(message, ben.id));
  await app.services.stamps.remove(aki.id, await theirs(message, aki.id));
  await put(ben, message, 'tea');
});

async function theirs(message: string, user: string): Promise<MessageStamp> {
  const page = { limit: 100, from: undefined };
  const { nodes } = await app.services.stamps.list(messageKey(message), page);
  const found = nodes.find((node) => node.user === user);
  if (found === undefined) throw new Error('They have put no stamp there.');
  return found;
}
