/** A process that was suspended while another table was put in use: it uses nothing that the former table says. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { TsudoiError } from '../../src/core/errors.ts';
import { createDynamo } from '../../src/dynamo/dynamo.ts';
import { ConditionFailed } from '../../src/dynamo/errors.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { NEWEST_SHAPE } from '../../src/dynamo/shapes.ts';
import { createShapeWatch } from '../../src/reshape/watch.ts';
import { Timeline } from '../support/clients/operations.ts';
import { people, roomOf, say } from '../support/clients/people.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { createTestClock } from '../support/time/clock.ts';

const log = pino({ level: 'silent' });

let database: TestDynamo;
beforeAll(async () => {
  database = await openTestDynamo({ file: true });
});
afterAll(() => database.stop());

/** What `hand-over` writes to the former table. */
const notInUse = { table: 'tsudoi-2', stream: 'arn' };
const putOutOfUse = () =>
  database.dynamo.put({ ...keys.shape(), v: 1, inForce: NEWEST_SHAPE, rev: 9, notInUse });

test('a server that was suspended acknowledges no write to a table that is not in use, and shows nothing of it', async () => {
  let suspendedMs = 0;
  // Requests look again after the time of the product.
  const now = () => Date.now() + suspendedMs;
  const app = await startTestApp({ database, now, shapeBelievedMs: undefined });
  onTestFinished(async () => {
    await app.stop();
    await database.dynamo.remove(keys.shape());
  });
  const [aki] = await people(app, 1);
  const room = await roomOf(aki);
  await say(aki, room, 'Before');
  await putOutOfUse();
  suspendedMs = 60_000;
  await expect(say(aki, room, 'Late')).rejects.toThrow('UNAVAILABLE');
  expect(await aki.refused(Timeline, { roomId: room })).toBe('UNAVAILABLE');
});

test('a result is confirmed by a look that is younger than 30 s, or by another one', async () => {
  const clock = createTestClock();
  const now = () => 1_000_000 + clock.now();
  const ended: Error[] = [];
  const watch = createShapeWatch({
    dynamo: database.dynamo,
    log,
    now,
    clock,
    everyMs: Number.POSITIVE_INFINITY,
    onUnknown: (error) => ended.push(error),
  });
  await watch.start();
  onTestFinished(async () => {
    await watch.stop();
    await database.dynamo.remove(keys.shape());
  });
  const { transport, table } = database;
  const dynamo = createDynamo({ transport, table, confirm: watch.confirm });
  const key = keys.room('r1');
  const isNew = { condition: 'attribute_not_exists(pk)' };
  await dynamo.put({ ...key, v: 1 }, isNew);

  clock.advance(29_999);
  expect(watch.confirm()).toBeUndefined();
  clock.advance(1);
  expect(await dynamo.get(key)).toEqual({ ...key, v: 1 });
  // The second look is young again.
  expect(watch.confirm()).toBeUndefined();
  await putOutOfUse();
  expect(await dynamo.get(key)).toEqual({ ...key, v: 1 });
  clock.advance(30_000);
  const refused = { constructor: TsudoiError, code: 'UNAVAILABLE' };
  await expect(dynamo.get(key)).rejects.toMatchObject(refused);
  await expect(dynamo.remove(keys.room('r2'))).rejects.toMatchObject(refused);
  // A condition that does not hold is a result, too.
  const again = dynamo.put({ ...key, v: 1 }, isNew);
  await expect(again).rejects.not.toThrow(ConditionFailed);
  await expect(again).rejects.toMatchObject(refused);
  expect(ended[0]?.message).toMatch(/^This table is not in use/);

  await database.dynamo.remove(keys.shape());
  await dynamo.remove(key);
});

test('a clock that is set back makes no look younger, and no heartbeat rarer', async () => {
  const clock = createTestClock();
  let setBackMs = 0;
  const now = () => 10_000_000 + clock.now() - setBackMs;
  const puts: unknown[] = [];
  const watch = createShapeWatch({
    dynamo: {
      ...database.dynamo,
      async put(item) {
        puts.push(item.expiresAt);
        await database.dynamo.put(item);
      },
    },
    log,
    now,
    clock,
    everyMs: Number.POSITIVE_INFINITY,
  });
  await watch.start();
  onTestFinished(() => watch.stop());
  clock.advance(10_000);
  setBackMs = 3_600_000;
  expect(watch.confirm()).toBeUndefined();
  await watch.look();
  expect(puts).toEqual([10_060, 10_000 + 70 - 3_600]);
  setBackMs = 7_200_000;
  clock.advance(30_000);
  await expect(watch.confirm()).resolves.toBeUndefined();
  expect(puts).toHaveLength(3);
});
