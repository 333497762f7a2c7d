import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { acceptedEncodings, encodedText } from '../../src/server/http/encoding.ts';
import { startServer } from './support/server.ts';

test.each([
  [undefined, []],
  ['', []],
  ['identity', []],
  ['*', []],
  ['gzip', ['gzip']],
  ['gzip, deflate, br, zstd', ['br', 'gzip']],
  ['GZIP;q=0.5 , br;q=0', ['gzip']],
  ['br; q=0.000, gzip; q=0', []],
  ['brotli, gzipped', []],
])('acceptedEncodings: %s', (header, expected) => {
  expect(acceptedEncodings(header)).toEqual(expected);
});

/** The response as it is on the wire: `fetch` would decompress it. */
function post(port: number, query: string, headers: Record<string, string>) {
  return new Promise<{ headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path: '/graphql',
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify({ query }));
  });
}

const LONG = '{ echo(text: "é", times: 1000) }';

test.each([
  ['by the route', 'application/json'],
  ['by Yoga', 'application/json;q=1'],
])('compression: an answer %s of more than 1 kB is compressed as the client asks', async (_what, accept) => {
  const { port } = await startServer();
  const plain = await post(port, LONG, { accept });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(JSON.parse(plain.body.toString()).data).toEqual({ echo: 'é'.repeat(1_000) });
  for (const [encoding, decompress] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const { headers, body } = await post(port, LONG, { accept, 'accept-encoding': `${encoding}, deflate` });
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      'content-length': String(body.length),
      'content-type': 'application/json; charset=utf-8',
    });
    expect(body.length).toBeLessThan(plain.body.length / 4);
    expect(decompress(body).equals(plain.body)).toBe(true);
  }
});

test('compression: a short answer is not compressed, and all answers vary by encoding', async () => {
  const { port } = await startServer();
  const headers = { 'accept-encoding': 'br' };
  const short = await post(port, '{ hello }', headers);
  expect(short.headers['content-encoding']).toBeUndefined();
  expect(short.headers.vary).toBe('origin, accept-encoding');
  expect((await post(port, LONG, headers)).headers.vary).toBe('origin, accept-encoding');
});

test('compression: errors are compressed, too', async () => {
  const { port } = await startServer();
  const { headers, body } = await post(port, `{ ${'nothing '.repeat(40)} }`, { 'accept-encoding': 'gzip' });
  expect(headers['content-encoding']).toBe('gzip');
  expect(JSON.parse(gunzipSync(body).toString()).errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
});

test('compression: a very long answer, and a third one at the same time, are sent as they are', async () => {
  const long = 'a'.repeat(1_000_001);
  expect(await encodedText(long, 'br')).toEqual({ body: long });
  const text = 'a'.repeat(10_000);
  const all = await Promise.all([1, 2, 3].map(() => encodedText(text, 'gzip')));
  expect(all.map(({ encoding }) => encoding)).toEqual(['gzip', 'gzip', undefined]);
  expect(await encodedText(text, 'gzip')).toMatchObject({ encoding: 'gzip' });
});
