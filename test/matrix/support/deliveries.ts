/** Browsers of the users, and what was delivered to them. */
import {
  listItem,
  type PushSubscription,
  subscriptionId,
} from '../../../src/delivery/channels/webPush/pushSubscription.ts';
import { deliveryItem } from '../../../src/delivery/delivery.ts';
import type { Services } from '../../../src/graphql/context.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { newBrowser } from '../../delivery/support/browser.ts';
import type { TestApp } from '../../support/servers/app.ts';
import type { Variables } from './clients.ts';
import type { RoomFixture, User } from './room.ts';

/** The two deliveries of each user: one about the room, and a test. */
const DELIVERIES = ['1795392000000001', '1795392000000002'] as const;
export const DELIVERY_ID = encodeId('Delivery', DELIVERIES[0]);

/** No server listens there. */
const endpointOf = (name: string): string => `http://127.0.0.1:9/${name}`;

const deviceOf = (user: User): PushSubscription => ({
  id: subscriptionId(endpointOf(user.id)),
  ...newBrowser(endpointOf(user.id)),
  label: 'A laptop',
  key: 'K',
  createdAt: 1_795_392_000_000,
  lastUsedAt: 1_795_392_000_000,
  token: {},
});

export const deviceId = (user: User): string =>
  encodeId('PushSubscription', subscriptionId(endpointOf(user.id)));

/** Gives each user a browser and two deliveries. */
export async function addDeliveries({ dynamo }: TestApp, { room, users }: RoomFixture): Promise<void> {
  const at = Date.now();
  for (const user of Object.values(users)) {
    await dynamo.put(listItem(user.id, { all: [deviceOf(user)], version: 1 }));
    for (const [i, id] of DELIVERIES.entries()) {
      await dynamo.put(
        deliveryItem({
          user: user.id,
          id,
          rooms: [room],
          notifications: [],
          outcome: 'SENT',
          version: 1,
          kinds: i === 0 ? ['MENTION'] : [],
          attempts: [{ channel: 'WEB_PUSH', outcome: 'SENT', at }],
          dueAt: at,
          decidedAt: at,
        }),
      );
    }
  }
}

interface DeviceContext {
  readonly services: Pick<Services, 'pushSubscriptions'>;
  readonly user: User;
}

/** A user's browser may have been removed by the case before. */
export async function newDevice({ services, user }: DeviceContext): Promise<Variables> {
  const { endpoint, p256dh, auth, label, key } = deviceOf(user);
  await services.pushSubscriptions.removeWhere(user.id, () => true);
  await services.pushSubscriptions.register(user.id, { endpoint, p256dh, auth, label, key, token: {} });
  return { device: deviceId(user) };
}

/** The browser of the case moves from one user to the next: its keys are always the same. */
export function newDeviceInput(): string {
  const { endpoint, p256dh, auth } = newBrowser(endpointOf('shared'));
  return `endpoint: "${endpoint}", p256dh: "${p256dh}", auth: "${auth}"`;
}
