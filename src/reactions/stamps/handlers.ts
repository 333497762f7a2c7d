import pLimit from 'p-limit';
import type { Jobs } from '../../jobs/jobs.ts';
import { storedMessageKey } from '../../messages/message.ts';
import type { StreamHandler } from '../../stream/change.ts';
import type { Cleanup } from '../cleanup.ts';

const MESSAGES_AT_ONCE = 16;

export interface StampsClearingOptions {
  readonly jobs: Jobs;
  readonly cleanup: Cleanup;
}

/** Has the stamps of a deleted message deleted, by a job. No response shows them any more. */
export const createStampsClearingHandler = ({ jobs, cleanup }: StampsClearingOptions): StreamHandler => ({
  name: 'clearing',
  itemTypes: ['root', 'reply'],
  async handle(changes) {
    await pLimit(MESSAGES_AT_ONCE).map(changes, async ({ key, old, new: message }) => {
      if (key.type !== 'root' && key.type !== 'reply') return;
      if (message?.deletedAt === undefined || old?.deletedAt !== undefined) return;
      await jobs.begin(cleanup.kind, cleanup.id(key), storedMessageKey(key));
    });
  },
});
