import type { Publisher } from '../bus/publisher.ts';
import { createTimestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Feature } from '../feature.ts';
import type { TableReader } from '../jobs/tableReader.ts';
import { createAccountJob } from './deletionJob.ts';

interface Needs {
  readonly dynamo: Dynamo;
  readonly publisher: Publisher;
  readonly table: TableReader;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export const accountDeletionFeature: Feature<Needs> = {
  derive: ({ dynamo, publisher, table, now }) => ({
    jobKinds: [createAccountJob({ dynamo, publisher, table, timestamps: createTimestamps(now), now })],
  }),
};
