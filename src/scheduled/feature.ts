import type { Publisher } from '../bus/publisher.ts';
import { RATE_LIMITS, type RateLimits } from '../core/rateLimits.ts';
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
  /** Default: `RATE_LIMITS`. */
  readonly rateLimits?: RateLimits;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export const scheduledFeature: Feature<Needs> = {
  counters: [scheduledCounter],
  derive({ dynamo, publisher, rateLimits = RATE_LIMITS, now }) {
    const timestamps = createTimestamps(now);
    const { send } = createSending({ dynamo, timestamps, publisher, extensions: REACTIONS, now });
    const sending = createScheduledSending({ dynamo, send, mentionLimit: rateLimits.mentions, now });
    return { timerKinds: [sending as TimerKind] };
  },
};
