import { defined } from '../core/defined.ts';
import type { DeliveryKind, DeliveryWindow, DeliveryWindows } from '../core/deliveryKinds.ts';
import { DAY_S, microsOf } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { AGAIN, type Again } from '../dynamo/optimistic.ts';
import { setTimer } from '../timers/timer.ts';
import { type DeliveryChannel, NOTIFICATIONS_MAX } from './delivery.ts';
import {
  DIGEST,
  type Gathering,
  type GatheringKey,
  gatheringOf,
  gatheringTimer,
  gatheringWrite,
  isNewer,
  type Seen,
  type Waits,
} from './gathering.ts';
import { isRoomNewsKind, roomNewsId, seenNameOf } from './rooms/roomNews.ts';
import {
  channelsAtOnce,
  type DeliverySettings,
  digestSeconds,
  isInDigest,
  kindSetting,
  settingsOf,
} from './settings/settings.ts';

/**
 * What was gathered or decided later than this is in the bell only: no one is woken up by a repair, or after an outage
 * of a day. The time that a person's own wait, window, quiet hours or pause holds it back does not count.
 */
export const STALE_MS = DAY_S * 1_000;

/** A timer that is overdue by this much has failed, and its gathering opens again. */
export const ABANDONED_MS = STALE_MS + 3_600_000;

/** A notification in which something happened, or a room in which someone wrote. */
export interface News extends Seen {
  readonly id: string;
  readonly kind: DeliveryKind;
  /** Of a room: which one, and the position after which it is news, unless more was decided already. */
  readonly room?: string;
  readonly after?: number;
  /** When the first of it happened, in milliseconds since 1970, if this is not `at`. */
  readonly since?: number;
  /** At least as long as this kind waits. */
  readonly waitsAs?: DeliveryKind;
  /** The channels by which the person can be reached for this kind, apart from digests. Absent: all of them. */
  readonly by?: readonly DeliveryChannel[];
}

