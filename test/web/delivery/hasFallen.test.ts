import { expect, it } from 'vitest';
import { hasFallen } from '../../../web/src/delivery/hasFallen.ts';
import type { BadgeState } from '../../../web/src/unread/badge.ts';

const state = (
  rooms: Readonly<Record<string, number>>,
  notifications = 0,
  total = 0,
  readTo: Readonly<Record<string, number>> = {},
): BadgeState => ({
  total,
  notifications,
  rooms: new Map(Object.entries(rooms)),
  readTo: new Map(Object.entries(readTo)),
});

it('badge: new messages, in a muted room too, are no reason to look for what was read; each lower number is', () => {
  const before = state({ Tea: 2, Muted: 5 }, 3, 5);
  expect(hasFallen(before, before)).toBe(false);
  // Muted rooms are not in the total.
  expect(hasFallen(before, state({ Tea: 2, Muted: 6 }, 3, 5))).toBe(false);
  expect(hasFallen(before, state({ Tea: 3, Muted: 5 }, 4, 7))).toBe(false);
  expect(hasFallen(before, state({ Muted: 5 }, 3, 5))).toBe(true);
  // Something new in another room hides it in the total.
  expect(hasFallen(before, state({ Tea: 1, Muted: 5, Lobby: 1 }, 3, 5))).toBe(true);
  expect(hasFallen(before, state({ Tea: 2, Muted: 0 }, 3, 5))).toBe(true);
  expect(hasFallen(before, state({ Tea: 2, Muted: 5 }, 2, 5))).toBe(true);
  expect(hasFallen(before, state({ Tea: 2, Muted: 5 }, 3, 4))).toBe(true);
  expect(hasFallen({ ...before, total: undefined }, before)).toBe(false);
});

it('badge: what came and was read before this browser received either shows in the position only', () => {
  const before = state({ Tea: 2 }, 3, 5, { Tea: 7, Garden: 4 });
  expect(hasFallen(before, state({ Tea: 2 }, 3, 5, { Tea: 7, Garden: 4 }))).toBe(false);
  expect(hasFallen(before, state({ Tea: 2 }, 3, 5, { Tea: 7, Garden: 5 }))).toBe(true);
  expect(hasFallen(before, state({ Tea: 2 }, 3, 5, { Tea: 8, Garden: 4 }))).toBe(true);
  // The first event about a room: it was read to its end, or it has a new message.
  expect(hasFallen(before, state({ Tea: 2 }, 3, 5, { Tea: 7, Garden: 4, Pond: 1 }))).toBe(true);
  expect(hasFallen(before, state({ Tea: 2, Pond: 1 }, 4, 6, { Tea: 7, Garden: 4, Pond: 1 }))).toBe(false);
});
