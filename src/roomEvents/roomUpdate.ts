import { type Topic, topic } from '../bus/bus.ts';
import type { Timestamp } from '../core/timestamps.ts';

/**
 * One numbered change of a room. It names what changed, not how: a reader looks at the current item, so an entry that
 * arrives twice or late does no harm.
 */
export type LogEntry =
  | {
      readonly type: 'message';
      readonly t: Timestamp;
      readonly c: Timestamp;
      /**
       * The message's `rev` after this change. The position, which belongs to the creation, raises it once more.
       */
      readonly rev: number;
      /** Set on the change that created it. */
      readonly added?: true;
      /** Set on the change that gave a root its position, which is the one that created it. */
      readonly position?: number;
    }
  | { readonly type: 'member'; readonly user: string; readonly left?: true }
  | { readonly type: 'room'; readonly rev: number };

/**
 * What the consumer publishes about a room, once for each batch of changes: whole values of its counters, of which
 * receivers keep the highest, and the entries that are new.
 */
export type RoomUpdate = {
  readonly room: string;
  /** The number of the last change: everything up to it is stored. */
  readonly changeCount: number;
  readonly messageCount: number;
  /** If it is higher than what a server knew, someone has left: it checks its readers before it sends. */
  readonly removals: number;
  /** The changes numbered `changeCount - entries.length + 1` to `changeCount`. */
  readonly entries: readonly LogEntry[];
  /** The room's own record, if it has changed. */
  readonly record?: { readonly name: string; readonly topic: string | null; readonly rev: number };
  /** Its seats, if they have changed. */
  readonly seats?: {
    readonly taken: number;
    readonly capacity: number | null;
    readonly waiting: number;
    readonly rev: number;
  };
};

export const roomTopic = (room: string): Topic<RoomUpdate> => topic(`room:${room}`);
