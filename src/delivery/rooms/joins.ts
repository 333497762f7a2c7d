import type { Timestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
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

/** The log has everything that happens in the room. After this many entries, those who entered later are not named. */
const ENTRIES_MAX = 1_000;
/** The most people who are looked at. */
const PEOPLE_MAX = 50;

/**
 * The users who entered with these changes, the last first, each of them once; also those who have left since. Strongly consistent, one query, which
 * costs a read unit for about fifty changes of any kind.
 */
export async function readJoins(
  dynamo: Pick<Dynamo, 'query'>,
  { room, after, to }: JoinsWanted,
): Promise<Join[]> {
  if (to <= after) return [];
  const until = Math.min(to, after + ENTRIES_MAX);
  const { items } = await dynamo.query(ranges.log(room, after + 1, until), { limit: ENTRIES_MAX });
  const joins = new Map<string, Join>();
  for (const { number, entry } of items.flatMap(numberedIn)) {
    if (number <= after || number > until || entry.type !== 'member' || entry.joined === undefined) continue;
    // The last one of a person counts, and decides their place.
    joins.delete(entry.user);
    joins.set(entry.user, { user: entry.user, at: entry.joined, change: number });
  }
  return [...joins.values()].toReversed().slice(0, PEOPLE_MAX);
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
