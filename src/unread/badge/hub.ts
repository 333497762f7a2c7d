import DataLoader from 'dataloader';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { type Bus, resyncTopic, type Unsubscribe } from '../../bus/bus.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import type { Key } from '../../dynamo/keys.ts';
import type { RoomCache } from '../../live/roomCache.ts';
import type { Unread } from '../unread.ts';
import { type BadgeChange, createBadge } from './badge.ts';
import { openPerson, type UserBadge } from './openPerson.ts';

/** How often the counters of the open rooms are compared with the table, whatever the bus says. */
const COMPARE_EVERY_MS = 30_000;
/** How long after a failed re-reading the next is tried. */
const RETRY_MS = 1_000;
const READERS_AT_ONCE = 8;

export interface HubOptions {
  readonly dynamo: Dynamo;
  readonly unread: Unread;
  readonly rooms: RoomCache;
  readonly bus: Bus;
  readonly log: Logger;
  readonly onPush?: () => void;
  readonly onResync?: () => void;
}

export type BadgeService = ReturnType<typeof createBadgeService>;

interface Watched {
  readonly open: UserBadge;
  badges: number;
}

/**
 * Holds the badges of the people whose websockets this server has. It hears one event per room and batch,
 * whoever is in the room, and one per change of a membership; no push reads from DynamoDB.
 */
export function createBadgeService({ dynamo, unread, rooms, bus, log, onPush, onResync }: HubOptions) {
  const people = new Map<string, Watched>();
  /** All who have to be checked at one moment are read together; nothing is remembered. */
  const strongly = new DataLoader<Key, Item | undefined>((wanted) => dynamo.batchGet(wanted), {
    cache: false,
  });
  let stops: Unsubscribe[] = [];
  let compare: NodeJS.Timeout | undefined;
  let retry: NodeJS.Timeout | undefined;
  let resyncing: Promise<void> | undefined;
  let again = false;

  /** The viewer's badge: the whole state first, then what changes. Nothing falls between the two. */
  async function watch(user: string): Promise<AsyncIterableIterator<BadgeChange>> {
    const watched = people.get(user) ?? begin(user);
    watched.badges++;
    const release = () => {
      if (--watched.badges > 0) return;
      if (people.get(user) === watched) people.delete(user);
      watched.open.close();
    };
    try {
      await watched.open.ready;
    } catch (error) {
      release();
      throw error;
    }
    return createBadge({
      person: watched.open.person,
      rooms,
      onClose: release,
      ...(onPush === undefined ? {} : { onPush }),
    });
  }

  function begin(user: string): Watched {
    const onTrouble = () => void resync();
    const open = openPerson({
      ...{ user, unread, rooms, bus, log, onTrouble },
      strongly: (key) => strongly.load(key),
    });
    const watched = { open, badges: 0 };
    people.set(user, watched);
    return watched;
  }

  /** Reads again whatever is open here. One at a time; asked for in between, once more afterwards. */
  function resync(): Promise<void> {
    if (resyncing !== undefined) {
      again = true;
      return resyncing;
    }
    onResync?.();
    resyncing = readAll()
      .catch((error: unknown) => {
        log.warn({ err: error }, 'The open badges could not be read again; trying once more.');
        clearTimeout(retry);
        retry = setTimeout(() => void resync(), RETRY_MS);
      })
      .finally(() => {
        resyncing = undefined;
        if (again) {
          again = false;
          void resync();
        }
      });
    return resyncing;
  }

  async function readAll(): Promise<void> {
    await rooms.refresh();
    await pLimit(READERS_AT_ONCE).map([...people.values()], ({ open }) => open.ready.then(open.read));
  }

  /** For what the bus has lost without noticing: the counters, and roots read up to that nobody told us of. */
  async function compareAll(): Promise<void> {
    await rooms.refresh();
    const unsettled = [...people.values()].filter(({ open }) => open.person.unsettled);
    await pLimit(READERS_AT_ONCE).map(unsettled, ({ open }) => open.read());
  }

  async function start(): Promise<void> {
    stops = [bus.onGap(() => void resync()), await bus.subscribe(resyncTopic, () => void resync())];
    compare = setInterval(() => {
      compareAll().catch((err: unknown) => log.warn({ err }, 'The open rooms could not be compared.'));
    }, COMPARE_EVERY_MS);
    compare.unref();
  }

  function stop(): void {
    for (const end of stops) end();
    clearInterval(compare);
    clearTimeout(retry);
    for (const { open } of people.values()) open.close();
    people.clear();
  }

  return {
    watch,
    resync,
    start,
    stop,
    get openPeople() {
      return people.size;
    },
    get openRooms() {
      return rooms.size;
    },
  };
}
