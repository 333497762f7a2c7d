import { defined } from '../core/defined.ts';
import { DELIVERY_WINDOWS, type DeliveryWindows } from '../core/deliveryKinds.ts';
import { createTimestamps, type Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { createSystemSecret } from '../dynamo/systemSecret.ts';
import type { Feature } from '../feature.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { createArming } from './arm.ts';
import { type Channels, NO_CHANNELS } from './channels/channels.ts';
import { createAddresses } from './channels/email/addresses.ts';
import { createEmail } from './channels/email/email.ts';
import { createUnsubscribing } from './channels/email/unsubscribing.ts';
import { createSends, type SendsOptions } from './channels/sends.ts';
import { createWebhooks } from './channels/webhooks/webhooks.ts';
import { createRevocationHandler } from './channels/webPush/handlers.ts';
import { createPushLimit } from './channels/webPush/pushLimit.ts';
import { createPushSubscriptions } from './channels/webPush/pushSubscriptions.ts';
import { createWebPush } from './channels/webPush/webPush.ts';
import { createDeciding, type DecidingOptions } from './decide.ts';
import { createDeliveries } from './deliveries.ts';
import { createDescribe } from './describe.ts';
import { createGatheringHandler, createSettingsHandler } from './handlers.ts';
import { createRelease } from './hold.ts';
import { createRemaining } from './remaining.ts';
import { listenersCounter } from './rooms/counters.ts';
import { hasNews } from './rooms/handlers.ts';
import { createRoomNewsParts } from './rooms/parts.ts';
import { createDeliverySettings } from './settings/deliverySettings.ts';

export interface DeliveryOptions {
  readonly dynamo: Dynamo;
  /** Absent: nothing is sent. */
  readonly channels?: Channels;
  /** The origin of links to the web client. Absent: they have none. */
  readonly publicUrl?: () => string;
  /** Default: `DELIVERY_WINDOWS`. */
  readonly deliveryWindows?: DeliveryWindows;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface DerivingOptions extends DeliveryOptions {
  readonly jobs: Jobs;
  readonly onDecision?: DecidingOptions['onDecision'];
  readonly onSendEnd?: SendsOptions['onEnd'];
}

function createParts(options: Omit<DerivingOptions, 'jobs'>) {
  const { dynamo, channels = NO_CHANNELS, publicUrl = () => '', now, onSendEnd } = options;
  const { deliveryWindows: windows = DELIVERY_WINDOWS } = options;
  const { webPush, webhooks, mail } = channels;
  const readRemaining = createRemaining({ dynamo });
  const describe = createDescribe({ dynamo, readRemaining, publicUrl, now });
  const pushSubscriptions = createPushSubscriptions({ dynamo, now });
  const deliverySettings = createDeliverySettings({ dynamo, windows, now });
  const addresses = createAddresses(deliverySettings);
  const unsubscribing = createUnsubscribing({ secret: createSystemSecret(dynamo, 'unsubscribe'), addresses });
  const emails = { settings: deliverySettings, addresses, unsubscribing, publicUrl, now };
  const pushes = { subscriptions: pushSubscriptions, turns: createPushLimit({ dynamo }), now };
  const sends = createSends({
    dynamo,
    describe,
    now,
    channels: [
      ...(webPush === undefined ? [] : [createWebPush({ ...webPush, ...pushes })]),
      ...(webhooks === undefined ? [] : [createWebhooks({ ...webhooks, dynamo, now })]),
      ...(mail === undefined ? [] : [createEmail({ ...mail, ...emails })]),
    ],
    ...defined({ onEnd: onSendEnd }),
  });
  const services = { pushSubscriptions, deliverySettings, addresses, unsubscribing };
  return { ...sends, windows, readRemaining, describe, services };
}

export function createDeliveryServices(
  options: DeliveryOptions & { readonly channels: Channels; readonly timestamps: Timestamps },
) {
  const { dynamo, channels, timestamps, now } = options;
  const { sends, endpointsBy, describe, services } = createParts(options);
  return {
    channels,
    ...services,
    describeDelivery: describe,
    deliveries: createDeliveries({ dynamo, timestamps, sends, endpointsBy, now }),
  };
}

export const deliveryFeature: Feature<DerivingOptions> = {
  counters: [listenersCounter],
  followsCounter: hasNews,
  derive(options) {
    const { dynamo, jobs, now, onDecision } = options;
    const { sends, timerKind, windows, readRemaining, services } = createParts(options);
    const arm = createArming({ dynamo, windows, now });
    const timestamps = createTimestamps(now);
    const roomNews = createRoomNewsParts({ dynamo, sends, arm, windows, jobs, now });
    return {
      handlers: [
        createGatheringHandler({ sends, arm }),
        ...roomNews.handlers,
        createSettingsHandler({ release: createRelease({ dynamo, windows, now }) }),
        createRevocationHandler(services.pushSubscriptions),
      ],
      timerKinds: [
        ...createDeciding({ dynamo, timestamps, sends, arm, readRemaining, windows, now, onDecision }),
        timerKind,
        roomNews.timerKind,
      ],
      jobKinds: [roomNews.jobKind],
    };
  },
};
