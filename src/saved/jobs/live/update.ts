import { type Topic, topic } from '../../../bus/bus.ts';
import type { Publisher } from '../../../bus/publisher.ts';
import { jobOf } from '../../../jobs/job.ts';
import type { StreamHandler } from '../../../stream/change.ts';

/** A job of a user has changed. A server that shows it reads how far it is. */
export type JobUpdate = {
  readonly id: string;
  /** A server that has read this version or a later one ignores the event. */
  readonly version: number;
};

export const jobsTopic = (user: string): Topic<JobUpdate> => topic(`jobs:${user}`);

/** Publishes which of a user's jobs have changed. */
export const createJobNewsHandler = ({ publisher }: { readonly publisher: Publisher }): StreamHandler => ({
  // The name is stored in dead letters.
  name: 'jobNews',
  itemTypes: ['personJob'],
  async handle(changes) {
    await Promise.all(
      changes.map(async ({ key, new: now }) => {
        // The database has deleted one that ended long ago.
        if (key.type !== 'personJob' || now === undefined) return;
        const { user, id } = key;
        await publisher.publish(jobsTopic(user), { id, version: jobOf({ user, id }, now).version });
      }),
    );
  },
});
