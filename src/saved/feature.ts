import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Feature } from '../feature.ts';
import type { TimerKind } from '../timers/timer.ts';
import { savedCounters } from './counters.ts';
import { createReminding } from './reminders/reminding.ts';

export const savedFeature: Feature<{ readonly dynamo: Dynamo }> = {
  counters: savedCounters,
  derive: ({ dynamo }) => ({ timerKinds: [createReminding({ dynamo }) as TimerKind] }),
};
