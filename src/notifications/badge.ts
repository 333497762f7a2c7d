import type { Item } from '../dynamo/item.ts';
import type { Stamp } from '../dynamo/keys.ts';

/** The notifications' part of somebody's badge; absent until they are first notified of anything. */
export interface Badge {
  /** The sum of what their unread notifications count. */
  readonly total: number;
  /** Rises when all are read at once: a notification of an earlier epoch is read. */
  readonly epoch: number;
  /** Rises with every change. */
  readonly rev: number;
  /** When all were last read at once. */
  readonly readAllAt: Stamp | null;
}

export const badgeOf = (item: Item | undefined): Badge => ({
  total: (item?.total as number | undefined) ?? 0,
  epoch: (item?.epoch as number | undefined) ?? 0,
  rev: (item?.rev as number | undefined) ?? 0,
  readAllAt: (item?.readAllAt as Stamp | undefined) ?? null,
});
