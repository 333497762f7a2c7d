import { defined } from '../../core/defined.ts';
import type { DeliveryWindows } from '../../core/deliveryKinds.ts';
import { notFound } from '../../core/errors.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ifConditionHolds } from '../../dynamo/errors.ts';
import type { Item } from '../../dynamo/item.ts';
import { createItemLoader, type ItemLoader } from '../../dynamo/itemLoader.ts';
import { keys } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import { ifVersion, type Write } from '../../dynamo/write.ts';
import { type Access, accessTo, memberAccess } from '../../rooms/access.ts';
import { can } from '../../rooms/policy.ts';
import {
  joinNumber,
  type Listens,
  type Membership,
  membershipOf,
  type RoomDelivery,
} from '../../rooms/room.ts';
import { type DeliverySettings, kindSetting, settingsOf } from '../settings/settings.ts';
import { LISTENED_KINDS, LISTENERS, type ListenedKind } from './listener.ts';

export interface ListenersOptions {
  readonly dynamo: Pick<Dynamo, 'get' | 'update' | 'batchGet' | 'remove' | 'optimistic' | 'tryTransact'>;
  /** The operator's default windows. A user's own settings override them. */
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

export type RoomListeners = ReturnType<typeof createRoomListeners>;

/**
 * Keeps one item in a room for each member who listens, and on the room's counter how many there are. So a message in a
 * room without listeners costs nothing, and the number of members costs nothing in any room. The membership says under
 * which key the item is, and changes in the same transaction.
 */
export function createRoomListeners({ dynamo, windows }: ListenersOptions) {
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
   * Follows the person's settings, and their role, in one of their rooms. The same cost; reads alone if nothing
   * changes. Resolves to null if they are not in it.
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
    /** The joins of earlier memberships, whose ends have not been handled yet. */
    const leftovers: { [K in ListenedKind]?: number } = {};
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
      const listens: Listens = defined({
        MESSAGE: chosen === 'ALL' ? waitOf('MESSAGE', access, settings) : undefined,
        // What is chosen of a room says nothing about it: the timer leaves it out.
        JOIN: delivery === undefined ? waitOf('JOIN', access, settings) : before.listens?.JOIN,
      });
      const moved = LISTENED_KINDS.filter((kind) => listens[kind] !== before.listens?.[kind]);
      if (moved.length === 0) {
        if (chosen === before.delivery) return { before, after: before };
        const after =
          unchanged === undefined
            ? await write(before, chosen)
            : await writeChecked(before, chosen, unchanged);
        return after === undefined ? AGAIN : { before, after };
      }
      const begun = moved.filter((kind) => listens[kind] !== undefined);
      const failed = await dynamo.tryTransact({
        membership: membershipWrite(before, chosen, listens),
        begun: await Promise.all(begun.map((kind) => begunWrite(kind, access, { listens, leftovers }))),
        ended: moved.flatMap((kind) => endedWrites(kind, before)),
        counter: countWrite(
          before.room,
          moved.map((kind) => [
            kind,
            countOf(listens[kind]) - countOf(before.listens?.[kind]) - countOf(leftovers[kind]),
          ]),
        ),
        settings: unchanged,
      });
      if (failed === undefined) return { before, after: changed(before, chosen, listens) };
      for (const [i, kind] of begun.entries()) {
        const item = failed.begun?.[i]?.item;
        if (item === undefined) delete leftovers[kind];
        else leftovers[kind] = Number(item.join);
      }
      return AGAIN;
    });
  }

  interface Begun {
    readonly listens: Listens;
    /** The join of the listener that is at the new key. */
    readonly leftovers: Listens;
  }

  /** The item at the key that the membership will name. */
  async function begunWrite(
    kind: ListenedKind,
    access: MemberAccess,
    { listens, leftovers }: Begun,
  ): Promise<Write> {
    const { user, room, version } = access.membership;
    const leftover = leftovers[kind];
    return {
      put: {
        ...keys.listener(room, kind, listens[kind] ?? 0, user),
        v: FIRST_SHAPE,
        from: await listensFrom(kind, access),
        join: joinNumber(version),
      },
      ...(leftover === undefined
        ? { condition: 'attribute_not_exists(pk)' }
        : { condition: '#join = :join', names: JOIN, values: { ':join': leftover } }),
    };
  }

  /** From where they listen: what they had not been sent when their settings changed is not lost. */
  async function listensFrom(kind: ListenedKind, { membership, counter }: MemberAccess): Promise<number> {
    const { room, user, listens } = membership;
    const last = kind === 'JOIN' ? counter.lastSequence : counter.lastPosition;
    const before = listens?.[kind];
    if (before === undefined) return last;
    const item = await dynamo.get(keys.listener(room, kind, before, user));
    return Number(item?.from ?? last);
  }

  /** Undefined: they do not listen. Direct rooms have no listeners: their messages are delivered as such. */
  function waitOf(
    kind: ListenedKind,
    { room, membership }: MemberAccess,
    settings: DeliverySettings,
  ): number | undefined {
    const { mode, delaySeconds } = kindSetting(settings, kind, windows);
    const may =
      kind === 'JOIN' ? can('receiveJoinDeliveries', room, membership) : room.visibility !== 'DIRECT';
    return may && mode === 'ON' ? delaySeconds : undefined;
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
    unchanged: Write,
  ): Promise<Membership | undefined> {
    const { listens = {} } = before;
    const membership = membershipWrite(before, delivery, listens);
    const failed = await dynamo.tryTransact({ membership, settings: unchanged });
    return failed === undefined ? changed(before, delivery, listens) : undefined;
  }

  /**
   * After a membership has ended: removes what the room has of it. Idempotent; leaves the items of a later membership
   * alone. One transaction for each kind that they listened to.
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
        counter: countWrite(room, [[kind, -1]]),
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
  listens: Listens,
): Write {
  const values = defined({ delivery, listens: someOf(listens) });
  const set = Object.keys(values).map((name) => `, ${name} = :${name}`);
  const removed = ['delivery', 'listens'].filter((name) => !(name in values));
  return {
    key: keys.membership(user, room),
    update: `SET rev = rev + :one${set.join('')}${removed.length === 0 ? '' : ` REMOVE ${removed.join(', ')}`}`,
    condition: 'rev = :rev',
    values: {
      ':one': 1,
      ':rev': version,
      ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value])),
    },
  };
}

function endedWrites(kind: ListenedKind, { user, room, listens }: Membership): Write[] {
  const wait = listens?.[kind];
  return wait === undefined ? [] : [{ delete: keys.listener(room, kind, wait, user) }];
}

const someOf = (listens: Listens): Listens | undefined =>
  Object.keys(listens).length === 0 ? undefined : listens;

const countOf = (one: number | undefined): number => (one === undefined ? 0 : 1);

/** The numbers that change, and that something has changed: also if it is only how long someone waits. */
function countWrite(room: string, changes: ReadonlyArray<readonly [kind: ListenedKind, by: number]>): Write {
  const added = changes.filter(([, by]) => by !== 0);
  const set = added.map(
    ([kind]) => `${LISTENERS[kind]} = if_not_exists(${LISTENERS[kind]}, :none) + :${kind}, `,
  );
  return {
    key: keys.counter(room),
    update: `SET ${set.join('')}listenersRev = if_not_exists(listenersRev, :none) + :one`,
    condition: 'attribute_exists(pk)',
    values: { ':none': 0, ':one': 1, ...Object.fromEntries(added.map(([kind, by]) => [`:${kind}`, by])) },
  };
}

function changed(before: Membership, delivery: RoomDelivery | undefined, listens: Listens): Membership {
  const { delivery: _delivery, listens: _listens, ...rest } = before;
  return { ...rest, ...defined({ delivery, listens: someOf(listens) }), version: before.version + 1 };
}
