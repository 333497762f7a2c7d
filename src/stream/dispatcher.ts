import { setMaxListeners } from 'node:events';
import { type Clock, sleep, systemClock } from '../core/clock.ts';
import { OutageError } from '../core/errors.ts';
import { backoffMs, CONSUMER_BACKOFF } from '../core/retry.ts';
import type { Change, StreamHandler } from './change.ts';
import { changeFields, createHealth, type Log } from './log.ts';

export interface DispatcherOptions {
  readonly handlers: readonly StreamHandler[];
  /** Keeps a change that a handler cannot digest, for people to look at. Called again if it rejects. */
  readonly setAside: (change: Change, handler: string, error: unknown) => Promise<void>;
  readonly log: Log;
  /** Told of every call that succeeded: how many changes it had, how many milliseconds it took. Must not throw. */
  readonly onHandled?: (handler: string, changes: number, ms: number) => void;
  /** How often a single change is tried before it is set aside. */
  readonly attempts?: number;
  /** A call that takes longer counts as failed. */
  readonly timeoutMs?: number;
  /** How long a call in hand may go on once the signal is aborted. */
  readonly graceMs?: number;
  readonly clock?: Clock;
}

/**
 * Gives each handler the changes of its item types, in order.
 *
 * Handlers are independent of each other and work side by side; one handler's calls follow one another, so
 * a slow or failing handler delays the next batch but not its siblings in this one. What a rejection means:
 *
 *   the database or the network is away   the same call again, with backoff, for as long as it takes
 *                                         (UNAVAILABLE); nothing is set aside because of an outage
 *   anything else                         once more as a whole, then in halves, down to the one change that
 *                                         fails by itself; that one is set aside, all others are handled
 *
 * A change that could not be read is set aside for each handler of its item type, without being tried.
 */
export interface Dispatcher {
  /**
   * Resolves when every change was handled or set aside. Once the signal is aborted no call is begun, the
   * calls in hand get `graceMs`, and it rejects with `DispatchStopped` if anything is left undone. It
   * rejects for no other reason.
   */
  dispatch(changes: readonly Change[], signal?: AbortSignal): Promise<void>;
  /** How many changes were set aside since this process started. */
  readonly setAsideCount: number;
}

export class DispatchStopped extends Error {
  override readonly name = 'DispatchStopped';
  /** The first change that is not done: everything before it is. */
  readonly undone: Change;
  constructor(undone: Change) {
    super(`Stopped before change ${undone.sequence}.`);
    this.undone = undone;
  }
}

/** A handler that did not come back in time. It may still be running, which its contract allows. */
class HandlerTimedOut extends Error {
  override readonly name = 'HandlerTimedOut';
}

const BATCH_ATTEMPTS = 2;
/** An outage that only ever meets a large batch may be the batch's own size: then it is halved, too. */
const OUTAGES_PER_BATCH = 5;
const SET_ASIDE_ATTEMPTS = 3;
const ABANDONED = Symbol('abandoned');

