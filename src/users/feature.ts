import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Feature } from '../feature.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { TableReader } from '../jobs/tableReader.ts';
import { blocksCounter } from './blocks/counters.ts';
import { createHandleConversion } from './handleConversion.ts';

interface Needs {
  readonly dynamo: Dynamo;
  readonly jobs: Jobs;
  readonly table: TableReader;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export const usersFeature: Feature<Needs> = {
  counters: [blocksCounter],
  derive(needs) {
    const { handler, jobKind, upkeep, createVisitor } = createHandleConversion(needs);
    return { handlers: [handler], jobKinds: [jobKind], upkeep, createVisitor };
  },
};
