import { createMemoryBus } from '../bus/memory.ts';
import { createPublisher } from '../bus/publisher.ts';
import type { Log } from '../core/log.ts';
import { createTimestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Services } from '../graphql/context.ts';
import { createMessages } from '../messages/messages.ts';
import { createLikes } from '../reactions/likes/likes.ts';
import { REACTIONS } from '../reactions/registry.ts';
import { createViewerReactions } from '../reactions/viewerReactions.ts';
import { createRooms } from '../rooms/rooms.ts';
import { createUsers } from '../users/users.ts';
import { type CreateRepairOptions, createRepair } from './rebuild.ts';

/** The repair as a command does it: servers notice within 30 seconds, when they compare what they have open. */
export const createCommandRepair = (options: Omit<CreateRepairOptions, 'publisher' | 'now'>) =>
  createRepair({
    ...options,
    now: Date.now,
    publisher: createPublisher({ bus: createMemoryBus(options), log: options.log }),
  });

/** What a command may do through the same doors as everybody. Nobody hears of it but by the stream. */
export function createCommandServices(
  dynamo: Dynamo,
  log: Log,
): Pick<Services, 'users' | 'rooms' | 'messages' | 'likes'> {
  const timestamps = createTimestamps();
  const publisher = createPublisher({ bus: createMemoryBus({ log }), log });
  return {
    users: createUsers({ dynamo, timestamps }),
    rooms: createRooms({ dynamo, timestamps, publisher }),
    messages: createMessages({
      dynamo,
      timestamps,
      extensions: REACTIONS,
      viewerItems: createViewerReactions({ dynamo, kinds: REACTIONS }),
    }),
    likes: createLikes({ dynamo, timestamps }),
  };
}
