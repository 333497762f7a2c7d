import { defined } from '../../core/defined.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import type { ItemLoader } from '../../dynamo/itemLoader.ts';
import { keys, ranges } from '../../dynamo/keys.ts';
import { numberedIn } from '../../roomEvents/roomLogReader.ts';
import { membershipOf } from '../../rooms/room.ts';

/** Someone who entered a room. */
export interface Join {
  readonly user: string;
  readonly at: Timestamp;
  /** The number of the change in the room's log. */
  readonly change: number;
}

export interface JoinsWanted {
  readonly room: string;
  readonly after: number;
  readonly to: number;
}

export interface JoinsSearch {
  /** The most people to return. */
  readonly max?: number;
  /** Filters each group of people. Default: keeps everyone. */
  readonly which?: (joins: readonly Join[]) => Promise<readonly Join[]>;
}

export interface JoinsFound {
  /** The last first. */
  readonly joins: readonly Join[];
  /** Whether the search ended before the first of them. There may be more then. */
  readonly isMore: boolean;
}

/**
 * Items of the log that are read at a time, newest first. It has everything that happens in the room, up to 50 changes
 * in an item.
 */
const PAGE = 500;
/** People who entered before this many changes are not named. */
const CHANGES_MAX = 10_000;
/** People who are looked at together. */
const PEOPLE_AT_ONCE = 50;
/** The most people who are named or counted. */
const PEOPLE_MAX = 50;

/**
 * The users who entered with these changes, the last first, each of them once; also those who have left since. Reads
 * back from the newest change until it has found enough people, so it finds the newest even if much else has happened.
 * Strongly consistent, usually one query, which costs a read unit for about fifty changes of any kind.
 */
export async function readJoins(
  dynamo: Pick<Dynamo, 'query'>,
  { room, after, to }: JoinsWanted,
  { max = PEOPLE_MAX, which = async (joins) => joins }: JoinsSearch = {},
): Promise<JoinsFound> {
  if (to <= after) return { joins: [], isMore: false };
  const range = ranges.log(room, Math.max(after, to - CHANGES_MAX) + 1, to);
  const known = new Set<string>();
  const found: Join[] = [];
  let [before, more]: [string | undefined, boolean] = [undefined, true];
  while (more && found.length < max) {
    const page = await dynamo.query(range, { limit: PAGE, reverse: true, ...defined({ after: before }) });
    const joins = joinsIn(page.items, { after, to }).filter(({ user }) => !known.has(user));
    for (const { user } of joins) known.add(user);
    for (let from = 0; from < joins.length && found.length < max; from += PEOPLE_AT_ONCE) {
      found.push(...(await which(joins.slice(from, from + PEOPLE_AT_ONCE))));
    }
    before = page.items.at(-1)?.sk as string | undefined;
    more = page.more && before !== undefined;
  }
  const isCut = found.length > max || (found.length === max && more);
  return { joins: found.slice(0, max), isMore: isCut || to - CHANGES_MAX > after };
}

/** The items have the newest first. The last time that a person entered counts, and decides their place. */
function joinsIn(items: readonly Item[], { after, to }: Pick<JoinsWanted, 'after' | 'to'>): Join[] {
  const joins = new Map<string, Join>();
  for (const { number, entry } of items.flatMap((item) => numberedIn(item).toReversed())) {
    if (number <= after || number > to || entry.type !== 'member' || entry.joined === undefined) continue;
    if (!joins.has(entry.user)) joins.set(entry.user, { user: entry.user, at: entry.joined, change: number });
  }
  return [...joins.values()];
}

/**
 * Without the person themselves, users that they added or have blocked, and those who are not in the room any more. One
 * batch of reads.
 */
export async function wantedJoins(
  joins: readonly Join[],
  { user, room, items }: { readonly user: string; readonly room: string; readonly items: ItemLoader },
): Promise<Join[]> {
  const others = joins.filter((join) => join.user !== user);
  const found = await items.loadMany(
    others.flatMap((join) => [keys.membership(join.user, room), keys.block(user, join.user)]),
  );
  return others.filter((join, i) => {
    const [item, block] = [found[2 * i], found[2 * i + 1]];
    return item !== undefined && block === undefined && membershipOf(join.user, room, item).addedBy !== user;
  });
}
