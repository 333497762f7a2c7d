import { conflict, notFound } from '../core/errors.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import { isRoot } from '../messages/message.ts';
import type { SendInput } from '../messages/send.ts';
import { memberAccess } from '../rooms/access.ts';

/**
 * Throws what `send` would throw now for this place: NOT_FOUND or FORBIDDEN if the author is not in the room, NOT_FOUND
 * if what is answered is not in it, and CONFLICT in a closed thread. One round trip for members: 3 read units, and one
 * for each message of the thread.
 */
export async function checkTarget(dynamo: Dynamo, { room, author, replyTo }: SendInput): Promise<void> {
  const items = createItemLoader(dynamo);
  const ofThread =
    replyTo === undefined || replyTo.room !== room
      ? []
      : [
          keys.root(room, replyTo.threadTs),
          ...(isRoot(replyTo) ? [] : [keys.reply(room, replyTo.threadTs, replyTo.ts)]),
        ];
  const [, found] = await Promise.all([memberAccess(room, author, items), items.loadMany(ofThread)]);
  if (replyTo === undefined) return;
  if (found.length === 0 || found.includes(undefined)) throw notFound();
  if (found[0]?.deletedAt !== undefined) {
    throw conflict('THREAD_CLOSED', 'The thread is closed: its first message is deleted.');
  }
}
