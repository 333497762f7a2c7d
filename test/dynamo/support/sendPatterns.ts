/** What a delivery costs, from a like to a push and a webhook, by the names of the rows in docs/data-model.md. */
import { createDerivations } from '../../../src/app/features.ts';
import { createMemoryBus } from '../../../src/bus/memory.ts';
import { createPublisher } from '../../../src/bus/publisher.ts';
import { createTimestamps } from '../../../src/core/timestamps.ts';
import { newVapidKey } from '../../../src/core/vapidKeys.ts';
import { SEND_KIND } from '../../../src/delivery/channels/send.ts';
import { createSends } from '../../../src/delivery/channels/sends.ts';
import { createWebhooks, type WebhookSettings } from '../../../src/delivery/channels/webhooks/webhooks.ts';
import { createPushSubscriptions } from '../../../src/delivery/channels/webPush/pushSubscriptions.ts';
import { createVapid } from '../../../src/delivery/channels/webPush/vapid.ts';
import { type Delivery, deliveryItem, deliveryOf } from '../../../src/delivery/delivery.ts';
import { GATHERING_TIMER } from '../../../src/delivery/gathering.ts';
import { keys, ranges } from '../../../src/dynamo/keys.ts';
import type { Timer, TimerRun } from '../../../src/timers/timer.ts';
import { type PushService, startPushService } from '../../delivery/support/pushService.ts';
import { type Receiver, startReceiver } from '../../delivery/support/receiver.ts';
import { silent } from '../../stream/support/stream.ts';
import { itemsIn } from '../../support/database/table.ts';
import { openTimers } from '../../timers/support/timers.ts';
import type { CostFixture } from './costFixture.ts';
import { CostLike, CostSend } from './costOperations.ts';
import { consumed, type Pattern } from './pattern.ts';

const BATCH = 10;
const privateKey = newVapidKey().toString('base64url');
const vapid = createVapid(async () => ({ privateKey, subject: 'mailto:a@example.com' }), Date.now);

let service: PushService;
let receiver: Receiver;
let messageId = '';
let waiting: readonly Timer[] = [];

const webhooksOf = ({ config }: Receiver): WebhookSettings => ({
  webhooks: [{ ...config, kinds: ['LIKE'] }],
  webhookPrivateHosts: ['127.0.0.1'],
  log: silent,
});

/** Dan has a browser, and has written something that Ben likes now. */
async function likeOfReachable(fixture: CostFixture): Promise<void> {
  const { app, dan, ben, roomId, consume } = fixture;
  service = await startPushService();
  const subscriptions = createPushSubscriptions({ dynamo: app.dynamo, now: Date.now });
  const key = await vapid.publicKey();
  await subscriptions.register(dan.id, { ...service.subscribe(), key, label: 'A phone', token: {} });
  const { sendMessage } = await dan.do(CostSend, { input: { roomId, body: 'Hello.' } });
  messageId = sendMessage.message.id;
  await consume();
  await ben.do(CostLike, { messageId });
}

async function findTimers({ app, dan }: CostFixture, kind: string): Promise<void> {
  const all = await openTimers(app.dynamo);
  waiting = all.filter((one) => one.kind === kind && JSON.stringify(one.about).includes(dan.id));
}

/** Handles the timers together, as one process does. Beyond what every timer costs. */
async function handle({ app }: CostFixture, channels: 'push' | 'webhook'): Promise<void> {
  const bus = createMemoryBus({ log: silent });
  const publisher = createPublisher({ bus, log: silent });
  const { timerKinds } = createDerivations({
    dynamo: app.dynamo,
    publisher,
    retention: 3_600,
    now: Date.now,
    channels: {
      webPush: channels === 'push' ? { vapid, origins: [service.origin], log: silent } : undefined,
      webhooks: channels === 'webhook' ? webhooksOf(receiver) : undefined,
      mail: undefined,
    },
  });
  const [first, ...also] = waiting;
  if (first === undefined) throw new Error('There is no timer.');
  const turn: TimerRun = { shouldYield: () => false, also, add() {} };
  await timerKinds.find(({ name }) => name === first.kind)?.handle(first, turn);
  await publisher.stop();
  await bus.close();
}

/** Ten deliveries of the second that has passed, all of them about Dan's notification. */
async function decideForWebhook(fixture: CostFixture): Promise<void> {
  const { app, dan } = fixture;
  const { dynamo } = app;
  receiver = await startReceiver();
  const [item] = await itemsIn(dynamo, ranges.deliveries(dan.id));
  if (item === undefined) throw new Error('There is no delivery.');
  const timestamps = createTimestamps();
  const hooks = createWebhooks({ ...webhooksOf(receiver), dynamo, now: Date.now });
  const describe = async () => ({ words: null, reason: 'NOTHING_LEFT' }) as const;
  const { sends } = createSends({ dynamo, describe, now: Date.now, channels: [hooks] });
  const endpoints = await sends.endpointsOf(dan.id, new Map([['LIKE', ['WEBHOOK']]]));
  for (let i = 0; i < BATCH; i++) {
    const delivery: Delivery = {
      ...deliveryOf(dan.id, timestamps.next(), item),
      outcome: 'PENDING',
      attempts: [],
      version: 1,
      decidedAt: Date.now(),
    };
    await dynamo.transact([{ put: deliveryItem(delivery) }, ...sends.writesFor(delivery, endpoints)]);
  }
  await findTimers(fixture, SEND_KIND);
}

/** The next patterns are about a Dan without a browser. */
export async function endSends({ app, dan }: CostFixture): Promise<void> {
  await createPushSubscriptions({ dynamo: app.dynamo, now: Date.now }).removeWhere(dan.id, () => true);
  for (const { sk } of await itemsIn(app.dynamo, ranges.deliveries(dan.id))) {
    await app.dynamo.remove(keys.delivery(dan.id, String(sk).slice(9)));
  }
  await service.stop();
  await receiver.stop();
}

export const sendPatterns: readonly Pattern[] = [
  consumed('consumer: a like of a message by a user with a browser, the first that waits', likeOfReachable),
  consumed('consumer: one more like of it', ({ aki }) => aki.do(CostLike, { messageId })),
  {
    name: 'a delivery of two likes is decided, for one browser',
    before: (fixture) => findTimers(fixture, GATHERING_TIMER),
    run: (fixture) => handle(fixture, 'push'),
  },
  {
    name: 'a push is sent, and accepted',
    before: (fixture) => findTimers(fixture, SEND_KIND),
    run: (fixture) => handle(fixture, 'push'),
  },
  {
    name: 'ten deliveries are sent to a webhook in one request',
    before: decideForWebhook,
    run: (fixture) => handle(fixture, 'webhook'),
  },
];
