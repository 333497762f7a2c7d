/**
 * How an optional group of handlers reads a shard without polling it. The core group's reader publishes each page
 * that it reads to a feed, and never waits for the group:
 *
 *   core reader ──page──▶ feed ──▶ buffer (bounded) ──▶ the group's handlers          following
 *                                     │ overflow
 *                                     ▼
 *                          a reader of its own, from the group's own checkpoint       catching up
 *                                     │ as far as the feed
 *                                     └──▶ following again
 *
 * During an outage of its handlers a group retries its current page and drops the pages that exceed the buffer. It does
 * not poll then. Afterwards it reads the dropped records itself, within the reads that AWS allows.
 */
import { createWakeSignal } from '../core/signal.ts';
import { createReader, type Page, type Reader, type ReaderEnd, type ReaderOptions } from './reader.ts';
import { compareSequences } from './records.ts';

interface Follower {
  onPage(page: Page): void;
  /** The next page does not follow the last one, or there is no next page. */
  onGap(): void;
}

/** The pages that the core group reads of one shard. */
export interface ShardFeed {
  /** The last record that the core group has read or, before it has read any, its checkpoint. */
  readonly position: string | undefined;
  /** False when the core group does not read this shard any more. */
  readonly open: boolean;
  publish(page: Page): void;
  /** Records were trimmed: the core group starts again at the oldest record. */
  gap(): void;
  close(): void;
  /** Returns the function that ends it. */
  follow(follower: Follower): () => void;
}

export function createShardFeed(checkpoint: string | undefined): ShardFeed {
  const followers = new Set<Follower>();
  let position = checkpoint;
  let open = true;
  const notifyGap = () => {
    for (const { onGap } of followers) onGap();
  };
  return {
    get position() {
      return position;
    },
    get open() {
      return open;
    },
    publish(page) {
      position = page.end;
      for (const { onPage } of followers) onPage(page);
    },
    gap() {
      position = undefined;
      notifyGap();
    },
    close() {
      open = false;
      notifyGap();
    },
    follow(follower) {
      followers.add(follower);
      return () => followers.delete(follower);
    },
  };
}

/** How many changes one group buffers for one shard. An empty buffer takes any page, which has at most 1,000. */
const BUFFERED_MAX = 1_000;
/** Any long wait: each page and each gap wakes the follower. */
const IDLE_MS = 60_000;

export function createFollowingReader({
  feed,
  ...options
}: ReaderOptions & { readonly feed: ShardFeed }): Reader {
  const { pacing, clock, handle } = options;
  const catchUpPacing = {
    ...pacing,
    busyMs: Math.max(pacing.busyMs, pacing.catchUpMs),
    idleMs: Math.max(pacing.idleMs, pacing.catchUpMs),
    spacingMs: pacing.catchUpMs,
  };
  const wakeSignal = createWakeSignal(clock);
  /** Not a `BoundedBuffer`, which drops everything: the first pages are kept, and reading continues after them. */
  const buffer: Page[] = [];
  let buffered = 0;
  /** Whether a page after those in the buffer was dropped. */
  let behind = true;
  let position = options.checkpoint;
  let catchingUp: Reader | undefined;
  let behindSince: number | undefined;
  const done = { changes: 0, records: 0, polledAt: undefined as number | undefined };

  const follower: Follower = {
    onPage(page) {
      if (behind) return;
      const last = buffer.at(-1);
      if (last !== undefined && page.changes.length === 0) {
        buffer[buffer.length - 1] = { ...last, end: page.end };
      } else if (last !== undefined && buffered + page.changes.length > BUFFERED_MAX) {
        behind = true;
      } else {
        buffer.push(page);
        buffered += page.changes.length;
      }
      wakeSignal.wake();
    },
    onGap() {
      behind = true;
      wakeSignal.wake();
    },
  };

  const isAfter = (sequence: string, other: string | undefined) =>
    other === undefined || compareSequences(sequence, other) > 0;

  /** Reads the shard until it reaches the feed's pages, or to the shard's end. */
  async function catchUp(signal: AbortSignal): Promise<ReaderEnd> {
    const reader = createReader({
      ...options,
      checkpoint: position,
      pacing: catchUpPacing,
      keepSpacing: true,
    });
    const isCaughtUp = () =>
      feed.open &&
      (feed.position === undefined
        ? reader.position === undefined
        : reader.position !== undefined && !isAfter(feed.position, reader.position));
    catchingUp = reader;
    try {
      const end = await reader.run(signal, isCaughtUp);
      // Checked again: the feed may have moved since the reader checked.
      if (end === 'stopped' && isCaughtUp()) behind = false;
      return end;
    } finally {
      catchingUp = undefined;
      position = reader.position;
      done.changes += reader.changes;
      done.records += reader.records;
      done.polledAt = reader.polledAt ?? done.polledAt;
    }
  }

  async function take({ changes, end, since }: Page, signal: AbortSignal): Promise<void> {
    const fresh = changes.filter(({ sequence }) => isAfter(sequence, position));
    if (fresh.length > 0) {
      behindSince = since;
      await handle(fresh, signal);
    }
    done.changes += fresh.length;
    done.polledAt = clock.now();
    if (isAfter(end, position)) position = end;
    if (buffer.length === 0 && !behind) behindSince = undefined;
  }

  async function run(signal: AbortSignal): Promise<ReaderEnd> {
    const unfollow = feed.follow(follower);
    signal.addEventListener('abort', wakeSignal.wake, { once: true });
    try {
      while (!signal.aborted) {
        wakeSignal.clear();
        const page = buffer.shift();
        if (page !== undefined) {
          buffered -= page.changes.length;
          await take(page, signal);
        } else if (behind) {
          const end = await catchUp(signal);
          if (end !== 'stopped') return end;
          behindSince = undefined;
        } else await wakeSignal.wait(IDLE_MS);
      }
      return 'stopped';
    } finally {
      unfollow();
    }
  }

  return {
    run,
    wake: wakeSignal.wake,
    // Pages come when the core group reads them.
    expect() {},
    get position() {
      return catchingUp === undefined ? position : catchingUp.position;
    },
    get changes() {
      return done.changes + (catchingUp?.changes ?? 0);
    },
    get records() {
      return done.records + (catchingUp?.records ?? 0);
    },
    get polledAt() {
      return catchingUp?.polledAt ?? done.polledAt;
    },
    get reachable() {
      return catchingUp?.reachable ?? true;
    },
    get behindSince() {
      return catchingUp?.behindSince ?? behindSince;
    },
  };
}
