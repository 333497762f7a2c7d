import type { Publisher } from '../bus/publisher.ts';
import { createTimestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Feature } from '../feature.ts';
import { createSending } from '../messages/send.ts';
import { REACTIONS } from '../reactions/registry.ts';
import type { TimerKind } from '../timers/timer.ts';
import { scheduledCounter } from './counters.ts';
import { createScheduledSending } from './sending.ts';

interface Needs {
  readonly dynamo: Dynamo;
  readonly publisher: Publisher;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export const scheduledFeature: Feature<Needs> = {
  counters: [scheduledCounter],
  derive({ dynamo, publisher, now }) {
    const timestamps = createTimestamps(now);
    const { send } = createSending({ dynamo, timestamps, publisher, extensions: REACTIONS, now });
    return { timerKinds: [createScheduledSending({ dynamo, send }) as TimerKind] };
  },
};
