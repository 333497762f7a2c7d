import { type Agent, type AgentOptions, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { type Clock, systemClock } from '../../../core/clock.ts';
import { defined } from '../../../core/defined.ts';
import type { DeliveryKind } from '../../../core/deliveryKinds.ts';
import { createHealth, type Health } from '../../../core/health.ts';
import type { OutageLog } from '../../../core/log.ts';
import { secondsOf } from '../../../core/timestamps.ts';
import { isPrivateHost, type WebhookConfig } from '../../../core/webhookConfig.ts';
import type { Dynamo } from '../../../dynamo/dynamo.ts';
import { createItemLoader } from '../../../dynamo/itemLoader.ts';
import { keys } from '../../../dynamo/keys.ts';
import { FIRST_SHAPE } from '../../../dynamo/shapes.ts';
import { encodeId } from '../../../graphql/ids.ts';
import {
  BATCH_MAX,
  type Batch,
  type Channel,
  type ChannelEndpoint,
  type Message,
  type SendResult,
} from '../channel.ts';
import { type PostResult, post, reasonOf, retryOf } from '../post.ts';
import { secretsHash, signatureHeaders, webhookId } from './webhook.ts';

/** What the operator has set up. */
export interface WebhookSettings {
  readonly webhooks: readonly WebhookConfig[];
  /** Hosts that may have addresses that are not public. */
  readonly webhookPrivateHosts: readonly string[];
  readonly log: OutageLog;
}

export interface WebhooksOptions extends WebhookSettings {
  readonly dynamo: Pick<Dynamo, 'batchGet' | 'put'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly clock?: Clock;
  /** Finds the addresses of a name. Default: the system's. */
  readonly lookup?: AgentOptions['lookup'];
}

interface WebhookEndpoint extends ChannelEndpoint {
  readonly webhook: WebhookConfig;
  readonly agent: Agent;
  readonly health: Health;
}

/** How long it is known which webhooks are gone. */
const KNOWN_MS = 60_000;

/** What is decided within this time is one request. */
const EVERY_MS = 1_000;

/**
 * Sends to the operator's systems, signed as https://www.standardwebhooks.com says: the id is the same on each attempt,
 * time and signature are new. An address that is not public is refused when the connection is made, also if a name
 * leads to it, unless the operator named the host. A receiver that responds with 410 gets nothing until its secret or
 * address is changed.
 */
export function createWebhooks(options: WebhooksOptions): Channel<WebhookEndpoint> {
  const { dynamo, webhooks, webhookPrivateHosts, log, now, clock = systemClock, lookup } = options;
  const agentOptions = { keepAlive: true, ...defined({ lookup }) };

  /** The kinds that are worth gathering for everyone. A webhook that is gone costs nothing after a minute. */
  let known: { readonly at: number; readonly kinds: ReadonlySet<DeliveryKind> } | undefined;

  const all = webhooks.map((webhook): WebhookEndpoint => {
    const { origin, protocol } = new URL(webhook.url);
    const isPrivate = isPrivateHost(webhook.url, webhookPrivateHosts);
    const [Http, Https] = isPrivate
      ? [HttpAgent, HttpsAgent]
      : [RequestFilteringHttpAgent, RequestFilteringHttpsAgent];
    return {
      id: webhookId(webhook),
      origin,
      webhook,
      agent: protocol === 'https:' ? new Https(agentOptions) : new Http(agentOptions),
      health: createHealth({
        log,
        down: 'A webhook does not accept deliveries; they are tried again for a day',
        up: 'A webhook accepts deliveries again',
        // The rest of the address may be a secret.
        fields: { webhook: origin },
        describe: (result) => webhookReasonOf(result as PostResult),
        now,
      }),
    };
  });

  /** Those that are not gone. One round trip. */
  async function present(
    some: readonly WebhookEndpoint[],
    items = createItemLoader(dynamo),
  ): Promise<readonly WebhookEndpoint[]> {
    const gone = await items.loadMany(some.map(({ id }) => keys.goneWebhook(id)));
    return some.filter(({ webhook }, i) => gone[i]?.secrets !== secretsHash(webhook));
  }

  async function send(batch: Batch, { id, webhook, agent, health }: WebhookEndpoint): Promise<SendResult> {
    const timestamp = secondsOf(now());
    const body = JSON.stringify({
      type: 'deliveries',
      timestamp: new Date(timestamp * 1_000).toISOString(),
      data: { deliveries: batch.messages.map(deliveryOf) },
    });
    const result = await post({
      url: webhook.url,
      headers: {
        'content-type': 'application/json',
        ...signatureHeaders({ id: batch.id, timestamp, body }, webhook.secrets),
      },
      body,
      clock,
      now,
      agent,
    });
    const status = result.type === 'response' ? result.status : 0;
    if (status >= 200 && status < 300) {
      health.worked();
      return { outcome: 'sent' };
    }
    if (status !== 410) {
      health.failed(result);
      return retryOf(result);
    }
    log.warn(
      { webhook: new URL(webhook.url).origin },
      'A webhook is gone: it gets nothing until its secret or address changes',
    );
    const gone = { at: now(), secrets: secretsHash(webhook) };
    await dynamo.put({ ...keys.goneWebhook(id), v: FIRST_SHAPE, ...gone });
    return { outcome: 'gone' };
  }

  return {
    name: 'WEBHOOK',
    ownsOrigin: true,
    batches: { max: BATCH_MAX, everyMs: EVERY_MS },
    async kindsForEveryone() {
      if (known === undefined || now() - known.at >= KNOWN_MS) {
        const there = await present(all);
        known = { at: now(), kinds: new Set(there.flatMap(({ webhook }) => webhook.kinds)) };
      }
      return known.kinds;
    },
    kindsOf: (endpointId) => all.find(({ id }) => id === endpointId)?.webhook.kinds,
    async endpointsOf(_user, kinds, items) {
      const wanted = all.filter(({ webhook }) => webhook.kinds.some((kind) => kinds.has(kind)));
      return wanted.length === 0 ? [] : present(wanted, items);
    },
    send,
  };
}

const deliveryOf = ({ id, user, handle, kinds, rooms, text, url }: Message) => ({
  id: encodeId('Delivery', id),
  user: { id: encodeId('User', user), handle },
  kinds,
  rooms: rooms.map(({ id: room, name }) => ({ id: encodeId('Room', room), name })),
  text,
  url,
});

const webhookReasonOf = (result: PostResult): object =>
  result.type === 'failed' && result.code === undefined
    ? { reason: 'Its address is not public: name its host in WEBHOOK_PRIVATE_HOSTS if it may be used.' }
    : reasonOf(result);
