import type { Publisher } from '../bus/publisher.ts';
import { createTimestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Feature } from '../feature.ts';
import { addersCounter, membershipsCounter, seatsCounter } from './counters.ts';
import { createMembershipsHandler, createWaitlistHandler } from './handlers.ts';
import { createWaitlistProcessor } from './membership/waitlistProcessor.ts';

interface Needs {
  readonly dynamo: Dynamo;
  readonly publisher: Publisher;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export const roomsFeature: Feature<Needs> = {
  counters: [seatsCounter, membershipsCounter, addersCounter],
  derive({ dynamo, publisher, now }) {
    const waitlistProcessor = createWaitlistProcessor({ dynamo, timestamps: createTimestamps(now) });
    return {
      handlers: [createMembershipsHandler({ publisher }), createWaitlistHandler({ waitlistProcessor })],
      createVisitor: () => waitlistProcessor.visitor,
    };
  },
};
