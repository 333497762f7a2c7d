import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server to be measured. */
export interface Server {
  readonly url: string;
  /** The variables of the subscription. */
  readonly variables: object;
  /** Causes one push to every reader. Ours performs the action of this round. The peers send `frame`, made by ours. */
  tell(round: number, frame: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts listening on a free port. Resolves to the URL. */
export async function listening(http: HttpServer): Promise<string> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}
