import type { OwnRoom } from './list.ts';

/** A part of the list of rooms. */
export interface Section {
  readonly key: string;
  /** `own`: it has the name that the viewer has given it. */
  readonly kind: 'starred' | 'own' | 'rooms' | 'direct';
  readonly name: string;
  readonly rooms: readonly OwnRoom[];
}

export interface Ordering {
  /** Whether a room is before the others of its section. */
  readonly isFirst: (room: OwnRoom) => boolean;
  /** Compares by title. */
  readonly compare: (one: OwnRoom, other: OwnRoom) => number;
  readonly compareNames: (one: string, other: string) => number;
}

/**
 * The viewer's rooms as the list shows them: starred ones, then the viewer's own sections by name, then other rooms,
 * then other direct rooms. The last two are always there. Each room is in one of them.
 */
export function sectionsOf(all: readonly OwnRoom[], { isFirst, compare, compareNames }: Ordering): Section[] {
  const rank = (room: OwnRoom) => (isFirst(room) ? 0 : 1);
  const sorted = [...all].sort((one, other) => rank(one) - rank(other) || compare(one, other));
  const starred = sorted.filter((room) => room.starred === true);
  const others = sorted.filter((room) => room.starred !== true);
  const names = [...new Set(others.flatMap(({ section }) => section ?? []))].sort(compareNames);
  const loose = others.filter(({ section }) => section === null);
  const isDirect = ({ room }: OwnRoom) => room.visibility === 'DIRECT';
  return [
    ...(starred.length > 0 ? [{ key: 'starred', kind: 'starred' as const, name: '', rooms: starred }] : []),
    ...names.map((name) => ({
      key: `own ${name}`,
      kind: 'own' as const,
      name,
      rooms: others.filter(({ section }) => section === name),
    })),
    { key: 'rooms', kind: 'rooms', name: '', rooms: loose.filter((room) => !isDirect(room)) },
    { key: 'direct', kind: 'direct', name: '', rooms: loose.filter(isDirect) },
  ];
}
