import { isDeepStrictEqual } from 'node:util';
import type { DeliveryWindows } from '../../core/deliveryKinds.ts';
import { idFrom } from '../../core/ids.ts';
import { mapAtMost } from '../../core/mapAtMost.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import type { JobKind, Jobs } from '../../jobs/jobs.ts';
import { type Membership, membershipOf, type Role } from '../../rooms/room.ts';
import type { Change, StreamHandler } from '../../stream/change.ts';
import { kindSetting, modeOf, settingsOf } from '../settings/settings.ts';
import { LISTENED_KINDS } from './listener.ts';
import type { RoomListeners } from './listeners.ts';
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
  readonly listeners: RoomListeners;
  readonly timers: RoomTimers;
}

/**
 * Removes listeners whose memberships have ended, adds and removes those whose role changes, and moves those of people
 * who change how long they wait, or switch a kind on or off: for the first rooms at once, for the others by a job.
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
      const settings = settingsOf(settingsItem);
      await mapAtMost(AT_ONCE, items, async (item) => {
        const key = parseKey(keyOf(item));
        if (key.type !== 'membership') return;
        const { room } = key;
        const { delivery, listens, role } = membershipOf(user, room, item);
        const mayBegin = delivery === 'ALL' || (modeOf(settings, 'JOIN') === 'ON' && mayReceiveJoins(role));
        if (!mayBegin && listens === undefined) return;
        const moved = LISTENED_KINDS.flatMap((kind) => {
          const wait = listens?.[kind];
          const { mode, delaySeconds } = kindSetting(settings, kind, windows);
          return wait !== undefined && mode === 'ON' && wait !== delaySeconds
            ? [{ user, room, kind, wait, delaySeconds }]
            : [];
        });
        const move = async () => {
          for (const { delaySeconds, ...from } of moved) await timers.move(from, delaySeconds);
        };
        // First, because it is not found any more if this step is repeated.
        await move();
        await listeners.follow(user, room);
        // What happened in between found the timer of the earlier wait open, or was known to.
        await move();
      });
      return more ? (items.at(-1)?.sk as string) : null;
    },
  };

  /** Owners and moderators may listen to joins. One read for those who do not want to. */
  async function followRole({ user, room, role, listens }: Membership): Promise<void> {
    const listening = listens?.JOIN !== undefined;
    if (!listening && !mayReceiveJoins(role)) return;
    const isWanted =
      !listening && modeOf(settingsOf(await dynamo.get(keys.deliverySettings(user))), 'JOIN') === 'ON';
    if (listening || isWanted) await listeners.follow(user, room);
  }

  async function handleChange({ key, old, new: item }: Change): Promise<void> {
    if (key.type === 'membership' && item === undefined) {
      if (old?.listens !== undefined) await listeners.end(key.user, key.room, old);
    } else if (key.type === 'membership' && item !== undefined && item.role !== old?.role) {
      await followRole(membershipOf(key.user, key.room, item));
    } else if (key.type === 'deliverySettings' && !isDeepStrictEqual(waitsIn(old), waitsIn(item))) {
      const { user } = key;
      await jobs.begin(jobKind, idFrom(`listeners:${user}:${settingsOf(item).version}`), { user });
    }
  }

  const handler: StreamHandler = {
    // The name is stored in dead letters.
    name: 'listeners',
    itemTypes: ['deliverySettings', 'membership'],
    async handle(changes) {
      await mapAtMost(AT_ONCE, changes, handleChange);
    },
  };

  return { handler, jobKind };
}

const mayReceiveJoins = (role: Role): boolean => role !== 'MEMBER';

const waitsIn = (item: Item | undefined) => {
  const settings = settingsOf(item);
  return LISTENED_KINDS.map((kind) => [modeOf(settings, kind), settings.kinds[kind]?.delaySeconds]);
};
