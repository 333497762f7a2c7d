import { defined } from '../../core/defined.ts';
import type { DeliveryWindows } from '../../core/deliveryKinds.ts';
import { notFound } from '../../core/errors.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ifConditionHolds } from '../../dynamo/errors.ts';
import type { Item } from '../../dynamo/item.ts';
import { createItemLoader, type ItemLoader } from '../../dynamo/itemLoader.ts';
import { keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import { SCHEMA_VERSION } from '../../dynamo/table.ts';
import { ifVersion, type Write } from '../../dynamo/write.ts';
import { type Access, accessTo, memberAccess } from '../../rooms/access.ts';
import { joinNumber, type Membership, membershipOf, type RoomDelivery } from '../../rooms/room.ts';
import { type DeliverySettings, kindSetting, settingsOf } from '../settings/settings.ts';

/** What members listen to: it is delivered to those who chose it. Stored: do not rename one. */
export const LISTENED_KINDS = ['MESSAGE'] as const;
export type ListenedKind = (typeof LISTENED_KINDS)[number];

/** Someone who wants to be sent all that happens of one kind in a room. */
export interface Listener {
  readonly user: string;
  /** The last position when they chose it. */
  readonly from: number;
}

export interface ListenersOptions {
  readonly dynamo: Pick<Dynamo, 'get' | 'update' | 'batchGet' | 'remove' | 'optimistic' | 'tryTransact'>;
  /** The operator's. */
  readonly windows: DeliveryWindows;
}

type MemberAccess = Access & { readonly membership: Membership };

interface Setting {
  readonly user: string;
  /** What they choose now. Null: the default. Undefined: what they chose before. */
  readonly delivery: RoomDelivery | null | undefined;
}

export interface Revised {
  readonly before: Membership;
  readonly after: Membership;
}

export type Listeners = ReturnType<typeof createListeners>;

/**
 * Keeps one item in a room for each member who listens, and on the room's counter how many there are. So a message in a
 * room without listeners costs nothing, and the number of members costs nothing in any room. The membership says under which
 * key the item is, and changes in the same transaction.
 */
export function createListeners({ dynamo, windows }: ListenersOptions) {
  /**
   * What of a room is delivered to a member. One batch of reads, then one write; a transaction of at most five if they
   * begin or cease to listen. Idempotent. Throws NOT_FOUND and FORBIDDEN.
   */
  async function choose(user: string, room: string, delivery: RoomDelivery | null): Promise<Membership> {
    const revised = await revise({ user, delivery }, (items) => memberAccess(room, user, items));
    if (revised === null) throw notFound();
    return revised.after;
  }

  /**
   * Follows the person's settings in one of their rooms. The same cost; reads alone if nothing changes. Resolves to null if
   * they are not in it.
   */
  const follow = (user: string, room: string): Promise<Revised | null> =>
    revise({ user, delivery: undefined }, async (items) => {
      const access = await accessTo(room, user, items);
      return access?.membership == null ? null : { ...access, membership: access.membership };
    });

  function revise(
    { user, delivery }: Setting,
    read: (items: ItemLoader) => Promise<MemberAccess | null>,
  ): Promise<Revised | null> {
    /** Of an earlier membership, whose end has not been handled yet. */
    let leftover: number | undefined;
    return dynamo.optimistic(async () => {
      const items = createItemLoader(dynamo);
      const [access, settingsItem] = await Promise.all([
        read(items),
        delivery === undefined || delivery === 'ALL' ? items.load(keys.deliverySettings(user)) : undefined,
      ]);
      if (access === null) return null;
      const before = access.membership;
      const settings = settingsOf(settingsItem);
      // What depends on the settings fails if they have changed: otherwise what followed that change would be undone.
      const unchanged =
        delivery === undefined || delivery === 'ALL'
          ? { check: keys.deliverySettings(user), ...ifVersion(settings.version) }
          : undefined;
      const chosen = delivery === undefined ? before.delivery : (delivery ?? undefined);
      const wait = waitOf(chosen, access, settings);
      if (wait === before.listens?.MESSAGE) {
        if (chosen === before.delivery) return { before, after: before };
        const after =
          unchanged === undefined
            ? await write(before, chosen)
            : await writeChecked(before, chosen, { wait, unchanged });
        return after === undefined ? AGAIN : { before, after };
      }
      const failed = await dynamo.tryTransact({
        membership: membershipWrite(before, chosen, wait),
        ...listenerWrites(access, { wait, leftover, from: await positionOf(access, wait) }),
        settings: unchanged,
      });
      if (failed === undefined) return { before, after: changed(before, chosen, wait) };
      leftover = failed.begun?.item === undefined ? undefined : Number(failed.begun.item.join);
      return AGAIN;
    });
  }

  /** From where they listen: what they had not been sent when their settings changed is not lost. */
  async function positionOf(access: MemberAccess, wait: number | undefined): Promise<number> {
    const { membership, counter } = access;
    const before = membership.listens?.MESSAGE;
    if (before === undefined || wait === undefined) return counter.lastPosition;
    const item = await dynamo.get(keys.listener(membership.room, 'MESSAGE', before, membership.user));
    return Number(item?.from ?? counter.lastPosition);
  }

  /** Undefined: they do not listen. In direct rooms, messages are delivered as such. */
  function waitOf(
    delivery: RoomDelivery | undefined,
    { room }: Access,
    settings: DeliverySettings,
  ): number | undefined {
    const { mode, delaySeconds } = kindSetting(settings, 'MESSAGE', windows);
    const listens = delivery === 'ALL' && room.visibility !== 'DIRECT' && mode === 'ON';
    return listens ? delaySeconds : undefined;
  }

  /** For a setting that no listener depends on. Undefined if it changed since it was read. */
  async function write(
    { user, room, version }: Membership,
    delivery: RoomDelivery | undefined,
  ): Promise<Membership | undefined> {
    const item = await ifConditionHolds(
      dynamo.update(keys.membership(user, room), {
        update:
          delivery === undefined
            ? 'SET rev = rev + :one REMOVE delivery'
            : 'SET delivery = :delivery, rev = rev + :one',
        condition: 'rev = :rev',
        values: { ':one': 1, ':rev': version, ...defined({ ':delivery': delivery }) },
      }),
    );
    return item === undefined ? undefined : membershipOf(user, room, item);
  }

  /** For `ALL` without an item, because the kind is switched off. Undefined if that, or the membership, has changed. */
  async function writeChecked(
    before: Membership,
    delivery: RoomDelivery | undefined,
    { wait, unchanged }: { readonly wait: number | undefined; readonly unchanged: Write },
  ): Promise<Membership | undefined> {
    const membership = membershipWrite(before, delivery, wait);
    const failed = await dynamo.tryTransact({ membership, settings: unchanged });
    return failed === undefined ? changed(before, delivery, wait) : undefined;
  }

  /**
   * After a membership has ended: removes what the room has of it. Idempotent; leaves the items of a later membership alone.
   * One transaction for each kind that they listened to.
   */
  async function end(user: string, room: string, item: Item): Promise<void> {
    const { listens = {}, version } = membershipOf(user, room, item);
    for (const kind of LISTENED_KINDS) {
      const wait = listens[kind];
      if (wait === undefined) continue;
      const listener = keys.listener(room, kind, wait, user);
      const guard = { condition: '#join = :join', names: JOIN, values: { ':join': joinNumber(version) } };
      const failed = await dynamo.tryTransact({
        ended: { delete: listener, ...guard },
        counter: countWrite(room, -1),
      });
      // The room was deleted.
      if (failed?.counter !== undefined) await ifConditionHolds(dynamo.remove(listener, guard));
    }
  }

  return { choose, follow, end };
}

const JOIN = { '#join': 'join' };

function membershipWrite(
  { user, room, version }: Membership,
  delivery: RoomDelivery | undefined,
  wait: number | undefined,
): Write {
  const values = defined({ delivery, listens: wait === undefined ? undefined : { MESSAGE: wait } });
  const set = Object.keys(values).map((name) => `, ${name} = :${name}`);
  const removed = ['delivery', 'listens'].filter((name) => !(name in values));
  return {
    key: keys.membership(user, room),
    update: `SET rev = rev + :one${set.join('')}${removed.length === 0 ? '' : ` REMOVE ${removed.join(', ')}`}`,
    condition: 'rev = :rev',
    values: {
      ...{ ':one': 1, ':rev': version },
      ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
    },
  };
}

interface Begun {
  readonly wait: number | undefined;
  readonly from: number;
  /** The join of the listener that is at the new key. */
  readonly leftover: number | undefined;
}

/** Moves the item from the key that the membership names. */
function listenerWrites({ membership }: MemberAccess, { wait, from, leftover }: Begun) {
  const { user, room, listens, version } = membership;
  const kind = 'MESSAGE';
  const before = listens?.[kind];
  const added = countOf(wait) - countOf(before) - countOf(leftover);
  const begun = {
    put: {
      ...{ ...keys.listener(room, kind, wait ?? 0, user), v: SCHEMA_VERSION },
      ...{ from, join: joinNumber(version) },
    },
    ...(leftover === undefined
      ? { condition: 'attribute_not_exists(pk)' }
      : { condition: '#join = :join', names: JOIN, values: { ':join': leftover } }),
  };
  return {
    begun: wait === undefined ? undefined : begun,
    ended: before === undefined ? undefined : { delete: keys.listener(room, kind, before, user) },
    counter: added === 0 ? undefined : countWrite(room, added),
  };
}

const countOf = (one: number | undefined): number => (one === undefined ? 0 : 1);

const countWrite = (room: string, by: number): Write => ({
  key: keys.counter(room),
  update:
    'SET listeners = if_not_exists(listeners, :none) + :by, listenersRev = if_not_exists(listenersRev, :none) + :one',
  condition: 'attribute_exists(pk)',
  values: { ':none': 0, ':by': by, ':one': 1 },
});

function changed(
  before: Membership,
  delivery: RoomDelivery | undefined,
  wait: number | undefined,
): Membership {
  const { delivery: _delivery, listens: _listens, ...rest } = before;
  const listens = wait === undefined ? undefined : { MESSAGE: wait };
  return { ...rest, ...defined({ delivery, listens }), version: before.version + 1 };
}

/** How many members listen, by the room's counter. */
export const listenersIn = (counter: Item): number => Number(counter.listeners ?? 0);

/** In the order of their keys: those who wait for the shortest time first. */
export const listenersOf = (items: readonly Item[]) =>
  items.flatMap((item): Array<Listener & { readonly wait: number }> => {
    const key = parseKey(keyOf(item));
    return key.type === 'listener' ? [{ user: key.user, wait: key.wait, from: Number(item.from) }] : [];
  });

/** Those who wait for this long or longer. */
export const listenersFrom = (room: string, kind: ListenedKind, wait: number) => ({
  ...ranges.listeners(room, kind),
  from: ranges.listenersWaiting(room, kind, wait).from,
});
