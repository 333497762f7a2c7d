/** Heads that are too large, in each way: refused with a status, the connection is closed, and others are served. */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { startServer } from './support/server.ts';

/** Node counts the names and values of headers, and the address: 16 KB of them, however many headers there are. */
const LIMIT = 16 * 1_024;
const HEAD = 'Host: chat.example.org\r\n';
const UPGRADE =
  'Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';
const CHUNKED = `POST /graphql HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
const BODY = '{"query":"{ hello }"}';
const chunk = (extension = '') => `${BODY.length.toString(16)}${extension}\r\n${BODY}\r\n`;

/** Sends these bytes and no end. Resolves to what the server says until it closes the connection. */
const answerTo = (port: number, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
    });
    // What was not read when the server closed the connection resets it.
    socket.on('error', () => {});
    socket.once('close', () => resolve(text));
  });

test.each([
  ['one header', `GET /healthz HTTP/1.1\r\n${HEAD}A: ${'b'.repeat(LIMIT)}`, 431],
  ['many headers', `GET /healthz HTTP/1.1\r\n${HEAD}${'a:b\r\n'.repeat(LIMIT / 2 + 1)}`, 431],
  [
    'one name again and again',
    `GET /graphql HTTP/1.1\r\n${HEAD}${'Authorization: Bearer a\r\n'.repeat(1_000)}`,
    431,
  ],
  ['the name of a header', `GET /healthz HTTP/1.1\r\n${HEAD}${'a'.repeat(LIMIT)}`, 431],
  ['the address', `GET /graphql?query=${'a'.repeat(LIMIT)}`, 431],
  [
    'the head of a websocket',
    `GET /graphql HTTP/1.1\r\n${HEAD}${UPGRADE}${'a:b\r\n'.repeat(LIMIT / 2 + 1)}`,
    431,
  ],
  ['the extension of a chunk', `${CHUNKED}${chunk(`;a=${'b'.repeat(LIMIT)}`)}`, 413],
])('HTTP: %s beyond 16 KB is refused before it has ended', async (_name, bytes, status) => {
  const { port, url } = await startServer();
  expect(await answerTo(port, bytes)).toMatch(
    new RegExp(`^HTTP/1\\.1 ${status} [^\\n]*\\r\\nConnection: close\\r\\n`),
  );
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('HTTP: trailers beyond 16 KB end the connection, and no one else notices', async () => {
  const { port, url } = await startServer();
  const answer = await answerTo(port, `${CHUNKED}${chunk()}0\r\n${'a:b\r\n'.repeat(LIMIT / 2 + 1)}`);
  expect(answer).not.toMatch(/^HTTP\/1\.1 2/);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});
