import { defined } from '../core/defined.ts';
import { DELIVERY_KINDS, type DeliveryKind, type DeliveryWindows } from '../core/deliveryKinds.ts';
import { microsOf, type Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { AGAIN, type Again } from '../dynamo/optimistic.ts';
import { ifVersion } from '../dynamo/write.ts';
import { notificationOf } from '../notifications/notification.ts';
import { counterOf } from '../rooms/room.ts';
import type { Timer, TimerKind } from '../timers/timer.ts';
import { type Arm, STALE_MS, timeByNow } from './arm.ts';
import {
  ABOUT_MAX,
  type Delivery,
  type DeliveryOutcome,
  deliveryItem,
  deliveryOf,
  NOTIFICATIONS_MAX,
  type Sends,
} from './delivery.ts';
import {
  DIGEST,
  DIGEST_TIMER,
  GATHERING_TIMER,
  type Gathering,
  type GatheringKey,
  gatheringOf,
  gatheringWrite,
  isNewer,
  newestSeen,
  seenOf,
} from './gathering.ts';
import { digestFrom, gatheringsOf, moveGathering, moveWrites } from './hold.ts';
import type { ReadRemaining, Remaining } from './remaining.ts';
import { type Deliverable, lastOf, roomNewsOf, seenNameOf } from './rooms/roomNews.ts';
import {
  channelsFor,
  type DeliverySettings,
  DIGEST_SECONDS,
  holdOf,
  isInDigest,
  settingsOf,
  summaryAt,
} from './settings/settings.ts';

export interface DecidingOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  readonly sends: Sends;
  readonly arm: Arm;
  readonly readRemaining: ReadRemaining;
  /** The operator's default windows. A user's own settings override them. */
  readonly windows: DeliveryWindows;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called for every decision. */
  readonly onDecision?: ((decision: Decision) => void) | undefined;
}

export interface Decision {
  readonly kinds: readonly DeliveryKind[];
  readonly outcome: DeliveryOutcome;
  /**
   * What is sent for the first time, 0 if nothing is sent: people who liked, stamped, replied or mentioned, once for
   * each message or thread, messages of a room, people who entered.
   */
  readonly acts: number;
}

/** `notifications`: those that waited. Absent if an earlier call decided them: then they are no longer known. */
type Decided = GatheringKey & Partial<Pick<Gathering, 'notifications'>>;

interface Closing {
  readonly gatherings: readonly Gathering[];
  /** The first one of a further summary, if there is one. */
  readonly next: Gathering | undefined;
  readonly dueAt: number;
  readonly settings: DeliverySettings;
}

/** After an outage, what is overdue by more is gathered into one summary. */
const OVERDUE_MS = 3_600_000;
/** How often a digest asks whether the one before it was sent. */
const PENDING_MS = DIGEST_SECONDS.MINUTES_15 * 1_000;
/** Gatherings of one summary. Those beyond are in a further one. */
export const SUMMARY_MAX = 40;
/** Notifications of one summary, unless one gathering has more. */
const SUMMARY_NOTIFICATIONS_MAX = 1_000;

/**
 * Decides what was gathered when its timer is due. One transaction ends the gathering, and writes the delivery with its
 * sends. The timer stays until everything is done, so another process continues after one that died.
 *
 * A change that is committed after the notifications were read, and whose record arrives before the transaction, finds
 * an open gathering that contains its notification, and leaves it to this decision. So the notifications are read once
 * more after the transaction, and what is newer is gathered again. A change committed later finds the gathering closed.
 */
