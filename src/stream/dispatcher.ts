import { setMaxListeners } from 'node:events';
import { type Clock, systemClock } from '../core/clock.ts';
import { ContentionError, OutageError, OverloadError } from '../core/errors.ts';
import type { OutageLog } from '../core/log.ts';
import { LOG_EVENTS } from '../core/logEvents.ts';
import { CONSUMER_BACKOFF, retryUntilDone } from '../core/retry.ts';
import type { Span, Tracer } from '../core/trace.ts';
import { asWork } from '../core/work.ts';
import type { Change, StreamHandler } from './change.ts';
import { changeFields, retriedHealth } from './log.ts';

export interface DispatcherOptions {
  readonly handlers: readonly StreamHandler[];
  /** Stores a change that a handler cannot process, so that an operator can look at it. Repeated if it rejects. */
  readonly deadLetter: (change: Change, handler: string, error: unknown) => Promise<void>;
  readonly log: OutageLog;
  /** Called after each successful call, with its number of changes and its milliseconds. Must not throw. */
  readonly onHandled?: (handler: string, changes: number, ms: number) => void;
  /** How many times a single change is tried before it becomes a dead letter. */
  readonly attempts?: number;
  /** A call that takes longer counts as failed. */
  readonly timeoutMs?: number;
  /** How long a running call may continue after the signal is aborted. */
  readonly graceMs?: number;
  readonly clock?: Clock;
  /** Records the calls whose changes have a `trace`. */
  readonly tracer?: Tracer | undefined;
}

/**
 * Gives each handler the changes of its item types, in order.
 *
 * Handlers are independent and run side by side. The calls of one handler follow each other, so a slow or failing
 * handler delays the next batch of its group, but not the other handlers in this one. A handler that others must
 * not wait for belongs in a group of its own (see `consumer.ts`). What a rejection means:
 *
 *   OutageError       The database or the network is down, or refuses this process: the same call is repeated, with
 *                     backoff, until it succeeds. An outage makes no dead letters.
 *   ContentionError,  Others write the same items, or wait for them: the batch is halved down to the changes that meet
 *   OverloadError     them, and each is repeated for CONTENTION_MS. It may be a mistake in the handler, which would
 *                     never end, so the change becomes a dead letter then.
 *   any other error   The batch is tried once more, then in halves, down to the one change that fails by itself. That
 *                     one becomes a dead letter, all others are handled.
 *
 * A change that could not be read becomes a dead letter for each handler of its item type, without an attempt.
 */
export interface Dispatcher {
  /**
   * Resolves when every change was handled or is a dead letter. After the signal is aborted no call begins, the
   * running calls get `graceMs`, and it rejects with `DispatchStopped` if any change is unhandled. It rejects for
   * no other reason.
   */
  dispatch(changes: readonly Change[], signal?: AbortSignal): Promise<void>;
  /** How many dead letters this process has written. */
  readonly deadLetterCount: number;
}

export class DispatchStopped extends Error {
  override readonly name = 'DispatchStopped';
  /** All changes before this one are handled. */
  readonly firstUnhandled: Change;
  constructor(firstUnhandled: Change) {
    super(`Stopped before change ${firstUnhandled.sequence}.`);
    this.firstUnhandled = firstUnhandled;
  }
}

/** A handler did not settle in time. It may still be running, which its contract allows. */
class HandlerTimedOut extends Error {
  override readonly name = 'HandlerTimedOut';
}

/**
 * For how long a single change is repeated while others write the same items, in milliseconds. What a handler does
 * after its dead letter has the same time again. Both together are shorter than a function of AWS Lambda runs, so each
 * of its runs gets past at least one change.
 */
const CONTENTION_MS = 10_000;
const DEAD_LETTER_ATTEMPTS = 3;
const ABANDONED = Symbol('abandoned');

