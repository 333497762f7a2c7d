import type { Publisher } from '../bus/publisher.ts';
import { createTimestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Feature } from '../feature.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { addersCounter, membershipsCounter, seatsCounter } from './counters.ts';
import { createMembershipsHandler, createWaitlistHandler } from './handlers.ts';
import { createMemberHandles } from './membership/memberHandles.ts';
import { createWaitlistProcessor } from './membership/waitlistProcessor.ts';

interface Needs {
  readonly dynamo: Dynamo;
  readonly publisher: Publisher;
  readonly jobs: Jobs;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export const roomsFeature: Feature<Needs> = {
  counters: [seatsCounter, membershipsCounter, addersCounter],
  derive({ dynamo, publisher, jobs, now }) {
    const memberHandles = createMemberHandles({ dynamo, jobs });
    const waitlistProcessor = createWaitlistProcessor({ dynamo, timestamps: createTimestamps(now) });
    return {
      handlers: [
        createMembershipsHandler({ publisher }),
        createWaitlistHandler({ waitlistProcessor }),
        memberHandles.handler,
      ],
      jobKinds: [memberHandles.jobKind],
      createVisitor: () => ({
        async visit(key, item) {
          await waitlistProcessor.visitor.visit(key, item);
          await memberHandles.visitor.visit(key, item);
        },
      }),
    };
  },
};
