import { defined } from '../core/defined.ts';
import { conflict, forbidden, notFound } from '../core/errors.ts';
import { microsOf, type Timestamp, type Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Write } from '../dynamo/write.ts';
import { memberAccess } from '../rooms/access.ts';
import { can } from '../rooms/policy.ts';
import { type Membership, type Room, roleUnchanged } from '../rooms/room.ts';
import { versionRaisedBy } from './lastChange.ts';
import { bodyWritten, itemRemoved, sameBodyPlace } from './longBodies/body.ts';
import { type MentionedBody, resolveMentions } from './mentions.ts';
import {
  type Message,
  type MessageExtension,
  type MessageKey,
  messageOf,
  removedOnDeletion,
} from './message.ts';

/** The message and its room as a member sees them. NOT_FOUND or FORBIDDEN for other users. One round trip. */
export async function loadMessageAsMember(dynamo: Dynamo, user: string, key: MessageKey) {
  const items = createItemLoader(dynamo);
  const [{ room, membership }, item] = await Promise.all([
    memberAccess(key.room, user, items),
    items.load(keys.message(key.room, key.threadTs, key.ts)),
  ]);
  if (item === undefined) throw notFound();
  return { room, membership, message: messageOf(key, item) };
}

export const deletedConflict = () => conflict('DELETED', 'This message is deleted.');

export interface ChangeOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  readonly extensions: readonly MessageExtension[];
}

export function createChanges({ dynamo, timestamps, extensions }: ChangeOptions) {
  const removed = removedOnDeletion(extensions);

  /**
   * Replaces the body. One read, one transaction (and two reads for mentions). Throws FORBIDDEN if the user is not
   * the author, CONFLICT for a deleted message and for the later of two edits of the same text.
   */
  const edit = (user: string, key: MessageKey, text: string): Promise<Message> =>
    dynamo.optimistic(async () => {
      const { message } = await loadMessageAsMember(dynamo, user, key);
      if (message.author !== user) throw forbidden('Only its author may edit a message.');
      if (message.deletedAt !== null) throw deletedConflict();
      const body = await resolveMentions(dynamo, { room: key.room, author: user }, text);
      const failed = await dynamo.tryTransact({
        membership: { check: keys.membership(user, key.room), condition: 'attribute_exists(pk)' },
        ...replaceBody(message, body, {
          editedAt: timestamps.next(microsOf(message.editedAt ?? message.ts) + 1),
          shape: dynamo.shape(),
        }),
      });
      if (failed === undefined) return currentMessage(key);
      if (failed.membership !== undefined) await memberAccess(key.room, user, createItemLoader(dynamo));
      // The author had left the room, and is a member again.
      if (failed.edited === undefined) return AGAIN;
      const { deletedAt, edits = 0 } = failed.edited.item ?? {};
      if (deletedAt !== undefined) throw deletedConflict();
      // The table's shape is being changed, and the body has moved.
      if (edits === message.edits) return AGAIN;
      throw conflict('EDITED_MEANWHILE', 'The message was edited on another device at the same time.');
    });

  /**
   * Removes the message's content; its place, thread and position stay. Allowed for the author, and for the room's
   * owners and moderators. Idempotent. One read, one transaction.
   */
  const remove = (user: string, key: MessageKey): Promise<Message> =>
    dynamo.optimistic(async () => {
      const { room, membership, message } = await loadMessageAsMember(dynamo, user, key);
      if (!mayDelete(room, membership, message)) {
        throw forbidden("Only its author, and the room's owners and moderators, may delete a message.");
      }
      if (message.deletedAt !== null) return message;
      const change = versionRaisedBy({ kind: 'DELETED', actor: user });
      const failed = await dynamo.tryTransact({
        role: roleUnchanged(membership),
        deleted: {
          key: keys.message(key.room, key.threadTs, key.ts),
          update: `SET deletedAt = :at, v = :shape, ${change.set} REMOVE ${removed.join(', ')}`,
          condition: `attribute_not_exists(deletedAt) AND ${sameBodyPlace(message)}`,
          values: { ...change.values, ':at': timestamps.next(microsOf(key.ts) + 1), ':shape': FIRST_SHAPE },
        },
        body: itemRemoved(message),
      });
      return failed === undefined ? currentMessage(key) : AGAIN;
    });

  async function currentMessage(key: MessageKey): Promise<Message> {
    const item = await dynamo.get(keys.message(key.room, key.threadTs, key.ts));
    if (item === undefined) throw notFound();
    return messageOf(key, item);
  }

  return { edit, remove };
}

/**
 * On the condition that the message has not been edited or deleted since it was read, and that its body has not moved.
 */
function replaceBody(
  message: Message,
  { body, mentions }: MentionedBody,
  { editedAt, shape }: { readonly editedAt: Timestamp; readonly shape: number },
): { readonly edited: Write; readonly body: Write | undefined } {
  const { edits } = message;
  const mentioned = mentions.length > 0;
  const change = versionRaisedBy({ kind: 'EDITED', actor: message.author });
  const written = bodyWritten(message, { body, edits: edits + 1 }, shape);
  const removed = [...written.remove, ...(mentioned ? [] : ['mentions'])].join(', ');
  return {
    edited: {
      key: keys.message(message.room, message.threadTs, message.ts),
      update: `SET ${written.set}, editedAt = :at, edits = :next, ${change.set}${
        mentioned ? ', mentions = :mentions' : ''
      } REMOVE ${removed}`,
      condition: `attribute_not_exists(deletedAt) AND ${sameBodyPlace(message)} AND ${
        edits === 0 ? 'attribute_not_exists(edits)' : 'edits = :edits'
      }`,
      values: {
        ...written.values,
        ':at': editedAt,
        ':next': edits + 1,
        ...change.values,
        ...defined({
          ':mentions': mentioned ? mentions : undefined,
          ':edits': edits === 0 ? undefined : edits,
        }),
      },
    },
    body: written.item,
  };
}

const mayDelete = (room: Room, membership: Membership, { author }: Message): boolean =>
  membership.user === author || can('deleteMessages', room, membership);
