import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../core/log.ts';

export interface Address {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
}

export interface Listening {
  readonly port: number;
  /** Can be opened on this machine. */
  readonly url: string;
}

/** Resolves when requests are answered. Rejects where the address is taken or not this machine's. */
export function listen(http: HttpServer, { host, port }: Address, log: Log): Promise<Listening> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, () => {
      http.off('error', reject);
      http.on('error', (err) => log.error({ err }, 'the HTTP server failed'));
      const { port: taken } = http.address() as AddressInfo;
      resolve({ port: taken, url: `http://${nameOf(host)}:${taken}` });
    });
  });
}

function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
