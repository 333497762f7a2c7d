import type { DeliveryWindows } from '../../core/deliveryKinds.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Arm } from '../arm.ts';
import type { Sends } from '../delivery.ts';
import { createRoomNewsHandler } from './handlers.ts';
import { createRoomListeners } from './listeners.ts';
import { createListenersHandler } from './listenersHandler.ts';
import { createRoomTimers } from './roomTimers.ts';

export interface RoomNewsOptions {
  readonly dynamo: Dynamo;
  readonly sends: Pick<Sends, 'kindsForEveryone' | 'sendsDigests'>;
  readonly arm: Arm;
  /** The operator's default windows. A user's own settings override them. */
  readonly windows: DeliveryWindows;
  readonly jobs: Jobs;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What is derived for news of rooms. */
export function createRoomNewsParts(options: RoomNewsOptions) {
  const { dynamo, sends, arm, windows, jobs, now } = options;
  const timers = createRoomTimers({ dynamo, sends, arm, now });
  const listeners = createRoomListeners({ dynamo, windows });
  const { handler, jobKind } = createListenersHandler({ dynamo, jobs, windows, listeners, timers });
  return {
    handlers: [createRoomNewsHandler({ dynamo, sends, arm, timers, now }), handler],
    timerKind: timers.timerKind,
    jobKind,
  };
}