export interface ArmingOptions {
  readonly dynamo: Dynamo;
  /** The operator's default windows. A user's own settings override them. */
  readonly windows: DeliveryWindows;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export type Arm = ReturnType<typeof createArming>;

/** Gathers notifications for a delivery, and sets the timer that decides it. */
export function createArming({ dynamo, windows, now }: ArmingOptions) {
  const writeIfSame = async (before: Gathering, after: Gathering): Promise<Again | undefined> => {
    const failed = await dynamo.tryTransact({ gathering: gatheringWrite(before, after) });
    return failed === undefined ? undefined : AGAIN;
  };

  /** Null if nothing is to be gathered: no channel that the person left on reaches them. */
  function windowOf(
    { kind }: GatheringKey,
    settings: DeliverySettings,
    news: readonly News[],
  ): DeliveryWindow | null {
    if (kind === DIGEST) {
      const seconds = digestSeconds(settings);
      return seconds === null ? null : { delaySeconds: seconds, windowSeconds: seconds };
    }
    const left = channelsAtOnce(settings, kind);
    const isReached = news.some(({ by = left }) => by.some((channel) => left.includes(channel)));
    return isReached ? kindSetting(settings, kind, windows) : null;
  }

  /** Of a digest, the settings come with it: they say which notifications it may have. */
  async function read(key: GatheringKey) {
    const stored = keys.gathering(key.user, key.kind, key.room);
    if (key.kind !== DIGEST) return { before: gatheringOf(key, await dynamo.get(stored)) };
    const [item, settingsItem] = await dynamo.batchGet([stored, keys.deliverySettings(key.user)]);
    return { before: gatheringOf(key, item), settings: settingsOf(settingsItem) };
  }

  /**
   * Idempotent. One read; one write if there is a notification that does not wait yet. If nothing waited, the person's
   * settings are read as well, and the timer is written too. Nothing is written for a kind that
   * they switched off, or if no channel that they left on for it reaches them. A digest
   * reads the settings each time, in the same round trip.
   */
  return async function arm(key: GatheringKey, news: readonly News[]): Promise<void> {
    const fresh = news.filter(({ at }) => millisOf(at) > now() - STALE_MS);
    if (fresh.length === 0) return;
    await dynamo.optimistic(async () => {
      const { before, settings: known } = await read(key);
      const wanted = known === undefined ? fresh : fresh.filter(({ kind }) => isInDigest(known, kind));
      const found = wanted.filter((one) => isNewer(one, before.seen[one.id]));
      if (found.length === 0) return;
      const isOpen = before.dueAt !== null && before.dueAt > now() - ABANDONED_MS;
      const ids = found.map((one) => waitingId(before, one));
      if (isOpen && ids.every((id) => before.notifications.includes(id))) return;
      const all = [...new Set([...before.notifications, ...ids])];
      const waiting = {
        notifications: all.slice(-NOTIFICATIONS_MAX),
        ...(all.length > NOTIFICATIONS_MAX ? { isCut: true } : {}),
      };
      if (isOpen) return writeIfSame(before, { ...before, ...waiting });
      const settings = known ?? settingsOf(await dynamo.get(keys.deliverySettings(key.user)));
      const window = windowOf(key, settings, found);
      if (window === null) return;
      const first = Math.min(now(), ...found.map(({ at, since }) => since ?? millisOf(at)));
      const waits = { since: first, ...defined({ as: found.find(({ waitsAs }) => waitsAs)?.waitsAs }) };
      const dueAt = dueTime({ ...before, waits }, window, (kind) => kindSetting(settings, kind, windows));
      const own = key.kind === DIGEST ? { digest: { ...before.digest, since: first } } : { waits };
      const after = { ...before, ...waiting, dueAt, held: false, ...own };
      const failed = await dynamo.tryTransact({
        gathering: gatheringWrite(before, after),
        timer: setTimer(gatheringTimer(key, dueAt)),
      });
      return failed === undefined ? undefined : AGAIN;
    });
  };
}

/** What waits of a room begins where it began when the gathering was opened. */
function waitingId({ notifications, seen }: Gathering, { id, kind, room, after }: News): string {
  if (after === undefined || room === undefined || !isRoomNewsKind(kind)) return id;
  const waiting = notifications.find((one) => seenNameOf(one) === id);
  return waiting ?? roomNewsId({ kind, room, after: Math.max(after, seen[id]?.count ?? 0), to: null });
}

/**
 * When what waits is to be decided, by what the person has chosen now. Undefined: that is not known, or it is not
 * delivered any more.
 */
export function timeByNow(
  gathering: Gathering,
  settings: DeliverySettings,
  windows: DeliveryWindows,
): number | undefined {
  const { kind, waits, dueAt } = gathering;
  if (kind === DIGEST || waits === undefined || dueAt === null) return undefined;
  const settingOf = (one: DeliveryKind) => kindSetting(settings, one, windows);
  if (channelsAtOnce(settings, kind).length === 0) return undefined;
  return dueTime({ ...gathering, waits }, settingOf(kind), settingOf);
}

/** Later than the last one in any case: the timer of that one may not be deleted yet, and is another item. */
function dueTime(
  { decidedAt, sentAt, waits }: Pick<Gathering, 'decidedAt' | 'sentAt'> & { readonly waits: Waits },
  { delaySeconds, windowSeconds }: DeliveryWindow,
  settingOf: (kind: DeliveryKind) => DeliveryWindow,
): number {
  const asOther = waits.as === undefined ? 0 : settingOf(waits.as).delaySeconds;
  const wait = Math.max(delaySeconds, asOther);
  return Math.max(waits.since + wait * 1_000, sentAt + windowSeconds * 1_000, decidedAt + 1);
}

const millisOf = (at: Seen['at']): number => Math.floor(microsOf(at) / 1_000);
