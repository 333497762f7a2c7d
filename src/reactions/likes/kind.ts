import type { Timestamp } from '../../core/timestamps.ts';
import { keys } from '../../dynamo/keys.ts';
import type { ReactionKind } from '../reactionKind.ts';
import { createLikesCleanup } from './clearing.ts';

export const likesKind = {
  itemType: 'like',
  mostPerUser: 1,
  initial: {},
  // `likeCount` stays on a deleted message until its likes are removed: it counts those that are left.
  removedOnDelete: [],
  notification: {
    kind: 'LIKE',
    description: 'Users liked a message of the viewer.',
    texts: {
      en: `{count, plural, offset:1
    =1 {{first} likes} =2 {{first} and {second} like} other {{first} and # others like}} your message`,
      ja: `{count, plural, offset:1
    =1 {{first}さん} =2 {{first}さんと{second}さん} other {{first}さんと他#人}}があなたのメッセージに「いいね」しました`,
    },
    reactedAt: ({ at }) => at as Timestamp,
    authorOf: ({ author }) => author as string,
  },
  /** P3: a message counts its likes. A deleted message counts those that are not deleted yet. */
  counter: {
    name: 'likes',
    stored(key, { likeCount = 0, rev }) {
      if (key.type !== 'root' && key.type !== 'reply') return undefined;
      // The cleanup does not change the version (`rev`), so the count is part of it.
      return { counts: { likeCount: likeCount as number }, version: `${rev} ${likeCount}` };
    },
    contributions: (key) =>
      key.type === 'like' ? [{ in: keys.message(key.room, key.threadTs, key.ts), name: 'likeCount' }] : [],
    /** On a deleted message, this write also makes the cleanup continue. */
    fix({ rev, likeCount }, { likeCount: counted }) {
      const silent = likeCount === undefined;
      return {
        update: 'SET likeCount = :counted, rev = rev + :one',
        condition: `rev = :rev AND ${silent ? 'attribute_not_exists(likeCount)' : 'likeCount = :said'}`,
        values: { ':counted': counted, ':rev': rev, ':one': 1, ...(silent ? {} : { ':said': likeCount }) },
      };
    },
  },
  createCleanup: createLikesCleanup,
} as const satisfies ReactionKind;
