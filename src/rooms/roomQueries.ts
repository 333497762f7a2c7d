import type { Timestamp } from '../core/timestamps.ts';
import type { Dynamo, PageRequest } from '../dynamo/dynamo.ts';
import { directory, keyOf, keys, parseKey, ranges } from '../dynamo/keys.ts';
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

/** Pages of members, bans, memberships and the directory. Each page is one query. */
export function createRoomQueries({ dynamo }: { readonly dynamo: Dynamo }) {
  const request = ({ limit, from }: ListPage, sortKey: (id: string) => string): PageRequest =>
    from === undefined ? { limit } : { limit, after: sortKey(from) };

  /** A room's members, by user id. */
  async function members(room: string, page: ListPage): Promise<{ nodes: Member[]; more: boolean }> {
    const { items, more } = await dynamo.query(
      ranges.members(room),
      request(page, (user) => keys.member(room, user).sk),
    );
    const nodes = items.flatMap((item) => {
      const key = parseKey(keyOf(item));
      return key.type === 'member' ? [memberOf(room, key.user, item)] : [];
    });
    return { nodes, more };
  }

  /** A room's bans, by user id. */
  async function bans(room: string, page: ListPage): Promise<{ nodes: Ban[]; more: boolean }> {
    const { items, more } = await dynamo.query(
      ranges.bans(room),
      request(page, (user) => keys.ban(room, user).sk),
    );
    const nodes = items.flatMap((item) => {
      const key = parseKey(keyOf(item));
      return key.type === 'ban' ? [{ user: key.user, by: item.by as string, at: item.at as Timestamp }] : [];
    });
    return { nodes, more };
  }

  /** A user's memberships, by room id. */
  async function memberships(user: string, page: ListPage): Promise<{ nodes: Membership[]; more: boolean }> {
    const { items, more } = await dynamo.query(
      ranges.memberships(user),
      request(page, (room) => keys.membership(user, room).sk),
    );
    const nodes = items.flatMap((item) => {
      const key = parseKey(keyOf(item));
      return key.type === 'membership' ? [membershipOf(user, key.room, item)] : [];
    });
    return { nodes, more };
  }

  /**
   * Sort keys in the directory, newest room first. They come from the index, which lags, so the caller reads each
   * room from the table before it shows it.
   */
  async function directoryPage({ limit, from }: ListPage): Promise<{ nodes: string[]; more: boolean }> {
    const start =
      from === undefined
        ? {}
        : { startKey: { ...keys.room(directory.room(from)), gsi1pk: directory.pk, gsi1sk: from } };
    const { items, more } = await dynamo.queryIndex(directory.pk, { limit, reverse: true, ...start });
    return { nodes: items.map((item) => item.gsi1sk as string), more };
  }

  return { members, bans, memberships, directoryPage };
}

export type RoomQueries = ReturnType<typeof createRoomQueries>;
