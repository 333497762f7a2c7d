import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { rawRequest } from './support/rawRequest.ts';
import { startServer } from './support/server.ts';

const corsHeaders = (headers: object) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));
const body = JSON.stringify({ query: 'mutation { write }' });
const json = { 'content-type': 'application/json' };
const development = { auth: { kind: 'development' } } as const;

describe('origins over HTTP', () => {
  test.each([
    ['https://evil.example'],
    ['null'],
    ['http://localhost:1'],
    ['https://chat.example.com.evil.example'],
    ['https://chat.example.com:8443'],
    ['http://chat.example.com'],
  ])('HTTP: a page of %s is refused with 403 and without CORS headers, and nothing runs', async (origin) => {
    const { port, events } = await startServer();
    let written = false;
    events.once('written', () => {
      written = true;
    });
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      const response = await rawRequest({
        port,
        method,
        headers: { ...json, origin },
        ...(method === 'POST' && { body }),
      });
      expect([response.status, corsHeaders(response.headers)]).toEqual([403, []]);
      expect(response.text).not.toContain(origin);
    }
    expect(written).toBe(false);
  });

  test('HTTP: a page of an allowed origin may read the answer after a preflight', async () => {
    const { port } = await startServer();
    const origin = 'https://chat.example.com';
    const preflight = await rawRequest({
      port,
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': expect.stringContaining('authorization'),
      vary: 'origin',
    });
    expect(preflight.headers).not.toHaveProperty('access-control-allow-credentials');
    const answered = await rawRequest({ port, method: 'POST', headers: { ...json, origin }, body });
    expect(answered.status).toBe(200);
    expect(answered.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': 'retry-after, www-authenticate, x-request-id',
      vary: 'origin, accept-encoding',
    });
  });

  test("HTTP: the server's own page and programs may call under any host name", async () => {
    const { port } = await startServer();
    const own = { ...json, host: 'Chat.example.org', origin: 'https://chat.example.org' };
    const response = await rawRequest({ port, method: 'POST', headers: own, body });
    expect([response.status, corsHeaders(response.headers)]).toEqual([200, []]);
    expect((await rawRequest({ port, method: 'POST', headers: json, body })).status).toBe(200);
  });
});

