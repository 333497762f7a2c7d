import { expect, it } from 'vitest';
import { hasFallen } from '../../../web/src/delivery/hasFallen.ts';
import type { BadgeState } from '../../../web/src/unread/badge.ts';

const state = (rooms: Readonly<Record<string, number>>, notifications = 0, total = 0): BadgeState => ({
  ...{ total, notifications },
  rooms: new Map(Object.entries(rooms)),
  readTo: new Map(),
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
