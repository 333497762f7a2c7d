/** What the synthesis refuses before anything is made. */
import { App, Aws, Stack } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { problemsOf } from '../lib/problems.ts';
import type { TsudoiProps } from '../lib/props.ts';
import { Tsudoi } from '../lib/tsudoi.ts';
import { settings as example } from '../settings.ts';
import { FULL } from './support/synth.ts';

const problems = (changed: Partial<TsudoiProps>) => problemsOf({ ...example, ...changed }, Aws.REGION);
const TRACED = { settings: { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example.com' } };
const streamArn = 'arn:aws:dynamodb:eu-west-1:222222222222:table/tsudoi/stream/2026-11-24T00:00:00.000';

test.each<[string, Partial<TsudoiProps>]>([
  ['the example', {}],
  ['everything', FULL],
  [
    'a table of another account',
    { existingTable: { name: streamArn.slice(0, streamArn.indexOf('/stream')), streamArn } },
  ],
  [
    'no domain, behind a proxy that has one',
    {
      settings: { PUBLIC_URL: 'https://chat.example.com', TRUSTED_PROXIES: '2' },
    },
  ],
  ['small servers', { api: { cpu: 512, memory: 1_024, min: 1 }, cache: { replicas: 0 } }],
  ['large servers', { api: { cpu: 2_048, memory: 16_384, min: 40, max: 40, socketsPerServer: 20_000 } }],
  ['settings of other programs', { settings: { NODE_EXTRA_CA_CERTS: '/app/ca.pem', SHUTDOWN_DELAY: '8' } }],
  ['a table that is known later', { existingTable: { name: Aws.STACK_NAME, streamArn: Aws.STACK_ID } }],
  ['a collector that is known later', { ...TRACED, consumer: { tracesTo: Aws.STACK_ID } }],
  ['addresses that are known later', { auth: { jwksUrl: Aws.STACK_ID, issuer: 'i', audience: 'a' } }],
])('nothing is wrong with %s', (_name, changed) => {
  expect(problems(changed)).toEqual([]);
});

test.each<[Readonly<Record<string, string>>, RegExp]>([
  [{ PORT: '5000' }, /^PORT is set by the stack: leave it out\.$/],
  [{ TABLE_NAME: 'other' }, /^TABLE_NAME is set by the stack: use tableName or existingTable\.$/],
  [{ METRICS_PORT: '4000' }, /^METRICS_PORT is set by the stack: use api\.metricsFrom\.$/],
  [{ AUTH_ISSUER: 'https://id.example.com' }, /^AUTH_ISSUER is set by the stack: use auth\.issuer\.$/],
  [{ REDIS_URL: 'redis://elsewhere' }, /^REDIS_URL is set/],
  [{ DYNAMODB_ENDPOINT: 'http://localhost:8000' }, /^DYNAMODB_ENDPOINT is set/],
  [{ TRUSTED_PROXIES: '0' }, /^TRUSTED_PROXIES must be at least 1: the load balancer is one\.$/],
  [{ TRUSTED_PROXIES: 'all' }, /^TRUSTED_PROXIES must be/],
  [{ MAIL_FROM: 'chat@example.com' }, /^MAIL_FROM is set by the stack: use mailFrom\.$/],
  [{ RATE_LIMITS: 'mesages=5' }, /^RATE_LIMITS must be/],
  [{ RATE_LIMIT: 'messages=5' }, /^RATE_LIMIT is not a setting\. Did you mean RATE_LIMITS\?$/],
  [{ NOTIFICATION_RETENTION_DAYS: '0' }, /^NOTIFICATION_RETENTION_DAYS must be/],
  [{ SHUTDOWN_DELAY: '9' }, /^SHUTDOWN_DELAY must be at most 8/],
])('settings %o are refused, in one line', (settings, line) => {
  expect(problems({ settings })).toEqual([expect.stringMatching(line)]);
});

test.each<[string, Partial<TsudoiProps>]>([
  ['domain.name must be a host name', { domain: { name: 'https://chat.example.com', certificateArn: 'a' } }],
  ['domain.name must be a host name', { domain: { name: 'Chat.example.com', certificateArn: 'a' } }],
  [
    'domain.name must be in domain.hostedZone.name',
    { domain: { name: 'chat.example.org', hostedZone: { id: 'Z', name: 'example.com' } } },
  ],
  ['api.min must be a whole number from 1', { api: { min: 0 } }],
  ['api.max must be at least api.min', { api: { min: 3, max: 2 } }],
  ['api.memory must be 1024 to 4096 with api.cpu 512', { api: { cpu: 512, memory: 8_192 } }],
  ['api.memory must be 4096 to 16384 with api.cpu 2048', { api: { cpu: 2_048 } }],
  ['api.memory must be', { api: { memory: 2_500 } }],
  ['api.socketsPerServer must be', { api: { socketsPerServer: 50_000 } }],
  // As JSON or a command line would have it, without the types.
  ['api.cpu must be one of 512, 1024, 2048', { api: { cpu: 333 as 512 } }],
  ['cache.replicas must be a whole number from 0 to 2', { cache: { replicas: 7 as 2 } }],
  ['consumer.batchSize must be', { consumer: { batchSize: 2_000 } }],
  ['consumer.parallelization must be', { consumer: { parallelization: 11 } }],
  ['TABLE_NAME must be', { tableName: 'a table' }],
  ['use existingTable', { tableName: streamArn.slice(0, streamArn.indexOf('/stream')) }],
  ['AUTH_JWKS_URL must be a URL', { auth: { jwksUrl: 'id.example.com', issuer: 'i', audience: 'a' } }],
])('%s', (line, changed) => {
  expect(problems(changed)).toEqual([expect.stringContaining(line)]);
});

test('all of them are said at once, and nothing is made', () => {
  const stack = new Stack(new App(), 'Wrong');
  const wrong = { api: { min: 0 }, settings: { PORT: '5000', RATE_LIMITS: 'mesages=5' } };
  expect(() => new Tsudoi(stack, 'Tsudoi', { ...example, ...wrong })).toThrow(
    /^The settings are wrong:\n {2}- api\.min[\s\S]*\n {2}- PORT is set[\s\S]*\n {2}- RATE_LIMITS must be/,
  );
});
