import { conflict, forbidden, notFound, unavailable } from '../core/errors.ts';
import { microsOf, type Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ConditionsFailed } from '../dynamo/errors.ts';
import type { Item } from '../dynamo/item.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import { memberAccess } from '../rooms/access.ts';
import { can } from '../rooms/policy.ts';
import { type Membership, type Room, roleUnchanged } from '../rooms/room.ts';
import { resolveMentions } from './mentions.ts';
import { type Message, type MessageKey, messageOf } from './message.ts';

/** How often a change is tried anew because a membership changed in between. */
const ATTEMPTS = 5;

/** A message as a member sees it; NOT_FOUND or FORBIDDEN for others. One round trip. */
export async function memberMessage(dynamo: Dynamo, user: string, key: MessageKey) {
  const items = createItemLoader(dynamo);
  const [{ room, membership }, item] = await Promise.all([
    memberAccess(key.room, user, items),
    items.load(keys.message(key.room, key.t, key.c)),
  ]);
  if (item === undefined) throw notFound();
  return { room, membership, message: messageOf(key, item) };
}

export const deletedConflict = () => conflict('This message is deleted.');

export interface ChangeOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
}

export function createChanges({ dynamo, timestamps }: ChangeOptions) {
  /**
   * Replaces the body. One read, one transaction (and two reads for mentions). Throws FORBIDDEN for who is
   * not the author, CONFLICT for a deleted message and for the later of two edits of the same text.
   */
  async function edit(user: string, key: MessageKey, text: string): Promise<Message> {
    const { message } = await memberMessage(dynamo, user, key);
    if (message.author !== user) throw forbidden('Only its author may edit a message.');
    if (message.deletedAt !== null) throw deletedConflict();
    const { body, mentions } = await resolveMentions(dynamo, key.room, text);
    const editedAt = timestamps.next(microsOf(message.editedAt ?? message.c) + 1);
    try {
      await dynamo.transact([
        { check: keys.membership(user, key.room), condition: 'attribute_exists(pk)' },
        {
          key: keys.message(key.room, key.t, key.c),
          update: `SET body = :body, editedAt = :at, edits = :next, rev = rev + :one${
            mentions.length > 0 ? ', mentions = :mentions' : ' REMOVE mentions'
          }`,
          condition: `attribute_not_exists(deletedAt) AND ${
            message.edits === 0 ? 'attribute_not_exists(edits)' : 'edits = :edits'
          }`,
          values: {
            ':body': body,
            ':at': editedAt,
            ':next': message.edits + 1,
            ':one': 1,
            ...(mentions.length > 0 ? { ':mentions': mentions } : {}),
            ...(message.edits === 0 ? {} : { ':edits': message.edits }),
          },
        },
      ]);
    } catch (error) {
      if (!(error instanceof ConditionsFailed)) throw error;
      const [membership, changed] = error.failed;
      if (membership !== undefined) await memberAccess(key.room, user, createItemLoader(dynamo));
      // They had left, and have come back since.
      if (changed === undefined) throw unavailable();
      if (changed.item?.deletedAt !== undefined) throw deletedConflict();
      throw conflict('The message was edited from elsewhere at the same time.');
    }
    return asItIsNow(key);
  }

  /**
   * Takes away what the message says; its place, thread and position stay. By its author, and by the room's
   * owners and moderators. Deleting twice is no error. One read, one transaction.
   */
  async function remove(user: string, key: MessageKey): Promise<Message> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { room, membership, message } = await memberMessage(dynamo, user, key);
      if (!mayDelete(room, membership, message)) {
        throw forbidden("Only its author, and the room's owners and moderators, may delete a message.");
      }
      if (message.deletedAt !== null) return message;
      try {
        await dynamo.transact([
          roleUnchanged(membership),
          {
            key: keys.message(key.room, key.t, key.c),
            update:
              'SET deletedAt = :at, rev = rev + :one REMOVE body, mentions, editedAt, edits, stamps, stampTotal',
            condition: 'attribute_not_exists(deletedAt)',
            values: { ':at': timestamps.next(microsOf(key.c) + 1), ':one': 1 },
          },
        ]);
        return asItIsNow(key);
      } catch (error) {
        if (!(error instanceof ConditionsFailed)) throw error;
      }
    }
    throw unavailable();
  }

  async function asItIsNow(key: MessageKey): Promise<Message> {
    const item: Item | undefined = await dynamo.get(keys.message(key.room, key.t, key.c));
    if (item === undefined) throw notFound();
    return messageOf(key, item);
  }

  return { edit, remove };
}

const mayDelete = (room: Room, membership: Membership, { author }: Message): boolean =>
  membership.user === author || can('deleteMessages', room, membership);
