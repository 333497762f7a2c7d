/** When and in which order due timers run, and what happens if one fails. */
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { OutageError } from '../../src/core/errors.ts';
import { LOG_EVENTS } from '../../src/core/logEvents.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { createTestLog } from '../stream/support/stream.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { budget } from '../support/run/budget.ts';
import { createTestClock } from '../support/time/clock.ts';
import { eventually } from '../support/time/eventually.ts';
import { createRunner, openTimers, set } from './support/timers.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Later than any due time of a test before. */
let base = 0;
let db: TestDynamo;
let dynamo: Dynamo;
const ready = openTestDynamo({ file: true }).then((opened) => {
  db = opened;
  dynamo = opened.dynamo;
});
afterAll(() => db.stop());
beforeEach(async () => {
  await ready;
  for (const one of await openTimers(dynamo)) await dynamo.remove(keys.timer(one.due, one.id));
  base += 100 * DAY;
});

/** A function whose first calls wait until they are released. */
function held<Args extends readonly unknown[], T>(call: (...args: Args) => Promise<T>) {
  let [reach, release] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    reached,
    release,
    async call(...args: Args): Promise<T> {
      reach();
      await released;
      return call(...args);
    },
  };
}

describe('order and time', () => {
  test('look: runs what is due, oldest first, across partitions and pages, and nothing else', async () => {
    const { runner, began, ended } = createRunner(dynamo, { places: 1, startAt: base });
    const ids = Array.from({ length: 300 }, (_, i) => `t${(i * 7919) % 300}`);
    for (let i = 0; i < ids.length; i += 100) {
      const some = ids.slice(i, i + 100);
      await set(dynamo, ...some.map((id) => ({ id, due: base - DAY + Number(id.slice(1)) * 60_000 })));
    }
    await set(dynamo, { id: 'later', due: base + HOUR });
    await runner.look();
    await ended(300);
    expect(began).toEqual(Array.from({ length: 300 }, (_, i) => `t${i}`));
    expect((await openTimers(dynamo)).map(({ id }) => id)).toEqual(['later']);
  });

  test('look: a backlog in one partition runs before newer timers of the others', async () => {
    const { runner, began, ended } = createRunner(dynamo, { places: 1, startAt: base });
    const inPartition = (partition: number) => (id: string) => keys.timer(0, id).pk === `DUE#${partition}`;
    const ids = Array.from({ length: 8_000 }, (_, i) => `p${i}`);
    const old = ids.filter(inPartition(3)).slice(0, 350);
    for (let i = 0; i < old.length; i += 100) {
      await set(dynamo, ...old.slice(i, i + 100).map((id, n) => ({ id, due: base - DAY + i + n })));
    }
    const others = ids.filter((id) => !inPartition(3)(id)).slice(0, 50);
    await set(dynamo, ...others.map((id, n) => ({ id, due: base - HOUR + n })));
    await runner.look();
    await ended(400);
    expect(began).toEqual([...old, ...others]);
  });

  test('look: a timer that is due before the next look runs at its time, not before', async () => {
    const { runner, clock, began, ended } = createRunner(dynamo, { startAt: base });
    await set(dynamo, { id: 'soon', due: base + 4_000 });
    await runner.look();
    clock.advance(3_999);
    await runner.pause();
    expect(began).toEqual([]);
    await runner.look();
    clock.advance(1);
    await ended(1);
    expect(began).toEqual(['soon']);
  });

  test('add: a timer that was set after the look runs at its time', async () => {
    const { runner, clock, began, ended } = createRunner(dynamo, { startAt: base });
    await runner.look();
    await set(dynamo, { id: 'new', due: base + 1_000 });
    runner.add({ id: 'new', due: base + 1_000, owner: 'new' });
    // Found a second time, it runs once.
    await runner.look();
    clock.advance(1_000);
    await ended(1);
    await runner.pause();
    expect(began).toEqual(['new']);
  });

  test.each(Array.from({ length: 8 }, (_, n) => [n]))(
    'add: a timer runs if its time comes while the runner decides what to run, after %i readings of the time',
    async (readings) => {
      const clock = createTestClock();
      // Node's timers may be early by a millisecond: the time passes meanwhile.
      let left = 0;
      const now = () => base + clock.now() - (left-- > 0 ? 1 : 0);
      const { runner, began } = createRunner(dynamo, { clock, now });
      await runner.look();
      const due = base + 1_000;
      await set(dynamo, { id: 'met', due });
      runner.add({ id: 'met', due, owner: 'met' });
      left = readings;
      clock.advance(1_000);
      clock.advance(1);
      await runner.pause();
      expect(began).toEqual(['met']);
    },
  );

  test('moved and cancelled: only what is in the table at its time runs', async () => {
    const { runner, clock, began, ended } = createRunner(dynamo, { startAt: base });
    await set(dynamo, { id: 'moved', due: base + 1_000 }, { id: 'cancelled', due: base + 1_000 });
    await runner.look();
    await dynamo.transact([
      { delete: keys.timer(base + 1_000, 'moved') },
      { delete: keys.timer(base + 1_000, 'cancelled') },
    ]);
    await set(dynamo, { id: 'moved', due: base + 3_000 });
    runner.add({ id: 'moved', due: base + 3_000, owner: 'moved' });
    clock.advance(2_999);
    await runner.pause();
    expect(began).toEqual([]);
    await runner.look();
    clock.advance(1);
    await ended(1);
    expect(began).toEqual(['moved']);
  });

  test('pause: a look that was asked for before it begins nothing, also if it waits for another one', async () => {
    const query = held(dynamo.query);
    const { runner, began, ended } = createRunner({ ...dynamo, query: query.call }, { startAt: base });
    await set(dynamo, { id: 'due', due: base - 1 });
    const [first, second] = [runner.look(), runner.look()];
    await query.reached;
    expect(await runner.pause()).toBe(true);
    query.release();
    await Promise.all([first, second]);
    expect(await runner.pause()).toBe(true);
    expect([began, runner.state()]).toMatchObject([[], { running: 0, waiting: 0 }]);
    await runner.look();
    await ended(1);
    expect(began).toEqual(['due']);
  });

  test('pause: a look that was asked for after it begins what is due, also while an older one hangs', async () => {
    const query = held(dynamo.query);
    const { runner, began, ended } = createRunner({ ...dynamo, query: query.call }, { startAt: base });
    await set(dynamo, { id: 'due', due: base - 1 });
    const before = runner.look();
    await query.reached;
    await runner.pause();
    const after = runner.look();
    query.release();
    await Promise.all([before, after]);
    await ended(1);
    expect(began).toEqual(['due']);
  });

  test('pause: waits for a handler no longer than it is asked to', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { runner, clock, began, ended } = createRunner(dynamo, { startAt: base, handle: () => released });
    await set(dynamo, { id: 'slow', due: base - 1 });
    await runner.look();
    while (began.length === 0) await new Promise(setImmediate);
    const paused = runner.pause(2_000);
    clock.advance(2_000);
    expect(await paused).toBe(false);
    const again = runner.pause(2_000);
    release();
    await ended(1);
    expect(await again).toBe(true);
  });

  test('owners: timers of one owner that hang do not hold up those of others', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { runner, began, ended } = createRunner(dynamo, {
      startAt: base,
      handle: ({ owner }) => (owner === 'slow' ? released : undefined),
    });
    const slow = Array.from({ length: 400 }, (_, i) => ({ id: `slow${i}`, due: base - DAY, owner: 'slow' }));
    for (let i = 0; i < slow.length; i += 100) await set(dynamo, ...slow.slice(i, i + 100));
    await set(dynamo, ...Array.from({ length: 60 }, (_, i) => ({ id: `u${i}`, due: base - 1_000 + i })));
    await runner.look();
    await ended(60);
    expect(began.filter((id) => id.startsWith('u'))).toHaveLength(60);
    expect(began.filter((id) => id.startsWith('slow'))).toHaveLength(2);
    const paused = runner.pause();
    release();
    await paused;
  });
});

