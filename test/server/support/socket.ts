import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';

export interface SocketOptions {
  readonly origin?: string;
  readonly headers?: Record<string, string>;
  readonly protocol?: string;
}

export interface Message {
  readonly type: string;
  readonly id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever came; each test knows what it looks for in it.
  readonly payload?: any;
}

/**
 * A websocket that speaks the protocol word by word; it is cut off when the test is over. Resolves when it is
 * open; rejects with the status of an upgrade that was refused.
 */
export async function connect(
  url: string,
  { origin, headers = {}, protocol = 'graphql-transport-ws' }: SocketOptions = {},
) {
  const socket = new WebSocket(url, protocol, { headers, ...(origin === undefined ? {} : { origin }) });
  onTestFinished(() => socket.terminate());
  const messages: Message[] = [];
  const waiting: Array<(message: Message) => void> = [];
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Message;
    const waiter = waiting.shift();
    if (waiter === undefined) messages.push(message);
    else waiter(message);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('unexpected-response', (_request, response) => {
      reject(new Error(`refused with ${response.statusCode}`));
    });
    socket.on('error', reject);
  });
  return {
    raw: socket,
    closed,
    /** How many have come that nobody asked for. */
    unread: () => messages.length,
    send: (message: Message | string) =>
      socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    subscribe(id: string, query: string, variables?: Record<string, unknown>) {
      this.send({ type: 'subscribe', id, payload: { query, ...(variables && { variables }) } });
    },
    /** The next message. */
    next(): Promise<Message> {
      const message = messages.shift();
      return message === undefined
        ? new Promise((resolve) => waiting.push(resolve))
        : Promise.resolve(message);
    },
  };
}
