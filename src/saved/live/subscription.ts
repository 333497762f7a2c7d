import type { Clock } from '../../core/clock.ts';
import { BoundedMap } from '../../live/boundedMap.ts';
import { createSubscription, type Subscription } from '../../live/subscription.ts';
import type { MessageKey } from '../../messages/message.ts';
import type { SavedCounts } from '../counts.ts';
import type { SavedEntry } from '../entry.ts';
import type { SavedUpdate } from './update.ts';

/** One event: the current entry, the message of one that was removed, or neither: some changes may be unknown. */
export interface SavedEvent {
  readonly entry: SavedEntry | null;
  readonly removed: MessageKey | null;
  /** Of the entry, or of what is left of it; 0 if there is none. */
  readonly version: number;
  readonly counts: SavedCounts;
}

/** An entry as it was read: null if the message is not saved. */
export interface FoundEntry {
  readonly entry: SavedEntry | null;
  readonly version: number;
}

/** What a subscription reads. All methods reject if the database is down. */
export interface SavedSource {
  counts(): Promise<SavedCounts>;
  /** The entries of these messages, and the counts, read together. */
  entries(
    messages: readonly MessageKey[],
  ): Promise<{ readonly found: readonly FoundEntry[]; readonly counts: SavedCounts }>;
}

export interface SavedSubscriptionOptions {
  readonly source: SavedSource;
  readonly clock: Clock;
  /** Called when a read has failed. It is repeated. */
  readonly onTrouble: (error: unknown) => void;
  readonly onClose: () => void;
}

export interface SavedSubscription extends Subscription<SavedEvent> {
  receive(update: SavedUpdate): void;
  /** The user has left a room: a result that is being made may have a message of it, so it is made again. */
  roomLeft(): void;
  /** Updates may have been missed, or too much has changed to name: the client is asked to read again what it shows. */
  resync(): void;
  /** Does a `resync` if the counts say that there were more changes than updates. */
  compare(): Promise<void>;
}

/** How many entries are read at a time. */
const PART = 25;
/** How many can wait to be read. If there are more, the client is asked to read again what it shows. */
const WAITING_MAX = 256;
/** How many have their last version remembered. */
const KNOWN_MAX = 1_000;

/**
 * The saved messages of one subscriber, for their other devices:
 *
 *   the bus names one ── once the client waits, it is read with the counts ── sent, if it is newer than what was sent
 *
 * The first event has no entry: it says that all changes from then on are sent. The same event follows after a gap, and
 * after a tag was renamed, because a client that shows a part of a long list knows best what to read again. A slow
 * client costs 256 names.
 */
export function createSavedSubscription({
  source,
  clock,
  onTrouble,
  onClose,
}: SavedSubscriptionOptions): SavedSubscription {
  let ready: SavedEvent[] = [];
  /** The newest update of each message that waits to be read. */
  const waiting = new Map<string, SavedUpdate>();
  const sent = new BoundedMap<string, number>(KNOWN_MAX);
  const received = new BoundedMap<string, number>(KNOWN_MAX);
  /** An event without an entry has to be sent. */
  let isUnsure = true;
  /** Whether the user has left a room since the last event was taken. */
  let isRoomLeft = false;
  /** The counts' version when that was sent last, and how many changes were received since. */
  let base: number | undefined;
  let arrived = 0;
  /** The counts' version at the last comparison. */
  let compared: number | undefined;

  async function begin(): Promise<void> {
    isUnsure = false;
    waiting.clear();
    arrived = 0;
    compared = undefined;
    const counts = await source.counts();
    base = counts.version;
    ready = [{ entry: null, removed: null, version: 0, counts }];
  }

  async function read(updates: ReadonlyArray<readonly [string, SavedUpdate]>): Promise<void> {
    const { found, counts } = await source.entries(updates.map(([, update]) => update));
    for (const [i, [name, { version: named, ...message }]] of updates.entries()) {
      const { entry, version } = found[i] ?? { entry: null, version: 0 };
      // Nothing is left of what a deleted account had saved.
      const now = Math.max(version, entry === null ? named : 0);
      if (now <= (sent.get(name) ?? 0)) continue;
      sent.set(name, now);
      ready.push({ entry, removed: entry === null ? message : null, version: now, counts });
    }
  }

  const subscription = createSubscription<SavedEvent>(
    {
      take() {
        isRoomLeft = false;
        return ready.shift();
      },
      mayStillSend(event) {
        if (!isRoomLeft || event.entry === null) return true;
        ready.unshift(event);
        return false;
      },
      work() {
        if (isUnsure) return begin();
        const updates = [...waiting].slice(0, PART);
        for (const [name] of updates) waiting.delete(name);
        return updates.length === 0 ? undefined : read(updates);
      },
      retryAfter(error) {
        onTrouble(error);
        // The names of what was to be read are lost.
        isUnsure = true;
        return true;
      },
      close() {
        ready = [];
        onClose();
      },
    },
    { clock },
  );

  function resync(): void {
    isUnsure = true;
    subscription.wake();
  }

  return Object.assign(subscription, {
    receive(update: SavedUpdate) {
      const { room, threadTs, ts, version } = update;
      const name = `${room}:${threadTs}:${ts}`;
      const last = received.get(name);
      // The bus may deliver in another order than that of the changes, and the stream repeats some.
      if (last !== undefined && version <= last) return;
      received.set(name, version);
      arrived += version - (last ?? version - 1);
      if (isUnsure) return;
      waiting.set(name, update);
      if (waiting.size > WAITING_MAX) isUnsure = true;
      subscription.wake();
    },
    roomLeft() {
      isRoomLeft = true;
    },
    resync,
    async compare() {
      // The first event has not been sent yet, or waits for the client.
      if (base === undefined || isUnsure) return;
      const { version } = await source.counts();
      // What had happened at the last comparison has had its time to arrive.
      const isMissing = compared !== undefined && compared - base > arrived;
      compared = version;
      // Changes that the first counts had already may arrive afterwards. They must not make up for lost ones later.
      arrived = Math.min(arrived, version - base);
      if (isMissing) resync();
    },
  });
}