test('places: kinds that wait for other systems have their own, and each owner half of what the others leave', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const sent: string[] = [];
  const { runner, began, ended } = createRunner(dynamo, {
    startAt: base,
    kinds: [
      {
        name: 'send',
        outside: true,
        async handle({ id, owner }) {
          sent.push(id);
          if (owner !== 'quick') await released;
        },
      },
    ],
  });
  const sends = (owner: string, count: number) =>
    set(
      dynamo,
      ...Array.from({ length: count }, (_, i) => ({
        id: `${owner}${i}`,
        due: base - DAY,
        kind: 'send',
        owner,
      })),
    );
  const stuck = ['s1', 's2', 's3'];
  await sends('slow', 60);
  await runner.look();
  await eventually(() => expect(sent).toHaveLength(16));
  for (const owner of stuck) await sends(owner, 60);
  await sends('quick', 20);
  await set(dynamo, ...Array.from({ length: 40 }, (_, i) => ({ id: `in${i}`, due: base - 1_000 + i })));
  await runner.look();
  await ended(60);
  const of = (owner: string) => sent.filter((id) => id.startsWith(owner)).length;
  expect([of('slow'), of('quick'), began.length]).toEqual([16, 20, 40]);
  await eventually(() => expect(stuck.filter((owner) => of(owner) === 0)).toEqual([]));
  const paused = runner.pause();
  release();
  await paused;
});

