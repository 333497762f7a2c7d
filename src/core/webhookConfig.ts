import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { DELIVERY_KINDS, type DeliveryKind } from './deliveryKinds.ts';

/** A system of the operator that gets the deliveries of every person. */
export interface WebhookConfig {
  readonly url: string;
  /** `whsec_` and base64: one, or two of them while they are changed. Each signs. */
  readonly secrets: readonly string[];
  /** What it gets. */
  readonly kinds: readonly DeliveryKind[];
}

export const WEBHOOKS_MAX = 8;
const URL_MAX = 1_024;
/** Standard Webhooks: 24 to 64 bytes. */
const SECRET_BYTES = { min: 24, max: 64 };

const secret = z.string().refine((text) => {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const key = Buffer.from(base64, 'base64');
  const isWhole = key.toString('base64') === base64;
  return isWhole && key.length >= SECRET_BYTES.min && key.length <= SECRET_BYTES.max;
});

const address = z
  .string()
  .refine((text) => {
    if (text.length > URL_MAX || !URL.canParse(text)) return false;
    const { protocol, username, password } = new URL(text);
    return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
  })
  .transform((text) => new URL(text).href);

const Webhooks = z
  .array(
    z.strictObject({
      url: address,
      secret: z.union([secret, z.array(secret).min(1).max(2)]),
      kinds: z
        .array(z.enum(DELIVERY_KINDS))
        .min(1)
        .default([...DELIVERY_KINDS]),
    }),
  )
  .max(WEBHOOKS_MAX)
  // A webhook is known by its address.
  .refine((all) => new Set(all.map(({ url }) => url)).size === all.length);

export const WEBHOOKS_RULE =
  `must be a JSON list of at most ${WEBHOOKS_MAX} objects { "url", "secret", "kinds" } with different addresses: "url" http ` +
  'or https without a user, "secret" one secret or a list of two (whsec_ and base64 of 24 to 64 bytes), ' +
  `"kinds" some of ${DELIVERY_KINDS.join(', ')} (without it, all)`;

/** Undefined if the text breaks the rule. */
export function parseWebhooks(text: string): readonly WebhookConfig[] | undefined {
  try {
    const { data } = Webhooks.safeParse(JSON.parse(text));
    return data?.map(({ url, secret: one, kinds }) => ({ url, kinds, secrets: [one].flat() }));
  } catch {
    return undefined;
  }
}

/** Names and addresses without a port, as they are in addresses of webhooks. Undefined if one of them is neither. */
export function parsePrivateHosts(text: string): readonly string[] | undefined {
  const hosts = text.split(',').flatMap((one) => one.trim() || []);
  const names = hosts.flatMap((host) => hostnameOf(host) ?? []);
  return names.length === hosts.length ? names : undefined;
}

/** As the address of a webhook has it: lower case, IPv6 in brackets. */
function hostnameOf(host: string): string | undefined {
  const name = isIPv6(host) ? `[${host}]` : host;
  if (!/^([\w.-]+|\[[\da-f:.]+\])$/i.test(name) || !URL.canParse(`http://${name}/`)) return undefined;
  return new URL(`http://${name}/`).hostname;
}

/** Whether the operator named the host of an address as one that may be inside of the network. */
export const isPrivateHost = (url: string, privateHosts: readonly string[]): boolean =>
  privateHosts.includes(new URL(url).hostname);
