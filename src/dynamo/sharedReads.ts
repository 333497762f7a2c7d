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
 * Shares one read between all callers that ask for the same one at the same time. A caller that comes while it is in
 * flight waits for it, 20 ms at most, and shares the next one: the running read may be older than the caller's last
 * write. As `coalesced`, but for any number of keys.
 *
 * A request waits in the queue of the user whose operation sends it (`transport/pool.ts`). The user with the fewest
 * open calls sends the shared read, so no one waits in the queue of a busy user.
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
      send: read,
      open: open(),
    };
    reads.next = gathered;
    return gathered.result;
  };
}

/** Resolves when everything that can go on in this turn has gone on, as DataLoader does it. */
const endOfTurn = (): Promise<void> =>
  new Promise((resolve) => void Promise.resolve().then(() => process.nextTick(resolve)));
