import type { Unit } from '../dynamo/bulkWrite.ts';
import { IMPORTED, type Item } from '../dynamo/item.ts';
import { type Key, keys } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import { inShape } from '../messages/longBodies/body.ts';
import { type Message, messageItem } from '../messages/message.ts';
import { likesKind } from './likes/kind.ts';
import { likedRow } from './likes/likedRow.ts';
import { type MessageStamp, stampItem } from './stamps/stamp.ts';
import { type Reaction, reactionItem } from './toggles/reaction.ts';

/** A message in its final state, and its stamps and likes in order. */
export interface MessageWithReactions {
  readonly message: Message;
  readonly stamps: readonly MessageStamp[];
  readonly likes: readonly Reaction[];
}

/** The items of a message that is written as history, and of its stamps and likes. Nothing is derived from them. */
export const historyItems = (whole: MessageWithReactions, shape: number): Unit[] => [
  messageItems(whole, shape),
  ...reactionItems(whole),
];

/** The items of its stamps and likes. */
export const reactionItems = ({
  stamps,
  likes,
}: Omit<MessageWithReactions, 'message'>): Array<Key & Item> => [
  ...stamps.flatMap((stamp) => [
    { ...stampItem(stamp), ...IMPORTED },
    { ...guardItem(stamp), ...IMPORTED },
  ]),
  ...likes.flatMap((like) => [
    { ...reactionItem(likesKind, like), ...IMPORTED },
    { ...likedRow(like), ...IMPORTED },
  ]),
];

/**
 * The message's own item, and that of a long body, in this shape of the table. They have to be written in one
 * transaction: a change of the shape that read one of them alone would take it for all that there is.
 */
export const messageItems = (whole: Pick<MessageWithReactions, 'message' | 'stamps'>, shape: number) =>
  inShape(wholeItem(whole), whole.message, shape).map((item) => ({ ...item, ...IMPORTED }));

function wholeItem({ message, stamps }: Pick<MessageWithReactions, 'message' | 'stamps'>): Key & Item {
  const { body, editedAt, edits, deletedAt, position, lastReplyAt, participants, newestReplies } = message;
  return {
    ...messageItem(message),
    // An undefined attribute is not written.
    body: body ?? undefined,
    stampTotal: stamps.length === 0 ? undefined : stamps.length,
    editedAt: editedAt ?? undefined,
    edits: edits === 0 ? undefined : edits,
    deletedAt: deletedAt ?? undefined,
    position: position ?? undefined,
    lastReplyAt: lastReplyAt ?? undefined,
    newestReplies: newestReplies?.length ? newestReplies : undefined,
    participants: participants.length === 0 ? undefined : participants,
  };
}

/** What the item of a message that is not deleted has about its reactions. */
export const reactionCounts = ({ stamps, likes }: Omit<MessageWithReactions, 'message'>): Item => {
  const counts: Record<string, number> = {};
  for (const { stampKey } of stamps) counts[stampKey] = (counts[stampKey] ?? 0) + 1;
  return { stamps: counts, ...(likes.length === 0 ? {} : { [likesKind.count]: likes.length }) };
};

const guardItem = ({ user, room, threadTs, ts, stampedAt, stampKey }: MessageStamp) => ({
  ...keys.stampGuard(user, { room, threadTs, ts }, stampKey),
  v: FIRST_SHAPE,
  s: stampedAt,
});