export function createDeciding(
  options: DecidingOptions,
): readonly [TimerKind<GatheringKey>, TimerKind<GatheringKey>] {
  const { dynamo, timestamps, sends, arm, readRemaining, windows, now, onDecision = () => {} } = options;

  /** Resolves to what was decided, by this call or an earlier one; to nothing if it was moved. */
  async function decide({ about, due, failures }: Timer<GatheringKey>): Promise<readonly Decided[] | Again> {
    const { user } = about;
    const [item, settingsItem] = await dynamo.batchGet([
      keys.gathering(user, about.kind, about.room),
      keys.deliverySettings(user),
    ]);
    const gathering = gatheringOf(about, item);
    const settings = settingsOf(settingsItem);
    const setFor = failures?.setFor ?? due;
    if (gathering.dueAt === null || gathering.dueAt !== setFor) {
      // A digest is decided by its own timer alone. If the last decision was before this one's time, it was another's.
      return about.kind === DIGEST && gathering.decidedAt < setFor ? [] : [about];
    }
    // If the settings change before the move, their handler still finds the old time, and does not correct it.
    const check = { check: keys.deliverySettings(user), ...ifVersion(settings.version) };
    const hold = holdOf(settings, now(), [about.kind]);
    if (hold !== null) {
      const dueAt = summaryAt(user, hold);
      return (await moveGathering(dynamo, gathering, { dueAt, check })) ? [] : AGAIN;
    }
    const from =
      about.kind === DIGEST ? await digestTime(gathering, settings) : laterTime(gathering, settings);
    if (from > now()) {
      const dueAt = Math.ceil(from);
      return (await moveGathering(dynamo, gathering, { dueAt, held: false, check })) ? [] : AGAIN;
    }
    const all = isLate(gathering) ? await lateOnes(gathering, settings) : [gathering];
    const { gatherings, next } = inSummary(all);
    return (await close({ gatherings, next, dueAt: gathering.dueAt, settings })) ? gatherings : AGAIN;
  }

  /**
   * The earliest time for a digest. The person may have chosen other intervals since, and the last mail may have waited
   * for its server: while it does, there is no other one. Reads only if there was a last one.
   */
  async function digestTime(gathering: Gathering, settings: DeliverySettings): Promise<number> {
    const { digest, user } = gathering;
    if (digest?.last === undefined) return digestFrom(gathering, settings);
    const item = await dynamo.get(keys.delivery(user, digest.last));
    if (item === undefined) return digestFrom(gathering, settings);
    const { outcome, attempts } = deliveryOf(user, digest.last, item);
    if (outcome === 'PENDING') return now() + PENDING_MS;
    const sentAt = attempts.find((one) => one.outcome === 'SENT')?.at ?? 0;
    return digestFrom({ ...gathering, sentAt: Math.max(sentAt, gathering.sentAt) }, settings);
  }

  /** If the person chose a longer wait or window since it was gathered; 0 otherwise. What is late has waited enough. */
  function laterTime(gathering: Gathering, settings: DeliverySettings): number {
    const at = isLate(gathering) ? undefined : timeByNow(gathering, settings, windows);
    return at !== undefined && at > (gathering.dueAt ?? 0) ? at : 0;
  }

  /** Called if nothing holds this one back. So if it is held it is late, also if a pause was to last for longer. */
  const isLate = ({ held, dueAt }: Gathering): boolean =>
    dueAt !== null && (held || dueAt < now() - OVERDUE_MS);

  /**
   * This one, and all others of the person that were held back or are overdue. A reminder leaves the others to quiet
   * hours.
   */
  async function lateOnes(first: Gathering, settings: DeliverySettings): Promise<Gathering[]> {
    if (first.kind === DIGEST) return [first];
    const others = (await gatheringsOf(dynamo, first.user)).filter(
      (one) =>
        isLate(one) &&
        one.kind !== DIGEST &&
        holdOf(settings, now(), [one.kind]) === null &&
        (one.kind !== first.kind || one.room !== first.room),
    );
    return [first, ...others];
  }

  /** Resolves to false, with nothing written, if something was gathered since it was read. */
  async function close({ gatherings, next, dueAt, settings }: Closing): Promise<boolean> {
    const { user = '', kind: firstKind } = gatherings[0] ?? {};
    const isDigest = firstKind === DIGEST;
    // Before the reads: what the user reads after this time may not be known here.
    const decidedAt = Math.max(now(), dueAt);
    const ids = [...new Set(gatherings.flatMap(({ notifications }) => notifications))];
    const remaining = onlyNews(await readRemaining(user, ids, { isStale: staleIn(gatherings) }), gatherings);
    const left = remaining.notifications.filter(
      ({ kind }) => !isDigest || isInDigest(settings, kind as DeliveryKind),
    );
    const kinds = kindsIn(left);
    const channelsOf = new Map(kinds.map((kind) => [kind, channelsFor(settings, kind)]));
    const endpoints =
      kinds.length === 0 ? [] : await sends.endpointsOf(user, channelsOf, { digests: isDigest });
    const outcome = remaining.reason ?? (endpoints.length === 0 ? 'SWITCHED_OFF' : 'PENDING');
    const isSent = outcome === 'PENDING';
    const about = isSent ? left : isDigest ? remaining.known : gatherings;
    const allIds = isSent ? left.map(({ id, news }) => news?.id ?? id) : ids;
    const delivery: Delivery = {
      user,
      outcome,
      decidedAt,
      dueAt,
      attempts: [],
      version: 1,
      id: timestamps.next(),
      kinds: kindsIn(about),
      rooms: [...new Set(about.map(({ room }) => room))].slice(0, ABOUT_MAX),
      notifications: allIds.slice(0, NOTIFICATIONS_MAX),
      ...defined({
        total: allIds.length > NOTIFICATIONS_MAX ? allIds.length : undefined,
        isCut: gatherings.some(({ isCut }) => isCut) ? true : undefined,
        wasHeld: gatherings.some(({ held }) => held) ? true : undefined,
      }),
    };
    // Of a digest of which nothing exists any more, there is nothing to say.
    const isStored = delivery.kinds.length > 0 && !remaining.isEmpty;
    const failed = await dynamo.tryTransact({
      gatherings: gatherings.map((one) =>
        gatheringWrite(one, {
          ...closed(one, remaining),
          decidedAt,
          sentAt: isSent ? decidedAt : one.sentAt,
          ...(one.digest !== undefined && isSent ? { digest: { ...one.digest, last: delivery.id } } : {}),
        }),
      ),
      delivery: isStored ? { put: deliveryItem(delivery), condition: 'attribute_not_exists(pk)' } : undefined,
      // The timers of what is left may be due at the end of a pause that was ended early.
      next: next?.dueAt == null || next.dueAt <= now() ? [] : moveWrites(next, Math.ceil(now())),
      sends: isSent ? sends.writesFor(delivery, endpoints) : [],
    });
    if (failed === undefined && isStored) {
      onDecision({ kinds: delivery.kinds, outcome, acts: isSent ? actsIn(left, gatherings) : 0 });
    }
    return failed === undefined;
  }

  /** What happened, and was to be decided, longer ago. */
  function staleIn(gatherings: readonly Gathering[]): (one: Deliverable) => boolean {
    const dueOf = new Map(
      gatherings.flatMap(({ notifications, dueAt }) => notifications.map((id) => [id, dueAt ?? 0] as const)),
    );
    const before = now() - STALE_MS;
    return ({ id, updatedAt }) => microsOf(updatedAt) / 1_000 < before && (dueOf.get(id) ?? 0) < before;
  }

  /**
   * Gathers what happened between the decision's reads and its transaction. One or two round trips. Of what was decided
   * earlier, nothing is missed: what happened there since and was not gathered was not wanted then, such as messages of
   * a room that was muted.
   */
  async function gatherMissed({ notifications, ...key }: Decided): Promise<void> {
    const { seen } = gatheringOf(key, await dynamo.get(keys.gathering(key.user, key.kind, key.room)));
    const names = notifications?.map(seenNameOf);
    const all = Object.keys(seen).filter((name) => names?.includes(name) ?? true);
    await Promise.all(all.map((id) => gatherMissedNews(key, id, seen)));
    const ids = all.filter((id) => roomNewsOf(id) === undefined);
    if (ids.length === 0) return;
    const items = await dynamo.batchGet(ids.map((id) => keys.notification(key.user, id)));
    const news = ids.flatMap((id, i) => {
      const item = items[i];
      if (item === undefined || item.readAt !== undefined) return [];
      const one = notificationOf(key.user, id, item);
      const news = { id, kind: one.kind as DeliveryKind, ...seenOf(one) };
      return isNewer(news, seen[id]) ? [news] : [];
    });
    if (news.length > 0) await arm(key, news);
  }

  /** One round trip. */
  async function gatherMissedNews(key: GatheringKey, id: string, seen: Gathering['seen']): Promise<void> {
    const about = roomNewsOf(id);
    if (about === undefined) return;
    const { kind, room } = about;
    const counter = await dynamo.get(keys.counter(room));
    const [after, count] = [seen[id]?.count, counter === undefined ? 0 : lastOf(kind, counterOf(counter))];
    if (after === undefined || count <= after) return;
    await arm(key, [{ id, kind, room, after, count, at: timestamps.next() }]);
  }

  async function handle(timer: Timer<GatheringKey>): Promise<void> {
    const decided = await dynamo.optimistic(() => decide(timer));
    await Promise.all(decided.map(gatherMissed));
  }

  return [
    { name: GATHERING_TIMER, handle },
    { name: DIGEST_TIMER, handle },
  ];
}

