/** A process that sends, on a clock that tests move, and deliveries to send. */
import { defined } from '../../../src/core/defined.ts';
import { DELIVERY_WINDOWS, type DeliveryKind } from '../../../src/core/deliveryKinds.ts';
import { newId } from '../../../src/core/ids.ts';
import type { OutageLog } from '../../../src/core/log.ts';
import type { MailConfig } from '../../../src/core/mailConfig.ts';
import { createTimestamps } from '../../../src/core/timestamps.ts';
import { newVapidKey } from '../../../src/core/vapidKeys.ts';
import { createAddresses } from '../../../src/delivery/channels/email/addresses.ts';
import { createEmail } from '../../../src/delivery/channels/email/email.ts';
import { createSends } from '../../../src/delivery/channels/sends.ts';
import { createWebhooks, type WebhooksOptions } from '../../../src/delivery/channels/webhooks/webhooks.ts';
import { createPushLimit } from '../../../src/delivery/channels/webPush/pushLimit.ts';
import { createPushSubscriptions } from '../../../src/delivery/channels/webPush/pushSubscriptions.ts';
import { createVapid } from '../../../src/delivery/channels/webPush/vapid.ts';
import { createWebPush } from '../../../src/delivery/channels/webPush/webPush.ts';
import {
  DELIVERY_CHANNELS,
  type Delivery,
  type DeliveryChannel,
  type Described,
  deliveryItem,
  deliveryOf,
  type Endpoint,
} from '../../../src/delivery/delivery.ts';
import { createDeliverySettings } from '../../../src/delivery/settings/deliverySettings.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import type { ItemLoader } from '../../../src/dynamo/itemLoader.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { silent } from '../../stream/support/stream.ts';
import { createTestClock } from '../../support/time/clock.ts';
import { createRunner, openTimers } from '../../timers/support/timers.ts';
import type { PushService } from './pushService.ts';

const privateKey = newVapidKey().toString('base64url');
const timestamps = createTimestamps();

export interface SenderOptions {
  readonly services?: readonly PushService[];
  /** The mail server of digests. */
  readonly mail?: MailConfig;
  readonly webhooks?: WebhooksOptions['webhooks'];
  /** Default: this machine. */
  readonly webhookPrivateHosts?: readonly string[];
  readonly lookup?: NonNullable<WebhooksOptions['lookup']>;
  /** The channels that everyone left on for all kinds when it is sent. */
  readonly channelsLeft?: () => readonly DeliveryChannel[];
  readonly clock?: ReturnType<typeof createTestClock>;
  /** Default: nothing is kept of it. */
  readonly log?: OutageLog;
  readonly startAt: number;
  /** Whether anything is left to say. */
  readonly isLeft?: (delivery: Delivery) => boolean;
  /** Until when quiet hours hold it back. Default: nothing is held back. */
  readonly heldUntil?: (delivery: Delivery) => number | undefined;
  /** Called after the words were asked for. `items`: what reads for all deliveries of the attempt. */
  readonly whileWording?: (delivery: Delivery, items: ItemLoader | undefined) => Promise<unknown>;
}

