import pLimit from 'p-limit';
import type { Jobs } from '../../jobs/jobs.ts';
import { type MessageKey, messageId, storedMessageKey } from '../../messages/message.ts';
import type { Change, StreamHandler } from '../../stream/change.ts';
import type { Cleanup } from '../cleanup.ts';
import { likesLeft } from './clearing.ts';

const MESSAGES_AT_ONCE = 16;

export interface LikesClearingOptions {
  readonly jobs: Jobs;
  readonly cleanup: Cleanup;
}

/** Has the likes of a deleted message deleted, by a job. */
export const createLikesClearingHandler = ({ jobs, cleanup }: LikesClearingOptions): StreamHandler => ({
  name: 'likesClearing',
  itemTypes: ['root', 'reply'],
  async handle(changes) {
    const messages = new Map<string, { readonly message: MessageKey; readonly deleted: boolean }>();
    for (const change of changes) {
      const { key, old } = change;
      if ((key.type !== 'root' && key.type !== 'reply') || !leaves(change)) continue;
      const id = messageId(key);
      const deleted = old?.deletedAt === undefined || messages.get(id)?.deleted === true;
      messages.set(id, { message: { room: key.room, threadTs: key.threadTs, ts: key.ts }, deleted });
    }
    await pLimit(MESSAGES_AT_ONCE).map([...messages.values()], async ({ message, deleted }) => {
      const { kind, id } = cleanup;
      if (deleted) await jobs.begin(kind, id(message), storedMessageKey(message));
      // A step's record. The job exists, unless an earlier release made the step: it continued by this record.
      else
        await jobs.add({ id: id(message), kind: kind.name, about: storedMessageKey(message), cursor: '0' });
    });
  },
});

/** Whether it is a deletion that leaves likes, or a step of clearing them. */
const leaves = ({ old, new: message }: Change): boolean =>
  likesLeft(message) > 0 && likesLeft(message) !== likesLeft(old);
