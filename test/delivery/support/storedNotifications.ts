/** What the table has of the model's people: their notifications, and what is left of them. */
import { microsOf } from '../../../src/core/timestamps.ts';
import type { Delivery } from '../../../src/delivery/delivery.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys, ranges } from '../../../src/dynamo/keys.ts';
import { applyReadAll, type Notification, notificationOf } from '../../../src/notifications/notification.ts';
import { badgeOf } from '../../../src/unread/badge/badge.ts';
import { itemsIn } from '../../support/database/table.ts';
import { KINDS } from './actions.ts';
import type { Subject, ToldKind } from './acts.ts';
import type { Person } from './deliverySystem.ts';

interface StoredNotificationsOptions {
  readonly dynamo: Dynamo;
  /** The timestamps of deleted messages. */
  readonly deleted: ReadonlySet<string>;
  /** The users that a user has blocked now. */
  readonly blockedBy: (user: string) => ReadonlySet<string>;
}

export function createStoredNotifications({ dynamo, deleted, blockedBy }: StoredNotificationsOptions) {
  async function subjectsOf(one: Person, { notifications: ids }: Delivery): Promise<Subject[]> {
    const found = await notificationsOf(one, ids);
    const ofRooms = ids.flatMap((id): Subject[] => {
      const [kind, room, ...positions] = id.split(':');
      return positions.length === 0 ? [] : [{ kind: kind as ToldKind, room: room ?? '', about: '' }];
    });
    return [
      ...found.map(({ kind, room, ts }): Subject => ({ kind: kind as ToldKind, room, about: ts })),
      ...ofRooms,
    ];
  }

  async function unreadOf({ id: user }: Person): Promise<Notification[]> {
    const badge = badgeOf(await dynamo.get(keys.badge(user)));
    const items = await itemsIn(dynamo, ranges.notifications(user));
    return items
      .map((item) => applyReadAll(notificationOf(user, String(item.sk).slice(5), item), badge, 0))
      .filter(({ readAt, kind }) => readAt === null && KINDS.some((known) => known === kind));
  }

  /**
   * When something last happened that was not taken back, by someone who is not blocked, in milliseconds since 1970.
   */
  async function newestLeft({ user, kind, room, threadTs, ts, actors, first }: Notification) {
    if (kind === 'MENTION' && deleted.has(ts)) return undefined;
    const blocked = blockedBy(user);
    const replies = kind === 'REPLY' ? await itemsIn(dynamo, ranges.replies(room, threadTs)) : [];
    const times =
      kind === 'REPLY'
        ? replies
            .filter(({ author, deletedAt }) => author !== user && deletedAt === undefined)
            .filter(({ author }) => !blocked.has(String(author)))
            .map((item) => String(item.sk).slice(-16))
            .filter((time) => time >= (first ?? ''))
        : actors.filter((actor) => !blocked.has(actor.user)).map((actor) => actor.at);
    const newest = times.sort().at(-1);
    return newest === undefined ? undefined : Math.floor(microsOf(newest) / 1_000);
  }

  async function notificationsOf({ id: user }: Person, ids: readonly string[]): Promise<Notification[]> {
    const items = await dynamo.batchGet(ids.map((id) => keys.notification(user, id)));
    return ids.flatMap((id, i) => {
      const item = items[i];
      return item === undefined ? [] : [notificationOf(user, id, item)];
    });
  }

  return { subjectsOf, unreadOf, newestLeft, notificationsOf };
}
