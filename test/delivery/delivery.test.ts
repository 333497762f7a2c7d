import { afterAll, beforeAll, expect, test } from 'vitest';
import { DELIVERY_KINDS } from '../../src/core/deliveryKinds.ts';
import { idFrom, newId } from '../../src/core/ids.ts';
import {
  ABOUT_MAX,
  ATTEMPTS_MAX,
  DELIVERY_CHANNELS,
  DELIVERY_OUTCOMES,
  type Delivery,
  deliveryItem,
  deliveryOf,
  NOTIFICATIONS_MAX,
  reachableWrite,
} from '../../src/delivery/delivery.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { badgeChangeWrite } from '../../src/notifications/derive/store.ts';
import { badgeOf } from '../../src/unread/badge/badge.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';

let database: TestDynamo;
beforeAll(async () => {
  database = await openTestDynamo();
});
afterAll(() => database.stop());

const at = Date.UTC(2026, 10, 23);
const user = idFrom('a person');

/** As large as one can become. */
const largest: Delivery = {
  user,
  id: '1795392000000000',
  kinds: DELIVERY_KINDS,
  rooms: Array.from({ length: ABOUT_MAX }, newId),
  notifications: Array.from({ length: NOTIFICATIONS_MAX }, newId),
  outcome: 'PENDING',
  attempts: Array.from({ length: ATTEMPTS_MAX }, (_, i) => ({
    channel: DELIVERY_CHANNELS[i % DELIVERY_CHANNELS.length] ?? 'WEBHOOK',
    outcome: DELIVERY_OUTCOMES[i % DELIVERY_OUTCOMES.length] ?? 'SENT',
    at: at + i,
  })),
  dueAt: at,
  decidedAt: at + 5,
  version: 1,
};

test('a delivery is read as it was written, and the largest one is below 9 KB', async () => {
  const { dynamo } = database;
  await dynamo.put(deliveryItem(largest));
  const item = (await dynamo.get(keys.delivery(user, largest.id))) ?? {};
  expect(deliveryOf(user, largest.id, item)).toEqual(largest);
  expect(item.expiresAt).toBe(at / 1_000 + 3 * 24 * 3600);
  expect(JSON.stringify(item).length).toBeLessThan(9 * 1_024);
});

test('reachableWrite: before the first notification and after it, and the badge stays as it is', async () => {
  const { dynamo } = database;
  for (const before of [[], [badgeChangeWrite(user, 0, 3)]]) {
    if (before.length > 0) await dynamo.transact(before);
    const badge = badgeOf(await dynamo.get(keys.badge(user)));
    await dynamo.transact([reachableWrite(user, true)]);
    const item = await dynamo.get(keys.badge(user));
    expect(item).toMatchObject({ reachable: true });
    expect(badgeOf(item)).toEqual(badge);
  }
  await dynamo.transact([badgeChangeWrite(user, 0, 2)]);
  expect(await dynamo.get(keys.badge(user))).toMatchObject({ reachable: true, total: 5 });
});
