import { secondsOf } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, keyOf, parseKey } from '../../dynamo/keys.ts';
import { EXPIRES_AT } from '../../dynamo/table.ts';
import type { Streams } from '../../dynamo/transport/streams.ts';

/** One of the two tables. */
export interface Side {
  readonly dynamo: Dynamo;
  readonly streams: Streams;
  /** No other table has it. */
  readonly streamArn: string;
  /** The table's name and where it is, for people. */
  readonly place: string;
}

export interface Sides {
  /** The table that servers use. */
  readonly source: Side;
  /** The one that becomes a copy of it. */
  readonly target: Side;
}

/** What a table has for itself: who reads its stream, which servers use it, and whether they may. */
const OWN: ReadonlySet<string> = new Set(['shard', 'shape', 'heartbeat', 'carry', 'fence', 'sentinel']);

export const isCarried = (item: Key | Item): boolean => !OWN.has(parseKey(keyOf({ ...item })).type);

/** The item, unless it has expired: DynamoDB deletes it within days, in each of the tables by itself. */
export function alive<I extends Item>(item: I | undefined, now: number): I | undefined {
  const expiresAt = item?.[EXPIRES_AT];
  return typeof expiresAt === 'number' && expiresAt <= secondsOf(now) ? undefined : item;
}
