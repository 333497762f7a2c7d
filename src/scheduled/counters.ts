import { keys } from '../dynamo/keys.ts';
import type { Counter } from '../verify/counter.ts';

/** How many messages each user has scheduled. */
export const scheduledCounter: Counter = {
  name: 'scheduled messages',
  stored: (key, item) =>
    key.type === 'scheduledCount'
      ? { counts: { scheduled: item.scheduled as number }, version: String(item.rev) }
      : undefined,
  contributions: (key) =>
    key.type === 'scheduledMessage' ? [{ in: keys.scheduledCount(key.user), name: 'scheduled' }] : [],
  fix: ({ rev }, { scheduled }) => ({
    update: 'SET scheduled = :scheduled, rev = rev + :one',
    condition: 'rev = :rev',
    values: { ':scheduled': scheduled, ':rev': rev, ':one': 1 },
  }),
};
