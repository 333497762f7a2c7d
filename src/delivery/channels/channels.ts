import { keptSecret } from '../../core/keptSecret.ts';
import type { MailConfig } from '../../core/mailConfig.ts';
import type { PushOrigin } from '../../core/pushOrigins.ts';
import { newVapidKey, VAPID_KEY_BYTES, type VapidKeys } from '../../core/vapidKeys.ts';
import type { MailSettings } from './email/email.ts';
import type { WebhookSettings } from './webhooks/webhooks.ts';
import { createVapid, type Vapid } from './webPush/vapid.ts';

/** What the operator has set up, the same for everything in a process. */
export interface Channels {
  /** Undefined: no Web Push. */
  readonly vapid: Vapid | undefined;
  readonly pushOrigins: readonly PushOrigin[];
  /** Undefined: there are none. */
  readonly webhooks: WebhookSettings | undefined;
  /** Undefined: no e-mail. */
  readonly mail: MailSettings | undefined;
}

export const NO_CHANNELS: Channels = {
  vapid: undefined,
  pushOrigins: [],
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
  const { vapid, pushOrigins, webhooks: all, webhookPrivateHosts, log, dataDir, now } = options;
  const webhooks = all.length === 0 ? undefined : { webhooks: all, webhookPrivateHosts, log };
  const mail = options.mail && { ...options.mail, log };
  if (vapid === undefined) return { vapid, pushOrigins, webhooks, mail };
  const load = async (): Promise<VapidKeys> =>
    vapid === 'development'
      ? { privateKey: await developmentKey(dataDir), subject: DEVELOPMENT_SUBJECT }
      : vapid;
  return { vapid: createVapid(load, now), pushOrigins, webhooks, mail };
}

const developmentKey = async (dataDir: string): Promise<string> =>
  Buffer.from(
    await keptSecret({ dataDir, name: 'vapid-private-key', bytes: VAPID_KEY_BYTES, make: newVapidKey }),
  ).toString('base64url');
