import { keys, likers } from '../../dynamo/keys.ts';
import { toggleKind } from '../toggles/toggleKind.ts';
import { likedRow } from './likedRow.ts';

export const likesKind = toggleKind({
  itemType: 'like',
  name: 'likes',
  key: keys.like,
  index: likers,
  count: 'likeCount',
  ownRow: likedRow,
  changes: {
    added: { kind: 'LIKED', description: 'A user liked the message.' },
    removed: { kind: 'UNLIKED', description: 'A user removed their like from the message.' },
  },
  cleanup: { job: 'clearLikes', handler: 'likesClearing' },
  notification: {
    kind: 'LIKE',
    description: 'Users liked a message of the viewer.',
    texts: {
      en: `{count, plural, offset:1
    =1 {{first}} =2 {{first} and {second}} other {{first} and # others}} liked your message`,
      ja: `{count, plural, offset:1
    =1 {{first}さん} =2 {{first}さんと{second}さん} other {{first}さんと他#人}}があなたのメッセージに「いいね」しました`,
    },
  },
});
