import { DELIVERY_WINDOWS, type DeliveryWindows } from '../core/deliveryKinds.ts';
import { createTimestamps, type Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Feature } from '../feature.ts';
import { createArming } from './arm.ts';
import { type Channels, NO_CHANNELS } from './channels/channels.ts';
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
import { createRoomNewsHandler } from './rooms/handlers.ts';

export interface DeliveryOptions {
  readonly dynamo: Dynamo;
  /** Absent: nothing is sent. */
  readonly channels?: Channels;
  /** The origin of links to the web client. Absent: they have none. */
  readonly publicUrl?: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface DerivingOptions extends DeliveryOptions {
  /** Default: `DELIVERY_WINDOWS`. */
  readonly deliveryWindows?: DeliveryWindows;
  readonly onDecision?: DecidingOptions['onDecision'];
  readonly onSendEnd?: SendsOptions['onEnd'];
}

function createParts(options: DerivingOptions) {
  const { dynamo, channels = NO_CHANNELS, publicUrl = () => '', now, onSendEnd } = options;
  const { vapid, pushOrigins: origins, webhooks } = channels;
  const readRemaining = createRemaining({ dynamo });
  const describe = createDescribe({ dynamo, readRemaining, publicUrl, now });
  const pushSubscriptions = createPushSubscriptions({ dynamo, now });
  const sends = createSends({
    ...{ dynamo, describe, now },
    channels: [
      ...(vapid === undefined
        ? []
        : [
            createWebPush({
              vapid,
              origins,
              subscriptions: pushSubscriptions,
              turns: createPushLimit({ dynamo }),
              now,
            }),
          ]),
      ...(webhooks === undefined ? [] : [createWebhooks({ ...webhooks, dynamo, now })]),
    ],
    ...(onSendEnd === undefined ? {} : { onEnd: onSendEnd }),
  });
  return { ...sends, readRemaining, describe, pushSubscriptions };
}

export function createDeliveryServices(
  options: DeliveryOptions & { readonly channels: Channels; readonly timestamps: Timestamps },
) {
  const { dynamo, channels, timestamps, now } = options;
  const { sends, endpointsBy, describe, pushSubscriptions } = createParts(options);
  return {
    channels,
    pushSubscriptions,
    describeDelivery: describe,
    deliveries: createDeliveries({ dynamo, timestamps, sends, endpointsBy, now }),
  };
}

export const deliveryFeature: Feature<DerivingOptions> = {
  derive(options) {
    const { dynamo, now, deliveryWindows: windows = DELIVERY_WINDOWS, onDecision } = options;
    const { sends, timerKind, readRemaining, pushSubscriptions } = createParts(options);
    const arm = createArming({ dynamo, windows, now });
    const timestamps = createTimestamps(now);
    return {
      handlers: [
        createGatheringHandler({ sends, arm }),
        createRoomNewsHandler({ dynamo, sends, arm }),
        createSettingsHandler({ release: createRelease({ dynamo, now }) }),
        createRevocationHandler(pushSubscriptions),
      ],
      timerKinds: [
        createDeciding({ dynamo, timestamps, sends, arm, readRemaining, now, onDecision }),
        timerKind,
      ],
    };
  },
};
