/** Our client of HTTP/1.1 against servers that write bytes as the test says. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer } from 'node:tls';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createPool } from '../../../src/dynamo/transport/pool.ts';
import { scaled } from '../../support/run/budget.ts';
import { CERTIFICATE, KEY } from './support/certificate.ts';

type Reply = (socket: Socket, request: string) => void;

/** Calls `reply` for each request that is complete. */
function replying(reply: Reply) {
  return (socket: Socket) => {
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk;
      for (;;) {
        const end = text.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/.exec(text)?.[1] ?? 0);
        const whole = end + 4 + length;
        if (end === -1 || Buffer.byteLength(text) < whole) return;
        const request = Buffer.from(text).subarray(0, whole).toString();
        text = Buffer.from(text).subarray(whole).toString();
        reply(socket, request);
      }
    });
  };
}

async function open(server: Server, protocol: 'http' | 'https' = 'http', maxSockets = 2) {
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const pool = createPool({ connectMs: 60_000, maxSockets });
  onTestFinished(() => {
    pool.destroy();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const target = pool.server(new URL(`${protocol}://localhost:${port}/path`));
  const post = (body = '', headers: Readonly<Record<string, string>> = {}) =>
    pool.post({
      server: target,
      body,
      responseMs: 60_000,
      until: performance.now() + 60_000,
      signal: undefined,
      headers: { host: 'localhost', ...headers },
    });
  return { post, pool, connections: () => connections, sockets };
}

const plain = (reply: Reply) => open(createServer(replying(reply)));
const ok = (body: string, more = '') =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n${more}\r\n${body}`;

/** Writes the bytes in parts that arrive one by one. */
async function writeInParts(socket: Socket, bytes: Buffer, cuts: readonly number[]): Promise<void> {
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let start = 0;
  for (const end of [...at, bytes.length]) {
    if (end > start) await new Promise((resolve) => socket.write(bytes.subarray(start, end), resolve));
    await new Promise((resolve) => setImmediate(resolve));
    start = end;
  }
}

function chunked(body: Buffer, sizes: readonly number[]): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0, i = 0; at < body.length; i++) {
    const part = body.subarray(at, at + Math.max(1, sizes[i % sizes.length] ?? 1));
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
    at += part.length;
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

describe('httpConnection', () => {
  test('reads any body, in any framing and in any parts', async () => {
    const body = fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.constantFrom('', '0\r\n\r\n', '\r\n\r\n', 'a\r\n0\r\n\r\nb\n').map((text) => Buffer.from(text)),
      fc.constant(Buffer.alloc(200_000, 'x\n')),
    );
    const framing = fc.constantFrom('length', 'chunked', 'closed');
    const cuts = fc.array(fc.nat(400), { maxLength: 6 });
    const sizes = fc.array(fc.integer({ min: 1, max: 70_000 }), { minLength: 1, maxLength: 5 });
    let respond: Reply = () => {};
    const { post } = await plain((socket, request) => respond(socket, request));
    await fc.assert(
      fc.asyncProperty(body, framing, cuts, sizes, async (bytes, how, where, parts) => {
        respond = async (socket) => {
          const head =
            how === 'length'
              ? `content-length: ${bytes.length}\r\n`
              : how === 'chunked'
                ? 'Transfer-Encoding: chunked\r\n'
                : '';
          const sent = how === 'chunked' ? chunked(bytes, parts) : bytes;
          const all = Buffer.concat([Buffer.from(`HTTP/1.1 400 \r\nX-Name:  value \r\n${head}\r\n`), sent]);
          await writeInParts(socket, all, where);
          if (how === 'closed') socket.end();
        };
        const response = await post('question');
        expect([response.status, response.headers['x-name']]).toEqual([400, 'value']);
        expect(response.body.equals(bytes)).toBe(true);
      }),
      { numRuns: scaled(60) },
    );
  });

  test('sends one request after the other on a connection, each complete', async () => {
    const seen: string[] = [];
    const { post, connections } = await plain((socket, request) => {
      seen.push(request);
      socket.write(ok(request.slice(request.indexOf('\r\n\r\n') + 4)));
    });
    for (const body of ['日本語', 'question1', 'question2']) {
      expect((await post(body, { 'x-amz-date': 'today' })).body.toString()).toBe(body);
    }
    expect(connections()).toBe(1);
    expect(seen[0]).toBe(
      'POST /path HTTP/1.1\r\nhost: localhost\r\nx-amz-date: today\r\ncontent-length: 9\r\nconnection: keep-alive\r\n\r\n日本語',
    );
  });

  test.each([
    ['is not HTTP', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['is of HTTP/1.0', 'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n'],
    ['has a broken header', 'HTTP/1.1 200 OK\r\nno colon\r\n\r\n'],
    ['has a length that is not a number', 'HTTP/1.1 200 OK\r\ncontent-length: 1e3\r\n\r\n'],
    ['is longer than it says', `${ok('short')}more`],
    ['has an unknown encoding', 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\n'],
    ['has a broken chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n\r\n'],
    ['has a head without an end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(70_000)}`],
  ])('a response that %s fails, and its connection is not used again', async (_, bytes) => {
    let count = 0;
    const { post, connections } = await plain(
      (socket) => void socket.write(count++ === 0 ? bytes : ok('fine')),
    );
    await expect(post()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect((await post()).body.toString()).toBe('fine');
    expect(connections()).toBe(2);
  });

  test.each([
    ['before it', ''],
    ['in its head', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['in its body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nshort'],
    ['in a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nshort'],
  ])('a response whose connection ends %s fails', async (_, bytes) => {
    const { post } = await plain((socket) => void socket.end(bytes));
    await expect(post()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  test.each([
    ['says that it closes it', ok('fine', 'Connection: close\r\n')],
    ['keeps it for a second at most', ok('fine', 'Keep-Alive: timeout=1\r\n')],
    ['does not say how long it is', ''],
  ])('a connection is not used again if the server %s', async (_, bytes) => {
    const { post, connections } = await plain((socket) => {
      if (bytes === '') socket.end('HTTP/1.1 200 OK\r\n\r\nfine');
      else socket.write(bytes);
    });
    for (let i = 0; i < 2; i++) expect((await post()).body.toString()).toBe('fine');
    expect(connections()).toBe(2);
  });

  test('a connection that the server closed, or wrote to, while it was idle is not used again', async () => {
    const { post, connections, sockets } = await plain((socket) => void socket.write(ok('fine')));
    for (const end of [(socket: Socket) => socket.end(), (socket: Socket) => socket.write('surprise')]) {
      await post();
      const [socket] = [...sockets].slice(-1);
      if (socket === undefined) throw new Error('There is no connection.');
      const closed = once(socket, 'close');
      end(socket);
      await closed;
    }
    await post();
    expect(connections()).toBe(3);
  });

  test('a header with a line break is refused before anything is sent', async () => {
    const { post, connections } = await plain((socket) => void socket.write(ok('fine')));
    await expect(post('', { authorization: 'key\r\nx: y' })).rejects.toThrow('authorization');
    expect(connections()).toBe(0);
  });

  test('requests beyond the number of connections are all answered', async () => {
    const { post, connections } = await plain((socket, request) => void socket.write(ok(request.slice(-3))));
    const bodies = Array.from({ length: 50 }, (_, i) => String(100 + i));
    const responses = await Promise.all(bodies.map((body) => post(body)));
    expect(responses.map(({ body }) => body.toString())).toEqual(bodies);
    expect(connections()).toBe(2);
  });

  test('when the pool is closed, requests that run or wait fail, and later ones too', async () => {
    const { post, pool } = await plain(() => pool.destroy());
    const all = await Promise.allSettled([post(), post(), post(), post()]);
    expect(all.map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    await expect(post()).rejects.toThrow('closed');
  });

  test('over TLS: refuses a certificate that is not trusted, and reads responses of one that is', async () => {
    const reply = replying((socket) => void socket.write(ok('fine', 'connection: close\r\n')));
    const server = createSecureServer({ key: KEY, cert: CERTIFICATE });
    server.on('secureConnection', reply).on('tlsClientError', () => {});
    const { post, connections } = await open(server, 'https');
    await expect(post()).rejects.toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    onTestFinished(() => {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    });
    for (let i = 0; i < 3; i++) expect((await post()).body.toString()).toBe('fine');
    expect(connections()).toBe(4);
  });
});
