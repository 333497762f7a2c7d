import { describe, expect, test } from 'vitest';
import { rawRequest } from './support/rawRequest.ts';
import { FREE, startServer } from './support/server.ts';

describe('health', () => {
  test('/healthz: answers 200 while the server runs', async () => {
    const { get } = await startServer();
    const response = await get('/healthz');
    expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
  });

  test('/readyz: shows the state of each dependency', async () => {
    const dependencies = { dynamodb: { ok: true }, bus: { ok: false, detail: 'reconnecting' } };
    const { get } = await startServer({ health: async () => dependencies });
    const response = await get('/readyz');
    expect([response.status, await response.json()]).toEqual([503, { ok: false, dependencies }]);
  });

  test('/readyz: answers 200 if only optional dependencies are down', async () => {
    const dependencies = { dynamodb: { ok: true }, bus: { ok: false, required: false } };
    const { get } = await startServer({ health: async () => dependencies });
    expect((await get('/readyz')).status).toBe(200);
  });

  test('/readyz: answers 503 if the check fails or does not answer', async () => {
    const rejecting = await startServer({ health: () => Promise.reject(new Error('10.0.0.7 is down')) });
    const response = await rejecting.get('/readyz');
    expect(response.status).toBe(503);
    expect(await response.text()).not.toContain('10.0.0.7');
    const silent = await startServer({ health: () => new Promise(() => {}), limits: { healthMs: 50 } });
    expect((await silent.get('/readyz')).status).toBe(503);
  });

  test('/readyz: checks the dependencies once for many concurrent requests', async () => {
    let checks = 0;
    const { get } = await startServer({
      async health() {
        checks++;
        return {};
      },
    });
    await Promise.all(Array.from({ length: 20 }, () => get('/readyz')));
    expect(checks).toBe(1);
  });
});

describe('metrics', () => {
  test('/metrics: counts operations by transport, type and outcome', async () => {
    const { get, query, session } = await startServer();
    await query('{ hello }');
    await query('mutation { write }');
    await query('{ whoami }', {}, { authorization: '' });
    await query('{ nothing }');
    const socket = await session();
    socket.subscribe('1', 'subscription { count }');
    for (let i = 0; i < 4; i++) await socket.next();
    socket.subscribe('2', '{ refuse }');
    await socket.next();
    const text = await (await get('/metrics')).text();
    for (const [transport, type, code] of [
      ['http', 'query', 'OK'],
      ['http', 'mutation', 'OK'],
      ['http', 'query', 'UNAUTHENTICATED'],
      ['http', 'query', 'GRAPHQL_VALIDATION_FAILED'],
      ['websocket', 'subscription', 'OK'],
      ['websocket', 'query', 'BAD_USER_INPUT'],
    ]) {
      expect(text).toContain(
        `tsudoi_operations_total{transport="${transport}",type="${type}",code="${code}"} 1`,
      );
    }
    expect(text).toContain('tsudoi_open_sockets 1');
    expect(text).toContain('tsudoi_open_subscriptions 0');
  });

  test.each([['x-forwarded-for'], ['x-real-ip'], ['forwarded'], ['via']])(
    '/metrics: is 404 for requests with the header %s of a proxy',
    async (name) => {
      const { get } = await startServer();
      expect((await get('/metrics')).status).toBe(200);
      expect((await get('/metrics', { [name]: '203.0.113.7' })).status).toBe(404);
    },
  );
});

describe('METRICS_TOKEN', () => {
  const token = 'a-token-for-the-scraper';
  const away = { 'x-forwarded-for': '203.0.113.7' };

  test('/metrics: another machine reads it with the token, and gets 404 with any other one', async () => {
    const { get } = await startServer({ config: { metrics: { port: undefined, token } } });
    const read = (authorization: string) => get('/metrics', { ...away, authorization });
    const response = await read(`Bearer ${token}`);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('tsudoi_')]);
    for (const other of [`Bearer ${token}x`, `Bearer ${token.slice(1)}`, 'Bearer', `Basic ${token}`, '']) {
      expect((await read(other)).status).toBe(404);
    }
    expect((await get('/metrics', away)).status).toBe(404);
    expect((await get('/metrics')).status).toBe(200);
  });

  test('/metrics: without METRICS_TOKEN no token opens it', async () => {
    const { get } = await startServer();
    for (const authorization of ['Bearer undefined', 'Bearer ', `Bearer ${token}`]) {
      expect((await get('/metrics', { ...away, authorization })).status).toBe(404);
    }
  });
});

describe('request ids', () => {
  test("request id: the client's own id is used in the response and by the resolvers", async () => {
    const { post } = await startServer();
    const response = await post({ query: '{ requestId }' }, { 'x-request-id': 'trace-1.2:3' });
    expect(response.headers.get('x-request-id')).toBe('trace-1.2:3');
    expect(await response.json()).toEqual({ data: { requestId: 'trace-1.2:3' }, extensions: FREE });
  });

  test.each([[''], ['a b'], ['x'.repeat(65)], ['{"level":50}']])('request id: %j is replaced', async (id) => {
    const { get } = await startServer();
    const answered = (await get('/healthz', { 'x-request-id': id })).headers.get('x-request-id');
    expect(answered).toMatch(/^[0-9a-z]{16}$/);
  });

  test('log: an operation is logged with its id and outcome, without its content', async () => {
    const { query, recorded } = await startServer();
    await query(
      'query($t: String!) { echo(text: $t) }',
      { t: 'a secret text' },
      { 'x-request-id': 'trace-7' },
    );
    const line = recorded.lines().find(({ requestId }) => requestId === 'trace-7');
    expect(line).toMatchObject({ transport: 'http', type: 'query', code: 'OK', ms: expect.any(Number) });
    expect(recorded.text()).not.toMatch(/secret text|Bearer|eyJ/);
  });
});

describe('pages', () => {
  test('start page: its policy allows only its own scripts', async () => {
    const { get } = await startServer();
    const response = await get('/');
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/default-src 'none'; script-src 'sha256-[\w+/]{43}=';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toContain('<title>Tsudoi</title>');
  });

  test('GraphiQL: is served to browsers at /graphql if it is on', async () => {
    const on = await startServer({ graphiql: { defaultQuery: '# </script><b>', headers: '{"a":"b"}' } });
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const response = await on.get('/graphql', { accept });
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const page = await response.text();
    expect(page).toContain('"# \\u003c/script>\\u003cb>"');
    const off = await startServer({ config: { graphiql: false } });
    expect((await off.get('/graphql', { accept })).headers.get('content-type')).toContain('application/json');
  });

  test('routes: other paths are 404, and methods other than GET and HEAD are 405', async () => {
    const { port, get } = await startServer();
    for (const path of ['/nothing', '/graphql/', '/../etc/passwd', '/constructor']) {
      expect((await rawRequest({ port, path })).status).toBe(404);
    }
    for (const path of ['/', '/healthz', '/readyz', '/metrics']) {
      expect((await rawRequest({ port, path, method: 'POST' })).status).toBe(405);
      expect((await rawRequest({ port, path, method: 'HEAD' })).status).toBe(200);
    }
    expect((await get('/nothing')).headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('start page: an error while it is created is 500 without the reason', async () => {
    const { get, recorded } = await startServer({ page: () => Promise.reject(new Error('hunter2')) });
    const response = await get('/');
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('hunter2');
    expect(recorded.lines().at(-1)).toMatchObject({
      level: 50,
      requestId: response.headers.get('x-request-id'),
    });
  });
});
