import pLimit from 'p-limit';
import type { Publisher } from '../bus/publisher.ts';
import type { StreamHandler } from '../stream/change.ts';
import { isDue, type Seating } from './membership/waitlistProcessor.ts';
import { lastRev, membershipOf, seatsOf } from './room.ts';
import { personTopic } from './topics.ts';

/** Tells people's servers of their memberships: joined, left, read further, another role. */
export function createMembershipsHandler({ publisher }: { readonly publisher: Publisher }): StreamHandler {
  return {
    name: 'memberships',
    itemTypes: ['membership'],
    async handle(changes) {
      await Promise.all(
        changes.map(async ({ key, old, new: now }) => {
          if (key.type !== 'membership') return;
          const topic = personTopic(key.user);
          if (now !== undefined) {
            const membership = membershipOf(key.user, key.room, now);
            await publisher.publish(topic, { type: 'membership', membership });
          } else if (old !== undefined) {
            await publisher.publish(topic, { type: 'left', room: key.room, rev: lastRev(old.rev as number) });
          }
        }),
      );
    },
  };
}

const ROOMS_AT_ONCE = 16;

/**
 * Gives seats that have come free to those who wait for them. Every change of a room's seats is looked at, so
 * whatever makes a seat free, or lets somebody wait while one is, is met.
 */
export function createWaitlistHandler({ seating }: { readonly seating: Seating }): StreamHandler {
  return {
    name: 'waitlist',
    itemTypes: ['seats'],
    async handle(changes) {
      const due = changes.flatMap(({ key, new: seats }) =>
        key.type === 'seats' && seats !== undefined && isDue(seatsOf(seats)) ? [key.room] : [],
      );
      await pLimit(ROOMS_AT_ONCE).map([...new Set(due)], seating.fill);
    },
  };
}
