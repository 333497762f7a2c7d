/** A run that did nothing for too long finds out before it writes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Clock } from '../../src/core/clock.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { areImportsOver, ImportRunning, lockImports, mayBeImporting } from '../../src/import/lock.ts';
import { createLeases } from '../../src/stream/leases.ts';
import { lockTable } from '../../src/stream/lock.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { eventually } from '../support/time/eventually.ts';

let database: TestDynamo;
beforeAll(async () => {
  database = await openTestDynamo();
});
afterAll(() => database?.stop());

/** The clock of a process whose timers do not come. */
function suspendedClock(): Clock & { advance(ms: number): void } {
  let now = 0;
  return {
    now: () => now,
    after: () => () => {},
    advance: (ms) => {
      now += ms;
    },
  };
}

/** Every wait ends at once, and the time has passed. */
function eagerClock(): Clock {
  let now = 0;
  return {
    now: () => now,
    after(ms, call) {
      const timer = setImmediate(() => {
        now += ms;
        call();
      });
      return () => clearImmediate(timer);
    },
  };
}

test('a run that was suspended renews before it writes, and stops if another one has taken over', async () => {
  const { dynamo } = database;
  const clock = suspendedClock();
  const first = await lockImports({ dynamo, clock });
  await first.check();
  clock.advance(60_000);
  // No one else was there.
  await first.check();
  let waited = 0;
  const second = await lockImports({ dynamo, clock: eagerClock(), onWait: () => waited++ });
  expect(waited).toBe(1);
  clock.advance(60_000);
  await expect(first.check()).rejects.toThrow(ImportRunning);
  await second.check();
  await first.release();
  await second.release();
});

test('check: what a run that has failed has left behind may not write after its release', async () => {
  const { dynamo } = database;
  const failed = await lockImports({ dynamo });
  await failed.check();
  await failed.release();
  const next = await lockImports({ dynamo });
  await expect(failed.check()).rejects.toThrow(ImportRunning);
  await next.check();
  await next.release();
});

test('check: what waits for a renewal when its run releases the lock may not write either', async () => {
  const { dynamo } = database;
  const clock = suspendedClock();
  const responses: Array<() => void> = [];
  let isSlow = false;
  const slow: Dynamo = {
    ...dynamo,
    async update(...args) {
      const isHeld = isSlow;
      isSlow = false;
      const item = await dynamo.update(...args);
      if (isHeld) await new Promise<void>((respond) => responses.push(respond));
      return item;
    },
  };
  const failed = await lockImports({ dynamo: slow, clock });
  clock.advance(60_000);
  isSlow = true;
  const left = failed.check();
  await eventually(() => expect(responses).toHaveLength(1));
  await failed.release();
  responses[0]?.();
  await expect(left).rejects.toThrow(ImportRunning);
  const next = await lockImports({ dynamo });
  await next.check();
  await next.release();
});

test('a run is refused beside one that is alive, and does not say that it waits for one that was killed', async () => {
  const { dynamo } = database;
  const leases = createLeases({ dynamo, stream: 'alive', owner: 'the other run' });
  await leases.list();
  const held = await leases.take('alive');
  const clock = eagerClock();
  // As a run that is alive does it: within two seconds.
  const renewing: Clock = {
    now: clock.now,
    after: (ms, call) =>
      clock.after(ms, () => void (clock.now() === 2_000 ? held?.renew() : Promise.resolve())?.then(call)),
  };
  let waited = 0;
  const options = { dynamo, name: 'alive', running: () => new Error('It runs.'), onWait: () => waited++ };
  await expect(lockTable({ ...options, clock: renewing })).rejects.toThrow('It runs.');
  expect([clock.now(), waited]).toEqual([2_000, 0]);
  // It is killed.
  const lock = await lockTable({ ...options, clock: eagerClock() });
  expect(waited).toBe(1);
  await lock.release();
});

test('areImportsOver: once a run has stopped, which it does if it was only suspended', async () => {
  const { dynamo } = database;
  expect(await mayBeImporting(dynamo)).toBe(false);
  expect(await areImportsOver({ dynamo })).toBe(true);
  const running = await lockImports({ dynamo });
  expect(await mayBeImporting(dynamo)).toBe(true);
  expect(await areImportsOver({ dynamo })).toBe(false);
  await running.release();
  expect(await mayBeImporting(dynamo)).toBe(false);
  const clock = suspendedClock();
  const suspended = await lockImports({ dynamo, clock });
  expect(await areImportsOver({ dynamo, clock: eagerClock() })).toBe(true);
  clock.advance(60_000);
  await expect(suspended.check()).rejects.toThrow(ImportRunning);
  await suspended.release();
});