/** Without what was sent before, if everything that happened since was taken back. */
function onlyNews(remaining: Remaining, gatherings: readonly Gathering[]): Remaining {
  const seen = new Map(gatherings.flatMap((one) => Object.entries(one.seen)));
  const notifications = remaining.notifications.filter((one) => {
    const [newest] = one.actors;
    return (
      one.news !== undefined ||
      newest === undefined ||
      isNewer({ at: newest.at, count: one.count }, seen.get(one.id))
    );
  });
  const reason = notifications.length > 0 ? null : (remaining.reason ?? 'NOTHING_LEFT');
  return { ...remaining, notifications, reason };
}

/** Another reply by someone who is counted already counts as one. */
function actsIn(left: readonly Deliverable[], gatherings: readonly Gathering[]): number {
  const seen = new Map(gatherings.flatMap((one) => Object.entries(one.seen)));
  return left.reduce(
    (sum, { id, count, news }) =>
      sum + (news === undefined ? Math.max(1, count - (seen.get(id)?.count ?? 0)) : news.acts),
    0,
  );
}

/** The first of them, which are decided together, and the one after them. */
function inSummary(all: readonly Gathering[]): Pick<Closing, 'gatherings' | 'next'> {
  let count = 0;
  const end = all.findIndex(({ notifications }, i) => {
    count += notifications.length;
    return i > 0 && (i >= SUMMARY_MAX || count > SUMMARY_NOTIFICATIONS_MAX);
  });
  return end < 0 ? { gatherings: all, next: undefined } : { gatherings: all.slice(0, end), next: all[end] };
}

const kindsIn = (about: ReadonlyArray<{ readonly kind: string }>): DeliveryKind[] =>
  DELIVERY_KINDS.filter((kind) => about.some((one) => one.kind === kind));

function closed({ isCut: _isCut, waits: _waits, ...gathering }: Gathering, { unread }: Remaining): Gathering {
  const own = unread.filter(({ id }) => gathering.notifications.includes(id));
  const decided = own.map((one) => [seenNameOf(one.id), one.news?.seen ?? seenOf(one)] as const);
  return {
    ...gathering,
    dueAt: null,
    held: false,
    notifications: [],
    seen: newestSeen(gathering.seen, decided),
  };
}
