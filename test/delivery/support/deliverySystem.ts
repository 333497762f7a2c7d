import { onTestFinished } from 'vitest';
import { createDerivations } from '../../../src/app/features.ts';
import { createMemoryBus } from '../../../src/bus/memory.ts';
import { createPublisher } from '../../../src/bus/publisher.ts';
import { defined } from '../../../src/core/defined.ts';
import { DELIVERY_KINDS, DELIVERY_WINDOWS, type DeliveryWindows } from '../../../src/core/deliveryKinds.ts';
import { newId } from '../../../src/core/ids.ts';
import type { MailConfig } from '../../../src/core/mailConfig.ts';
import { createTimestamps } from '../../../src/core/timestamps.ts';
import { newVapidKey } from '../../../src/core/vapidKeys.ts';
import type { WebhookConfig } from '../../../src/core/webhookConfig.ts';
import { createArming } from '../../../src/delivery/arm.ts';
import { createAddresses } from '../../../src/delivery/channels/email/addresses.ts';
import { createEmail } from '../../../src/delivery/channels/email/email.ts';
import { createUnsubscribing } from '../../../src/delivery/channels/email/unsubscribing.ts';
import { createSends } from '../../../src/delivery/channels/sends.ts';
import { createWebhooks } from '../../../src/delivery/channels/webhooks/webhooks.ts';
import { createPushLimit } from '../../../src/delivery/channels/webPush/pushLimit.ts';
import { createPushSubscriptions } from '../../../src/delivery/channels/webPush/pushSubscriptions.ts';
import { createVapid } from '../../../src/delivery/channels/webPush/vapid.ts';
import { createWebPush } from '../../../src/delivery/channels/webPush/webPush.ts';
import { createDeciding, type Decision } from '../../../src/delivery/decide.ts';
import { type Delivery, deliveryOf, type Endpoint, type Sends } from '../../../src/delivery/delivery.ts';
import { createDescribe } from '../../../src/delivery/describe.ts';
import { createGatheringHandler, createSettingsHandler } from '../../../src/delivery/handlers.ts';
import { createRelease } from '../../../src/delivery/hold.ts';
import { createRemaining } from '../../../src/delivery/remaining.ts';
import { createRoomNewsParts } from '../../../src/delivery/rooms/parts.ts';
import { createDeliverySettings } from '../../../src/delivery/settings/deliverySettings.ts';
import { createDynamo, type Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys, ranges } from '../../../src/dynamo/keys.ts';
import type { Cost } from '../../../src/dynamo/metering.ts';
import { createSystemSecret } from '../../../src/dynamo/systemSecret.ts';
import type { Language } from '../../../src/i18n/language.ts';
import { SYSTEM_TIMERS } from '../../../src/jobs/job.ts';
import { createJobs } from '../../../src/jobs/jobs.ts';
import { createNotificationReading } from '../../../src/notifications/read/markRead.ts';
import { createDispatcher } from '../../../src/stream/dispatcher.ts';
import { createTimerRunner } from '../../../src/timers/runner.ts';
import type { Timer, TimerKind } from '../../../src/timers/timer.ts';
import { silent } from '../../stream/support/stream.ts';
import { openTestDynamo, testTimeouts } from '../../support/database/dynamo.ts';
import { itemsIn } from '../../support/database/table.ts';
import { startTestApp } from '../../support/servers/app.ts';
import { followStream } from '../../support/stream/stream.ts';
import { createTestClock, hastyClock } from '../../support/time/clock.ts';
import { openTimers } from '../../timers/support/timers.ts';
import type { PushService } from './pushService.ts';

const privateKey = newVapidKey().toString('base64url');
const vapid = createVapid(async () => ({ privateKey, subject: 'mailto:a@example.com' }), Date.now);
const RETENTION = 30 * 24 * 3600;
const OWN_HANDLERS = ['gathering', 'deliverySettings', 'roomNews', 'listeners'];
/** Later than every timer that a test waits for. */
const NEVER = 10 ** 15;

export interface DeliverySystemOptions {
  readonly windows?: Partial<DeliveryWindows>;
  /** Whether everyone has an endpoint. Otherwise only those who were made reachable are looked at. */
  readonly everyone?: boolean;
  readonly onCost?: (cost: Cost) => void;
  /** The push service of everyone's browsers. Without it a send is an item, and each person has one endpoint. */
  readonly service?: PushService;
  /** The mail server of digests. With it, a send is one to this server or to the push service. */
  readonly mail?: MailConfig;
  /** On this machine. Only with a push service. */
  readonly webhooks?: readonly WebhookConfig[];
  /** Wraps the database that decisions use, for faults. */
  readonly through?: (dynamo: Dynamo) => Dynamo;
}

