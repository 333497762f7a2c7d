/** What every process knows about the shape of the table, and what it refuses. */
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StartError } from '../../src/core/errors.ts';
import { ConditionFailed } from '../../src/dynamo/errors.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { KNOWN_SHAPES, NEWEST_SHAPE } from '../../src/dynamo/shapes.ts';
import { heartbeatItem, readHeartbeats } from '../../src/reshape/heartbeats.ts';
import { createShapeWatch } from '../../src/reshape/watch.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { createTestClock } from '../support/time/clock.ts';
import { eventually } from '../support/time/eventually.ts';

const log = pino({ level: 'silent' });
const UNKNOWN = NEWEST_SHAPE + 1;

let database: TestDynamo;
beforeAll(async () => {
  database = await openTestDynamo({ file: true });
});
afterAll(() => database.stop());

const force = (inForce: number, rev: number) => database.dynamo.put({ ...keys.shape(), v: 1, inForce, rev });

describe('a server', () => {
  test('refuses to start on a table of a shape that it does not know, in one sentence', async () => {
    await force(UNKNOWN, 1);
    const refusal = startTestApp({ database });
    await expect(refusal).rejects.toThrow(StartError);
    await expect(refusal).rejects.toThrow(
      new RegExp(
        `^The table has shape ${UNKNOWN}, and this release knows only .+ Start a release that knows shape ${UNKNOWN}\\.$`,
      ),
    );
    await database.dynamo.remove(keys.shape());
  });

  test('says which shapes it knows while it runs', async () => {
    const app = await startTestApp({ database });
    expect(await readHeartbeats(database.dynamo, Date.now())).toMatchObject([
      { knows: [...KNOWN_SHAPES], follows: 0 },
    ]);
    await app.stop();
    expect(await readHeartbeats(database.dynamo, Date.now())).toEqual([]);
  });
});

describe('a watch', () => {
  test('follows the shape once a second, and says so', async () => {
    const clock = createTestClock();
    const { dynamo } = database;
    const now = () => 1_000_000 + clock.now();
    await force(1, 3);
    const watch = createShapeWatch({ dynamo, log, now, clock, known: [1, UNKNOWN] });
    await watch.start();
    expect(watch.inForce()).toBe(1);
    await force(UNKNOWN, 4);
    clock.advance(999);
    expect(watch.inForce()).toBe(1);
    clock.advance(1);
    await eventually(() => expect(watch.inForce()).toBe(UNKNOWN));
    await eventually(async () =>
      expect(await readHeartbeats(dynamo, now())).toMatchObject([{ knows: [1, UNKNOWN], follows: 4 }]),
    );
    await watch.stop();
    await dynamo.remove(keys.shape());
  });

  test('says that it is there again if it is started again', async () => {
    const { dynamo } = database;
    const clock = createTestClock();
    const now = () => 1_000_000 + clock.now();
    const watch = createShapeWatch({ dynamo, log, now, clock });
    await watch.start();
    await watch.stop();
    expect(await readHeartbeats(dynamo, now())).toEqual([]);
    await watch.start();
    expect(await readHeartbeats(dynamo, now())).toMatchObject([{ follows: 0 }]);
    await watch.stop();
  });

  test('ends the process if the shape becomes one that it does not know', async () => {
    const clock = createTestClock();
    let ended = (_error: Error) => {};
    const end = new Promise<Error>((resolve) => {
      ended = resolve;
    });
    const watch = createShapeWatch({ dynamo: database.dynamo, log, clock, onUnknown: ended });
    await watch.start();
    await force(UNKNOWN, 5);
    clock.advance(1_000);
    expect((await end).message).toContain(`The table has shape ${UNKNOWN}`);
    expect(watch.inForce()).toBe(1);
    await watch.stop();
    await database.dynamo.remove(keys.shape());
  });

  test('a process that has been silent for a minute is not counted', async () => {
    const { dynamo } = database;
    await dynamo.put(heartbeatItem({ server: 'gone', host: 'a', knows: [1], follows: 0 }, 0));
    expect(await readHeartbeats(dynamo, 60_000)).toMatchObject([{ server: 'gone' }]);
    expect(await readHeartbeats(dynamo, 61_000)).toEqual([]);
    await dynamo.remove(keys.heartbeat('gone'));
  });
});

describe('a write with a condition', () => {
  const key = keys.room('r1');
  const rename = { key, update: 'SET #name = :new', names: { '#name': 'name' }, values: { ':new': 'New' } };

  test('leaves an item alone that is in a shape of a later release, in a transaction and outside', async () => {
    const { dynamo } = database;
    await dynamo.put({ ...key, v: UNKNOWN, name: 'Old', rev: 1 });
    const exists = { condition: 'attribute_exists(pk)', values: {} };
    const either = { condition: 'attribute_not_exists(pk) OR rev = :rev', values: { ':rev': 1 } };
    for (const guard of [exists, either]) {
      const { update, names, values } = rename;
      const changed = {
        update,
        names,
        ...guard,
        values: { ...values, ...guard.values },
      };
      await expect(dynamo.update(key, changed)).rejects.toThrow(ConditionFailed);
      await expect(dynamo.remove(key, guard)).rejects.toThrow(ConditionFailed);
      await expect(dynamo.put({ ...key, v: 1 }, guard)).rejects.toThrow(ConditionFailed);
      const failed = await dynamo.tryTransact({
        changed: { key, ...changed },
        other: { put: { ...keys.room('r2'), v: 1 } },
      });
      expect(failed).toMatchObject({ changed: { item: { name: 'Old' } } });
      const checked = await dynamo.tryTransact({
        check: { check: key, ...guard },
        other: { put: { ...keys.room('r2'), v: 1 } },
      });
      expect(checked?.check?.item).toMatchObject({ v: UNKNOWN });
    }
    expect(await dynamo.get(key)).toMatchObject({ v: UNKNOWN, name: 'Old' });
    expect(await dynamo.get(keys.room('r2'))).toBeUndefined();
  });

  test('changes items of known shapes, and writes items that do not exist', async () => {
    const { dynamo } = database;
    await dynamo.remove(key);
    await dynamo.put({ ...key, v: NEWEST_SHAPE, rev: 1 }, { condition: 'attribute_not_exists(pk)' });
    await dynamo.transact([
      {
        ...rename,
        condition: '(rev = :rev OR rev = :other) AND attribute_exists(pk)',
        values: { ...rename.values, ':rev': 1, ':other': 2 },
      },
    ]);
    expect(await dynamo.get(key)).toMatchObject({ name: 'New' });
    await dynamo.remove(key, { condition: 'rev = :rev', values: { ':rev': 1 } });
    expect(await dynamo.get(key)).toBeUndefined();
  });
});
