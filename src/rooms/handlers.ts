import type { Publisher } from '../bus/publisher.ts';
import type { StreamHandler } from '../stream/change.ts';
import { lastRev, membershipOf } from './room.ts';
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
