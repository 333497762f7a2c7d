import type { Dynamo } from '../dynamo/dynamo.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { keyOf, parseKey, ranges } from '../dynamo/keys.ts';
import { type Actor, isOwn, type Notification } from '../notifications/notification.ts';
import { blockedAmong } from '../users/blocks/block.ts';
import type { Deliverable } from './rooms/roomNews.ts';

/** The most actors of one notification that are read because it does not name them. */
const COUNTED_MAX = 200;

export interface BlockedOptions {
  readonly dynamo: Pick<Dynamo, 'query'>;
  readonly items: ItemLoader;
  readonly user: string;
  /** Whether they have blocked anyone. */
  readonly any: boolean;
}

export interface Blocked {
  without(actors: readonly Actor[]): Promise<readonly Actor[]>;
  notificationWithout(one: Notification): Promise<Notification | null>;
}

/** The actors that a notification counts and does not name: at most COUNTED_MAX of them. One query. */
export async function unnamedActors(
  dynamo: Pick<Dynamo, 'query'>,
  one: Deliverable,
): Promise<{ readonly actors: readonly Actor[]; readonly more: boolean }> {
  const { items, more } = await dynamo.query(ranges.notified(one.user, one), { limit: COUNTED_MAX });
  const named = new Set(one.actors.map(({ user }) => user));
  const actors = items.flatMap((item): Actor[] => {
    const key = parseKey(keyOf(item));
    if (key.type !== 'notified' || item.in !== one.id || named.has(key.actor)) return [];
    return [{ user: key.actor, at: item.at as Actor['at'] }];
  });
  return { actors, more };
}

/**
 * Leaves out the people that a person has blocked since they were notified of them. The bell keeps what it shows; a
 * delivery does not name or count them any more.
 */
export function createBlocked({ dynamo, items, user, any }: BlockedOptions): Blocked {
  const source = { batchGet: items.loadMany.bind(items) };

  async function without(actors: readonly Actor[]): Promise<readonly Actor[]> {
    if (!any) return actors;
    const blocked = await blockedAmong(source, user, [...new Set(actors.map((actor) => actor.user))]);
    return blocked.size === 0 ? actors : actors.filter((actor) => !blocked.has(actor.user));
  }

  return {
    /** Reads only if the person has blocked anyone. */
    without,

    /**
     * Null if no one is left. One round trip, which comes with other reads of the same tick; before it a query if the
     * notification does not name all of its actors. Of those beyond COUNTED_MAX, the blocked ones still count.
     */
    async notificationWithout(one) {
      if (!any || isOwn(one.kind)) return one;
      const { actors: unnamed, more } =
        one.count > one.actors.length ? await unnamedActors(dynamo, one) : { actors: [], more: false };
      const all = [...one.actors, ...[...unnamed].sort((a, b) => (a.at < b.at ? 1 : -1))];
      const left = await without(all);
      if (left.length === all.length) return one;
      const [newest] = left;
      if (newest === undefined) return null;
      return {
        ...one,
        actors: left,
        count: more ? one.count - (all.length - left.length) : left.length,
        latest: one.kind === 'REPLY' ? newest.at : one.latest,
      };
    },
  };
}
