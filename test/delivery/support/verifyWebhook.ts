import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';

export interface Deliveries {
  readonly type: 'deliveries';
  readonly data: { readonly deliveries: ReadonlyArray<{ readonly id: string; readonly text: string }> };
}

/** `body`: the text as it arrived. Throws if it was not signed with the secret, or more than five minutes ago. */
export const verifyWebhook = (secret: string, headers: IncomingHttpHeaders, body: string): Deliveries =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as Deliveries;
