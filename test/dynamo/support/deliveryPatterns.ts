/** The access patterns of deliveries, by the names of the rows in docs/data-model.md. */
import { toTimestamp } from '../../../src/core/timestamps.ts';
import { deliveryItem } from '../../../src/delivery/delivery.ts';
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import { newBrowser } from '../../delivery/support/browser.ts';
import { ChooseDigest, EmailSettings } from '../../delivery/support/emailOperations.ts';
import {
  Deliveries,
  PushSubscriptions,
  RegisterPush,
  RemovePush,
  TestDelivery,
} from '../../delivery/support/pushOperations.ts';
import { bearer, newSubject } from '../../revocations/support/sessions.ts';
import { createClient, type TestClient } from '../../support/clients/client.ts';
import { globalId } from '../../support/clients/people.ts';
import { onDynamoDbLocal } from '../../support/database/dynamo.ts';
import type { CostFixture } from './costFixture.ts';
import { CostDirect, CostRoomDelivery, CostSend } from './costOperations.ts';
import { consumed, type Pattern } from './pattern.ts';
import { endSends, sendPatterns } from './sendPatterns.ts';

/** No server listens there. */
const browser = newBrowser('http://127.0.0.1:9/chi');
let device = '';

async function register({ chi }: CostFixture): Promise<void> {
  const { registerPushSubscription } = await chi.do(RegisterPush, { input: browser });
  device = registerPushSubscription.pushSubscription.id;
}

/** Ends in the past, so that they are not in the way of what is decided now. */
async function deliverToDan({ app, dan, size }: CostFixture): Promise<void> {
  const now = Date.now();
  const count = Math.min(size, 1_000);
  const items = Array.from({ length: count }, (_, i) =>
    deliveryItem({
      user: dan.id,
      id: toTimestamp((now - i * 1_000) * 1_000),
      kinds: ['LIKE'],
      rooms: [],
      notifications: [],
      outcome: 'SENT',
      attempts: [],
      dueAt: now,
      decidedAt: now,
      version: 1,
    }),
  );
  await bulkWrite({ dynamo: app.dynamo, items, by: onDynamoDbLocal ? 'batches' : 'transactions' });
}

/** Elif, with an address. Her first request has read what her token says. */
let elif: TestClient;

async function signInWithAddress({ app }: CostFixture): Promise<void> {
  const claims = { email: 'elif@example.org', email_verified: true };
  elif = createClient(app.url, (await bearer(newSubject(), claims)).slice('Bearer '.length));
  await elif.do(EmailSettings);
}

const listenTo = ({ dan, roomId }: CostFixture, delivery: 'ALL' | 'DEFAULT') =>
  dan.do(CostRoomDelivery, { roomId, delivery });

/** Dan listens to the room's messages, and ceases to. */
const roomNewsPatterns: readonly Pattern[] = [
  { name: '`setRoomDelivery`, all messages', run: (fixture) => listenTo(fixture, 'ALL') },
  consumed('consumer: a new root in a room with a listener, the first that waits', ({ aki, roomId }) =>
    aki.do(CostSend, { input: { roomId, body: 'Hello.' } }),
  ),
  consumed('consumer: one more root there', ({ aki, roomId }) =>
    aki.do(CostSend, { input: { roomId, body: 'Hello.' } }),
  ),
  consumed('consumer: a new root in a direct room of 2 people, who cannot be reached', async (fixture) => {
    const { aki, dan, consume } = fixture;
    const { openDirectRoom } = await aki.do(CostDirect, { userIds: [globalId(dan)] });
    const input = { roomId: openDirectRoom.room.id, body: 'Hello.' };
    await aki.do(CostSend, { input });
    await consume();
    await aki.do(CostSend, { input });
  }),
  { name: '`setRoomDelivery`, no longer all messages', run: (fixture) => listenTo(fixture, 'DEFAULT') },
];

export const deliveryPatterns: readonly Pattern[] = [
  ...roomNewsPatterns,
  { name: '`registerPushSubscription`, the first browser', run: register },
  { name: '`Viewer.pushSubscriptions`', run: ({ chi }) => chi.do(PushSubscriptions) },
  { name: '`testDelivery`, to one browser', run: ({ chi }) => chi.do(TestDelivery, { channel: 'WEB_PUSH' }) },
  {
    name: '`removePushSubscription`, the last browser',
    run: ({ chi }) => chi.do(RemovePush, { id: device }),
  },
  {
    name: '`updateDeliverySettings`, the first digest',
    before: signInWithAddress,
    run: () => elif.do(ChooseDigest, { emailDigest: 'HOURLY' }),
  },
  { name: '`testDelivery`, by e-mail', run: () => elif.do(TestDelivery, { channel: 'EMAIL' }) },
  ...sendPatterns,
  {
    name: '`Viewer.deliveries`, a page of 10',
    async before(fixture) {
      await endSends(fixture);
      await deliverToDan(fixture);
    },
    run: ({ dan }) => dan.do(Deliveries),
  },
];
