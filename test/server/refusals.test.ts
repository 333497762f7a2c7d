/** Every refusal is an error of the catalogue in JSON, unless a person sees it: docs/errors.md. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { rawRequest } from './support/rawRequest.ts';
import { startServer } from './support/server.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';

/** What the server sends to these bytes until it closes the connection: the status, the headers and the body. */
const answerTo = (port: number, bytes: string) =>
  new Promise<{ status: number; headers: string; body: string }>((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
    });
    // What was not read when the server closed the connection resets it.
    socket.on('error', () => {});
    socket.once('close', () => {
      const [head = '', body = ''] = text.split('\r\n\r\n');
      resolve({ status: Number(head.split(' ')[1]), headers: head.toLowerCase(), body });
    });
  });

/** The only error of a body that is JSON in the form of GraphQL's errors. */
function errorIn(body: string) {
  const { errors, ...rest } = JSON.parse(body) as { errors: { message: string; extensions: object }[] };
  expect([errors.length, Object.keys(rest)]).toEqual([1, []]);
  expect(errors[0]).toEqual({ message: expect.stringMatching(/\.$/), extensions: expect.any(Object) });
  return errors[0]?.extensions;
}

describe('routes', () => {
  test.each([
    ['an unknown path', { path: '/nothing' }, 404, { code: 'NOT_FOUND' }],
    ['an unknown path by POST', { path: '/nothing', method: 'POST' }, 404, { code: 'NOT_FOUND' }],
    [
      'the metrics from elsewhere',
      { path: '/metrics', headers: { via: 'proxy' } },
      404,
      { code: 'NOT_FOUND' },
    ],
    ['another method', { path: '/healthz', method: 'PUT' }, 405, { code: 'GRAPHQL_VALIDATION_FAILED' }],
    [
      'another origin',
      { path: '/', headers: { origin: 'https://evil.example' } },
      403,
      { code: 'FORBIDDEN' },
    ],
    ['a malformed Host', { path: '/', headers: { host: 'a b' } }, 400, { code: 'GRAPHQL_VALIDATION_FAILED' }],
    [
      'an Expect that is not known',
      { path: '/healthz', headers: { expect: 'tea' } },
      417,
      { code: 'GRAPHQL_VALIDATION_FAILED' },
    ],
  ])('refusals: %s', async (_what, request, status, extensions) => {
    const { port } = await startServer();
    const response = await rawRequest({ port, ...request });
    expect([response.status, response.headers['content-type']]).toEqual([
      status,
      'application/json; charset=utf-8',
    ]);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(errorIn(response.text)).toEqual(extensions);
  });

  test('refusals: a browser gets the page for an unknown path, and a line of text for another method', async () => {
    const { port } = await startServer();
    const page = await rawRequest({ port, path: '/nothing', headers: BROWSER });
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    const method = await rawRequest({ port, path: '/healthz', method: 'POST', headers: BROWSER });
    expect([method.status, method.headers['content-type'], method.text]).toEqual([
      ...[405, 'text/plain; charset=utf-8'],
      'Only GET and HEAD are served here.\n',
    ]);
    expect(method.headers.allow).toBe('GET, HEAD');
  });

  test('refusals: an error of a route is INTERNAL with the id under which it was logged', async () => {
    const { port, recorded } = await startServer({ page: () => Promise.reject(new Error('hunter2')) });
    const response = await rawRequest({ port, path: '/' });
    expect(response.status).toBe(500);
    const line = recorded.lines().at(-1);
    expect(line).toMatchObject({ level: 50, requestId: response.headers['x-request-id'] });
    expect(errorIn(response.text)).toEqual({ code: 'INTERNAL', errorId: line?.errorId });
    expect(response.text).not.toContain('hunter2');
  });

  test('refusals: a form that is sent too often is RATE_LIMITED, and says when to send it again', async () => {
    const { port } = await startServer({
      anonymous: async () => 1_500,
      forms: { '/form': (_request, response) => void response.end() },
    });
    const response = await rawRequest({ port, path: '/form', method: 'POST' });
    expect([response.status, response.headers['retry-after']]).toEqual([429, '2']);
    expect(errorIn(response.text)).toEqual({ code: 'RATE_LIMITED', retryAfterMs: 1_500 });
    const page = await rawRequest({ port, path: '/form', headers: BROWSER });
    expect([page.status, page.headers['retry-after']]).toEqual([429, '2']);
    expect(page.headers['content-type']).toBe('text/plain; charset=utf-8');
  });
});