describe('refusals', () => {
  test('HTTP: a foreign origin gets JSON that names the setting', async () => {
    const { port } = await startServer();
    const headers = { ...json, origin: 'https://evil.example' };
    const { status, text } = await rawRequest({ port, method: 'POST', headers, body });
    expect([status, JSON.parse(text)]).toEqual([
      403,
      {
        errors: [{ message: expect.stringContaining('ALLOWED_ORIGINS'), extensions: { code: 'FORBIDDEN' } }],
      },
    ]);
  });

  test.each(['a b', '[::1', 'chat.example.org:port', 'user@chat.example.org', 'a/b', 'a?b', '%zz', 'a:1:2'])(
    'HTTP: Host "%s" is 400, also at the upgrade',
    async (host) => {
      const { port, socket } = await startServer();
      for (const path of ['/graphql?query={hello}', '/graphql', '/healthz', '/nothing']) {
        const { status, text } = await rawRequest({
          port,
          path,
          headers: { host, accept: 'application/json' },
        });
        expect([path, status]).toEqual([path, 400]);
        expect(text).not.toMatch(/\n +at |node:|\.ts/);
      }
      await expect(socket({ headers: { host } })).rejects.toThrow('400');
    },
  );

  test.each(['exé.example', 'пример.example', 'a\u0000b', 'a\u00a0b'])(
    'HTTP: Host %j, which is not ASCII, is 400, also at the upgrade',
    async (host) => {
      const { port } = await startServer();
      const upgrade = ['Connection: upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
      for (const headers of [[`Host: ${host}`], [`Host: ${host}`, ...upgrade]]) {
        expect(await rawText(port, headers)).toMatch(/^HTTP\/1\.1 400 /);
      }
    },
  );

  test('HTTP: an empty Host is 400', async () => {
    const { port } = await startServer();
    expect(await rawText(port, ['Host:'])).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('HTTP: two Host headers are 400, also if they are the same', async () => {
    const { port } = await startServer();
    for (const second of ['chat.example.org', 'evil.example']) {
      const answer = await rawText(port, ['Host: chat.example.org', `host: ${second}`]);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  test('HTTP: an Origin behind 2,000 other headers is seen', async () => {
    const { port } = await startServer();
    const others = Array.from({ length: 2_100 }, () => 'a:b');
    const answer = await rawText(port, ['Host: chat.example.org', ...others, 'Origin: https://evil.example']);
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('websocket: an Origin behind 2,000 other headers is seen', async () => {
    const { port } = await startServer();
    const upgrade = [
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ];
    const others = Array.from({ length: 2_100 }, () => 'a:b');
    const origin = 'Origin: https://evil.example';
    const head = ['Host: chat.example.org', ...upgrade, 'Connection: upgrade', ...others, origin];
    expect(await rawText(port, head, '/graphql')).toMatch(/^HTTP\/1\.1 403 /);
  });
});

/** The answer to a request with exactly these lines. */
function rawText(port: number, headers: readonly string[], path = '/healthz'): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\nConnection: close\r\n\r\n`),
    );
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', reject).on('close', () => resolve(text));
  });
}

describe('origins in development', () => {
  test.each(['http://localhost:3000', 'http://127.0.0.1:5173', 'http://[::1]:8080'])(
    'development: a page of %s may call the server, with the headers of tracing',
    async (origin) => {
      const { port, socket } = await startServer({ config: development });
      const preflight = await rawRequest({ port, method: 'OPTIONS', headers: { host: 'localhost', origin } });
      expect(preflight.status).toBe(204);
      expect(preflight.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'origin' });
      const allowed = String(preflight.headers['access-control-allow-headers']).split(', ');
      const tracing = ['traceparent', 'sentry-trace', 'baggage'];
      expect(allowed).toEqual(
        expect.arrayContaining([...tracing, 'apollographql-client-name', 'apollographql-client-version']),
      );
      const { raw } = await socket({ headers: { host: 'localhost' }, origin });
      expect(raw.readyState).toBe(raw.OPEN);
    },
  );

  test.each(['http://192.168.0.7:3000', 'https://localhost.evil.example', 'null', 'file://'])(
    'development: a page of %s is refused',
    async (origin) => {
      const { port } = await startServer({ config: development });
      const { status, headers } = await rawRequest({ port, headers: { host: 'localhost', origin } });
      expect([status, corsHeaders(headers)]).toEqual([403, []]);
    },
  );
});

describe('host names in development', () => {
  test.each([['localhost'], ['127.0.0.1'], ['[::1]'], ['LOCALHOST'], ['127.0.0.1:8080']])(
    'development: requests with Host %s are answered',
    async (host) => {
      const { port } = await startServer({ config: development });
      expect((await rawRequest({ port, path: '/healthz', headers: { host } })).status).toBe(200);
    },
  );

  test.each([['evil.example'], ['localhost.evil.example'], ['127.0.0.1.evil.example:4000'], ['192.168.0.7']])(
    'development: requests with Host %s are refused with 403, also from the same origin',
    async (host) => {
      const { port, socket } = await startServer({ config: development });
      for (const path of ['/', '/graphql', '/healthz', '/metrics']) {
        const headers = { host, origin: `http://${host}`, accept: 'text/html' };
        const response = await rawRequest({ port, path, headers });
        expect([response.status, corsHeaders(response.headers)]).toEqual([403, []]);
      }
      await expect(socket({ headers: { host }, origin: `http://${host}` })).rejects.toThrow('403');
    },
  );

  test('deployment: requests with any Host are answered', async () => {
    const { port } = await startServer();
    expect((await rawRequest({ port, path: '/healthz', headers: { host: 'chat.example.org' } })).status).toBe(
      200,
    );
  });
});

describe('origins at the upgrade', () => {
  test.each([['https://evil.example'], ['null'], ['http://localhost:1']])(
    'upgrade: from %s is refused with 403',
    async (origin) => {
      const { socket } = await startServer();
      await expect(socket({ origin })).rejects.toThrow('403');
    },
  );

  test('upgrade: is accepted from the own page, an allowed one, and a program', async () => {
    const { socket, url } = await startServer();
    for (const origin of [url, 'https://chat.example.com', undefined]) {
      const { raw } = await socket(origin === undefined ? {} : { origin });
      expect(raw.readyState).toBe(raw.OPEN);
    }
  });

  test('upgrade: another path is 404', async () => {
    const { port } = await startServer();
    const headers = {
      connection: 'upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    expect((await rawRequest({ port, path: '/elsewhere', headers })).status).toBe(404);
    expect((await rawRequest({ port, path: '/graphql/', headers })).status).toBe(404);
  });
});
