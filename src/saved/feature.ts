import type { Publisher } from '../bus/publisher.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Feature } from '../feature.ts';
import type { TimerKind } from '../timers/timer.ts';
import { savedCounters } from './counters.ts';
import { createJobNewsHandler } from './jobs/live/update.ts';
import { createTagJobs } from './jobs/tagJobs.ts';
import { createSavedHandler } from './live/update.ts';
import { createReminding } from './reminders/reminding.ts';

interface Needs {
  readonly dynamo: Dynamo;
  readonly publisher: Publisher;
}

export const savedFeature: Feature<Needs> = {
  counters: savedCounters,
  derive: ({ dynamo, publisher }) => ({
    handlers: [createSavedHandler({ publisher }), createJobNewsHandler({ publisher })],
    timerKinds: [createReminding({ dynamo }) as TimerKind],
    jobKinds: createTagJobs({ dynamo }).kinds,
  }),
};
