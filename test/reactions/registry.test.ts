import { expect, test } from 'vitest';
import { ROOM_KINDS } from '../../src/notifications/notification.ts';
import { REACTIONS } from '../../src/reactions/registry.ts';

test('REACTIONS: each kind has its own item, and its own kind of notification', () => {
  const items = REACTIONS.map(({ itemType }) => itemType);
  expect(new Set(items).size).toBe(items.length);
  const kinds = [
    ...REACTIONS.map(({ notification }) => notification.kind),
    'REPLY',
    'MENTION',
    ...ROOM_KINDS,
  ];
  expect(new Set(kinds).size).toBe(kinds.length);
});
