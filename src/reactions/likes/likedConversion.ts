/** Likes have rows in a list of what their users like since this release. Those that an earlier release wrote get them here. */
import pLimit from 'p-limit';
import { defined } from '../../core/defined.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, keyOf, keys, type ParsedKey, parseKey } from '../../dynamo/keys.ts';
import { converted } from '../../dynamo/table.ts';
import type { JobKind, Jobs } from '../../jobs/jobs.ts';
import { type Reaction, reactionOf } from '../toggles/reaction.ts';
import { likedRow } from './likedRow.ts';

const LIKES_AT_ONCE = 8;
/** Likes of one step: five write units each, so at most 1,000 units a second. */
export const LIKES_PER_STEP = 200;
/** The time between two steps, each of which reads 1 MB of the table: at most 256 read units a second. */
const STEP_MS = 1_000;
/** The table is read a second time, after the servers of the release before have been replaced. */
const AGAIN_AFTER_MS = 3_600_000;

/** How far the job is. */
interface Position {
  readonly after?: Key;
  /** The second time. */
  readonly again?: true;
}

export interface LikedConversionOptions {
  readonly dynamo: Dynamo;
  readonly jobs: Jobs;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createLikedConversion({ dynamo, jobs, now }: LikedConversionOptions) {
  /** This process knows that it is done. */
  let done = false;

  /** Nothing happens if the like was removed meanwhile, or has its row. */
  async function adopt(like: Reaction): Promise<void> {
    await dynamo.tryTransact({
      like: {
        key: keys.like(like.user, like),
        update: 'SET listed = :true',
        condition: '#at = :at AND attribute_not_exists(listed)',
        names: { '#at': 'at' },
        values: { ':at': like.at, ':true': true },
      },
      row: { put: likedRow(like) },
    });
  }

  const at = (position: Position, ms: number) => ({ cursor: JSON.stringify(position), runAt: now() + ms });

  /** Its name is stored with the job, and its cursor is a key of the table. */
  const jobKind: JobKind = {
    name: 'likedConversion',
    async step(_about, cursor) {
      const { after, again } = JSON.parse(cursor ?? START) as Position;
      const page = await dynamo.scanPage(UNLISTED, after);
      const items = page.items.slice(0, LIKES_PER_STEP);
      await pLimit(LIKES_AT_ONCE).map(items.flatMap(likesIn), adopt);
      const last = items.at(-1);
      const next = items.length < page.items.length && last !== undefined ? keyOf(last) : page.next;
      if (next !== undefined) return at({ after: next, ...defined({ again }) }, STEP_MS);
      if (again === undefined) return at({ again: true }, AGAIN_AFTER_MS);
      await dynamo.put(converted('likes'));
      return null;
    },
  };

  /** Starts the job unless it is done. One read, and none once this process knows that it is done. */
  async function upkeep(): Promise<void> {
    if (done) return;
    done = (await dynamo.get(keys.conversion('likes'))) !== undefined;
    if (!done) await jobs.add({ id: 'likes', kind: jobKind.name, about: {}, cursor: START });
  }

  /** For a rebuild. */
  async function visit(key: ParsedKey, item: Item): Promise<void> {
    if (key.type === 'like' && item.listed === undefined) await adopt(reactionOf(key, item));
  }

  return { jobKind, upkeep, visit };
}

const START = JSON.stringify({} satisfies Position);
/** Of the reactions of one user in one room, only likes have an entry in the index. */
const UNLISTED = {
  condition: 'contains(pk, :likes) AND attribute_exists(gsi1pk) AND attribute_not_exists(listed)',
  values: { ':likes': '#LIKES#' },
};

function likesIn(item: Item): Reaction[] {
  const key = parseKey(keyOf(item));
  return key.type === 'like' ? [reactionOf(key, item)] : [];
}
