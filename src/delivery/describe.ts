import { DELIVERY_KINDS, type DeliveryKind } from '../core/deliveryKinds.ts';
import { groupBy } from '../core/groupBy.ts';
import { mapAtMost } from '../core/mapAtMost.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createItemLoader, type ItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import { bestLanguage, type Language } from '../i18n/language.ts';
import { messagePath, roomPath } from '../messages/paths.ts';
import { type Actor, isAboutMessage } from '../notifications/notification.ts';
import { nameOf } from '../rooms/direct/direct.ts';
import type { Room } from '../rooms/room.ts';
import { nameIn } from '../users/formerUser.ts';
import { type User, userOf } from '../users/user.ts';
import { unnamedActors } from './blocked.ts';
import {
  ABOUT_MAX,
  type Delivery,
  type DeliveryText,
  type DeliveryWords,
  type Describe,
  NOTIFICATIONS_MAX,
} from './delivery.ts';
import type { ReadRemaining, Remaining } from './remaining.ts';
import type { Deliverable } from './rooms/roomNews.ts';
import { channelsFor, holdOf } from './settings/settings.ts';
import { hiddenText, summaryOf, testText, textOf } from './text.ts';

const PRODUCT = 'Tsudoi';
/** Notifications whose actors are counted at once. */
const AT_ONCE = 16;