export function createDispatcher({
  handlers,
  deadLetter,
  log,
  onHandled,
  attempts = 3,
  timeoutMs = 30_000,
  graceMs = 5_000,
  clock = systemClock,
  tracer,
}: DispatcherOptions): Dispatcher {
  let deadLetterCount = 0;
  const handlerRuns = handlers.map((handler) => ({
    handler,
    types: new Set(handler.itemTypes),
    health: retriedHealth(log, 'A dependency of a stream handler', { handler: handler.name }),
  }));
  const retrying = { clock, policy: CONSUMER_BACKOFF };
  /** One handler's part of a batch. */
  type Delivery = (typeof handlerRuns)[number] & { readonly signal: AbortSignal | undefined };

  async function dispatch(changes: readonly Change[], signal?: AbortSignal): Promise<void> {
    // Every running call listens to it. Node warns of a leak from the eleventh listener on.
    if (signal !== undefined) setMaxListeners(0, signal);
    const unhandled = await Promise.all(
      handlerRuns.map((run) => {
        const own = changes.filter(({ key }) => run.types.has(key.type));
        const delivery = { ...run, signal };
        return own.every(readable) ? deliver(delivery, own) : deliverReadable(delivery, own);
      }),
    );
    const first = unhandled.reduce(
      (least, change) => (change === undefined ? least : Math.min(least, changes.indexOf(change))),
      changes.length,
    );
    const change = changes[first];
    if (change !== undefined) throw new DispatchStopped(change);
  }

  /** Like `deliver`, if some changes are unreadable. */
  async function deliverReadable(
    delivery: Delivery,
    changes: readonly Change[],
  ): Promise<Change | undefined> {
    for (const change of changes) {
      if (readable(change)) continue;
      const unhandled = await writeDeadLetter(delivery, change, change.unreadable?.error);
      // The handler has not received any change yet.
      if (unhandled !== undefined) return changes[0];
    }
    return deliver(delivery, changes.filter(readable));
  }

  /** Never rejects. Resolves to the first change that is unhandled because of the signal, if there is one. */
  async function deliver(delivery: Delivery, changes: readonly Change[]): Promise<Change | undefined> {
    const { handler, health, signal } = delivery;
    const [first] = changes;
    if (first === undefined) return undefined;
    const isSingle = changes.length === 1;
    const retries = createRetries(clock, isSingle ? { attempts, contentionMs: CONTENTION_MS } : OF_A_BATCH);
    let isContentionLogged = false;
    const attempt = async (): Promise<void> => {
      const started = clock.now();
      await call(delivery, changes);
      health.worked();
      onHandled?.(handler.name, changes.length, clock.now() - started);
    };
    const onFailure = (error: unknown): void => {
      if (error === ABANDONED) throw error;
      if (isOutage(error)) health.failed(error);
      else if (isContention(error) && isSingle && !isContentionLogged) {
        isContentionLogged = true;
        log.info({ handler: handler.name, change: changeFields(first), err: error }, CONTENDED);
      }
      if (retries.areSpent(error)) throw error;
    };
    try {
      return (await retryUntilDone(attempt, { ...retrying, signal, onFailure })) ? undefined : first;
    } catch (error) {
      if (error === ABANDONED) return first;
      if (isSingle) return writeDeadLetter(delivery, first, error);
    }
    const half = Math.ceil(changes.length / 2);
    return (
      (await deliver(delivery, changes.slice(0, half))) ?? (await deliver(delivery, changes.slice(half)))
    );
  }

  /** One call, bounded by `timeoutMs`, and by `graceMs` after the signal is aborted. */
  function call({ handler, signal }: Delivery, changes: readonly Change[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancels: Array<() => void> = [];
      const fail = (reason: unknown) => {
        cleanUp();
        reject(reason);
      };
      const onAbort = () => cancels.push(clock.after(graceMs, () => fail(ABANDONED)));
      const cleanUp = () => {
        for (const cancel of cancels) cancel();
        signal?.removeEventListener('abort', onAbort);
      };
      cancels.push(clock.after(timeoutMs, () => fail(new HandlerTimedOut(`after ${timeoutMs} ms`))));
      signal?.addEventListener('abort', onAbort, { once: true });
      // Through an async function, so that a handler that throws synchronously rejects like any other.
      const run = async () => handler.handle(changes);
      const pattern = `consumer: ${handler.name}`;
      const span = beginSpan(pattern, changes);
      asWork({ pattern, span }, run).then(
        () => {
          span?.end();
          cleanUp();
          resolve();
        },
        (error: unknown) => {
          span?.end(error);
          fail(error);
        },
      );
    });
  }

  /** With a link to each operation that is traced and has led to one of the changes. */
  function beginSpan(name: string, changes: readonly Change[]): Span | undefined {
    const links = tracer === undefined ? [] : tracesOf(changes).slice(0, LINKS_MAX);
    if (links.length === 0) return undefined;
    return tracer?.begin(name, { links, attributes: { changes: changes.length } });
  }

  /** Writes a dead letter. Resolves to the change if the signal came first. */
  async function writeDeadLetter(
    { handler, signal }: Delivery,
    change: Change,
    error: unknown,
  ): Promise<Change | undefined> {
    const fields = { handler: handler.name, change: changeFields(change) };
    /** Resolves to whether it was done before the signal. */
    async function store(name: string, why: unknown): Promise<boolean> {
      try {
        return await retryWhatPasses(() => deadLetter(change, name, why), signal);
      } catch (err) {
        // The shard continues, so the log is the only trace of the change.
        log.error({ ...fields, err }, 'The dead letter could not be stored; the change is only in this log');
        return true;
      }
    }
    if (!(await store(handler.name, error))) return change;
    try {
      if (!(await retryWhatPasses(async () => handler.onSkipped?.(change), signal))) return change;
    } catch (err) {
      // The dead letter says that not even this was done: `repair --forgotten` does it.
      if (!(await store(onSkippedName(handler), err))) return change;
      log.error(
        { event: LOG_EVENTS.setAside, ...fields, handler: onSkippedName(handler), err },
        'What a handler does after a dead letter kept failing, too',
      );
    }
    deadLetterCount++;
    log.error(
      { event: LOG_EVENTS.setAside, ...fields, err: error },
      'A stream change kept failing and is a dead letter now',
    );
    return undefined;
  }

  /** Resolves to whether the step was done before the signal. Rejects if the step keeps failing. */
  function retryWhatPasses(step: () => Promise<void>, signal: AbortSignal | undefined): Promise<boolean> {
    const retries = createRetries(clock, { attempts: DEAD_LETTER_ATTEMPTS, contentionMs: CONTENTION_MS });
    return retryUntilDone(step, {
      ...retrying,
      signal,
      onFailure(error) {
        if (retries.areSpent(error)) throw error;
      },
    });
  }

  return {
    dispatch,
    get deadLetterCount() {
      return deadLetterCount;
    },
  };
}

