import { createTimestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Feature } from '../feature.ts';
import { createDeletionJob } from './deletionJob.ts';

interface Needs {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export const roomDeletionFeature: Feature<Needs> = {
  derive: ({ dynamo, now }) => ({
    jobKinds: [createDeletionJob({ dynamo, timestamps: createTimestamps(now), now })],
  }),
};
