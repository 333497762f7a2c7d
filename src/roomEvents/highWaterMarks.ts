import type { Item } from '../dynamo/item.ts';
import { compareSequences } from '../stream/records.ts';

/** The stream record that a change comes from. */
export interface StreamPosition {
  readonly stream: string;
  readonly shard: string;
  readonly sequence: string;
}

/**
 * For each shard, the last of its records that is in a room's log. Records of one shard arrive in ascending order, so
 * a record that is not higher is in the log already.
 *
 * One mark for the whole room is not enough. Only a small room is on one partition, and so in one shard at a time:
 * DynamoDB splits a large or busy one by sort key. Then its records arrive from several shards that are read side by
 * side, and the mark of the faster one would hide records of the slower one. A child shard begins after all records of
 * its parent, so it does not need the parent's mark.
 */
export type HighWaterMarks = Readonly<Record<string, string>>;

/** If a mark is dropped, a record that is delivered again is only entered again. */
const SHARDS_MAX = 4;

const nameOf = ({ stream, shard }: StreamPosition): string => `${stream} ${shard}`;

export const highWaterMarksOf = ({ logged }: Item): HighWaterMarks =>
  typeof logged === 'object' && logged !== null ? (logged as HighWaterMarks) : {};

export function isLogged(logged: HighWaterMarks, source: StreamPosition): boolean {
  const last = logged[nameOf(source)];
  return last !== undefined && compareSequences(source.sequence, last) <= 0;
}

/** Sets the mark of the record's shard, and keeps the SHARDS_MAX - 1 highest marks of other shards. */
export function withRecord(logged: HighWaterMarks, source: StreamPosition): HighWaterMarks {
  const name = nameOf(source);
  const others = Object.entries(logged)
    .filter(([other]) => other !== name && other.startsWith(`${source.stream} `))
    .sort(([, a], [, b]) => compareSequences(b, a))
    .slice(0, SHARDS_MAX - 1);
  return { ...Object.fromEntries(others), [name]: source.sequence };
}
