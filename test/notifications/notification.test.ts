import { expect, test } from 'vitest';
import { toTimestamp } from '../../src/core/timestamps.ts';
import {
  applyReadAll,
  isExpired,
  NAMED_MAX,
  type Notification,
  notificationItem,
  notificationOf,
  withReadAt,
} from '../../src/notifications/notification.ts';
import { badgeOf } from '../../src/unread/badge/badge.ts';

const at = toTimestamp(1_700_000_000_000_000);
const unread: Notification = {
  user: 'u'.repeat(26),
  id: 'n'.repeat(16),
  kind: 'LIKE',
  room: 'r'.repeat(16),
  threadTs: at,
  ts: at,
  count: 10_000,
  epoch: 1,
  updatedAt: at,
  version: 12_345,
  variants: [],
  latest: at,
  readAt: null,
  expiresAt: null,
  actors: Array.from({ length: NAMED_MAX }, (_, i) => ({ user: String(i).repeat(26), at })),
};
const DAY = 86_400;

test('notificationOf: returns what notificationItem stored, unread and read', () => {
  for (const one of [unread, { ...unread, latest: null }, withReadAt(unread, at, DAY)]) {
    expect(notificationOf(one.user, one.id, notificationItem(one))).toEqual(one);
  }
});

test('notificationItem: indexes unread and read ones apart, by the last activity', () => {
  const { user, id } = unread;
  expect(notificationItem(unread)).toMatchObject({ gsi1pk: `USER#${user}#UNREAD`, gsi1sk: `${at}#${id}` });
  expect(notificationItem(withReadAt(unread, at, DAY))).toMatchObject({ gsi1pk: `USER#${user}#READ` });
});

test('applyReadAll: a notification is read if all were read after it was created', () => {
  const badge = { ...badgeOf(undefined), epoch: 2, readAllAt: toTimestamp(1_700_000_005_000_000) };
  expect(applyReadAll(unread, { ...badge, epoch: 1 }, DAY)).toBe(unread);
  expect(applyReadAll(unread, badge, DAY)).toEqual({
    ...unread,
    readAt: badge.readAllAt,
    expiresAt: 1_700_000_005 + DAY,
  });
});

test('isExpired: is true after the retention, and never for an unread notification', () => {
  const read = withReadAt(unread, at, DAY);
  expect(isExpired(read, 1_700_000_000 + DAY - 1)).toBe(false);
  expect(isExpired(read, 1_700_000_000 + DAY)).toBe(true);
  expect(isExpired(unread, Number.MAX_SAFE_INTEGER)).toBe(false);
});

test('notificationItem: fits into one write unit with any number of actors', () => {
  // As DynamoDB counts: names and values, one byte for each value in a list or map, three for the list or map.
  const size = (value: unknown): number => {
    if (typeof value === 'string') return value.length;
    if (typeof value === 'number') return 1 + Math.ceil(String(value).length / 2);
    if (Array.isArray(value)) return 3 + value.reduce((sum: number, one) => sum + 1 + size(one), 0);
    return 3 + Object.entries(value ?? {}).reduce((sum, [name, one]) => sum + name.length + 1 + size(one), 0);
  };
  expect(size(notificationItem(withReadAt(unread, at, DAY)))).toBeLessThan(1_024);
});
