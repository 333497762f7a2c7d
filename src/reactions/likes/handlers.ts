import pLimit from 'p-limit';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { type MessageKey, messageId } from '../../messages/message.ts';
import type { Change, StreamHandler } from '../../stream/change.ts';
import { clearSomeLikes, likesLeft } from './clearing.ts';

const MESSAGES_AT_ONCE = 16;

/**
 * Clears away the likes of deleted messages. A message may have any number of them, so each record is worth one
 * step: the step counts the message's likes down, which is a record again, until there are none.
 */
export const createLikesClearingHandler = ({ dynamo }: { readonly dynamo: Dynamo }): StreamHandler => ({
  name: 'likesClearing',
  itemTypes: ['root', 'reply'],
  async handle(changes) {
    const messages = new Map<string, MessageKey>();
    for (const change of changes) {
      const { key } = change;
      if ((key.type === 'root' || key.type === 'reply') && leaves(change)) messages.set(messageId(key), key);
    }
    await pLimit(MESSAGES_AT_ONCE).map([...messages.values()], (message) => clearSomeLikes(dynamo, message));
  },
});

/** Whether it is a deletion that leaves likes behind, or the step before the next one. */
const leaves = ({ old, new: message }: Change): boolean =>
  likesLeft(message) > 0 && likesLeft(message) !== likesLeft(old);
