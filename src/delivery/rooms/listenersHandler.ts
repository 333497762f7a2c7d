import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import type { DeliveryWindows } from '../../core/deliveryKinds.ts';
import { idFrom } from '../../core/ids.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import type { JobKind, Jobs } from '../../jobs/jobs.ts';
import { membershipOf } from '../../rooms/room.ts';
import type { Change, StreamHandler } from '../../stream/change.ts';
import { kindSetting, settingsOf } from '../settings/settings.ts';
import type { Listeners } from './listeners.ts';
import type { RoomTimers } from './roomTimers.ts';

const ROOMS_PER_STEP = 25;
const AT_ONCE = 8;

interface AboutUser extends Item {
  readonly user: string;
}

export interface ListenersHandlerOptions {
  readonly dynamo: Dynamo;
  readonly jobs: Jobs;
  readonly windows: DeliveryWindows;
  readonly listeners: Listeners;
  readonly timers: RoomTimers;
}

/**
 * Removes listeners whose memberships have ended, and moves those of people who change how long they wait, or switch the kind
 * on or off: for the first rooms at once, for the others by a job.
 */
export function createListenersHandler(options: ListenersHandlerOptions) {
  const { dynamo, jobs, windows, listeners, timers } = options;

  const jobKind: JobKind<AboutUser> = {
    name: 'listeners',
    async step({ user }, cursor) {
      const after = cursor === null ? {} : { after: cursor };
      const [settingsItem, { items, more }] = await Promise.all([
        dynamo.get(keys.deliverySettings(user)),
        dynamo.query(ranges.memberships(user), { limit: ROOMS_PER_STEP, ...after }),
      ]);
      const { mode, delaySeconds } = kindSetting(settingsOf(settingsItem), 'MESSAGE', windows);
      await pLimit(AT_ONCE).map(items, async (item) => {
        const key = parseKey(keyOf(item));
        if (key.type !== 'membership') return;
        const { room } = key;
        const { delivery, listens } = membershipOf(user, room, item);
        if (delivery !== 'ALL' && listens === undefined) return;
        const before = listens?.MESSAGE;
        // First, because it is not found any more if this step is repeated.
        if (before !== undefined && mode === 'ON') {
          await timers.move({ room, kind: 'MESSAGE', wait: before }, delaySeconds);
        }
        await listeners.follow(user, room);
      });
      return more ? (items.at(-1)?.sk as string) : null;
    },
  };

  async function handleChange({ key, old, new: item }: Change): Promise<void> {
    if (key.type === 'membership' && item === undefined && old?.listens !== undefined) {
      await listeners.end(key.user, key.room, old);
    } else if (key.type === 'deliverySettings' && !isDeepStrictEqual(waitIn(old), waitIn(item))) {
      const { user } = key;
      await jobs.begin(jobKind, idFrom(`listeners:${user}:${settingsOf(item).version}`), { user });
    }
  }

  const handler: StreamHandler = {
    // The name is stored in dead letters.
    name: 'listeners',
    itemTypes: ['deliverySettings', 'membership'],
    async handle(changes) {
      await pLimit(AT_ONCE).map(changes, handleChange);
    },
  };

  return { handler, jobKind };
}

const waitIn = (item: Item | undefined) => {
  const { mode = 'ON', delaySeconds } = settingsOf(item).kinds.MESSAGE ?? {};
  return { mode, delaySeconds };
};
