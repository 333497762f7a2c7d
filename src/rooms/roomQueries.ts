import type { Timestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import {
  directory,
  type Key,
  type KeyRange,
  keyOf,
  keys,
  type ParsedKey,
  parseKey,
  ranges,
} from '../dynamo/keys.ts';
import { findMembers } from './membership/memberHandles.ts';
import { type Member, type Membership, memberOf, membershipOf } from './room.ts';

export interface ListPage {
  readonly limit: number;
  readonly direction: 'forward' | 'backward';
  /** The id to start after. Undefined: from the beginning. */
  readonly from: string | undefined;
}

export interface Ban {
  readonly user: string;
  readonly by: string;
  readonly at: Timestamp;
}

export const banOf = (user: string, { by, at }: Item): Ban => ({
  user,
  by: by as string,
  at: at as Timestamp,
});

interface NodesPage<Node> {
  readonly nodes: Node[];
  readonly more: boolean;
}

interface ListOptions<Node> {
  readonly page: ListPage;
  readonly range: KeyRange;
  /** The key of the item with this id. */
  readonly keyAt: (id: string) => Key;
  /** Undefined for an item that does not belong to the list. */
  readonly nodeOf: (key: ParsedKey, item: Item) => Node | undefined;
}

/** Pages of members, bans, memberships and the directory. Each page is one query. */
export function createRoomQueries({ dynamo }: { readonly dynamo: Dynamo }) {
  async function list<Node>({ range, keyAt, page, nodeOf }: ListOptions<Node>): Promise<NodesPage<Node>> {
    const { limit, from } = page;
    const after = from === undefined ? {} : { after: keyAt(from).sk };
    const { items, more } = await dynamo.query(range, { limit, ...after });
    return { nodes: items.flatMap((item) => nodeOf(parseKey(keyOf(item)), item) ?? []), more };
  }

  /** A room's members, by user id. */
  const members = (room: string, page: ListPage): Promise<NodesPage<Member>> =>
    list({
      page,
      range: ranges.members(room),
      keyAt: (user) => keys.member(room, user),
      nodeOf: (key, item) => (key.type === 'member' ? memberOf(room, key.user, item) : undefined),
    });

  /** A room's bans, by user id. */
  const bans = (room: string, page: ListPage): Promise<NodesPage<Ban>> =>
    list({
      page,
      range: ranges.bans(room),
      keyAt: (user) => keys.ban(room, user),
      nodeOf: (key, item) => (key.type === 'ban' ? banOf(key.user, item) : undefined),
    });

  /** A user's memberships, by room id. */
  const memberships = (user: string, page: ListPage): Promise<NodesPage<Membership>> =>
    list({
      page,
      range: ranges.memberships(user),
      keyAt: (room) => keys.membership(user, room),
      nodeOf: (key, item) => (key.type === 'membership' ? membershipOf(user, key.room, item) : undefined),
    });

  /**
   * Sort keys in the directory, newest room first. They come from the index, which lags, so the caller reads each
   * room from the table before it shows it.
   */
  async function directoryPage({ limit, from }: ListPage): Promise<NodesPage<string>> {
    const start =
      from === undefined
        ? {}
        : { startKey: { ...keys.room(directory.room(from)), gsi1pk: directory.pk, gsi1sk: from } };
    const { items, more } = await dynamo.queryIndex(directory.pk, { limit, reverse: true, ...start });
    return { nodes: items.map((item) => item.gsi1sk as string), more };
  }

  return { members, findMembers: findMembers(dynamo), bans, memberships, directoryPage };
}

export type RoomQueries = ReturnType<typeof createRoomQueries>;
