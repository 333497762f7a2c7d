import type { Item } from '../dynamo/item.ts';
import type { JobKind, Jobs } from '../jobs/jobs.ts';
import { type MessageKey, type StoredMessageKey, storedMessageKey } from '../messages/message.ts';
import type { Visitor } from '../rebuild/rebuild.ts';
import type { Change } from '../stream/change.ts';

/** A step found reactions to a deleted message that it cannot delete. */
export class CleanupIncomplete extends Error {
  override readonly name = 'CleanupIncomplete';
}

/** How the reactions of one kind to a deleted message are deleted: by a job. */
export interface Cleanup {
  /** The name of the handler that starts the job. It is stored in dead letters. */
  readonly handler: string;
  /** The job's kind. Its steps treat the cursor `0` as the first one. */
  readonly kind: JobKind<StoredMessageKey>;
  /** The job's id. */
  id(message: MessageKey): string;
  /** Whether a deleted message may still have reactions, by its item. */
  isNeeded(item: Item): boolean;
  /** Whether a message, deleted or not, may have reactions, by its item. */
  mayHave(item: Item): boolean;
  /** Whether this change of a message starts the job, or starts it again. */
  startsOn(change: Change): boolean;
}

export const isDeletion = ({ old, new: message }: Change): boolean =>
  message?.deletedAt !== undefined && old?.deletedAt === undefined;

/**
 * Deletes the reactions that deleted messages still have, after the stream has trimmed records that no consumer read.
 * Counts the messages that could not be cleaned up completely, and continues with the others.
 */
export function createCleanupVisitor(jobs: Jobs, cleanups: readonly Cleanup[]): Visitor {
  let incompleteCleanups = 0;
  return {
    async visit(key, item) {
      if ((key.type !== 'root' && key.type !== 'reply') || item.deletedAt === undefined) return;
      let complete = true;
      for (const { kind, id, isNeeded } of cleanups) {
        if (!isNeeded(item)) continue;
        try {
          complete = (await jobs.runToEnd(kind, id(key), storedMessageKey(key))) && complete;
        } catch (error) {
          if (!(error instanceof CleanupIncomplete)) throw error;
          complete = false;
        }
      }
      if (!complete) incompleteCleanups++;
    },
    result: () => ({ incompleteCleanups }),
  };
}
