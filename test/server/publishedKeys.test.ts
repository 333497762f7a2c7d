/** What happens to users while their identity provider is down, or publishes nonsense. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createAuthenticator } from '../../src/server/access/auth.ts';
import { eventually } from '../support/time/eventually.ts';
import { createRecordedLog } from './support/log.ts';
import { startIdentityProvider, tokenOf } from './support/tokens.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
let now: number;
beforeEach(async () => {
  provider = await startIdentityProvider();
  now = Date.now();
});
afterEach(() => provider.stop());

const claims = { iss: 'https://id', aud: 'chat' };

function authenticator(url = provider.url) {
  const recorded = createRecordedLog();
  const auth = { kind: 'jwks', url, issuer: claims.iss, audience: claims.aud } as const;
  const { verify } = createAuthenticator({ auth, dataDir: '', log: recorded.log, now: () => now });
  let made = 0;
  /** A new token each time, because the signature of a known one is not verified again. */
  const codeOf = async (key = provider.pair.privateKey, kid = 'one') => {
    const options = { claims: { ...claims, jti: String(++made) }, expiresIn: 30 * 86_400 };
    const token = await tokenOf({ ...options, key, header: { alg: 'RS256', kid } });
    return verify(token).then(
      () => 'valid',
      ({ code }) => code as string,
    );
  };
  return { codeOf, messages: () => recorded.lines().map(({ msg }) => String(msg)) };
}

test('provider is down before it was ever reached: UNAVAILABLE, and one request a second', async () => {
  const { codeOf } = authenticator();
  provider.breakDown();
  for (let n = 0; n < 10; n++) expect(await codeOf()).toBe('UNAVAILABLE');
  expect(provider.requests()).toBe(1);
  now += 1_000;
  expect(await codeOf()).toBe('UNAVAILABLE');
  expect(provider.requests()).toBe(2);
  provider.breakDown(false);
  now += 1_000;
  expect(await codeOf()).toBe('valid');
});

test('provider is down: tokens stay valid for a day, and its return is noticed', async () => {
  const { codeOf, messages } = authenticator();
  expect(await codeOf()).toBe('valid');
  provider.breakDown();
  for (let hours = 1; hours <= 23; hours++) {
    now += HOUR_MS;
    expect(await codeOf()).toBe('valid');
  }
  now += HOUR_MS;
  expect(await codeOf()).toBe('UNAVAILABLE');
  provider.breakDown(false);
  now += 1_000;
  expect(await codeOf()).toBe('valid');
  expect(messages().filter((text) => text.startsWith('The keys'))).toEqual([
    'The keys that verify tokens cannot be fetched',
    'The keys that verify tokens are fetched again',
  ]);
});

test('provider is down: strangers with unknown keys disturb no one, and cause one request a second', async () => {
  const { codeOf } = authenticator();
  expect(await codeOf()).toBe('valid');
  provider.breakDown();
  now += HOUR_MS;
  const { privateKey } = await generateKeyPair('RS256');
  for (let n = 0; n < 10; n++) {
    await codeOf(privateKey, `unknown ${n}`);
    expect(await codeOf()).toBe('valid');
  }
  expect(provider.requests()).toBe(2);
});

test.each([
  ['no key', () => provider.publish([])],
  ['something else', () => provider.publish('nothing' as never)],
])('provider publishes %s: the keys before stay valid', async (_what, publish) => {
  const { codeOf } = authenticator();
  const keys = provider.keys();
  expect(await codeOf()).toBe('valid');
  publish();
  now += 10 * MINUTE_MS;
  expect(await codeOf()).toBe('valid');
  expect(provider.requests()).toBe(2);
  provider.publish(keys);
  now += 1_000;
  expect(await codeOf()).toBe('valid');
  // No request of a user waits for it.
  await eventually(async () => expect(provider.requests()).toBe(3));
});

test('a key that the provider has removed is refused after ten minutes', async () => {
  const { codeOf } = authenticator();
  expect(await codeOf()).toBe('valid');
  provider.publish(provider.keys().map((key) => ({ ...key, kid: 'two' })));
  now += 10 * MINUTE_MS - 1;
  expect(await codeOf()).toBe('valid');
  now++;
  expect(await codeOf()).toBe('UNAUTHENTICATED');
});

test('a key that was removed is refused by a server that was idle after a fetch had failed', async () => {
  const { codeOf } = authenticator();
  expect(await codeOf()).toBe('valid');
  provider.breakDown();
  now += 10 * MINUTE_MS;
  expect(await codeOf()).toBe('valid');
  provider.breakDown(false);
  provider.publish(provider.keys().map((key) => ({ ...key, kid: 'two' })));
  now += 20 * HOUR_MS;
  expect(await codeOf()).toBe('UNAUTHENTICATED');
});

test('the clock is set back by an hour after a fetch has failed: the next one does not wait for it', async () => {
  const { codeOf } = authenticator();
  provider.breakDown();
  expect(await codeOf()).toBe('UNAVAILABLE');
  provider.breakDown(false);
  now -= HOUR_MS;
  expect(await codeOf()).toBe('valid');
});

test('a new key is known after 5 s at most, and strangers with unknown keys cause no more requests', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { codeOf } = authenticator();
  expect(await codeOf()).toBe('valid');
  const next = await generateKeyPair('RS256', { extractable: true });
  const published = { ...(await exportJWK(next.publicKey)), kid: 'two', alg: 'RS256', use: 'sig' };
  provider.publish([...provider.keys(), published]);
  vi.setSystemTime(Date.now() + 4_999);
  for (let n = 0; n < 10; n++) expect(await codeOf(next.privateKey, `unknown ${n}`)).toBe('UNAUTHENTICATED');
  expect(await codeOf(next.privateKey, 'two')).toBe('UNAUTHENTICATED');
  expect(provider.requests()).toBe(1);
  vi.setSystemTime(Date.now() + 1);
  expect(await codeOf(next.privateKey, 'two')).toBe('valid');
  expect(provider.requests()).toBe(2);
});

test('provider publishes more than 1 MiB: UNAVAILABLE', async () => {
  const { codeOf } = authenticator();
  const keys = provider.keys();
  provider.publish(keys.map((one) => ({ ...one, note: 'x'.repeat(1_048_576) })));
  expect(await codeOf()).toBe('UNAVAILABLE');
  provider.publish(keys);
  now += 1_000;
  expect(await codeOf()).toBe('valid');
});

test('provider responds without end: UNAVAILABLE, and what it sends is not kept', async () => {
  const server = createServer((_request, response) => {
    const write = () => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
    };
    response.on('drain', write);
    write();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { codeOf, messages } = authenticator(`http://127.0.0.1:${port}/keys`);
  const closed = once(server, 'request').then(([, response]) => once(response, 'close'));
  expect(await codeOf()).toBe('UNAVAILABLE');
  await closed;
  expect(messages()).toContain('The keys that verify tokens cannot be fetched');
});
