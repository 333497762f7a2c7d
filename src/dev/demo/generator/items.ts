import { IMPORTED, type Item } from '../../../dynamo/item.ts';
import { type Key, keys } from '../../../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../../dynamo/table.ts';
import { type Message, messageItem } from '../../../messages/message.ts';
import { likesKind } from '../../../reactions/likes/kind.ts';
import { likedRow } from '../../../reactions/likes/likedRow.ts';
import { type MessageStamp, stampItem } from '../../../reactions/stamps/stamp.ts';
import { reactionItem } from '../../../reactions/toggles/reaction.ts';
import type { MessageWithReactions } from './thread.ts';

/** The items of a message, its stamps and its likes. */
export const itemsOf = ({ message, stamps, likes }: MessageWithReactions): Array<Key & Item> => [
  historyItem(message, stamps.length),
  ...stamps.flatMap((stamp) => [
    { ...stampItem(stamp), ...IMPORTED },
    { ...guardItem(stamp), ...IMPORTED },
  ]),
  ...likes.flatMap((like) => [
    { ...reactionItem(likesKind, like), ...IMPORTED },
    { ...likedRow(like), ...IMPORTED },
  ]),
];

function historyItem(message: Message, stampTotal: number): Key & Item {
  const { body, editedAt, edits, deletedAt, position, lastReplyAt, participants, newestReplies } = message;
  return {
    ...messageItem(message),
    // An undefined attribute is not written.
    body: body ?? undefined,
    stampTotal: stampTotal === 0 ? undefined : stampTotal,
    editedAt: editedAt ?? undefined,
    edits: edits === 0 ? undefined : edits,
    deletedAt: deletedAt ?? undefined,
    position: position ?? undefined,
    lastReplyAt: lastReplyAt ?? undefined,
    newestReplies: newestReplies?.length ? newestReplies : undefined,
    participants: participants.length === 0 ? undefined : participants,
    ...IMPORTED,
  };
}

const guardItem = ({ user, room, threadTs, ts, stampedAt, stampKey }: MessageStamp) => ({
  ...keys.stampGuard(user, { room, threadTs, ts }, stampKey),
  v: SCHEMA_VERSION,
  s: stampedAt,
});
