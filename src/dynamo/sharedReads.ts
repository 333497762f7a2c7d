import { AsyncResource } from 'node:async_hooks';
import { type Clock, inTime, systemClock } from '../core/clock.ts';

/** How long a read waits for one that was sent before it, in milliseconds: a request may be stuck. */
const LATE_MS = 20;

export interface SharedReadsOptions {
  readonly clock?: Clock;
  /** How many calls the user whose operation runs now has open. */
  readonly open: () => number;
}

/** A read that is not sent yet. */
interface Gathered<T> {
  readonly result: Promise<T>;
  /** Sends it, in the operation of one of those who share it. */
  send: () => Promise<T>;
  /** What that one's user had open when they asked. */
  open: number;
}

interface Reads<T> {
  /** Resolves when the read that was sent last has ended, well or not. Undefined: it has. */
  sent: Promise<void> | undefined;
  next: Gathered<T> | undefined;
}

/**
 * One read for all who ask for the same at the same time. Those who ask in one turn of the event loop share it, and so do those who
 * come while an earlier one is on its way: they wait for that one to end, 20 ms at most. They do not get its result, because it may have been executed
 * before they asked. So a result is never older than the question, as without sharing.
 *
 * A request waits in the queue of the user whose operation sends it (`transport/pool.ts`). A shared one is sent by a user with the fewest
 * requests open, so a user who asks for a lot makes no one wait.
 *
 * As `singleFlight`, but for any number of keys, and with these two rules: whether a read is slow or waits in a queue must not depend on
 * the user who happened to ask first.
 */
export function createSharedReads<T>({ clock = systemClock, open }: SharedReadsOptions) {
  const all = new Map<string, Reads<T>>();

  function send(key: string, reads: Reads<T>, gathered: Gathered<T>): Promise<T> {
    reads.next = undefined;
    const result = gathered.send();
    const over = result.then(
      () => {},
      () => {},
    );
    reads.sent = over;
    void over.then(() => {
      if (reads.sent !== over) return;
      reads.sent = undefined;
      if (reads.next === undefined) all.delete(key);
    });
    return result;
  }

  /** `key`: what is read. `read` sends the request; that of one of those who share it is called. Rejects as it does. */
  return (key: string, read: () => Promise<T>): Promise<T> => {
    const reads = all.get(key) ?? { sent: undefined, next: undefined };
    const { next } = reads;
    if (next !== undefined) {
      const ownOpen = open();
      if (ownOpen < next.open) Object.assign(next, { open: ownOpen, send: AsyncResource.bind(read) });
      return next.result;
    }
    all.set(key, reads);
    const ready = reads.sent === undefined ? endOfTurn() : inTime(clock, LATE_MS, reads.sent, undefined);
    const gathered: Gathered<T> = {
      result: ready.then(() => send(key, reads, gathered)),
      ...{ send: read, open: open() },
    };
    reads.next = gathered;
    return gathered.result;
  };
}

/** Resolves when everything that can go on in this turn has gone on, as DataLoader does it. */
const endOfTurn = (): Promise<void> =>
  new Promise((resolve) => void Promise.resolve().then(() => process.nextTick(resolve)));
