import { mapAtMost } from '../core/mapAtMost.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { type MessageKey, messageId, storedMessageKey } from '../messages/message.ts';
import type { StreamHandler } from '../stream/change.ts';
import { type Cleanup, isDeletion } from './cleanup.ts';

const MESSAGES_AT_ONCE = 16;

export interface CleanupHandlerOptions {
  readonly jobs: Jobs;
  readonly cleanup: Cleanup;
}

/** Starts the job that deletes the reactions of one kind to a deleted message. */
export const createCleanupHandler = ({ jobs, cleanup }: CleanupHandlerOptions): StreamHandler => ({
  name: cleanup.handler,
  itemTypes: ['root', 'reply'],
  async handle(changes) {
    const messages = new Map<string, { readonly message: MessageKey; readonly deleted: boolean }>();
    for (const change of changes) {
      const { key } = change;
      if ((key.type !== 'root' && key.type !== 'reply') || !cleanup.startsOn(change)) continue;
      const id = messageId(key);
      messages.set(id, { message: key, deleted: isDeletion(change) || messages.get(id)?.deleted === true });
    }
    await mapAtMost(MESSAGES_AT_ONCE, [...messages.values()], async ({ message, deleted }) => {
      const { kind, id } = cleanup;
      const about = storedMessageKey(message);
      if (deleted) await jobs.begin(kind, id(message), about);
      else await jobs.add({ id: id(message), kind: kind.name, about, cursor: '0' });
    });
  },
});
