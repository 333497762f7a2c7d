import type { IncomingMessage } from 'node:http';

/**
 * A name, an IPv4 address, or an IPv6 address in brackets, and perhaps a port. Only ASCII without spaces: clients send
 * other names in Punycode, and each program would read other bytes in its own way.
 */
const HOST = /^(?=[!-~]+$)(?:\[[0-9a-f:.]+\]|[^/?#@\\:[\]]+)(?::\d{1,5})?$/i;

/**
 * Why a request's `Host` is not valid; undefined if it is. Node keeps the first of several, a proxy may use the last:
 * what one of them checked would not hold for the other.
 */
export function invalidHost({
  headers: { host },
  rawHeaders,
  httpVersion,
}: IncomingMessage): string | undefined {
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'host').length;
  const isMissing = host === undefined && httpVersion !== '1.0';
  if (hosts > 1 || isMissing) return 'A request must have one Host header.';
  if (host === undefined || (HOST.test(host) && URL.canParse(`http://${host}`))) return undefined;
  return 'The Host header is malformed.';
}
