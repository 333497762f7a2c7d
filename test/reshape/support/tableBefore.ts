import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '../../../src/dynamo/item.ts';
import type { Key } from '../../../src/dynamo/keys.ts';
import { graphql } from '../../generated/gql.ts';
import type { Person } from '../../support/clients/people.ts';

/** What clients saw of a table. */
export interface Seen {
  /** Handles of its people. */
  readonly people: readonly string[];
  /** When the table was written, in milliseconds since 1970. */
  readonly at: number;
  /** One entry for each query, in a fixed order. */
  readonly views: readonly unknown[];
}

const FOLDER = new URL('../shape1/', import.meta.url);

async function unpacked(name: string): Promise<string> {
  return (await promisify(gunzip)(await readFile(new URL(name, FOLDER)))).toString();
}

/** What the clients of the release before saw. */
export const seenBefore = async (): Promise<Seen> => JSON.parse(await unpacked('seen.json.gz')) as Seen;

/** The items that the release before has written. What expires does so as long from now as it did then. */
export async function itemsBefore({ at }: Seen): Promise<Array<Key & Item>> {
  const lines = (await unpacked('items.ndjson.gz')).trimEnd().split('\n');
  const later = Math.floor((Date.now() - at) / 1_000);
  return lines.map((line) => {
    const item = unmarshall(JSON.parse(line)) as Key & Item;
    const { expiresAt } = item;
    return expiresAt === undefined ? item : { ...item, expiresAt: Number(expiresAt) + later };
  });
}

/** All that these people see of their rooms. Every release has these queries. */
export async function viewsOf(users: readonly Person[]): Promise<unknown[]> {
  const views: unknown[] = [];
  for (const user of users) {
    const mine = await user.do(MineBefore);
    views.push(mine);
    for (const { node: membership } of mine.viewer.memberships.edges) {
      const view = await user.do(RoomBefore, { roomId: membership.room.id });
      views.push(view);
      for (const { node } of view.room?.messages?.edges ?? [])
        if (node.replyCount > 0) views.push(await user.do(ThreadBefore, { id: node.id }));
    }
  }
  return views;
}

const MineBefore = graphql(`
  query MineBefore {
    viewer {
      id
      user { handle displayName }
      unread { total notifications rooms { unreadCount readPosition room { id name } } }
      memberships(first: 20, orderBy: JOINED) { edges { node { id role unreadCount room { id name topic memberCount } } } }
      notifications(first: 50) { edges { node { id kind actorCount readAt message { id body } } } }
      savedMessages(first: 20) { edges { node { id visibility note tags message { id body } } } }
      likedMessages(first: 50) { edges { node { id body } } }
    }
  }
`);

const RoomBefore = graphql(`
  query RoomBefore($roomId: ID!) {
    room(id: $roomId) {
      id
      members(first: 10) { edges { node { role unreadCount user { handle } } } }
      messages(last: 50) {
        edges {
          cursor
          node {
            id body createdAt editedAt deletedAt version position author { handle } mentions { handle }
            replyCount lastReplyAt participants { handle } viewerIsFollowing
            likeCount viewerHasLiked stampCounts { count viewerHasStamped stamp { key } }
          }
        }
        pageInfo { hasPreviousPage hasNextPage }
      }
    }
  }
`);

const ThreadBefore = graphql(`
  query ThreadBefore($id: ID!) {
    node(id: $id) {
      ... on Message {
        id
        likers(first: 10) { edges { node { handle } } }
        stamps(first: 10) { edges { node { id createdAt stamp { key } user { handle } } } }
        replies(first: 20) {
          edges { cursor node { id body version editedAt author { handle } likeCount inReplyTo { id } } }
        }
      }
    }
  }
`);
