import { defined } from '../../../src/core/defined.ts';
import type { OutageLog } from '../../../src/core/log.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import type { Item } from '../../../src/dynamo/item.ts';
import { keyOf, keys, parseKey, ranges, TIMER_PARTITIONS } from '../../../src/dynamo/keys.ts';
import type { Change } from '../../../src/stream/change.ts';
import { createTimerRunner, type TimerOutcome } from '../../../src/timers/runner.ts';
import { setTimer, type Timer, type TimerKind, type TimerRun, timerOf } from '../../../src/timers/timer.ts';
import { silent } from '../../stream/support/stream.ts';
import { createTestClock } from '../../support/time/clock.ts';

/** A timer as it is stored. Throws if there is none. */
export async function storedTimer<About extends Item>(
  dynamo: Dynamo,
  due: number,
  id: string,
): Promise<Timer<About>> {
  const item = await dynamo.get(keys.timer(due, id));
  if (item === undefined) throw new Error(`There is no timer ${id} at ${due}.`);
  return timerOf({ due, id }, item) as Timer<About>;
}

export interface HandleTimersOptions {
  readonly dynamo: Dynamo;
  readonly kinds: readonly TimerKind[];
  /** Default: its handlers give their places to others between two steps. */
  readonly run?: TimerRun;
}

/** Handles the timers that these changes of the stream have set, at once, and deletes them. */
export async function handleTimers(
  changes: readonly Change[],
  { dynamo, kinds, run = { shouldYield: () => true, also: [], add() {} } }: HandleTimersOptions,
): Promise<void> {
  for (const { key, old, new: item } of changes) {
    if (key.type !== 'timer' || old !== undefined || item === undefined) continue;
    const one = timerOf({ id: key.timer, due: key.due }, item);
    await kinds.find(({ name }) => name === one.kind)?.handle(one, run);
    await dynamo.remove(keys.timer(one.due, one.id));
  }
}

const FOREVER = 10 ** 15;

/** Every timer that is open, in the order of due times. */
export async function openTimers(dynamo: Dynamo): Promise<Timer[]> {
  const timers: Timer[] = [];
  for (let partition = 0; partition < TIMER_PARTITIONS; partition++) {
    const { items } = await dynamo.query(ranges.timersUntil(partition, FOREVER), { limit: 10_000 });
    for (const item of items) {
      const key = parseKey(keyOf(item));
      if (key.type === 'timer') timers.push(timerOf({ id: key.timer, due: key.due }, item));
    }
  }
  return timers.sort((a, b) => a.due - b.due);
}

export interface NewTimer extends Partial<Timer> {
  readonly id: string;
  readonly due: number;
}

export const timer = (fields: NewTimer): Timer => ({
  kind: 'record',
  about: {},
  owner: fields.id,
  ...fields,
});

export const set = (dynamo: Dynamo, ...timers: readonly NewTimer[]): Promise<void> =>
  dynamo.transact(timers.map((one) => setTimer(timer(one))));

export interface RunnerFixtureOptions {
  /** What the handler of `record` does. It records first. */
  readonly handle?: (timer: Timer) => Promise<void> | void;
  readonly kinds?: readonly TimerKind[];
  readonly places?: number;
  /** Milliseconds since 1970 when the clock is at 0. */
  readonly startAt?: number;
  readonly clock?: ReturnType<typeof createTestClock>;
  /** Milliseconds since 1970. Default: `startAt`, and what the clock has moved since. */
  readonly now?: () => number;
  /** Default: nothing is logged. */
  readonly log?: OutageLog;
}

/** A runner on a clock that tests move. */
export function createRunner(
  dynamo: Parameters<typeof createTimerRunner>[0]['dynamo'],
  {
    handle = () => {},
    kinds = [],
    places,
    startAt = 0,
    clock = createTestClock(),
    log = silent,
    now = () => startAt + clock.now(),
  }: RunnerFixtureOptions = {},
) {
  const began: string[] = [];
  const outcomes: Array<readonly [TimerOutcome, string]> = [];
  let listeners: Array<() => void> = [];
  const changed = () => {
    for (const listener of listeners.splice(0)) listener();
  };
  const record: TimerKind = {
    name: 'record',
    async handle(one) {
      began.push(one.id);
      await handle(one);
    },
  };
  const runner = createTimerRunner({
    dynamo,
    log,
    now,
    clock,
    kinds: [record, ...kinds],
    ...defined({ places }),
    onOutcome(outcome, { id }) {
      outcomes.push([outcome, id]);
      changed();
    },
  });
  return {
    runner,
    clock,
    now,
    began,
    outcomes,
    /** Resolves when there are this many outcomes. */
    async ended(count: number): Promise<void> {
      while (outcomes.length < count) {
        await new Promise<void>((resolve) => {
          listeners = [...listeners, resolve];
        });
      }
    },
  };
}
