import { type Bus, userTopic } from '../../bus/bus.ts';
import { type Clock, systemClock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { mapAtMost } from '../../core/mapAtMost.ts';
import type { ConsistentLoader } from '../../dynamo/itemLoader.ts';
import { keys } from '../../dynamo/keys.ts';
import type { LivePart } from '../../live/resync.ts';
import type { MembershipEvent } from '../../rooms/room.ts';
import { savedCountsOf } from '../counts.ts';
import { entryOf, versionOf } from '../entry.ts';
import {
  createSavedSubscription,
  type SavedEvent,
  type SavedSource,
  type SavedSubscription,
} from './subscription.ts';
import { type RenamedUpdate, type SavedUpdate, savedTopic } from './update.ts';

export interface SavedStreamsOptions {
  readonly items: ConsistentLoader;
  readonly bus: Bus;
  readonly log: Log;
  readonly clock?: Clock;
}

export type SavedStreams = ReturnType<typeof createSavedStreams>;

/** Without a known loss a comparison is not urgent, and must not delay other events. */
const COMPARED_AT_ONCE = 10;

/** The subscriptions on this server to what users have saved. */
export function createSavedStreams({ items, bus, log, clock = systemClock }: SavedStreamsOptions) {
  const open = new Set<SavedSubscription>();

  const sourceOf = (user: string): SavedSource => ({
    counts: async () => savedCountsOf(await items.load(keys.savedCounts(user))),
    async entries(messages) {
      const [counts, ...entries] = await items.loadMany([
        keys.savedCounts(user),
        ...messages.map((message) => keys.saved(user, message)),
      ]);
      const found = messages.map((message, i) => ({
        entry: entryOf({ user, ...message }, entries[i]) ?? null,
        version: versionOf(entries[i]),
      }));
      return { found, counts: savedCountsOf(counts) };
    },
  });

  /** Attached first, then read: nothing is lost between the first event and those that follow. */
  async function subscribe(user: string): Promise<AsyncIterableIterator<SavedEvent>> {
    const subscription = createSavedSubscription({
      source: sourceOf(user),
      clock,
      onTrouble: (err) => log.warn({ err }, 'Saved messages could not be read. Trying again in a moment.'),
      onClose: () => void open.delete(subscription),
    });
    open.add(subscription);
    try {
      const receive = (update: SavedUpdate | RenamedUpdate) =>
        'renamed' in update ? subscription.resync() : subscription.receive(update);
      const parts = [
        bus.subscribe(savedTopic(user), receive),
        bus.subscribe(userTopic<MembershipEvent>(user), ({ type }) => {
          if (type === 'left') subscription.roomLeft();
        }),
      ];
      // Each as soon as it is there, so that it is released if the other one fails.
      await Promise.all(parts.map(async (part) => subscription.hold(await part)));
    } catch (error) {
      subscription.close();
      throw error;
    }
    return subscription.events;
  }

  const part: LivePart = {
    name: 'saved messages',
    resync() {
      for (const subscription of open) subscription.resync();
    },
    async compare() {
      await mapAtMost(COMPARED_AT_ONCE, [...open], (subscription) => subscription.compare());
    },
    stop() {
      for (const subscription of open) subscription.close();
    },
  };

  return { ...part, subscribe };
}
