import { createHmac } from 'node:crypto';
import { idFrom } from '../../../core/ids.ts';
import type { WebhookConfig } from '../../../core/webhookConfig.ts';
import { hashed } from '../../../dynamo/keys.ts';

/** The same with other secrets: what waits for a webhook arrives after its secret was changed. */
export const webhookId = ({ url }: WebhookConfig): string => idFrom(`webhook:${url}`);

/** Differs if the secrets differ. They cannot be recovered from it. */
export const secretsHash = ({ secrets }: WebhookConfig): string => hashed(secrets.join());

export interface Signed {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** The headers of a request: https://www.standardwebhooks.com. There is one signature for each secret. */
export function signatureHeaders({ id, timestamp, body }: Signed, secrets: readonly string[]) {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
