import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * The network that a request comes from, as far as it can be told: an IPv4 address, or the first half of an IPv6
 * address, for whoever has one has all that begin so. `proxies`: how many of the operator's own stand in front,
 * each of which has added the address that it was called from to `X-Forwarded-For`; what stands further left in
 * it was written by the client, and is not looked at.
 */
export function networkOf({ headers, socket }: IncomingMessage, proxies: number): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  const told = proxies === 0 ? undefined : forwarded.at(-proxies)?.trim();
  const address = told !== undefined && isIP(told) !== 0 ? told : (socket.remoteAddress ?? '');
  return isIP(address) === 6 ? network(address.toLowerCase()) : address;
}

/** `2001:db8::1` → `2001:db8:0:0`, `::ffff:192.0.2.1` → `192.0.2.1`. */
function network(address: string): string {
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
