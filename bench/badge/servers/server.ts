import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is measured. */
export interface Server {
  readonly url: string;
  /** Tells everybody who is connected; what, is up to the server. */
  send(text: string): Promise<void>;
  stop(): Promise<void>;
}

/** The address at which it listens from now on. */
export async function listening(http: HttpServer): Promise<string> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}
