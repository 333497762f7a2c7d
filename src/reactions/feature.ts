import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Feature } from '../feature.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { TableReader } from '../jobs/tableReader.ts';
import { createCleanupVisitor } from './cleanup.ts';
import { createCleanupHandler } from './handlers.ts';
import { createLikedConversion } from './likes/likedConversion.ts';
import { REACTIONS } from './registry.ts';

interface Needs {
  readonly dynamo: Dynamo;
  readonly jobs: Jobs;
  readonly table: TableReader;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export const reactionsFeature: Feature<Needs> = {
  counters: REACTIONS.map(({ counter }) => counter),
  derive({ dynamo, jobs, table, now }) {
    const cleanups = REACTIONS.map(({ createCleanup }) => createCleanup({ dynamo, now }));
    const liked = createLikedConversion({ dynamo, jobs, table, now });
    return {
      handlers: cleanups.map((cleanup) => createCleanupHandler({ jobs, cleanup })),
      jobKinds: [...cleanups.map(({ kind }) => kind), liked.jobKind],
      upkeep: liked.upkeep,
      createVisitor() {
        const cleaning = createCleanupVisitor(jobs, cleanups);
        return {
          ...cleaning,
          async visit(key, item) {
            await cleaning.visit(key, item);
            await liked.visit(key, item);
          },
        };
      },
    };
  },
};
