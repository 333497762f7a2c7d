import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../core/log.ts';

export interface Address {
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
}

export interface Listening {
  readonly port: number;
  /** An address for clients on this machine. */
  readonly url: string;
}

/** Resolves when the server accepts requests. Rejects if the address is in use or does not belong to this machine. */
export function listen(http: HttpServer, { host, port }: Address, log: Log): Promise<Listening> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, () => {
      http.off('error', reject);
      http.on('error', (err) => log.error({ err }, 'The HTTP server failed'));
      const { port: bound } = http.address() as AddressInfo;
      resolve({ port: bound, url: `http://${nameOf(host)}:${bound}` });
    });
  });
}

function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
