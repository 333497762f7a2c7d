/** Timers that are set again: only the one that was handled is deleted. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { type Timer, timerItem } from '../../src/timers/timer.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { createRunner, openTimers, set, timer } from './support/timers.ts';

const HOUR = 3_600_000;
/** Later than any due time of a test before. */
let base = 0;
let db: TestDynamo;
let dynamo: Dynamo;
beforeAll(async () => {
  db = await openTestDynamo({ file: true });
  dynamo = db.dynamo;
});
afterAll(() => db?.stop());
beforeEach(async () => {
  for (const one of await openTimers(dynamo)) await dynamo.remove(keys.timer(one.due, one.id));
  base += 2_400 * HOUR;
});

test('handle: one that is cancelled and set again while it is handled is handled again', async () => {
  let calls = 0;
  const { runner, began, ended } = createRunner(dynamo, {
    startAt: base,
    async handle(one) {
      if (calls++ > 0) return;
      await dynamo.remove(keys.timer(one.due, one.id));
      await set(dynamo, one);
    },
  });
  await set(dynamo, timer({ id: 'restored', due: base }));
  await runner.look();
  await ended(1);
  expect((await openTimers(dynamo)).map(({ id }) => id)).toEqual(['restored']);
  await runner.look();
  await ended(2);
  await runner.pause();
  expect(began).toEqual(['restored', 'restored']);
  expect(await openTimers(dynamo)).toEqual([]);
});

test('handle: one that is set again while its handler fails waits for nothing, and has not failed', async () => {
  let calls = 0;
  const seen: Timer[] = [];
  const { runner, ended, outcomes } = createRunner(dynamo, {
    startAt: base,
    async handle(one) {
      seen.push(one);
      if (calls++ > 0) return;
      await dynamo.remove(keys.timer(one.due, one.id));
      await set(dynamo, { ...one, about: { of: 'the second one' } });
      throw new Error('It was cancelled.');
    },
  });
  await set(dynamo, timer({ id: 'restored', due: base, about: { of: 'the first one' } }));
  await runner.look();
  await ended(1);
  expect((await openTimers(dynamo)).map(({ due }) => due)).toEqual([base]);
  await runner.look();
  await ended(2);
  await runner.pause();
  expect(seen.map(({ about, failures }) => [about.of, failures])).toEqual([
    ['the first one', undefined],
    ['the second one', undefined],
  ]);
  expect(outcomes.map(([outcome]) => outcome)).toEqual(['retried', 'handled']);
  expect(await openTimers(dynamo)).toEqual([]);
});

test('handle: no request fails for one that its handler has moved', async () => {
  const failures: unknown[] = [];
  const recording: Dynamo = {
    ...dynamo,
    remove: (...args) =>
      dynamo.remove(...args).catch((error: unknown) => {
        failures.push(error);
        throw error;
      }),
  };
  const { runner, ended } = createRunner(recording, {
    startAt: base,
    async handle(one) {
      await dynamo.remove(keys.timer(one.due, one.id));
      await set(dynamo, { ...one, due: base + HOUR });
    },
  });
  await set(dynamo, timer({ id: 'moved', due: base }));
  await runner.look();
  await ended(1);
  await runner.pause();
  expect(failures).toEqual([]);
  expect((await openTimers(dynamo)).map(({ due }) => due)).toEqual([base + HOUR]);
});

test('handle: a timer that an earlier release has set is handled once', async () => {
  const { runner, began, ended } = createRunner(dynamo, { startAt: base });
  const { set: _set, ...item } = timerItem(timer({ id: 'earlier', due: base }));
  await dynamo.put(item);
  await runner.look();
  await ended(1);
  await runner.pause();
  expect(began).toEqual(['earlier']);
  expect(await openTimers(dynamo)).toEqual([]);
});

test('setTimer: setting the same timer twice is one timer', async () => {
  const { runner, began, ended } = createRunner(dynamo, { startAt: base });
  await set(dynamo, timer({ id: 'once', due: base }));
  await set(dynamo, timer({ id: 'once', due: base }));
  await runner.look();
  await ended(1);
  await runner.pause();
  expect(began).toEqual(['once']);
});
