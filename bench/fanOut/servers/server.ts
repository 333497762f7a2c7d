import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What is measured. */
export interface Server {
  readonly url: string;
  /** Of the subscription. */
  readonly variables: object;
  /** Tells everybody who is connected: ours of what is done in this round, the others this frame, which ours made. */
  tell(round: number, frame: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** The address at which it listens from now on. */
export async function listening(http: HttpServer): Promise<string> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}
