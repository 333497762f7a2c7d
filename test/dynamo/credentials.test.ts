/** Credentials of a server that does not respond. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { expect, onTestFinished, test, vi } from 'vitest';
import { DAY_S } from '../../src/core/timestamps.ts';
import { createClient } from '../../src/dynamo/client.ts';
import { providerInTime } from '../../src/dynamo/credentials.ts';
import { createTestClock } from '../support/time/clock.ts';

/** An environment in which the SDK has no other credentials. */
const ONLY_SERVER = {
  AWS_ACCESS_KEY_ID: undefined,
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: undefined,
  AWS_PROFILE: undefined,
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
};

const credentialsText = (AccessKeyId: string, expiration: Date): string =>
  JSON.stringify({
    AccessKeyId,
    SecretAccessKey: 'secret',
    Token: 'token',
    Expiration: expiration.toISOString(),
  });

/** The SDK's provider, and the server that it asks, which responds when the test says so. */
async function open() {
  const clock = createTestClock();
  const waiting: ServerResponse[] = [];
  let arrived = () => {};
  const server = createServer((_, response) => {
    waiting.push(response);
    arrived();
  });
  const { port } = await new Promise<AddressInfo>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo));
  });
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
  for (const [name, value] of Object.entries(ONLY_SERVER)) vi.stubEnv(name, value);
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `http://127.0.0.1:${port}/`);
  const provider = providerInTime(() => defaultProvider(), clock);

  /** Resolves when the server was asked. */
  async function asked(): Promise<ServerResponse> {
    while (waiting.length === 0) {
      await new Promise<void>((resolve) => {
        arrived = resolve;
      });
    }
    return waiting.shift() as ServerResponse;
  }
  /** By default with credentials that have expired, so that the next request needs others. */
  const answer = async (accessKeyId: string, expiration = new Date(0)) =>
    (await asked()).end(credentialsText(accessKeyId, expiration));
  return { clock, provider, asked, answer };
}

const tooLate = { name: 'CredentialsProviderError' };

test('a request fails in time, and those that follow share what is under way', async () => {
  const { clock, provider, asked, answer } = await open();
  const first = provider();
  await answer('first');
  expect(await first).toMatchObject({ accessKeyId: 'first' });

  const second = provider();
  const response = await asked();
  clock.advance(2_000);
  await expect(second).rejects.toMatchObject(tooLate);
  const third = provider();
  response.end(credentialsText('late', new Date(0)));
  expect(await third).toMatchObject({ accessKeyId: 'late' });
});

test('a server that hung is asked again by a later request', async () => {
  const { clock, provider, asked, answer } = await open();
  const first = provider();
  await answer('first');
  await first;

  const second = provider();
  await asked();
  clock.advance(2_000);
  await expect(second).rejects.toMatchObject(tooLate);
  clock.advance(8_000);
  const third = provider();
  await answer('again');
  expect(await third).toMatchObject({ accessKeyId: 'again' });
});

test('the first credentials may take a minute', async () => {
  const { clock, provider, asked } = await open();
  const first = provider();
  await asked();
  clock.advance(59_999);
  clock.advance(1);
  await expect(first).rejects.toMatchObject(tooLate);
  expect(clock.now()).toBe(60_000);
});

test('a client keeps valid credentials: a request with them asks no one, and sets no timer', async () => {
  const { answer } = await open();
  const client = createClient({ region: 'eu-west-1' });
  onTestFinished(() => client.destroy());
  const first = client.config.credentials();
  await answer('kept', new Date(Date.now() + DAY_S * 1_000));
  expect(await first).toMatchObject({ accessKeyId: 'kept' });
  const setTimer = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => setTimer.mockRestore());
  expect(await client.config.credentials()).toMatchObject({ accessKeyId: 'kept' });
  expect(setTimer).not.toHaveBeenCalled();
});