/** One process. Several on one table may share a clock. */
export function createSender(dynamo: Dynamo, options: SenderOptions) {
  const { services = [], mail, clock = createTestClock(), startAt, isLeft = () => true } = options;
  const { webhooks = [], webhookPrivateHosts = ['127.0.0.1'], lookup, log = silent } = options;
  const { channelsLeft = () => DELIVERY_CHANNELS, whileWording = async () => {} } = options;
  const { heldUntil = () => undefined } = options;
  const now = () => startAt + clock.now();
  const subscriptions = createPushSubscriptions({ dynamo, now });
  const vapid = createVapid(async () => ({ privateKey, subject: 'mailto:a@example.com' }), Date.now);
  const origins = services.map(({ origin }) => origin);
  const webPush = { vapid, origins, log, subscriptions, turns: createPushLimit({ dynamo }) };
  const settings = createDeliverySettings({ dynamo, windows: DELIVERY_WINDOWS, now });
  const emails = {
    settings,
    addresses: createAddresses(settings),
    log,
    now,
    clock,
    unsubscribing: { sign: async () => 'signed' },
    publicUrl: () => 'https://chat.test',
  };
  const { sends, endpointsBy, timerKind } = createSends({
    dynamo,
    now,
    channels: [
      createWebPush({ ...webPush, now, clock }),
      createWebhooks({
        dynamo,
        webhooks,
        webhookPrivateHosts,
        log,
        now,
        clock,
        ...defined({ lookup }),
      }),
      ...(mail === undefined ? [] : [createEmail({ ...mail, ...emails })]),
    ],
    async describe(delivery, { channel, items } = {}) {
      await whileWording(delivery, items);
      if (!isLeft(delivery)) return { words: null, reason: 'NOTHING_LEFT' };
      const isOn = channel === undefined || channelsLeft().includes(channel);
      return isOn ? described(delivery, heldUntil(delivery)) : { words: null, reason: 'SWITCHED_OFF' };
    },
  });
  const runner = createRunner(dynamo, { kinds: [timerKind], startAt, clock });

  /** A user with a browser at the service. */
  async function personAt(service: PushService): Promise<string> {
    const user = newId();
    const key = await vapid.publicKey();
    await subscriptions.register(user, { ...service.subscribe(), key, label: 'A phone', token: {} });
    return user;
  }

  /** A user who gets digests. */
  async function readerAt(address: string): Promise<string> {
    const user = newId();
    await settings.change(user, { emailDigest: 'HOURLY', email: { address, tokenAt: 0 } });
    return user;
  }

  /** As the decision of a digest does it. */
  const decideDigest = async (user: string): Promise<Delivery> =>
    write(user, ['MENTION'], await endpointsBy(user, new Map([['EMAIL', new Set(['MENTION'] as const)]])));

  /** As a decision does it. Without kinds: as a test that the person asks for. */
  async function decide(user: string, kinds: readonly DeliveryKind[] = ['MENTION']): Promise<Delivery> {
    const endpoints =
      kinds.length === 0
        ? await endpointsBy(user, new Map([['WEB_PUSH', new Set()]]))
        : await sends.endpointsOf(user, new Map(kinds.map((kind) => [kind, DELIVERY_CHANNELS])));
    return write(user, kinds, endpoints);
  }

  async function write(
    user: string,
    kinds: readonly DeliveryKind[],
    endpoints: readonly Endpoint[],
  ): Promise<Delivery> {
    const delivery: Delivery = {
      user,
      id: timestamps.next(),
      kinds,
      rooms: ['r1'],
      notifications: [],
      outcome: 'PENDING',
      attempts: [],
      dueAt: now(),
      decidedAt: now(),
      version: 1,
    };
    await dynamo.transact([{ put: deliveryItem(delivery) }, ...sends.writesFor(delivery, endpoints)]);
    return delivery;
  }

  async function stored({ user, id }: Delivery): Promise<Delivery> {
    const item = await dynamo.get(keys.delivery(user, id));
    if (item === undefined) throw new Error('The delivery is missing.');
    return deliveryOf(user, id, item);
  }

  return { ...runner, now, sends, subscriptions, personAt, readerAt, decide, decideDigest, stored };
}

/** Moves to the due time of the next timer, and handles what is due then. Resolves to how long it waited. */
export async function nextSend(dynamo: Dynamo, one: ReturnType<typeof createSender>): Promise<number> {
  const { runner, clock, now, ended, outcomes } = one;
  const [first] = await openTimers(dynamo);
  if (first === undefined) throw new Error('There is no timer.');
  const waited = Math.max(0, first.due - now());
  const before = outcomes.length;
  clock.advance(waited);
  await runner.look();
  await ended(before + 1);
  await runner.pause();
  return waited;
}

const described = ({ id, user, kinds }: Delivery, until: number | undefined): Described => ({
  words: {
    title: 'A room',
    text: `About ${id}`,
    url: '/',
    handle: `handle_of_${user}`,
    kinds,
    language: 'en',
    rooms: [{ id: 'r1', name: 'A room' }],
    count: 1,
  },
  badge: 0,
  hold: until === undefined ? null : { until, outcome: 'QUIET_HOURS', spreadMs: 1 },
});