describe('before a route', () => {
  const MALFORMED = { code: 'GRAPHQL_VALIDATION_FAILED' };

  test.each([
    ['bytes that are not HTTP', 'hello\r\n\r\n', 400],
    ['a head that is too large', `GET / HTTP/1.1\r\nHost: localhost\r\nA: ${'b'.repeat(16_384)}`, 431],
    ['a request without a Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ])('refusals: %s', async (_what, bytes, expected) => {
    const { port } = await startServer();
    const { status, headers, body } = await answerTo(port, bytes);
    expect(status).toBe(expected);
    expect(headers).toContain('content-type: application/json; charset=utf-8');
    expect(headers).toContain('connection: close');
    expect(errorIn(body)).toEqual(MALFORMED);
  });

  test('refusals: after the response has begun, the connection is closed without another one', async () => {
    const { port, authorization } = await startServer();
    const query = encodeURIComponent('subscription { ticks }');
    const head = `GET /graphql?query=${query} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream`;
    const socket = connect(port, '127.0.0.1');
    socket.write(`${head}\r\nAuthorization: ${authorization}\r\n\r\n`);
    let text = '';
    socket.setEncoding('utf8').on('data', (part: string) => {
      if (text === '') socket.write('hello\r\n\r\n');
      text += part;
    });
    await once(socket, 'close');
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).not.toContain('400');
  });

  test('refusals: the chunk of a body whose extension is too large', async () => {
    const { port } = await startServer();
    const head =
      'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked';
    const { status, body } = await answerTo(port, `${head}\r\n\r\n1;a=${'b'.repeat(16_384)}`);
    expect(status).toBe(413);
    expect(errorIn(body)).toEqual(MALFORMED);
  });

  test.each([
    ['another path', 'GET /nothing', 'Host: localhost', 404, 'NOT_FOUND'],
    ['a malformed Host', 'GET /graphql', 'Host: a/b', 400, 'GRAPHQL_VALIDATION_FAILED'],
    ['another origin', 'GET /graphql', 'Host: a.example\r\nOrigin: https://evil.example', 403, 'FORBIDDEN'],
  ])('refusals: a websocket with %s', async (_what, line, headers, status, code) => {
    const { port } = await startServer();
    const upgrade = 'Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';
    const answer = await answerTo(port, `${line} HTTP/1.1\r\n${headers}\r\n${upgrade}\r\n\r\n`);
    expect(answer.status).toBe(status);
    expect(errorIn(answer.body)).toEqual({ code });
  });

  test.each([
    ['an old version', 'GET', 'Sec-WebSocket-Version: 8', 400, /\r\nsec-websocket-version: 13\r\n/],
    ['no version', 'GET', 'Accept: */*', 400, /\r\nsec-websocket-version: 13\r\n/],
    ['another method', 'PUT', 'Sec-WebSocket-Version: 13', 405, /\r\nallow: get\r\n/],
    [
      'a malformed key',
      'GET',
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: a',
      400,
      /content-type: application/,
    ],
    [
      'a malformed protocol',
      'GET',
      `Sec-WebSocket-Version: 13\r\n${KEY}\r\nSec-WebSocket-Protocol: ,`,
      400,
      /json/,
    ],
  ])('refusals: the handshake of a websocket with %s', async (_what, method, headers, status, header) => {
    const { port } = await startServer();
    const head = `${method} /graphql HTTP/1.1\r\nHost: a.example\r\nConnection: upgrade\r\nUpgrade: websocket`;
    const answer = await answerTo(port, `${head}\r\n${headers}\r\n\r\n`);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatch(header);
    expect(errorIn(answer.body)).toEqual(MALFORMED);
  });

  test('refusals: another protocol than websockets', async () => {
    const { port } = await startServer();
    const upgrade = 'Connection: upgrade\r\nUpgrade: h2c';
    const { status, body } = await answerTo(
      port,
      `GET /graphql HTTP/1.1\r\nHost: a.example\r\n${upgrade}\r\n\r\n`,
    );
    expect(status).toBe(400);
    expect(errorIn(body)).toEqual(MALFORMED);
  });

  test('refusals: a websocket too many is UNAVAILABLE, and the response says when to connect again', async () => {
    const { port } = await startServer({ limits: { sockets: 0 } });
    const upgrade = 'Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13';
    const answer = await answerTo(port, `GET /graphql HTTP/1.1\r\nHost: a.example\r\n${upgrade}\r\n\r\n`);
    expect(answer.status).toBe(503);
    expect(answer.headers).toMatch(/\r\nretry-after: [12]$/);
    expect(errorIn(answer.body)).toEqual({ code: 'UNAVAILABLE', retryAfterMs: expect.any(Number) });
  });
});
