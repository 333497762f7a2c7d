import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { DELIVERY_KINDS, type DeliveryKind } from '../core/deliveryKinds.ts';
import { groupBy } from '../core/groupBy.ts';
import type { Item } from '../dynamo/item.ts';
import { notificationOf } from '../notifications/notification.ts';
import type { Change, StreamHandler } from '../stream/change.ts';
import type { Arm, News } from './arm.ts';
import type { Sends } from './delivery.ts';
import { type GatheringKey, isNewer, seenOf } from './gathering.ts';
import { settingsOf } from './settings/settings.ts';

const AT_ONCE = 16;

interface NewsOf {
  readonly about: GatheringKey;
  readonly news: News;
}

export interface GatheringHandlerOptions {
  readonly sends: Pick<Sends, 'kindsForEveryone'>;
  readonly arm: Arm;
}

/**
 * Gathers unread notifications that appear or grow, for people who can be reached. The notification says whether they
 * can, so one for a person who cannot costs nothing here.
 */
export function createGatheringHandler({ sends, arm }: GatheringHandlerOptions): StreamHandler {
  function newsIn({ key, old, new: item }: Change, forEveryone: ReadonlySet<DeliveryKind>): NewsOf[] {
    if (key.type !== 'notification' || item === undefined || item.readAt !== undefined) return [];
    const one = notificationOf(key.user, key.id, item);
    const kind = deliveryKindOf(one.kind);
    if (kind === undefined || (item.reachable !== true && !forEveryone.has(kind))) return [];
    const before = old === undefined ? undefined : seenOf(notificationOf(key.user, key.id, old));
    if (!isNewer(seenOf(one), before)) return [];
    return [{ about: { user: key.user, kind, room: one.room }, news: { id: one.id, ...seenOf(one) } }];
  }

  return {
    // The name is stored in dead letters.
    name: 'gathering',
    itemTypes: ['notification'],
    async handle(changes) {
      const forEveryone = await sends.kindsForEveryone();
      const news = changes.flatMap((change) => newsIn(change, forEveryone));
      const groups = groupBy(news, ({ about: { user, kind, room } }) => [user, kind, room].join(' '));
      await pLimit(AT_ONCE).map(groups.values(), async (group) => {
        const [first] = group;
        const news = group.map((one) => one.news);
        if (first !== undefined) await arm(first.about, news);
      });
    },
  };
}

export interface SettingsHandlerOptions {
  /** Moves what is held for a person. */
  readonly release: (user: string) => Promise<void>;
}

/** When a person changes their quiet hours or their pause, what is held for them moves. Other changes cost nothing. */
export const createSettingsHandler = ({ release }: SettingsHandlerOptions): StreamHandler => ({
  // The name is stored in dead letters.
  name: 'deliverySettings',
  itemTypes: ['deliverySettings'],
  async handle(changes) {
    const users = changes.flatMap(({ key, old, new: item }) =>
      key.type === 'deliverySettings' && !isDeepStrictEqual(holdsIn(old), holdsIn(item)) ? key.user : [],
    );
    await pLimit(AT_ONCE).map(new Set(users), release);
  },
});

const holdsIn = (item: Item | undefined) => {
  const { quietHours, pausedUntil } = settingsOf(item);
  return { quietHours, pausedUntil };
};

const deliveryKindOf = (kind: string): DeliveryKind | undefined =>
  DELIVERY_KINDS.find((known) => known === kind);
