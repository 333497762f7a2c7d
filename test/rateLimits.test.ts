import { expect, test } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { parseRateLimits, RATE_LIMITS } from '../src/core/rateLimits.ts';

test('a list changes the limits that it names and leaves the others as they are', () => {
  const { likes: _off, ...others } = RATE_LIMITS;
  expect(parseRateLimits('messages=5/2s, likes=off')).toEqual({
    ...others,
    messages: { most: 5, seconds: 2 },
  });
  expect(parseRateLimits('stamps=100/5m')?.stamps).toEqual({ most: 100, seconds: 300 });
});

test('off is no limit at all', () => {
  expect(parseRateLimits('off')).toEqual({});
});

test.each([
  'on',
  'messages',
  'messages=20',
  'messages=20/s',
  'messages=0/10s',
  'messages=10001/10s',
  'messages=20/0s',
  'messages=20/61m',
  'messages=-1/10s',
  'messages=1.5/10s',
  'messages=20/10h',
  'leaves=20/10s',
  'messages=20/10s,messages=off',
  'messages=20/10s,,stamps=off',
  'off,messages=20/10s',
])('%j is refused, and the message says how it is written', (text) => {
  expect(parseRateLimits(text)).toBeUndefined();
  expect(() => loadConfig({ RATE_LIMITS: text })).toThrow(
    'RATE_LIMITS must be off, or a comma-separated list such as messages=20/10s,stamps=30/1m,likes=off',
  );
});

test('the configuration has the defaults, and what the environment says', () => {
  expect(loadConfig({}).rateLimits).toEqual(RATE_LIMITS);
  expect(loadConfig({ RATE_LIMITS: '' }).rateLimits).toEqual(RATE_LIMITS);
  expect(loadConfig({ RATE_LIMITS: 'off' }).rateLimits).toEqual({});
});