export function createDispatcher({
  handlers,
  setAside,
  log,
  onHandled,
  attempts = 3,
  timeoutMs = 30_000,
  graceMs = 5_000,
  clock = systemClock,
}: DispatcherOptions): Dispatcher {
  let setAsideCount = 0;
  const lanes = handlers.map((handler) => ({
    handler,
    types: new Set(handler.itemTypes),
    health: createHealth(log, 'What a stream handler needs', { handler: handler.name }),
  }));
  type Lane = (typeof lanes)[number];

  async function dispatch(changes: readonly Change[], signal?: AbortSignal): Promise<void> {
    // Every call in hand listens to it while it lasts; Node would take more than ten for a leak.
    if (signal !== undefined) setMaxListeners(0, signal);
    const undone = await Promise.all(
      lanes.map((lane) => {
        const own = changes.filter(({ key }) => lane.types.has(key.type));
        return own.every(readable) ? give(lane, own, signal) : giveReadable(lane, own, signal);
      }),
    );
    const first = undone.reduce(
      (least, change) => (change === undefined ? least : Math.min(least, changes.indexOf(change))),
      changes.length,
    );
    const change = changes[first];
    if (change !== undefined) throw new DispatchStopped(change);
  }

  /** As `give`, for changes of which some can only be set aside. */
  async function giveReadable(
    lane: Lane,
    changes: readonly Change[],
    signal: AbortSignal | undefined,
  ): Promise<Change | undefined> {
    for (const change of changes) {
      if (readable(change)) continue;
      const undone = await putAside(lane, change, change.unreadable?.error, signal);
      // Nothing before it was given to the handler yet.
      if (undone !== undefined) return changes[0];
    }
    return give(lane, changes.filter(readable), signal);
  }

  /** Never rejects. Resolves to the first change left undone because of the signal, if there is one. */
  async function give(
    lane: Lane,
    changes: readonly Change[],
    signal: AbortSignal | undefined,
  ): Promise<Change | undefined> {
    const [first] = changes;
    if (first === undefined) return undefined;
    const single = changes.length === 1;
    let failure: unknown;
    for (let failures = 0, outages = 0; failures < (single ? attempts : BATCH_ATTEMPTS); ) {
      if (signal?.aborted === true) return first;
      try {
        const started = clock.now();
        await call(lane, changes, signal);
        lane.health.worked();
        onHandled?.(lane.handler.name, changes.length, clock.now() - started);
        return undefined;
      } catch (error) {
        if (error === ABANDONED) return first;
        failure = error;
        if (isAway(error)) {
          lane.health.failed(error);
          outages++;
          if (!single && outages >= OUTAGES_PER_BATCH) break;
        } else {
          failures++;
        }
        await sleep(clock, backoffMs(CONSUMER_BACKOFF, failures + outages), signal);
      }
    }
    if (single) return putAside(lane, first, failure, signal);
    const half = Math.ceil(changes.length / 2);
    return (
      (await give(lane, changes.slice(0, half), signal)) ?? (await give(lane, changes.slice(half), signal))
    );
  }

  /** One call, bounded: by `timeoutMs`, and by `graceMs` once the signal is aborted. */
  function call(
    { handler }: Lane,
    changes: readonly Change[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancels: Array<() => void> = [];
      const fail = (reason: unknown) => {
        tidy();
        reject(reason);
      };
      const onAbort = () => cancels.push(clock.after(graceMs, () => fail(ABANDONED)));
      const tidy = () => {
        for (const cancel of cancels) cancel();
        signal?.removeEventListener('abort', onAbort);
      };
      cancels.push(clock.after(timeoutMs, () => fail(new HandlerTimedOut(`after ${timeoutMs} ms`))));
      signal?.addEventListener('abort', onAbort, { once: true });
      // Through an async function, so that a handler that throws at once is a rejection like any other.
      const run = async () => handler.handle(changes);
      run().then(() => {
        tidy();
        resolve();
      }, fail);
    });
  }

  async function putAside(
    { handler }: Lane,
    change: Change,
    error: unknown,
    signal: AbortSignal | undefined,
  ): Promise<Change | undefined> {
    const fields = { handler: handler.name, change: changeFields(change) };
    const steps = [() => setAside(change, handler.name, error), async () => handler.missed?.(change)];
    for (const step of steps) {
      try {
        if (!(await insist(step, signal))) return change;
      } catch (reason) {
        // The shard goes on all the same; the log is what remains.
        log.error({ ...fields, err: reason }, 'A stream change could not even be set aside');
      }
    }
    setAsideCount++;
    log.error({ ...fields, err: error }, 'A stream change kept failing and was set aside');
    return undefined;
  }

  /** Waits outages out. Resolves to whether it was done before the signal; rejects where it keeps failing. */
  async function insist(step: () => Promise<void>, signal: AbortSignal | undefined): Promise<boolean> {
    for (let failures = 0, outages = 0; signal?.aborted !== true; ) {
      try {
        await step();
        return true;
      } catch (reason) {
        if (isAway(reason)) outages++;
        else if (++failures >= SET_ASIDE_ATTEMPTS) throw reason;
        await sleep(clock, backoffMs(CONSUMER_BACKOFF, failures + outages), signal);
      }
    }
    return false;
  }

  return {
    dispatch,
    get setAsideCount() {
      return setAsideCount;
    },
  };
}

const readable = ({ unreadable }: Change): boolean => unreadable === undefined;

/** Whether the database or the bus was down, as opposed to a handler that cannot process this change. */
function isAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAway);
  return error instanceof OutageError;
}
