import { userTopic } from '../bus/bus.ts';
import type { Publisher } from '../bus/publisher.ts';
import { mapAtMost } from '../core/mapAtMost.ts';
import type { StreamHandler } from '../stream/change.ts';
import { isDue, type WaitlistProcessor } from './membership/waitlistProcessor.ts';
import {
  isMentionChange,
  lastMembershipVersion,
  type MembershipEvent,
  membershipOf,
  seatsOf,
} from './room.ts';

/**
 * Publishes each change of a membership to its user: joined, left, read further, another role. A change of its mentions
 * alone is published with the badge.
 */
export function createMembershipsHandler({ publisher }: { readonly publisher: Publisher }): StreamHandler {
  return {
    name: 'memberships',
    itemTypes: ['membership'],
    async handle(changes) {
      await Promise.all(
        changes.map(async ({ key, old, new: now }) => {
          if (key.type !== 'membership' || isMentionChange(old, now)) return;
          const topic = userTopic<MembershipEvent>(key.user);
          if (now !== undefined) {
            const membership = membershipOf(key.user, key.room, now);
            await publisher.publish(topic, { type: 'membership', membership });
          } else if (old !== undefined) {
            await publisher.publish(topic, {
              type: 'left',
              room: key.room,
              version: lastMembershipVersion(old.rev as number),
            });
          }
        }),
      );
    },
  };
}

const ROOMS_AT_ONCE = 16;

export interface WaitlistHandlerOptions {
  readonly waitlistProcessor: WaitlistProcessor;
}

/**
 * Gives free seats to the users who wait for them. It looks at every change of a room's seats, so it does not
 * matter why a seat became free, or why someone waits although one is.
 */
export function createWaitlistHandler({ waitlistProcessor }: WaitlistHandlerOptions): StreamHandler {
  return {
    name: 'waitlist',
    itemTypes: ['seats'],
    async handle(changes) {
      const due = changes.flatMap(({ key, new: seats }) =>
        key.type === 'seats' && seats !== undefined && isDue(seatsOf(seats)) ? [key.room] : [],
      );
      await mapAtMost(ROOMS_AT_ONCE, [...new Set(due)], waitlistProcessor.assignFreeSeats);
    },
  };
}
