import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { TsudoiError } from '../../core/errors.ts';
import type { Identity } from '../../core/identity.ts';
import type { AnonymousLimit } from '../../core/rateLimits.ts';

/** Whether a request has no valid token. A token that cannot be verified at the moment may be valid. */
export const isAnonymous = (identity: Promise<Identity | null>): Promise<boolean> =>
  identity.then((known) => known === null, isFinallyRefused);

/** Of a token that would be refused again, however often it is sent. */
export const isFinallyRefused = (error: unknown): boolean =>
  isUnauthenticated(error) || (error instanceof TsudoiError && error.code === 'ACCOUNT_DELETED');

const isUnauthenticated = (error: unknown): boolean =>
  error instanceof TsudoiError && error.code === 'UNAUTHENTICATED';

/** Undefined if the network may send the request, otherwise RATE_LIMITED. */
export async function chargeAnonymous(
  limit: AnonymousLimit | undefined,
  network: string,
  count = 1,
): Promise<TsudoiError | undefined> {
  const retryAfterMs = count === 0 ? 0 : ((await limit?.(network, count)) ?? 0);
  if (retryAfterMs === 0) return undefined;
  return new TsudoiError(
    'RATE_LIMITED',
    'Too many requests without a valid token. Sign in, or try again later.',
    { retryAfterMs },
  );
}

/** Characters of a document that count as one request: to validate 2,000 can take 30 ms. */
const CHARACTERS_PER_REQUEST = 256;

/** How many requests a document of an anonymous client counts as. */
export const requestsOf = (document: string): number =>
  Math.max(1, Math.ceil(document.length / CHARACTERS_PER_REQUEST));

/** To parse 16 KiB of JSON can take 2 ms. */
const BODY_BYTES_PER_REQUEST = 16_384;

/** How many requests the body of an anonymous client counts as, beside the one that was charged before it was read. */
export const requestsOfBody = (bytes: number): number => Math.floor(bytes / BODY_BYTES_PER_REQUEST);

/**
 * The network that a request comes from: an IPv4 address, or the first half of an IPv6 address, because one client
 * has all addresses that begin with it. Each of the operator's own `proxies` in front of the server adds the address
 * that called it to the end of `X-Forwarded-For`. Anything to the left of those was written by the client, and is
 * ignored. Some proxies add the port: `192.0.2.1:443`, `[2001:db8::1]:443`.
 */
export function networkOf({ headers, socket }: IncomingMessage, proxies: number): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const client = proxies === 0 ? undefined : withoutPort(forwarded.at(-proxies)?.trim());
  const address = client !== undefined && isIP(client) !== 0 ? client : (socket.remoteAddress ?? '');
  return networkOfAddress(address);
}

/** The same for the address that called the server. */
export const networkOfAddress = (address: string): string =>
  isIP(address) === 6 ? prefixOf(address.toLowerCase()) : address;

const withoutPort = (address: string | undefined): string | undefined =>
  address?.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/^\[([^\]]+)\](?::\d+)?$/, '$1');

/** `2001:db8::1` → `2001:db8:0:0`, `::ffff:192.0.2.1` → `192.0.2.1`. */
function prefixOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? [];
  if (mapped !== undefined) return mapped;
  const [left = [], right = []] = (address.split('%', 1)[0] ?? '')
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
