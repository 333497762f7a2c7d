import type { Item } from '../../dynamo/item.ts';
import { keyOf, parseKey, ranges } from '../../dynamo/keys.ts';
import type { Listens } from '../../rooms/room.ts';

/** What members listen to: it is delivered to those who chose it. Stored: do not rename one. */
export const LISTENED_KINDS = ['MESSAGE', 'JOIN'] as const satisfies ReadonlyArray<keyof Listens>;
export type ListenedKind = (typeof LISTENED_KINDS)[number];

/** Someone who wants to be sent all that happens of one kind in a room. */
export interface Listener {
  readonly user: string;
  /** The last position when they chose it; of joins, the last change of the room's log. */
  readonly from: number;
}

/** What a room's counter calls the number of those who listen. */
export const LISTENERS: Readonly<Record<ListenedKind, string>> = {
  MESSAGE: 'listeners',
  JOIN: 'joinListeners',
};

/** How many members listen, by the room's counter. */
export const listenersIn = (kind: ListenedKind, counter: Item): number =>
  Number(counter[LISTENERS[kind]] ?? 0);

/** Rises whenever someone starts or stops listening in the room, or changes their wait. */
export const listenersRevision = (counter: Item): number => Number(counter.listenersRev ?? 0);

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
