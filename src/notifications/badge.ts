import type { Timestamp } from '../core/timestamps.ts';
import type { Item } from '../dynamo/item.ts';
import { keys } from '../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../dynamo/table.ts';
import type { Write } from '../dynamo/write.ts';

/** The notifications' part of somebody's badge; absent until they are first notified of anything. */
export interface Badge {
  /** The sum of what their unread notifications count. */
  readonly total: number;
  /** Rises when all are read at once: a notification of an earlier epoch is read. */
  readonly epoch: number;
  /** Rises with every change. */
  readonly rev: number;
  /** When all were last read at once. */
  readonly readAllAt: Timestamp | null;
}

export const badgeOf = (item: Item | undefined): Badge => ({
  total: (item?.total as number | undefined) ?? 0,
  epoch: (item?.epoch as number | undefined) ?? 0,
  rev: (item?.rev as number | undefined) ?? 0,
  readAllAt: (item?.readAllAt as Timestamp | undefined) ?? null,
});

/** The condition that all were not read meanwhile; `:epoch` is the one that was seen. Nobody's first is 0. */
export const sameEpoch = (epoch: number): string =>
  epoch === 0 ? 'attribute_not_exists(epoch) OR epoch = :epoch' : 'epoch = :epoch';

/**
 * Part of a transaction: so much more, or less, in the badge, unless all were read meanwhile. It need not hold
 * the total: what belongs to it holds the notifications that it is the sum of.
 */
export const badgeChange = (user: string, epoch: number, change: number): Write => ({
  key: keys.badge(user),
  update:
    'SET #total = if_not_exists(#total, :none) + :change, rev = if_not_exists(rev, :none) + :one, epoch = :epoch, v = :v',
  condition: sameEpoch(epoch),
  names: { '#total': 'total' },
  values: { ':change': change, ':none': 0, ':one': 1, ':epoch': epoch, ':v': SCHEMA_VERSION },
});

/** Part of a transaction: all were not read meanwhile. */
export const badgeCheck = (user: string, epoch: number): Write => ({
  check: keys.badge(user),
  condition: sameEpoch(epoch),
  values: { ':epoch': epoch },
});
