import { createECDH } from 'node:crypto';
import { encrypt } from 'http_ece';
import { type Clock, systemClock } from '../../../core/clock.ts';
import { createHealth, type Health } from '../../../core/health.ts';
import type { OutageLog } from '../../../core/log.ts';
import { type PushOrigin, pushOriginOf } from '../../../core/pushOrigins.ts';
import { createSpacedLines } from '../../../core/spacedLines.ts';
import { encodeId } from '../../../graphql/ids.ts';
import type { Channel, ChannelEndpoint, Message, SendResult, Turns } from '../channel.ts';
import { type PostResult, post, reasonOf, retryOf } from '../post.ts';
import type { PushSubscription } from './pushSubscription.ts';
import type { PushSubscriptions } from './pushSubscriptions.ts';
import type { Vapid } from './vapid.ts';

/** What the operator has set up. */
export interface WebPushSettings {
  readonly vapid: Vapid;
  readonly origins: readonly PushOrigin[];
  readonly log: OutageLog;
}

export interface WebPushOptions extends WebPushSettings {
  readonly subscriptions: Pick<PushSubscriptions, 'read' | 'removeWhere' | 'touch'>;
  /** How often each browser is sent something. */
  readonly turns: Turns;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly clock?: Clock;
}

interface PushEndpoint extends ChannelEndpoint {
  readonly user: string;
  readonly subscription: PushSubscription;
}

/** What a push service must accept is 4,096 bytes, of which the encryption takes 103. */
const PAYLOAD_MAX = 3_072;
/** At most one line in this time for each origin and status: with a wrong key, every push is refused. */
const REFUSAL_EVERY_MS = 60_000;

/**
 * Sends to browsers, by the push service that each browser chose: RFC 8030, with the payload encrypted for the browser
 * (RFC 8291, RFC 8188) and this server identified by its key (RFC 8292).
 */
export function createWebPush(options: WebPushOptions): Channel<PushEndpoint> {
  const { vapid, origins, log, subscriptions, turns, now, clock = systemClock } = options;
  /** By entry of the list: people choose the hosts below one, so there may be any number of these. */
  const healths = new Map(
    origins.map((origin): [PushOrigin, Health] => [origin, healthOf(origin, log, now)]),
  );
  /** By origin and status. */
  const refusals = createSpacedLines({ everyMs: REFUSAL_EVERY_MS, now });

  function logRefusal(origin: PushOrigin, result: PostResult): void {
    const leftOut = refusals.next(JSON.stringify([origin, reasonOf(result)]));
    if (leftOut !== undefined)
      log.warn({ origin, ...reasonOf(result), leftOut }, 'A push service refused a push');
  }

  async function sendTo({ user, origin, subscription }: PushEndpoint, message: Message): Promise<SendResult> {
    const { id, endpoint, p256dh, auth, key } = subscription;
    const body = encrypt(payloadOf(message), {
      version: 'aes128gcm',
      dh: p256dh,
      privateKey: newKey(),
      authSecret: auth,
    });
    const result = await post({
      url: endpoint,
      headers: {
        authorization: await vapid.authorization(new URL(endpoint).origin),
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        ttl: String(message.ttlSeconds),
        urgency: message.isUrgent ? 'high' : 'normal',
        topic: message.topic,
      },
      body,
      clock,
      now,
    });
    const isOwnKey = key === (await vapid.publicKey());
    const sent = resultOf(result, isOwnKey);
    if (sent.outcome === 'retry') healths.get(origin)?.failed(result);
    else if (sent.outcome === 'refused') logRefusal(origin, result);
    else healths.get(origin)?.worked();
    // One that was registered again meanwhile has other keys.
    if (sent.outcome === 'gone') {
      await subscriptions.removeWhere(
        user,
        (one) => one.id === id && one.p256dh === p256dh && one.key === key,
      );
    }
    return sent;
  }

  return {
    name: 'WEB_PUSH',
    turns,
    async endpointsOf(user) {
      const { all } = await subscriptions.read(user);
      return all.flatMap((subscription): PushEndpoint[] => {
        // The operator may have removed an origin from the list.
        const origin = pushOriginOf(subscription.endpoint, origins);
        return origin === undefined ? [] : [{ id: subscription.id, origin, user, subscription }];
      });
    },
    async send({ messages: [message] }, endpoint) {
      return message === undefined ? { outcome: 'refused' } : sendTo(endpoint, message);
    },
    sent: ({ user, id }) => subscriptions.touch(user, id),
  };
}

/** An endpoint's path is a secret: who knows it can send to the browser. */
const healthOf = (origin: PushOrigin, log: OutageLog, now: () => number): Health =>
  createHealth({
    log,
    down: 'A push service does not accept a push; it is tried again for a day',
    up: 'A push service accepts pushes again',
    fields: { origin },
    describe: (result) => reasonOf(result as PostResult),
    now,
  });

function newKey() {
  const key = createECDH('prime256v1');
  key.generateKeys();
  return key;
}

/** The text is cut if the payload would be too long. */
function payloadOf({ text, topic, wasHeld, deliveries: ids, ...message }: Message): Buffer {
  const { id, title, url, badge, kinds } = message;
  const characters = [...text];
  const deliveries = ids.map((one) => encodeId('Delivery', one));
  for (;;) {
    const payload = Buffer.from(
      JSON.stringify({
        id,
        title,
        text: characters.join(''),
        url,
        tag: topic,
        badge,
        kinds,
        deliveries,
        ...(wasHeld && { wasHeld }),
      }),
    );
    const tooLong = payload.length - PAYLOAD_MAX;
    if (tooLong <= 0 || characters.length === 0) return payload;
    // A character has at most six bytes in JSON.
    characters.splice(-Math.max(1, Math.ceil(tooLong / 6)) - 1);
    characters.push('…');
  }
}

function resultOf(result: PostResult, isOwnKey: boolean): SendResult {
  if (result.type !== 'response') return retryOf(result);
  const { status } = result;
  if (status >= 200 && status < 300) return { outcome: 'sent' };
  // A push service refuses a key that the browser did not subscribe with.
  if (status === 404 || status === 410 || (status === 403 && !isOwnKey)) return { outcome: 'gone' };
  return status === 408 || status === 429 || status >= 500 ? retryOf(result) : { outcome: 'refused' };
}
