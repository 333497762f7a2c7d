import { expect, test } from 'vitest';
import { type WelcomeConfig, type Welcomed, welcome } from '../../src/app/welcome.ts';

const config: WelcomeConfig = { role: 'all', graphiql: true, auth: { kind: 'secret' } };
const started: Welcomed = {
  url: 'http://127.0.0.1:4000',
  metricsUrl: undefined,
  hasClient: true,
  tokens: [],
};

test('welcome: says where the page and GraphiQL are', () => {
  expect(welcome(config, started).split('\n')).toEqual([
    'Tsudoi is ready at http://127.0.0.1:4000',
    '  Web client http://127.0.0.1:4000',
    '  GraphiQL   http://127.0.0.1:4000/graphql',
    '',
  ]);
});

test('welcome: says how to get a page that is not built', () => {
  const text = welcome(config, { ...started, hasClient: false });
  expect(text).toContain('Web client not built');
  expect(text).toContain('npm run build:web');
  expect(text).toContain('npm run dev:web for http://127.0.0.1:5173');
});

test('welcome: a worker has no page', () => {
  expect(welcome({ ...config, role: 'worker' }, started)).not.toContain('Web client');
});
