/** Which addresses a webhook may have: nothing inside of the network, unless the operator named the host. */
import type { LookupAddress } from 'node:dns';
import { isIPv6 } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OutageLog } from '../../src/core/log.ts';
import type { Batch, SendResult } from '../../src/delivery/channels/channel.ts';
import { createWebhooks, type WebhooksOptions } from '../../src/delivery/channels/webhooks/webhooks.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';

let receiver: Receiver;
let port = '';
beforeAll(async () => {
  receiver = await startReceiver('/');
  ({ port } = new URL(receiver.origin));
});
afterAll(() => receiver?.stop());
beforeEach(() => expect(receiver.strange()).toBe(0));

const BATCH: Batch = { id: 'batch', messages: [] };
const NO_TABLE: WebhooksOptions['dynamo'] = {
  batchGet: async (wanted) => wanted.map(() => undefined),
  put: async () => {},
};

interface Sent {
  readonly result: SendResult;
  /** What the operator reads. */
  readonly logged: readonly object[];
}

async function sendTo(url: string, options: Partial<WebhooksOptions> = {}): Promise<Sent> {
  const logged: object[] = [];
  const note = (fields: object) => void logged.push(fields);
  const channel = createWebhooks({
    webhooks: [{ url, secrets: [receiver.secret], kinds: ['MENTION'] }],
    dynamo: NO_TABLE,
    webhookPrivateHosts: [],
    now: Date.now,
    log: { debug: note, info: note, warn: note, error: note } as OutageLog,
    ...options,
  });
  const [endpoint] = await channel.endpointsOf('u', new Set(['MENTION']));
  if (endpoint === undefined) throw new Error('There is no endpoint.');
  return { result: await channel.send(BATCH, endpoint), logged };
}

/** Every name has these addresses. */
const lookupOf =
  (addresses: readonly string[]): NonNullable<WebhooksOptions['lookup']> =>
  (_name, options, done) => {
    const all = addresses.map((address): LookupAddress => ({ address, family: isIPv6(address) ? 6 : 4 }));
    if (options.all === true) done(null, all);
    else done(null, all[0]?.address ?? '', all[0]?.family);
  };

const REFUSED = {
  result: { outcome: 'retry', timedOut: false },
  logged: [{ reason: expect.stringMatching(/^Its address is not public/) }],
};

test.each([
  ...['127.0.0.1', '0x7f.1', '2130706433', '017700000001', '127.1', 'localhost', '[::1]', '0.0.0.0', '[::]'],
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'],
  ...['169.254.169.254', '100.64.0.1', '10.0.0.1', '172.16.0.1', '192.168.0.1', '198.18.0.1', '192.0.2.1'],
  ...['[fd00:ec2::254]', '[fe80::1]', '[fec0::1]', '224.0.0.1', '255.255.255.255', '240.0.0.1'],
])('http://%s and https are refused before a connection is made', async (host) => {
  for (const scheme of ['http', 'https']) {
    expect(await sendTo(`${scheme}://${host}:${port}/`)).toMatchObject(REFUSED);
  }
  expect(receiver.requests).toEqual([]);
});

test.each([
  ['127.0.0.1'],
  ['10.0.0.1'],
  ['::1'],
  ['::ffff:169.254.169.254'],
  ['64:ff9b::a9fe:a9fe'],
  ['8.8.8.8', '127.0.0.1'],
])('a name with the addresses %s %s is refused', async (...addresses) => {
  const lookup = lookupOf(addresses);
  expect(await sendTo(`http://hooks.example.com:${port}/`, { lookup })).toMatchObject(REFUSED);
  expect(receiver.requests).toEqual([]);
});

test('a name is looked up once for a connection: an answer that changes cannot be used', async () => {
  let looked = 0;
  const changing: NonNullable<WebhooksOptions['lookup']> = (name, options, done) => {
    looked++;
    // It would be public if it were asked a second time, and is not the first time; then the other way round.
    lookupOf(looked % 2 === 1 ? ['127.0.0.1'] : ['8.8.8.8'])(name, options, done);
  };
  expect(await sendTo(`http://hooks.example.com:${port}/`, { lookup: changing })).toMatchObject(REFUSED);
  expect(looked).toBe(1);
  expect(receiver.requests).toEqual([]);
});

test('a host that the operator named is reached at any address', async () => {
  const lookup = lookupOf(['127.0.0.1']);
  const before = receiver.requests.length;
  for (const [url, host] of [
    [`http://127.0.0.1:${port}/`, '127.0.0.1'],
    [`http://0x7f.1:${port}/`, '127.0.0.1'],
    [`http://hooks.internal:${port}/`, 'hooks.internal'],
  ] as const) {
    const { result, logged } = await sendTo(url, { lookup, webhookPrivateHosts: [host] });
    expect({ result, logged }).toEqual({ result: { outcome: 'sent' }, logged: [] });
  }
  expect(receiver.requests).toHaveLength(before + 3);
  expect(
    await sendTo(`http://other.internal:${port}/`, { lookup, webhookPrivateHosts: ['hooks.internal'] }),
  ).toMatchObject(REFUSED);
});

test('the log says once why a webhook does not accept, and when it does again, without its path', async () => {
  const [down, up] = [503, 204].map((status) => () => ({ status }));
  const logged: object[] = [];
  const note = (fields: object, message: string) => void logged.push({ ...fields, message });
  const channel = createWebhooks({
    webhooks: [{ ...receiver.config, kinds: ['MENTION'] }],
    dynamo: NO_TABLE,
    webhookPrivateHosts: ['127.0.0.1'],
    now: Date.now,
    log: { debug: note, info: note, warn: note, error: note } as OutageLog,
  });
  const [endpoint] = await channel.endpointsOf('u', new Set(['MENTION']));
  if (endpoint === undefined || down === undefined || up === undefined)
    throw new Error('Nothing to send to.');
  for (const how of [down, down, up, up]) {
    receiver.respond(how);
    await channel.send(BATCH, endpoint);
  }
  expect(logged).toEqual([
    { webhook: receiver.origin, status: 503, message: expect.stringMatching('does not accept') },
    { webhook: receiver.origin, message: expect.stringMatching('accepts deliveries again') },
  ]);
});
