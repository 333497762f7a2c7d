import type { Publisher } from '../bus/publisher.ts';
import { createTimestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Feature } from '../feature.ts';
import { createAccountJob } from './deletionJob.ts';

interface Needs {
  readonly dynamo: Dynamo;
  readonly publisher: Publisher;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export const accountDeletionFeature: Feature<Needs> = {
  derive: ({ dynamo, publisher, now }) => ({
    jobKinds: [createAccountJob({ dynamo, publisher, timestamps: createTimestamps(now), now })],
  }),
};
