import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMetrics } from '../../src/core/metrics.ts';
import { createPage } from '../../src/server/http/pages.ts';
import { createServer, type Server } from '../../src/server/server.ts';
import { createRecordedLog } from './support/log.ts';
import { testSchema } from './support/schema.ts';
import { SECRET } from './support/tokens.ts';

/** The audit of the GraphQL over HTTP working group: https://github.com/graphql/graphql-http */
describe('GraphQL over HTTP', () => {
  let server: Server;
  let url: string;
  beforeAll(async () => {
    server = createServer({
      config: {
        host: '127.0.0.1',
        port: 0,
        auth: { kind: 'secret', secret: SECRET, issuer: undefined, audience: undefined },
        dataDir: '.',
        allowedOrigins: [],
        trustedProxies: 0,
        shutdownDelay: 0,
        metrics: { port: undefined, token: undefined },
        graphiql: true,
        introspection: true,
      },
      log: createRecordedLog().log,
      metrics: createMetrics(),
      schema: testSchema,
      context: async () => ({}),
      health: async () => ({}),
      page: () => createPage(''),
    });
    ({ url } = await server.start());
  });
  afterAll(() => server.stop());

  const audits = serverAudits({ url: () => `${url}/graphql`, fetchFn: fetch });
  test('audit: has 61 checks', () => expect(audits).toHaveLength(61));
  test.each(audits.map((audit) => [audit.name, audit] as const))('audit: %s', async (_name, audit) => {
    const result = await audit.fn();
    expect(result.status === 'ok' ? 'ok' : `${result.status}: ${result.reason}`).toBe('ok');
  });
});
