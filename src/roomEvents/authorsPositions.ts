import { type Clock, systemClock } from '../core/clock.ts';
import { mapAtMost } from '../core/mapAtMost.ts';
import type { Timestamp } from '../core/timestamps.ts';
import { asWork } from '../core/work.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ifConditionHolds } from '../dynamo/errors.ts';
import { keys } from '../dynamo/keys.ts';

const WRITES_AT_ONCE = 16;
/** When this many writes wait, they begin. */
const WAITING_MAX = 1_000;

/** A root that has just got its position. */
export interface PositionedRoot {
  readonly room: string;
  readonly author: string;
  readonly threadTs: Timestamp;
  readonly position: number;
}

export interface AuthorsPositionsOptions {
  readonly dynamo: Dynamo;
  /** How long an author's write may wait for their next root, in milliseconds. Default: it does not wait. */
  readonly putOffMs?: number | undefined;
  readonly clock?: Clock;
}

/**
 * Moves the read positions of authors to the roots that they have posted, if their memberships still name them. A
 * membership names the root that its user has posted last, so there is one write for each author and room, for the last
 * root of those that came within `putOffMs`. It is refused, but charged, if the author has posted another root since,
 * or has read further.
 *
 * It only saves work: readers of a membership look its pending root up, for as long as there is one. So writes that
 * were put off are lost with the process, and if they fail. Then each reader looks the root up until the user posts or
 * reads in that room again.
 */
export interface AuthorsPositions {
  /** Resolves when these are written, or were put off. Rejects if they are not put off and could not be written. */
  settle(roots: readonly PositionedRoot[]): Promise<void>;
  /** Writes those that were put off. Resolves when no write is in progress. Never rejects. */
  flush(): Promise<void>;
}

export function createAuthorsPositions(options: AuthorsPositionsOptions): AuthorsPositions {
  const { dynamo, putOffMs = 0, clock = systemClock } = options;
  const waiting = new Map<string, PositionedRoot>();
  let cancel: (() => void) | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  /** Writes those that wait. */
  async function write(): Promise<void> {
    cancel?.();
    cancel = undefined;
    const roots = [...waiting.values()];
    waiting.clear();
    await mapAtMost(WRITES_AT_ONCE, roots, async ({ room, author, threadTs, position }) => {
      await ifConditionHolds(
        dynamo.update(keys.membership(author, room), {
          update: 'SET readPosition = :position, rev = rev + :one REMOVE readTo, readSteps',
          condition: 'readTo = :root AND readPosition < :position',
          values: { ':position': position, ':root': threadTs, ':one': 1 },
        }),
      );
    });
  }

  /** Not part of the batch whose roots were put off first: that may have ended. */
  function writeLater(): void {
    writing = Promise.allSettled([writing, asWork({ pattern: 'consumer: events' }, write)]);
  }

  return {
    async settle(roots) {
      for (const root of roots) {
        const key = `${root.author} ${root.room}`;
        // A record that arrives again must not replace a later one.
        if ((waiting.get(key)?.position ?? 0) < root.position) waiting.set(key, root);
      }
      if (waiting.size === 0) return;
      if (putOffMs === 0) return write();
      if (waiting.size >= WAITING_MAX) writeLater();
      else cancel ??= clock.after(putOffMs, writeLater);
    },
    async flush() {
      writeLater();
      await writing;
    },
  };
}
