import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { parseRateLimits, RATE_LIMITS, USER_LIMITS } from '../../src/core/rateLimits.ts';

test('parseRateLimits: a list changes the limits that it names and keeps the others', () => {
  const { likes: _off, ...others } = RATE_LIMITS;
  expect(parseRateLimits('messages=5/2s, likes=off')).toEqual({
    rates: { ...others, messages: { max: 5, seconds: 2 } },
    users: USER_LIMITS,
  });
  expect(parseRateLimits('stamps=100/5m')?.rates.stamps).toEqual({ max: 100, seconds: 300 });
  expect(parseRateLimits('handles=5/24h')?.rates.handles).toEqual({ max: 5, seconds: 86_400 });
});

test('parseRateLimits: what a user holds has no time', () => {
  const { subscriptions: _off, ...others } = USER_LIMITS;
  expect(parseRateLimits('sockets=3,subscriptions=off,objects=1000000/1h')).toEqual({
    rates: RATE_LIMITS,
    users: { ...others, sockets: 3, objects: { max: 1_000_000, seconds: 3_600 } },
  });
});

test('parseRateLimits: off means no limits', () => {
  expect(parseRateLimits('off')).toEqual({ rates: {}, users: {} });
});

test.each([
  'on',
  'messages',
  'messages=20',
  'messages=20/s',
  'messages=0/10s',
  'messages=10001/10s',
  'messages=20/0s',
  'messages=20/1441m',
  'messages=-1/10s',
  'messages=1.5/10s',
  'messages=20/25h',
  'messages=20/1d',
  'leaves=20/10s',
  'sockets=20/10s',
  'sockets=0',
  'subscriptions=1000001',
  'networkSockets=20/10s',
  'objects=1000',
  'objects=100000001/1h',
  'seconds=20',
  'constructor=20/10s',
  'messages=20/10s,messages=off',
  'messages=20/10s,,stamps=off',
  'off,messages=20/10s',
])('RATE_LIMITS=%j: is refused with a message that shows the format', (text) => {
  expect(parseRateLimits(text)).toBeUndefined();
  expect(() => loadConfig({ RATE_LIMITS: text })).toThrow(
    'RATE_LIMITS must be off, or a comma-separated list such as messages=20/10s,stamps=30/1m,likes=off,sockets=20',
  );
});

test('RATE_LIMITS: the configuration has the defaults if it is not set', () => {
  expect(loadConfig({}).rateLimits).toEqual(RATE_LIMITS);
  expect(loadConfig({ RATE_LIMITS: '' }).rateLimits).toEqual(RATE_LIMITS);
  expect(loadConfig({}).userLimits).toEqual(USER_LIMITS);
  expect(loadConfig({ RATE_LIMITS: 'off' })).toMatchObject({ rateLimits: {}, userLimits: {} });
});
