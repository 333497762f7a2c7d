import { describe, expect, it } from 'vitest';
import type { OwnRoom } from '../../../web/src/rooms/list.ts';
import { sectionsOf } from '../../../web/src/rooms/sections.ts';

const room = (name: string, more: Partial<OwnRoom> & { readonly isDirect?: true } = {}): OwnRoom => {
  const { isDirect, ...own } = more;
  const visibility = isDirect ? 'DIRECT' : 'PUBLIC';
  return {
    id: name,
    role: 'MEMBER',
    muted: false,
    delivery: 'DEFAULT',
    section: null,
    starred: false,
    room: {
      id: name,
      name,
      topic: null,
      visibility,
      capacity: null,
      memberCount: 1,
      people: null,
      viewerMembership: { id: name },
    },
    ...own,
  };
};

const shown = (rooms: readonly OwnRoom[], unread: readonly string[] = []) =>
  sectionsOf(rooms, {
    isFirst: ({ id }) => unread.includes(id),
    compare: (one, other) => one.room.name.localeCompare(other.room.name),
    compareNames: (one, other) => one.localeCompare(other),
  }).map(({ kind, name, rooms: own }) => [name || kind, own.map(({ id }) => id).join(' ')]);

describe('web, sections', () => {
  it('has rooms and direct rooms, also if there are none', () => {
    expect(shown([])).toEqual([
      ['rooms', ''],
      ['direct', ''],
    ]);
  });

  it('puts each room in one section: starred first, then the own ones by name', () => {
    const rooms = [
      room('d'),
      room('c', { section: 'Work' }),
      room('b', { isDirect: true }),
      room('a', { section: 'Home', isDirect: true }),
      room('e', { section: 'Work', starred: true }),
      room('f', { starred: true, isDirect: true }),
    ];
    expect(shown(rooms)).toEqual([
      ['starred', 'e f'],
      ['Home', 'a'],
      ['Work', 'c'],
      ['rooms', 'd'],
      ['direct', 'b'],
    ]);
  });

  it('has unread rooms first in each section', () => {
    const rooms = [
      room('a'),
      room('b'),
      room('c'),
      room('x', { starred: true }),
      room('y', { starred: true }),
    ];
    expect(shown(rooms, ['c', 'y'])).toEqual([
      ['starred', 'y x'],
      ['rooms', 'c a b'],
      ['direct', ''],
    ]);
  });
});
