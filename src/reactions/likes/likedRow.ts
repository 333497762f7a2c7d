import { keys, likedList } from '../../dynamo/keys.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import type { Reaction } from '../toggles/reaction.ts';

/**
 * The row of a like in the list of what its user likes. It is written and deleted with the like. It names a message;
 * the like decides, because a server of an earlier release deletes a like without its row.
 */
export const likedRow = ({ user, at, room, threadTs, ts }: Omit<Reaction, 'author'>) => ({
  v: FIRST_SHAPE,
  gsi1pk: likedList.pk(user, room),
  gsi1sk: likedList.sk({ threadTs, ts }, at),
  ...keys.liked(user, at, { room, threadTs, ts }),
});
