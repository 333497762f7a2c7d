import { isDeepStrictEqual } from 'node:util';
import { DELIVERY_KINDS, type DeliveryKind } from '../core/deliveryKinds.ts';
import { groupBy } from '../core/groupBy.ts';
import { mapAtMost } from '../core/mapAtMost.ts';
import type { Item } from '../dynamo/item.ts';
import { notificationOf } from '../notifications/notification.ts';
import type { Change, StreamHandler } from '../stream/change.ts';
import type { Arm, News } from './arm.ts';
import { reachedBy, type Sends } from './delivery.ts';
import { digestKeyOf, type GatheringKey, isNewer, seenOf } from './gathering.ts';
import { settingsOf } from './settings/settings.ts';

const AT_ONCE = 16;

interface NewsOf {
  readonly about: GatheringKey;
  readonly news: News;
}

export interface GatheringHandlerOptions {
  readonly sends: Pick<Sends, 'kindsForEveryone' | 'sendsDigests'>;
  readonly arm: Arm;
}

/**
 * Gathers unread notifications that appear or grow, for people who can be reached, and for the next digest of those who
 * want one. The notification says both, so one for a person who cannot be reached costs nothing here.
 */
export function createGatheringHandler({ sends, arm }: GatheringHandlerOptions): StreamHandler {
  function newsIn({ key, old, new: item }: Change, forEveryone: ReadonlySet<DeliveryKind>): NewsOf[] {
    if (key.type !== 'notification' || item === undefined || item.readAt !== undefined) return [];
    if (item.bellOnly === true) return [];
    const { user, id } = key;
    const one = notificationOf(user, id, item);
    const kind = deliveryKindOf(one.kind);
    if (kind === undefined) return [];
    const before = old === undefined ? undefined : seenOf(notificationOf(user, id, old));
    if (!isNewer(seenOf(one), before)) return [];
    const news = { id, kind, ...seenOf(one) };
    const by = reachedBy({ reachable: item.reachable === true, isForEveryone: forEveryone.has(kind) });
    return [
      ...(by.length > 0 ? [{ about: { user, kind, room: one.room }, news: { ...news, by } }] : []),
      ...(item.digest === true && sends.sendsDigests ? [{ about: digestKeyOf(user), news }] : []),
    ];
  }

  return {
    // The name is stored in dead letters.
    name: 'gathering',
    itemTypes: ['notification'],
    async handle(changes) {
      const forEveryone = await sends.kindsForEveryone();
      const news = changes.flatMap((change) => newsIn(change, forEveryone));
      const groups = groupBy(news, ({ about: { user, kind, room } }) => [user, kind, room].join(' '));
      await mapAtMost(AT_ONCE, groups.values(), async (group) => {
        const [first] = group;
        const news = group.map((one) => one.news);
        if (first !== undefined) await arm(first.about, news);
      });
    },
  };
}

export interface SettingsHandlerOptions {
  /** Moves what waits for a person. */
  readonly release: (user: string) => Promise<void>;
}

/**
 * When a person changes their quiet hours, their pause, how long a kind waits, or how often they want a digest, what
 * waits for them moves. Other changes cost nothing.
 */
export const createSettingsHandler = ({ release }: SettingsHandlerOptions): StreamHandler => ({
  // The name is stored in dead letters.
  name: 'deliverySettings',
  itemTypes: ['deliverySettings'],
  async handle(changes) {
    const users = changes.flatMap(({ key, old, new: item }) =>
      key.type === 'deliverySettings' && !isDeepStrictEqual(timesIn(old), timesIn(item)) ? key.user : [],
    );
    await mapAtMost(AT_ONCE, new Set(users), release);
  },
});

const timesIn = (item: Item | undefined) => {
  const { quietHours, pausedUntil, emailDigest, kinds } = settingsOf(item);
  const waits = DELIVERY_KINDS.map((kind) => [kinds[kind]?.delaySeconds, kinds[kind]?.windowSeconds]);
  return { quietHours, pausedUntil, emailDigest, waits };
};

const deliveryKindOf = (kind: string): DeliveryKind | undefined =>
  DELIVERY_KINDS.find((known) => known === kind);
