import { keptSecret } from '../../core/keptSecret.ts';
import type { MailConfig } from '../../core/mailConfig.ts';
import type { PushOrigin } from '../../core/pushOrigins.ts';
import { newVapidKey, VAPID_KEY_BYTES, type VapidKeys } from '../../core/vapidKeys.ts';
import type { MailSettings } from './email/email.ts';
import type { WebhookSettings } from './webhooks/webhooks.ts';
import { createVapid } from './webPush/vapid.ts';
import type { WebPushSettings } from './webPush/webPush.ts';

/** What the operator has set up, the same for everything in a process. */
export interface Channels {
  /** Undefined: no Web Push. */
  readonly webPush: WebPushSettings | undefined;
  /** Undefined: there are none. */
  readonly webhooks: WebhookSettings | undefined;
  /** Undefined: no e-mail. */
  readonly mail: MailSettings | undefined;
}

export const NO_CHANNELS: Channels = {
  webPush: undefined,
  webhooks: undefined,
  mail: undefined,
};

export interface ChannelsOptions extends WebhookSettings {
  readonly vapid: VapidKeys | 'development' | undefined;
  readonly pushOrigins: readonly PushOrigin[];
  readonly mail: MailConfig | undefined;
  readonly dataDir: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Development needs no real contact. */
const DEVELOPMENT_SUBJECT = 'mailto:development@tsudoi.example.com';

export function createChannels(options: ChannelsOptions): Channels {
  const { vapid, pushOrigins: origins, webhooks: all, webhookPrivateHosts, log, dataDir, now } = options;
  const webhooks = all.length === 0 ? undefined : { webhooks: all, webhookPrivateHosts, log };
  const mail = options.mail && { ...options.mail, log };
  if (vapid === undefined) return { webPush: undefined, webhooks, mail };
  const load = async (): Promise<VapidKeys> =>
    vapid === 'development'
      ? { privateKey: await developmentKey(dataDir), subject: DEVELOPMENT_SUBJECT }
      : vapid;
  return { webPush: { vapid: createVapid(load, now), origins, log }, webhooks, mail };
}

const developmentKey = async (dataDir: string): Promise<string> =>
  Buffer.from(
    await keptSecret({ dataDir, name: 'vapid-private-key', bytes: VAPID_KEY_BYTES, make: newVapidKey }),
  ).toString('base64url');
