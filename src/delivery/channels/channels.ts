import { keptSecret } from '../../core/keptSecret.ts';
import type { PushOrigin } from '../../core/pushOrigins.ts';
import { newVapidKey, VAPID_KEY_BYTES, type VapidKeys } from '../../core/vapidKeys.ts';
import { createVapid, type Vapid } from './webPush/vapid.ts';

/** What the operator has set up, the same for everything in a process. */
export interface Channels {
  /** Undefined: no Web Push. */
  readonly vapid: Vapid | undefined;
  readonly pushOrigins: readonly PushOrigin[];
}

export const NO_CHANNELS: Channels = { vapid: undefined, pushOrigins: [] };

export interface ChannelsOptions {
  readonly vapid: VapidKeys | 'development' | undefined;
  readonly pushOrigins: readonly PushOrigin[];
  readonly dataDir: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** An address of a person has no meaning in development: no push service knows it. */
const DEVELOPMENT_SUBJECT = 'mailto:development@tsudoi.example.com';

export function createChannels({ vapid, pushOrigins, dataDir, now }: ChannelsOptions): Channels {
  if (vapid === undefined) return { vapid, pushOrigins };
  const load = async (): Promise<VapidKeys> =>
    vapid === 'development'
      ? { privateKey: await developmentKey(dataDir), subject: DEVELOPMENT_SUBJECT }
      : vapid;
  return { vapid: createVapid(load, now), pushOrigins };
}

const developmentKey = async (dataDir: string): Promise<string> =>
  Buffer.from(
    await keptSecret({
      ...{ dataDir, name: 'vapid-private-key', bytes: VAPID_KEY_BYTES },
      make: newVapidKey,
    }),
  ).toString('base64url');
