import { createMemoryBus } from '../bus/memory.ts';
import { createPublisher } from '../bus/publisher.ts';
import type { Log } from '../core/log.ts';
import { createTimestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Services } from '../graphql/context.ts';
import { createMessages } from '../messages/messages.ts';
import type { Retention } from '../notifications/notification.ts';
import { createReactionServices, REACTIONS, type ReactionServices } from '../reactions/registry.ts';
import { createViewerReactions } from '../reactions/viewerReactions.ts';
import { createRooms } from '../rooms/rooms.ts';
import { createSaved } from '../saved/saved.ts';
import { createUsers } from '../users/users.ts';
import { createDerivations } from './features.ts';
import { createRebuild } from './rebuild.ts';

export interface CommandRebuildOptions {
  readonly dynamo: Dynamo;
  readonly log: Log;
  /** How long read notifications are kept. */
  readonly retention: Retention;
  /** Called with every item that was read. */
  readonly onItem: () => void;
}

/** The rebuild as a command runs it. Servers notice within 30 seconds, when they compare their open rooms. */
export function createCommandRebuild(options: CommandRebuildOptions) {
  const { dynamo, log, retention } = options;
  const publisher = createPublisher({ bus: createMemoryBus({ log }), log });
  const derivations = createDerivations({ dynamo, publisher, retention, now: Date.now });
  return createRebuild({ ...options, derivations, publisher });
}

/** The services that commands use. Clients learn of their changes through the stream alone. */
export function createCommandServices(
  dynamo: Dynamo,
  log: Log,
): Pick<Services, 'users' | 'rooms' | 'messages' | 'saved' | keyof ReactionServices> {
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
    ...createReactionServices({ dynamo, timestamps }),
    saved: createSaved({ dynamo, timestamps }),
  };
}