describe('failures', () => {
  test('handle: a timer that fails is moved, with growing pauses, and is given up after a day', async () => {
    const { log, lines } = createTestLog();
    const { runner, clock, outcomes, ended, now } = createRunner(dynamo, {
      startAt: base,
      log,
      handle() {
        throw new TypeError('not\n  today');
      },
    });
    await set(dynamo, { id: 'bad', due: base, about: { n: 1 } });
    const waits: number[] = [];
    for (let failures = 1; ; failures++) {
      await runner.look();
      await ended(failures);
      await runner.pause();
      const [next] = await openTimers(dynamo);
      if (next === undefined) break;
      expect(next.failures).toMatchObject({ count: failures, setFor: base, error: 'TypeError: not today' });
      waits.push(next.due - now());
      clock.advance(next.due - now());
    }
    expect(outcomes.at(-1)).toEqual(['failed', 'bad']);
    expect(lines.at(-1)).toMatchObject({
      level: 'error',
      fields: { event: LOG_EVENTS.timerFailed, timer: 'bad' },
    });
    expect(waits[0]).toBeLessThanOrEqual(10_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(HOUR);
    expect(waits.length).toBeGreaterThan(24);
    const { items } = await dynamo.query(ranges.failedTimers(), { limit: 10 });
    expect(items).toMatchObject([{ about: { n: 1 }, failures: { count: outcomes.length, setFor: base } }]);
    expect(items[0]?.expiresAt).toBe(Math.floor(now() / 1_000) + 30 * 24 * 3600);
  });

  test('handle: one that was cancelled while it failed does not come back', async () => {
    const { runner, outcomes, ended } = createRunner(dynamo, {
      startAt: base,
      async handle({ due, id }) {
        await dynamo.remove(keys.timer(due, id));
        throw new Error('too late');
      },
    });
    await set(dynamo, { id: 'gone', due: base });
    await runner.look();
    await ended(1);
    expect(outcomes).toEqual([['retried', 'gone']]);
    expect(await openTimers(dynamo)).toEqual([]);
  });

  test('handle: one that does not end in time frees its place and is tried again', async () => {
    const { runner, clock, outcomes, ended } = createRunner(dynamo, {
      startAt: base,
      places: 1,
      handle: ({ id }) => (id === 'hangs' ? new Promise(() => {}) : undefined),
    });
    await set(dynamo, { id: 'hangs', due: base - 1 }, { id: 'next', due: base });
    await runner.look();
    // Until the handler runs, its time is not counted.
    while (clock.waiting === 0) await new Promise(setImmediate);
    clock.advance(30_000);
    await ended(2);
    expect(outcomes).toEqual([
      ['retried', 'hangs'],
      ['handled', 'next'],
    ]);
    expect((await openTimers(dynamo)).map(({ id }) => id)).toEqual(['hangs']);
  });

  test('handle: a kind that this release does not know waits a minute for one that does', async () => {
    const { runner, now, outcomes, ended } = createRunner(dynamo, { startAt: base });
    await set(dynamo, { id: 'new', due: base, kind: 'of the next release' });
    await runner.look();
    await ended(1);
    expect(outcomes).toEqual([['retried', 'new']]);
    expect((await openTimers(dynamo))[0]).toMatchObject({ due: now() + 60_000, failures: { setFor: base } });
  });

  test('any crash: every timer is handled at least once, and none is left', async () => {
    const { numRuns, within, timeout } = budget({ runs: 12, seconds: 15 });
    expect(timeout).toBeGreaterThan(0);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ late: fc.nat({ max: 2 * DAY }), owner: fc.nat({ max: 3 }) }), {
          minLength: 1,
          maxLength: 20,
        }),
        fc.infiniteStream(fc.constantFrom('good', 'good', 'outage before', 'outage after', 'throws')),
        within(async (all, faults) => {
          base += 100 * DAY;
          const handled = new Map<string, number>();
          const next = () => faults.next().value as string;
          const faulty = {
            ...dynamo,
            async remove(...args: Parameters<Dynamo['remove']>) {
              const fault = next();
              if (fault === 'outage before') throw new OutageError();
              await dynamo.remove(...args);
              if (fault === 'outage after') throw new OutageError();
            },
          };
          await set(
            dynamo,
            ...all.map(({ late, owner }, i) => ({ id: `r${i}`, due: base - late, owner: `o${owner}` })),
          );
          for (let round = 0; (await openTimers(dynamo)).length > 0; round++) {
            expect(round).toBeLessThan(200);
            // Each round is a new process. The last rounds have no faults.
            const calm = round > 20;
            const { runner } = createRunner(calm ? dynamo : faulty, {
              startAt: base + round * HOUR,
              handle({ id }) {
                if (!calm && next() === 'throws') throw new Error('a fault');
                handled.set(id, (handled.get(id) ?? 0) + 1);
              },
            });
            await runner.look();
            await runner.pause();
          }
          expect([...handled.keys()].sort()).toEqual(all.map((_, i) => `r${i}`).sort());
        }),
      ),
      { numRuns },
    );
  });
});
