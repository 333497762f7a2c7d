import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Feature } from '../feature.ts';
import { createConversionJob } from './conversionJob.ts';

interface Needs {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onConversion?: (read: number, converted: number) => void;
}

export const reshapeFeature: Feature<Needs> = {
  derive: (needs) => ({ jobKinds: [createConversionJob(needs)] }),
};
