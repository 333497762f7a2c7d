/** A webhook receiver on loopback. It checks each signature with the package of the Standard Webhooks project. */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { WebhookConfig } from '../../../src/core/webhookConfig.ts';
import type { Response } from './pushService.ts';

export interface ReceivedDelivery {
  readonly id: string;
  readonly user: { readonly id: string; readonly handle: string | null };
  readonly kinds: readonly string[];
  readonly rooms: ReadonlyArray<{ readonly id: string; readonly name: string | null }>;
  readonly text: string;
  readonly url: string;
}

export interface Received {
  /** The header `webhook-id`. */
  readonly id: string;
  /** The header `webhook-timestamp`: seconds. */
  readonly timestamp: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly deliveries: readonly ReceivedDelivery[];
}

export interface Receiver {
  readonly origin: string;
  readonly url: string;
  readonly secret: string;
  /** What the operator sets up, for all kinds. */
  readonly config: Pick<WebhookConfig, 'url' | 'secrets'>;
  /** Every request whose signature is right. */
  readonly requests: readonly Received[];
  /** How many requests had a wrong signature, or came to another path. */
  readonly strange: () => number;
  /** Resolves when there are this many requests. */
  arrived(count: number): Promise<readonly Received[]>;
  /** From now on. Default: 204. `halfway`: a status, and a body that never ends. */
  respond(response: (request: Received) => Response | 'halfway'): void;
  /** Ends the requests that hang. */
  release(): void;
  stop(): Promise<void>;
}

export const newWebhookSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

/** `path`: of its address. */
export async function startReceiver(path = '/hooks/tsudoi?team=1'): Promise<Receiver> {
  const secret = newWebhookSecret();
  const requests: Received[] = [];
  const hanging = new Set<ServerResponse>();
  let strange = 0;
  let respond: Parameters<Receiver['respond']>[0] = () => ({ status: 204 });
  let listeners: Array<() => void> = [];

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received = receivedOf(request.headers, Buffer.concat(chunks).toString());
      if (request.url !== path || request.method !== 'POST' || !isSigned(received, secret)) {
        strange++;
        return void response.writeHead(400).end();
      }
      requests.push(received);
      for (const listener of listeners.splice(0)) listener();
      const how = respond(received);
      if (how === 'halfway') response.writeHead(200).write('…');
      if (how === 'halfway' || how === 'hang') hanging.add(response);
      else response.writeHead(how.status, how.headers).end(how.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `${origin}${path}`;

  return {
    origin,
    url,
    secret,
    requests,
    config: { url, secrets: [secret] },
    strange: () => strange,
    async arrived(count) {
      while (requests.length < count) {
        await new Promise<void>((resolve) => {
          listeners = [...listeners, resolve];
        });
      }
      return requests;
    },
    respond(response) {
      respond = response;
    },
    release() {
      for (const response of hanging) response.end();
      hanging.clear();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function receivedOf(headers: IncomingHttpHeaders, body: string): Received {
  const { data } = JSON.parse(body) as { data: { deliveries: ReceivedDelivery[] } };
  return {
    id: String(headers['webhook-id']),
    timestamp: Number(headers['webhook-timestamp']),
    headers,
    body,
    deliveries: data.deliveries,
  };
}

/** Not by `verify`, because the tests' clock may be years ahead. */
function isSigned({ id, timestamp, headers, body }: Received, secret: string): boolean {
  const expected = new Webhook(secret).sign(id, new Date(timestamp * 1_000), body);
  return String(headers['webhook-signature']).split(' ').includes(expected);
}
