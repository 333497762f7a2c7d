import { type Topic, topic } from '../bus/bus.ts';
import type { Timestamp } from '../core/timestamps.ts';

/**
 * One numbered change of a room. It names what changed, not how: a reader looks at the thing as it is
 * now, so that an entry which is told twice, or late, does no harm.
 */
export type LogEntry =
  | {
      readonly type: 'message';
      readonly t: Timestamp;
      readonly c: Timestamp;
      /** The message's `rev` as this change left it; the position, which comes with the creation, raises it once more. */
      readonly rev: number;
      /** Set on the change that created it. */
      readonly added?: true;
      /** Set on the change that gave a root its position, which is the one that created it. */
      readonly position?: number;
    }
  | { readonly type: 'member'; readonly user: string; readonly left?: true }
  | { readonly type: 'room'; readonly rev: number };

/**
 * What the consumer tells of a room, once per batch of changes: whole values of its counters, of which
 * receivers keep the highest, and what changed since.
 */
export type RoomUpdate = {
  readonly room: string;
  /** The number of the last change: the state up to it is in this event. */
  readonly changeCount: number;
  readonly messageCount: number;
  /** Higher than what a server knew: somebody left, so it checks its readers before it sends. */
  readonly removals: number;
  /** The changes numbered `changeCount - entries.length + 1` to `changeCount`. */
  readonly entries: readonly LogEntry[];
  /** The room's own record where it has changed. */
  readonly record?: { readonly name: string; readonly topic: string | null; readonly rev: number };
  /** Its seats where they have changed. */
  readonly seats?: {
    readonly taken: number;
    readonly capacity: number | null;
    readonly waiting: number;
    readonly rev: number;
  };
};

export const roomTopic = (room: string): Topic<RoomUpdate> => topic(`room:${room}`);
