import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { defined } from '../../../src/core/defined.ts';

export interface SocketOptions {
  readonly origin?: string;
  readonly headers?: Record<string, string>;
  readonly protocol?: string;
}

export interface Message {
  readonly type: string;
  readonly id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows which properties it expects.
  readonly payload?: any;
}

/**
 * A websocket that sends and receives single messages of the protocol. It is closed when the test ends. Resolves when
 * it is open; rejects with the status if the upgrade was refused.
 */
export async function connect(
  url: string,
  { origin, headers = {}, protocol = 'graphql-transport-ws' }: SocketOptions = {},
) {
  const socket = new WebSocket(url, protocol, { headers, ...defined({ origin }) });
  onTestFinished(() => socket.terminate());
  const received: Message[] = [];
  const waiting: Array<(message: Message) => void> = [];
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Message;
    const waiter = waiting.shift();
    if (waiter === undefined) received.push(message);
    else waiter(message);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('unexpected-response', (_request, response) => {
      reject(new Error(`The upgrade was refused with ${response.statusCode}.`));
    });
    socket.on('error', reject);
  });
  return {
    raw: socket,
    closed,
    /** The number of received messages that the test has not read. */
    unread: () => received.length,
    send: (message: Message | string) =>
      socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    subscribe(id: string, query: string, variables?: Record<string, unknown>) {
      this.send({ type: 'subscribe', id, payload: { query, ...(variables && { variables }) } });
    },
    /** The next message. */
    next(): Promise<Message> {
      const message = received.shift();
      return message === undefined
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve(message);
    },
  };
}