export interface Person {
  readonly id: string;
  readonly handle: string;
}

export type DeliverySystem = Awaited<ReturnType<typeof openDeliverySystem>>;

/** Writes one item for each send. */
const sendsTo = (everyone: boolean, endpoints: readonly Endpoint[]): Sends => ({
  kindsForEveryone: async () => new Set(everyone ? DELIVERY_KINDS : []),
  sendsDigests: false,
  endpointsOf: async () => endpoints,
  writesFor: ({ user, id }, to) =>
    to.map((endpoint) => ({ put: { ...keys.timer(NEVER, `send:${user}:${id}:${endpoint.id}`) } })),
});

/**
 * The product on a real database, with a clock that the test moves. The test decides when the stream is read. What is
 * sent is an item for each endpoint.
 */
export async function openDeliverySystem(options: DeliverySystemOptions = {}) {
  const { everyone = true, onCost, service, mail, webhooks = [], through = (same) => same } = options;
  const windows: DeliveryWindows = { ...DELIVERY_WINDOWS, ...options.windows };
  const database = await openTestDynamo({ file: true });
  const clock = createTestClock();
  const start = Date.now();
  const now = () => start + clock.now();
  const app = await startTestApp({ database, role: 'api', now });
  const { services, dynamo } = app;
  const bus = createMemoryBus({ log: silent });
  const publisher = createPublisher({ bus, log: silent });
  const derived = through(
    createDynamo({
      transport: database.transport,
      table: database.table,
      timeouts: testTimeouts,
      ...defined({ onCost }),
    }),
  );
  const timestamps = createTimestamps(now);
  const readRemaining = createRemaining({ dynamo: derived });
  const describe = createDescribe({
    dynamo: derived,
    readRemaining,
    publicUrl: () => 'https://chat.test',
    now,
  });
  const isReal = service !== undefined || mail !== undefined;
  const subscriptions = createPushSubscriptions({ dynamo, now });
  const origins = service === undefined ? [] : [service.origin];
  const settings = createDeliverySettings({ dynamo: derived, windows, now });
  const addresses = createAddresses(settings);
  const secret = createSystemSecret(dynamo, 'unsubscribe');
  const unsubscribing = createUnsubscribing({ secret, addresses });
  const publicUrl = () => 'https://chat.test';
  const emails = { settings, addresses, unsubscribing, publicUrl, now, clock, log: silent };
  const pushes = createSends({
    channels: [
      createWebPush({
        vapid,
        origins,
        log: silent,
        subscriptions,
        turns: createPushLimit({ dynamo: derived }),
        now,
        clock,
      }),
      createWebhooks({
        dynamo: derived,
        webhooks,
        webhookPrivateHosts: ['127.0.0.1'],
        log: silent,
        now,
        clock,
      }),
      ...(mail === undefined ? [] : [createEmail({ ...mail, ...emails })]),
    ],
    dynamo: derived,
    describe,
    now,
  });
  const sends = isReal
    ? pushes.sends
    : sendsTo(everyone, [{ channel: 'WEBHOOK', id: 'hook', origin: 'https://example.com' }]);
  const arm = createArming({ dynamo: derived, windows, now });
  const { handlers, timerKinds } = createDerivations({
    dynamo: derived,
    publisher,
    retention: RETENTION,
    now,
  });
  const jobs = createJobs({ dynamo: derived, now });
  const roomNews = createRoomNewsParts({ dynamo: derived, sends, arm, windows, jobs, now });
  const failed: unknown[] = [];
  const dispatcher = createDispatcher({
    // The product's own ones send nothing here, and have other windows.
    handlers: [
      ...handlers.filter(({ name }) => !OWN_HANDLERS.includes(name)),
      createGatheringHandler({ sends, arm }),
      ...roomNews.handlers,
      createSettingsHandler({ release: createRelease({ dynamo: derived, windows, now }) }),
    ],
    clock: hastyClock,
    log: silent,
    deadLetter: async (_change, _handler, error) => {
      failed.push(error);
    },
  });
  const decisions: Decision[] = [];
  const [deciding, ...digests] = createDeciding({
    dynamo: derived,
    timestamps,
    sends,
    arm,
    readRemaining,
    windows,
    now,
    onDecision: (decision) => decisions.push(decision),
  });
  const jobRunners = timerKinds.filter(({ name }) => name === SYSTEM_TIMERS);
  const kinds = [
    deciding,
    ...digests,
    roomNews.timerKind,
    ...jobRunners,
    ...(isReal ? [pushes.timerKind] : []),
  ] as TimerKind[];
  const isOwn = ({ kind }: { readonly kind: string }) => kinds.some(({ name }) => name === kind);
  const runner = createTimerRunner({
    dynamo,
    log: silent,
    now,
    clock,
    kinds,
    onOutcome: (outcome, timer) => outcome !== 'handled' && failed.push([outcome, timer.failures?.error]),
  });
  const readStream = await followStream(database);
  onTestFinished(async () => {
    await runner.pause();
    await publisher.stop();
    await bus.close();
    await app.stop();
    await database.stop();
  });

  async function consume(): Promise<void> {
    for (let changes = await readStream(); changes.length > 0; changes = await readStream()) {
      await dispatcher.dispatch(changes);
    }
    if (failed.length > 0) throw new AggregateError(failed.splice(0), 'Something could not be handled.');
  }

  /** Handles what the stream has now. What follows from it is still in the stream. */
  const derive = async (): Promise<void> => dispatcher.dispatch(await readStream());

  const dueNow = async () => (await openTimers(dynamo)).filter((timer) => isOwn(timer) && timer.due <= now());

  async function create(name: string): Promise<Person> {
    const handle = `${name.toLowerCase()}_${newId().slice(0, 8)}`;
    const id = await services.users.ensure({ sub: handle, handle, name });
    if (service !== undefined) await browser({ id });
    return { id, handle };
  }

  /** One more browser of a person, at the push service. */
  async function browser({ id }: Pick<Person, 'id'>): Promise<void> {
    if (service === undefined) throw new Error('There is no push service.');
    const key = await vapid.publicKey();
    await subscriptions.register(id, { ...service.subscribe(), key, label: 'A phone', token: {} });
  }

  async function deliveriesOf({ id: user }: Person): Promise<Delivery[]> {
    const items = await itemsIn(dynamo, ranges.deliveries(user));
    return items.map((item) => deliveryOf(user, String(item.sk).slice(9), item));
  }

  return {
    services,
    dynamo,
    derived,
    database,
    dispatcher,
    deciding,
    roomNews,
    arm,
    describe,
    consume,
    derive,
    create,
    browser,
    now,
    deliveriesOf,
    windows,
    decisions,
    settings,
    unsubscribing,
    reading: createNotificationReading({ dynamo, timestamps, retention: RETENTION, now }),

    /** Creates a private room with these members, the first of them its owner. */
    async room(name: string, owner: Person, ...members: readonly Person[]): Promise<string> {
      const { id } = await services.rooms.create(owner.id, {
        name,
        topic: null,
        visibility: 'PUBLIC',
        capacity: null,
      });
      for (const member of members) await services.rooms.join(member.id, id);
      return id;
    },

    /** Derives everything, then moves the clock and handles each timer at its time. */
    async pass(seconds: number): Promise<void> {
      const until = now() + seconds * 1_000;
      for (;;) {
        await consume();
        const [next] = (await openTimers(dynamo)).filter((timer) => isOwn(timer) && timer.due <= until);
        if (next === undefined) break;
        if (next.due > now()) clock.advance(next.due - now());
        while ((await dueNow()).length > 0) {
          await runner.look();
          await runner.pause();
          if (failed.length > 0) break;
        }
      }
      clock.advance(until - now());
    },

    /** Moves the clock alone, as if no worker were running. */
    stall: (seconds: number) => clock.advance(seconds * 1_000),

    openTimers: async () => (await openTimers(dynamo)).filter(isOwn),

    /** Does what a timer is for. The timer stays. */
    async handle(timer: Timer): Promise<void> {
      await kinds.find(({ name }) => name === timer.kind)?.handle(timer);
    },

    /** `kinds: text` of each delivery that was sent, as it would be worded now, or the outcome of the others. */
    async summaries(person: Person, language?: Language): Promise<string[]> {
      const deliveries = await deliveriesOf(person);
      return Promise.all(
        deliveries.map(async (one) => {
          const choice = language === undefined ? {} : { language };
          const { words } = one.outcome === 'PENDING' ? await describe(one, choice) : { words: null };
          return words === null ? `${one.kinds}: ${one.outcome}` : `${words.title}: ${words.text}`;
        }),
      );
    },
  };
}
