import { defined } from '../../../core/defined.ts';
import type { Identity } from '../../../core/identity.ts';
import { idFrom } from '../../../core/ids.ts';
import type { Item } from '../../../dynamo/item.ts';
import { keys } from '../../../dynamo/keys.ts';
import { FIRST_SHAPE } from '../../../dynamo/shapes.ts';

/** A browser that receives pushes for one user. */
export interface PushSubscription {
  /** Made from the endpoint. */
  readonly id: string;
  /** The address at the push service: see `normalEndpoint`. At most `ENDPOINT_MAX` characters. */
  readonly endpoint: string;
  /** The browser's public key on P-256: 65 bytes in base64url. */
  readonly p256dh: string;
  /** The secret that it shares with this server: 16 bytes in base64url. */
  readonly auth: string;
  /** What the user calls the device. */
  readonly label: string;
  /** The VAPID public key that the browser subscribed with. */
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** When a push was last accepted: to the day. */
  readonly lastUsedAt?: number;
  /** The token of the device. A revocation of it ends the subscription. */
  readonly token: Pick<Identity, 'jti' | 'issuedAt'>;
}

export const SUBSCRIPTIONS_MAX = 10;
export const ENDPOINT_MAX = 1_024;
export const LABEL_MAX = 80;

/**
 * The one spelling of an address, as a URL parser writes it, without a fragment and an empty query: the browser is the
 * same. Undefined if it is not an address, or too long.
 */
export function normalEndpoint(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.hash = '';
  if (url.search === '') url.search = '';
  return url.href.length > ENDPOINT_MAX ? undefined : url.href;
}

export const subscriptionId = (endpoint: string): string => idFrom(`push:${endpoint}`);

/** The subscriptions of a user, the oldest first. They are one item, so their number is exact. */
export interface PushSubscriptionList {
  readonly all: readonly PushSubscription[];
  /** 0: there is no item. */
  readonly version: number;
}

export const listOf = (item: Item | undefined): PushSubscriptionList => ({
  all: (item?.subscriptions as PushSubscription[] | undefined) ?? [],
  version: (item?.rev as number | undefined) ?? 0,
});

export const listItem = (user: string, { all, version }: PushSubscriptionList) => ({
  ...keys.pushSubscriptions(user),
  v: FIRST_SHAPE,
  subscriptions: all.map((one) => defined(one)),
  rev: version,
});
