/** What the SDK does by itself and the direct transport does on its own, against servers that tests write. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import { DynamoDBClient, type DynamoDBClientConfig, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { OutageError } from '../../../src/core/errors.ts';
import { ServiceError } from '../../../src/dynamo/errors.ts';
import { createDirectTransport, resolveEndpoint } from '../../../src/dynamo/transport/direct.ts';

interface Reply {
  readonly status?: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const FOUND = { body: '{"Item":{"pk":{"S":"a"},"text":{"S":"日本語"}}}' };
const item = { pk: 'a', text: '日本語' };
const local = { accessKeyId: 'local', secretAccessKey: 'local' };
const timeouts = { attemptMs: 10_000, callMs: 50_000 };

/** A transport, and the server that it sends to. */
async function open(
  reply: (request: IncomingMessage, count: number) => Reply,
  config: DynamoDBClientConfig = {},
) {
  const requests: IncomingMessage[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push(request);
    const { status = 200, body, headers = {} } = reply(request, requests.length);
    request.resume().once('end', () => response.writeHead(status, headers).end(body));
  });
  server.on('connection', () => connections++);
  const { port } = await new Promise<AddressInfo>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo));
  });
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({
    endpoint,
    region: 'eu-west-1',
    credentials: local,
    maxAttempts: 3,
    ...config,
  });
  const transport = createDirectTransport({ client, timeouts });
  onTestFinished(() => {
    transport.destroy();
    server.closeAllConnections();
    server.close();
  });
  const get = () =>
    transport.send(
      'GetItem',
      { TableName: 'table', Key: { pk: 'a', sk: 'b' } },
      { timeoutMs: timeouts.callMs },
    );
  return { get, requests, connections: () => connections };
}

const accessKeyOf = ({ headers }: IncomingMessage) => headers.authorization?.match(/Credential=(\w+)/)?.[1];

test('direct: requests share a connection', async () => {
  const { get, requests, connections } = await open(() => FOUND);
  for (let i = 0; i < 3; i++) expect((await get()).Item).toEqual(item);
  expect([requests.length, connections()]).toEqual([3, 1]);
});

describe('direct: a checksum', () => {
  const withSum = (sum: number) => ({ ...FOUND, headers: { 'x-amz-crc32': `${sum}` } });
  const right = crc32(FOUND.body);

  test('that is right is accepted', async () => {
    const { get } = await open(() => withSum(right));
    expect((await get()).Item).toEqual(item);
  });

  test('that is wrong leads to another attempt', async () => {
    const { get, requests } = await open((_, count) => withSum(count < 3 ? right + 1 : right));
    expect((await get()).Item).toEqual(item);
    expect(requests).toHaveLength(3);
  });

  test('that is always wrong is an outage', async () => {
    const { get, requests } = await open(() => withSum(right + 1));
    await expect(get()).rejects.toBeInstanceOf(OutageError);
    expect(requests).toHaveLength(3);
  });
});

describe('direct: a clock that is an hour off', () => {
  const expired =
    '{"__type":"com.amazon.coral.service#InvalidSignatureException","message":"Signature expired"}';
  const timeOf = ({ headers }: IncomingMessage) => {
    const [, ...parts] = String(headers['x-amz-date']).match(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/) ?? [];
    const [year = 0, month = 0, day, hour, minute, second] = parts.map(Number);
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };

  test.each([3_600_000, -3_600_000])('is corrected after one refusal (%i ms)', async (skewMs) => {
    const serverTime = () => Date.now() + skewMs;
    const { get, requests } = await open((request) => {
      const headers = { date: new Date(serverTime()).toUTCString() };
      const isOff = Math.abs(timeOf(request) - serverTime()) > 300_000;
      return isOff ? { status: 400, body: expired, headers } : { ...FOUND, headers };
    });
    expect((await get()).Item).toEqual(item);
    expect((await get()).Item).toEqual(item);
    expect(requests).toHaveLength(3);
  });

  test('is not the reason if the signature is wrong for another one', async () => {
    const { get, requests } = await open(() => ({ status: 400, body: expired.replace('expired', 'wrong') }));
    await expect(get()).rejects.toBeInstanceOf(ServiceError);
    expect(requests).toHaveLength(1);
  });
});

describe('direct: credentials', () => {
  test("are the SDK's, and asked for once while they are valid", async () => {
    const provider = vi.fn(async () => ({ ...local, expiration: new Date(Date.now() + 3_600_000) }));
    const { get, requests } = await open(() => FOUND, { credentials: provider });
    for (let i = 0; i < 3; i++) await get();
    expect(provider).toHaveBeenCalledTimes(1);
    expect(requests.map(accessKeyOf)).toEqual(['local', 'local', 'local']);
  });

  test('are renewed before they expire, with the token of their session', async () => {
    let count = 0;
    const provider = async () => ({
      accessKeyId: `KEY${++count}`,
      secretAccessKey: `secret${count}`,
      sessionToken: `token${count}`,
      expiration: new Date(Date.now() + (count === 1 ? 60_000 : 3_600_000)),
    });
    const { get, requests } = await open(() => FOUND, { credentials: provider });
    for (let i = 0; i < 3; i++) await get();
    const last = requests.at(-1);
    expect(last && accessKeyOf(last)).toBe('KEY2');
    expect(last?.headers['x-amz-security-token']).toBe('token2');
    expect(last?.headers.authorization).toContain('x-amz-security-token');
  });

  test('that are not to be had are an outage', async () => {
    const credentials = async () => {
      throw Object.assign(new Error('There are none.'), { name: 'CredentialsProviderError' });
    };
    const { get, requests } = await open(() => FOUND, { credentials });
    await expect(get()).rejects.toBeInstanceOf(OutageError);
    expect(requests).toHaveLength(0);
  });
});

const ARN = 'arn:aws:dynamodb:eu-west-1:222222222222:table/tsudoi';
const account = { ...local, accountId: '123456789012' };

test.each<[string, DynamoDBClientConfig, string?]>([
  ['a region', { region: 'eu-west-1' }],
  ['an account', { region: 'eu-west-1', credentials: account }],
  ['a table of another account', { region: 'eu-west-1', credentials: account }, ARN],
  ['a table of another region', { region: 'eu-west-2', credentials: account }, ARN],
  ['FIPS', { region: 'us-gov-west-1', useFipsEndpoint: true }],
  ['two protocols', { region: 'ap-northeast-1', useDualstackEndpoint: true }],
  ['China', { region: 'cn-north-1' }],
  ['an endpoint', { region: 'local', endpoint: 'http://localhost:8000' }],
])('direct: the endpoint for %s is the one that the SDK uses', async (_, config, table = 'table') => {
  const sent: Array<{ host: string; region: string | undefined }> = [];
  const requestHandler = {
    async handle(request: {
      hostname: string;
      port?: number;
      protocol: string;
      headers: Record<string, string>;
    }) {
      const { protocol, hostname, port, headers } = request;
      sent.push({
        host: `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`,
        region: headers.authorization?.split('/')[2],
      });
      throw Object.assign(new Error('Nothing is sent.'), { name: 'AbortError' });
    },
  };
  const client = new DynamoDBClient({ credentials: local, ...config, requestHandler });
  await client.send(new GetItemCommand({ TableName: table, Key: {} })).catch(() => {});
  const { url, region } = await resolveEndpoint(client, table);
  expect(sent).toEqual([{ host: url.origin, region }]);
});
