import type { Bus } from '../bus/bus.ts';
import type { Publisher } from '../bus/publisher.ts';
import { defined } from '../core/defined.ts';
import type { Metrics } from '../core/metrics.ts';
import type { Tracer } from '../core/trace.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import type { ConsistentLoader, KeptItems } from '../dynamo/itemLoader.ts';
import type { Feature } from '../feature.ts';
import type { MembershipGuard } from '../live/membershipGuard.ts';
import { createAuthorsPositions } from './authorsPositions.ts';
import { newestRootsCounter, positionsCounter } from './counters.ts';
import { createRoomEventsHandler } from './handlers.ts';
import { createRoomsVisitor } from './rebuildVisitor.ts';
import { createRoomCache } from './roomCache.ts';
import { createRoomLog } from './roomLog.ts';
import { createRoomLogReader } from './roomLogReader.ts';
import { createRoomSubscriptions } from './subscription.ts';
import { createTyping } from './typing.ts';

export interface RoomEventServicesOptions {
  readonly dynamo: Dynamo;
  readonly bus: Bus;
  readonly items: ConsistentLoader;
  readonly guard: MembershipGuard;
  readonly profileCache: KeptItems;
  readonly metrics: Metrics;
  readonly tracer?: Tracer | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createRoomEventServices(options: RoomEventServicesOptions) {
  const { dynamo, bus, items, guard, profileCache, metrics, tracer, now } = options;
  const roomCache = createRoomCache({ dynamo, bus });
  const log = createRoomLogReader({
    dynamo,
    profiles: profileCache,
    now,
    onFirstSent({ at, ageMs, trace }) {
      metrics.messageLagSeconds.observe({}, ageMs / 1_000, trace);
      if (trace !== undefined) tracer?.begin('commit to socket', { parent: trace, startedAt: at })?.end();
    },
    onBehind: () => metrics.droppedReaders.inc({ reason: 'behind' }),
  });
  return {
    roomCache,
    roomEvents: createRoomSubscriptions({ items, bus, rooms: roomCache, guard, log }),
    typing: createTyping({ bus }),
  };
}

interface Needs {
  readonly dynamo: Dynamo;
  readonly publisher: Publisher;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** See `DerivationOptions`. */
  readonly putOffMs?: number;
  /** See `RoomLogOptions`. */
  readonly isFollowed?: (counter: Item) => boolean;
}

export const roomEventsFeature: Feature<Needs> = {
  counters: [positionsCounter, newestRootsCounter],
  derive({ dynamo, publisher, now, putOffMs, isFollowed }) {
    const authors = createAuthorsPositions({ dynamo, putOffMs });
    const log = createRoomLog({ dynamo, now, ...defined({ isFollowed }) });
    return {
      handlers: [createRoomEventsHandler({ dynamo, log, publisher, authors })],
      finish: authors.flush,
      createVisitor: () => createRoomsVisitor({ log: createRoomLog({ dynamo, now }) }),
    };
  },
};
