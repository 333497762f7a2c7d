import type { Item } from '../dynamo/item.ts';

/** The stream record that a change comes from. */
export interface Source {
  readonly stream: string;
  readonly shard: string;
  readonly sequence: string;
}

/**
 * By shard, the last of its records that is in a room's log. Records of one shard come in ascending order,
 * so what is not above it is in the log already.
 *
 * One mark for the whole room would not do. A room lies on one partition, and comes from one shard at a time,
 * only while it is small: DynamoDB splits a large or busy one by sort key. Then its records come from several
 * shards that are read side by side, and the mark of the faster one would hide what the slower one has still
 * to tell. A shard's child begins behind everything of its parent, so it needs no mark of it.
 */
export type Logged = Readonly<Record<string, string>>;

/** A forgotten mark only means that what is told again is entered again. */
const SHARDS_MAX = 4;

const nameOf = ({ stream, shard }: Source): string => `${stream} ${shard}`;

export const loggedOf = ({ logged }: Item): Logged =>
  typeof logged === 'object' && logged !== null ? (logged as Logged) : {};

export function isLogged(logged: Logged, source: Source): boolean {
  const last = logged[nameOf(source)];
  return last !== undefined && BigInt(source.sequence) <= BigInt(last);
}

/** With this record marked as the last of its shard; of the others, those that are furthest. */
export function marked(logged: Logged, source: Source): Logged {
  const name = nameOf(source);
  const others = Object.entries(logged)
    .filter(([other]) => other !== name && other.startsWith(`${source.stream} `))
    .sort(([, a], [, b]) => (BigInt(a) < BigInt(b) ? 1 : -1))
    .slice(0, SHARDS_MAX - 1);
  return { ...Object.fromEntries(others), [name]: source.sequence };
}
