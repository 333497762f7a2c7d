import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createCorking } from '../../src/server/corking.ts';
import { SERVER_LIMITS } from '../../src/server/limits.ts';
import { createPings } from '../../src/server/pings.ts';
import { type Connection, createConnection } from '../../src/server/websocket/connection.ts';

const http = createServer();
const server = new WebSocketServer({ noServer: true, perMessageDeflate: false });
const corking = createCorking();
const pings = createPings(SERVER_LIMITS.pingMs);
beforeAll(async () => {
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
});
afterAll(() => {
  for (const client of server.clients) client.terminate();
  http.close();
});

async function open(limits = SERVER_LIMITS) {
  const upgraded = new Promise<{ connection: Connection; raw: Duplex }>((resolve) => {
    http.once('upgrade', (request, raw, head) => {
      server.handleUpgrade(request, raw, head, (socket) =>
        resolve({ connection: createConnection({ socket, raw, limits, corking, pings }), raw }),
      );
    });
  });
  const client = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
  const received: string[] = [];
  client.on('message', (data) => received.push(String(data)));
  await once(client, 'open');
  const until = async (count: number) => {
    while (received.length < count) await once(client, 'message');
    return received;
  };
  return { ...(await upgraded), client, received, until };
}

const parts = (...texts: string[]) => texts.map((text) => Buffer.from(text));

test('sendParts: frames of all lengths arrive whole, in order with those of `send`', async () => {
  const { connection, until } = await open();
  const sent: string[] = [];
  for (const length of [0, 1, 125, 126, 127, 65_535, 65_536, 65_537, 200_000]) {
    const text = '集'.repeat(Math.floor(length / 3)) + 'x'.repeat(length % 3);
    await connection.sendParts(parts('', text.slice(0, 7), text.slice(7)));
    await connection.send(`after ${length}`);
    sent.push(text, `after ${length}`);
  }
  expect(await until(sent.length)).toEqual(sent);
});

test('sendParts: what is sent in one turn leaves in one write', async () => {
  const { connection, raw, until } = await open();
  let writes = 0;
  const write = raw._write.bind(raw);
  const writev = raw._writev?.bind(raw);
  raw._write = (...args) => {
    writes++;
    write(...args);
  };
  raw._writev = (...args) => {
    writes++;
    writev?.(...args);
  };
  for (let i = 0; i < 20; i++) connection.sendParts(parts('number ', String(i)));
  await connection.send('last');
  expect(writes).toBe(0);
  expect(await until(21)).toEqual([...Array.from({ length: 20 }, (_, i) => `number ${i}`), 'last']);
  expect(writes).toBe(1);
});

test('sendParts: waits for a reader who does not read, and continues when they do', async () => {
  const { connection, client, until } = await open();
  client.pause();
  const send = () => connection.sendParts([Buffer.alloc(16 * 1_024, 'x')]);
  let waiting = send();
  let sent = 1;
  for (; waiting === undefined; sent++) {
    // The kernel's buffers hold less than that.
    if (sent > 5_000) throw new Error('It never waits.');
    // What was sent in this turn may leave.
    if (sent % 3 === 0) await new Promise(setImmediate);
    waiting = send();
  }
  client.resume();
  await waiting;
  await until(sent);
});

test('sendParts: a reader who lets too much pile up is cut off', async () => {
  const { connection, client } = await open({ ...SERVER_LIMITS, stalledBytes: 256 * 1_024 });
  client.pause();
  const closed = once(client, 'close');
  const text = Buffer.alloc(64 * 1_024, 'x');
  // Without waiting: a socket can have many subscriptions, and each waits only for itself.
  for (let i = 0; i < 1_000; i++) void connection.sendParts([text]);
  client.resume();
  await closed;
  await connection.sendParts([text]);
});

test('sendParts: nothing is written after a close', async () => {
  const { connection, client, received } = await open();
  const closed = once(client, 'close');
  connection.sendParts(parts('before'));
  connection.close(1012, 'Service restart');
  await connection.sendParts(parts('after'));
  const [code] = await closed;
  expect([code, received]).toEqual([1012, ['before']]);
});