/** How a dead letter names the failure of `onSkipped`. */
const onSkippedName = ({ name }: StreamHandler): string => `${name}: onSkipped`;

const LINKS_MAX = 32;

/** What new items say about the operation that wrote them. An item keeps it, so later changes of it say nothing. */
const tracesOf = (changes: readonly Change[]): string[] =>
  changes.flatMap(({ kind, new: item }) =>
    kind === 'INSERT' && typeof item?.trace === 'string' ? [item.trace] : [],
  );

const readable = ({ unreadable }: Change): boolean => unreadable === undefined;

const CONTENDED = 'Others keep writing what a stream change is about: it is tried again for some seconds';

interface RetryLimits {
  /** The attempts that may fail, apart from outages and contention. */
  readonly attempts: number;
  /** How many outages end the retries. Default: none do. */
  readonly outages?: number;
  /** For how long others may write the same items, in milliseconds. 0: not even once. */
  readonly contentionMs: number;
}

/**
 * A larger batch is not tried for long: its size may be the reason of an outage, and the other changes need not wait
 * for the one that others write as well.
 */
const OF_A_BATCH: RetryLimits = { attempts: 2, outages: 5, contentionMs: 0 };

/** Decides how often one call is repeated. */
function createRetries(clock: Clock, limits: RetryLimits) {
  const { attempts, outages = Number.POSITIVE_INFINITY, contentionMs } = limits;
  let failures = 0;
  let outagesSeen = 0;
  let contendedSince: number | undefined;
  return {
    /** Called once after each attempt, with its error. */
    areSpent(error: unknown): boolean {
      if (isOutage(error)) return ++outagesSeen >= outages;
      if (!isContention(error)) return ++failures >= attempts;
      contendedSince ??= clock.now();
      return clock.now() - contendedSince >= contentionMs;
    },
  };
}

const contains =
  (matches: (error: unknown) => boolean) =>
  (error: unknown): boolean =>
    error instanceof AggregateError ? error.errors.some(contains(matches)) : matches(error);

/** Whether the database or the bus does not respond, as opposed to a handler that cannot process this change. */
const isOutage = contains((error) => error instanceof OutageError);

/** Whether others were changing the same items on each attempt, or too many waited for them. */
const isContention = contains((error) => error instanceof ContentionError || error instanceof OverloadError);