export interface DescribeOptions {
  readonly dynamo: Pick<Dynamo, 'batchGet' | 'query'>;
  readonly readRemaining: ReadRemaining;
  /** The origin of links to the web client. */
  readonly publicUrl: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface WordedSubjects extends WordedFrom, Pick<DeliveryWords, 'count'> {
  /** Whether there may be more than that. */
  readonly isCut: boolean;
}

interface WordedFrom extends Pick<Remaining, 'user' | 'rooms' | 'withoutBlocked'> {
  /** The names that are asked for at the same time are one read. */
  readonly items: ItemLoader;
}

export function createDescribe({ dynamo, readRemaining, publicUrl, now }: DescribeOptions): Describe {
  return async (delivery, choice = {}) => {
    const { language, channel, kinds: wanted = DELIVERY_KINDS, parts = false } = choice;
    const { items = createItemLoader(dynamo) } = choice;
    const remaining = await readRemaining(delivery.user, delivery.notifications, { items, channel });
    const { user, settings, badge } = remaining;
    const tongue = language ?? bestLanguage(user.locale);
    const isOn = (kind: DeliveryKind) =>
      wanted.includes(kind) && (channel === undefined || channelsFor(settings, kind).includes(channel));
    const notifications = remaining.notifications.filter(({ kind }) => isOn(kind as DeliveryKind));
    const kinds = DELIVERY_KINDS.filter((kind) => notifications.some((one) => one.kind === kind));
    const hasAllKinds = delivery.kinds.every(isOn);
    const more = hasAllKinds ? moreIn(delivery) : 0;
    const isCut = hasAllKinds && delivery.isCut === true;
    const count = notifications.length + more;
    const bare = {
      title: PRODUCT,
      url: `${publicUrl()}/`,
      handle: user.handle,
      kinds,
      rooms: [],
      count,
      language: tongue,
    };
    // The person has asked for a test now.
    if (delivery.kinds.length === 0 && user.deletedAt === undefined)
      return { words: { ...bare, text: testText(tongue) }, badge, hold: null };
    const [newest] = notifications;
    if (newest === undefined) return { words: null, reason: remaining.reason ?? 'SWITCHED_OFF' };
    const words = settings.hideText
      ? { text: hiddenText(tongue) }
      : await wordsOf([newest, ...notifications.slice(1)], { ...remaining, items, count, isCut }, tongue);
    const isWhole = more === 0 && !isCut && delivery.notifications.length < NOTIFICATIONS_MAX;
    const ofDigest =
      parts && !settings.hideText
        ? await partsOf(notifications, { ...remaining, items, isWhole }, tongue)
        : {};
    return { words: { ...bare, ...words, ...ofDigest }, badge, hold: holdOf(settings, now(), kinds) };
  };

  /** What of one kind happened in one room is worded together, as if it were a delivery of its own. */
  async function partsOf(
    notifications: readonly Deliverable[],
    { isWhole, ...about }: WordedFrom & { readonly isWhole: boolean },
    tongue: Language,
  ): Promise<Pick<DeliveryWords, 'parts' | 'isCut'>> {
    const groups = [...groupBy(notifications, ({ kind, room }) => `${kind} ${room}`).values()];
    const parts = await Promise.all(
      groups.slice(0, ABOUT_MAX).map(async ([newest, ...others]) => {
        if (newest === undefined) return [];
        const { title, text, url } = await wordsOf(
          [newest, ...others],
          { ...about, count: others.length + 1, isCut: false },
          tongue,
        );
        return [{ title, text, url, room: newest.room }];
      }),
    );
    return { parts: parts.flat(), isCut: !isWhole || groups.length > ABOUT_MAX };
  }

  /** The newest first. */
  async function wordsOf(
    notifications: readonly [Deliverable, ...Deliverable[]],
    { user, rooms, items, count: subjects, isCut, withoutBlocked }: WordedSubjects,
    tongue: Language,
  ): Promise<DeliveryText & Pick<DeliveryWords, 'rooms'>> {
    const [newest] = notifications;
    const kinds = new Set(notifications.map(({ kind }) => kind));
    const inRooms = new Set(notifications.map(({ room }) => room));
    const room = inRooms.size === 1 ? rooms.get(newest.room) : undefined;
    const people =
      kinds.size === 1 && room !== undefined ? await peopleOf(notifications, withoutBlocked) : undefined;
    const named = people?.newest ?? [];
    const users = await usersOf(items, [...named, ...(room?.people ?? []).filter((one) => one !== user.id)]);
    return {
      title: room === undefined ? PRODUCT : titleOf(room, users, user.id),
      text:
        people === undefined
          ? summaryOf(tongue, { subjects, isMore: isCut })
          : textOf(
              tongue,
              newest.kind as DeliveryKind,
              {
                count: people.count,
                isMore: isCut || people.isMore,
                names: named.flatMap((id) => {
                  const actor = users.get(id);
                  return actor === undefined ? [] : [nameIn(tongue, actor)];
                }),
              },
              { subjects, isMore: isCut },
            ),
      url: `${publicUrl()}${pathOf(notifications, room)}`,
      rooms: [...inRooms].flatMap((id) => {
        const one = rooms.get(id);
        return one === undefined ? [] : [{ id, name: one.people === undefined ? one.name : null }];
      }),
    };
  }

  /**
   * How many distinct people there are, whether there may be more, and the newest two. Reads only if a notification
   * does not name all of them.
   */
  async function peopleOf(
    notifications: readonly Deliverable[],
    withoutBlocked: Remaining['withoutBlocked'],
  ) {
    let isMore = notifications.some(({ news }) => news?.isMore === true);
    const actors = (await mapAtMost(AT_ONCE, notifications, actorsOf)).flat();
    const newestFirst = actors.sort((a, b) => (a.at < b.at ? 1 : -1)).map(({ user }) => user);
    const distinct = [...new Set(newestFirst)];
    const [one, ...others] = notifications;
    // A single notification stores the number.
    const count = one !== undefined && others.length === 0 ? one.count : distinct.length;
    return { count, isMore, newest: distinct.slice(0, 2) };

    async function actorsOf(one: Deliverable): Promise<readonly Actor[]> {
      if (one.count <= one.actors.length || notifications.length === 1) return one.actors;
      const { actors, more } = await unnamedActors(dynamo, one);
      isMore ||= more;
      return [...one.actors, ...(await withoutBlocked(actors))];
    }
  }

  async function usersOf(loader: ItemLoader, ids: readonly string[]): Promise<Map<string, User>> {
    const unique = [...new Set(ids)];
    const items = await loader.loadMany(unique.map((id) => keys.user(id)));
    return new Map(
      unique.flatMap((id, i): Array<[string, User]> => {
        const item = items[i];
        return item === undefined ? [] : [[id, userOf(id, item)]];
      }),
    );
  }
}

/** How many notifications it has no ids of. They count as left, because they cannot be read. */
const moreIn = ({ total, notifications }: Delivery): number =>
  Math.max(0, (total ?? 0) - notifications.length);

/** A direct room is named after the other people in it. */
function titleOf(room: Room, users: ReadonlyMap<string, User>, viewer: string): string {
  if (room.people === undefined) return room.name;
  const others = room.people.filter((one) => one !== viewer).flatMap((one) => users.get(one) ?? []);
  return nameOf(others);
}

function pathOf(notifications: readonly Deliverable[], room: Room | undefined): string {
  const [one, ...others] = notifications;
  if (one === undefined || room === undefined) return '/';
  if (others.length > 0 || !isAboutMessage(one)) return roomPath(room.id);
  return messagePath(one.latest === null ? one : { ...one, ts: one.latest });
}
