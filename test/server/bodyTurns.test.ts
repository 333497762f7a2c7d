/** Long bodies of one user or network do not keep those of others waiting, nor all of the memory. */
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createUserUsage } from '../../src/rateLimits/userUsage.ts';
import { createBodyTurns } from '../../src/server/http/bodyTurns.ts';
import type { ServerLimits } from '../../src/server/limits.ts';
import { eventually } from '../support/time/eventually.ts';
import { startServer } from './support/server.ts';
import { tokenOf } from './support/tokens.ts';

const LIMITS = { bodyBytes: 100, shortBodyBytes: 10, userBodyBytes: 200, networkBodyBytes: 300 };

/** `length`: undefined for a body in chunks. */
function requestOf(length?: number) {
  const headers = length === undefined ? {} : { 'content-length': String(length) };
  return Object.assign(new EventEmitter(), { headers }) as unknown as IncomingMessage;
}

/** Bodies that began, in this order, with the function that ends each. */
function recorded() {
  const turns = createBodyTurns(LIMITS);
  const begun = new Map<string, () => void>();
  return {
    begun,
    async begin(
      name: string,
      { user = 'aki' as string | null, network = 'one', length = 100 as number | undefined } = {},
    ) {
      const request = requestOf(length);
      void Promise.resolve(turns.begin({ user, network }, request)).then((end) => begun.set(name, end));
      await settled();
      return request;
    },
    async end(name: string) {
      begun.get(name)?.();
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('begin: a user has two long bodies at a time, and any number of short ones', async () => {
  const { begin, begun, end } = recorded();
  for (const name of ['a', 'b', 'c', 'd']) await begin(name);
  await begin('short', { length: 10 });
  expect([...begun.keys()]).toEqual(['a', 'b', 'short']);
  await end('a');
  expect([...begun.keys()]).toEqual(['a', 'b', 'short', 'c']);
});

test('begin: a body in chunks counts as the longest one', async () => {
  const { begin, begun } = recorded();
  for (const name of ['a', 'b', 'c']) await begin(name, { length: undefined });
  expect([...begun.keys()]).toEqual(['a', 'b']);
});

test('begin: users of a network take turns, and networks do not wait for each other', async () => {
  const { begin, begun, end } = recorded();
  for (const name of ['a1', 'a2', 'a3', 'a4']) await begin(name);
  await begin('b1', { user: 'ben' });
  await begin('b2', { user: 'ben' });
  await begin('anonymous', { user: null });
  await begin('elsewhere', { user: 'eve', network: 'two' });
  expect([...begun.keys()]).toEqual(['a1', 'a2', 'b1', 'elsewhere']);
  for (const name of ['a1', 'b1', 'a2']) await end(name);
  expect([...begun.keys()].slice(4)).toEqual(['a3', 'b2', 'anonymous']);
});

test('begin: a client that leaves before its turn has none', async () => {
  const { begin, begun, end } = recorded();
  await begin('a');
  await begin('b');
  const left = await begin('c');
  await begin('d');
  left.emit('close');
  await settled();
  // Its function gives nothing back.
  await end('c');
  expect([...begun.keys()]).toEqual(['a', 'b', 'c']);
  await end('a');
  expect([...begun.keys()]).toEqual(['a', 'b', 'c', 'd']);
});

test('begin: never more at once than the limits and one body, and each has a turn', async () => {
  const body = fc.record({
    user: fc.constantFrom('aki', 'ben', 'eve', null),
    network: fc.constantFrom('one', 'two'),
    length: fc.integer({ min: 11, max: 200 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(body, { maxLength: 30 }), async (bodies) => {
      const { begin, begun, end } = recorded();
      for (const [i, one] of bodies.entries()) await begin(`${i}`, one);
      const ended = new Set<string>();
      while (begun.size > ended.size) {
        for (const network of ['one', 'two']) {
          const bytes = bodies.reduce((sum, one, i) => {
            const isRead = begun.has(`${i}`) && !ended.has(`${i}`) && one.network === network;
            return isRead ? sum + Math.min(one.length, 100) : sum;
          }, 0);
          expect(bytes).toBeLessThan(LIMITS.networkBodyBytes + LIMITS.bodyBytes);
        }
        const [next = ''] = [...begun.keys()].filter((name) => !ended.has(name));
        ended.add(next);
        await end(next);
      }
      expect(begun.size).toBe(bodies.length);
    }),
    { numRuns: 50 },
  );
});

test('parse: one long body in each turn of the event loop, and users take turns', async () => {
  const turns = createBodyTurns(LIMITS);
  const parsed: string[] = [];
  const parse = (user: string, bytes = 100) =>
    void Promise.resolve(turns.parse({ user, network: 'one' }, bytes)).then(() => parsed.push(user));
  for (let i = 0; i < 3; i++) parse('eve');
  parse('aki');
  parse('ben', 10);
  await Promise.resolve();
  await Promise.resolve();
  expect(parsed).toEqual(['ben']);
  const perTurn = [];
  for (let i = 0; i < 5; i++) {
    await settled();
    perTurn.push(parsed.splice(0));
  }
  expect(perTurn.flat()).toEqual(['ben', 'eve', 'aki', 'eve', 'eve']);
  expect(Math.max(...perTurn.slice(1).map((all) => all.length))).toBe(1);
});

test('over HTTP, a body that arrives slowly keeps only further bodies of its user waiting', async () => {
  const usage = createUserUsage({ limits: {} });
  let requests = 0;
  const { port, authorization, query } = await startServer({
    limits: { shortBodyBytes: 100, userBodyBytes: 500 },
    usage: {
      ...usage,
      take(...place) {
        requests++;
        return usage.take(...place);
      },
    },
  });
  const ben = `Bearer ${await tokenOf({ claims: { sub: 'ben', preferred_username: 'ben' } })}`;
  const answered: string[] = [];
  const body = JSON.stringify({ query: `{ hello } # ${'x'.repeat(1_000)}` });
  async function send(name: string, as: string, sent: string): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const head = ['POST /graphql HTTP/1.1', 'host: localhost', 'content-type: application/json'];
    head.push(`authorization: ${as}`, `content-length: ${body.length}`);
    socket.once('data', () => answered.push(name));
    await once(socket, 'connect');
    socket.write(`${head.join('\r\n')}\r\n\r\n${sent}`);
    return socket;
  }
  // Its key is read by the first request with a token.
  await query('{ hello }');
  const slow = await send('slow', authorization, body.slice(0, -1));
  await eventually(() => expect(requests).toBe(2));
  const second = await send('second', authorization, body);
  const others = await send('others', ben, body);
  await once(others, 'data');
  expect(await query('{ hello }')).toMatchObject({ data: { hello: 'world' } });
  slow.write(body.slice(-1));
  await once(second, 'data');
  expect(answered).toEqual(['others', 'slow', 'second']);
});

/** One long body is read at a time. */
async function startSlow(limits: Partial<ServerLimits>) {
  const usage = createUserUsage({ limits: {} });
  let requests = 0;
  const server = await startServer({
    limits: { shortBodyBytes: 100, userBodyBytes: 500, ...limits },
    usage: {
      ...usage,
      take(...place) {
        requests++;
        return usage.take(...place);
      },
    },
  });
  const body = JSON.stringify({ query: `{ hello } # ${'x'.repeat(1_000)}` });
  async function send(header: string, sent: string) {
    const socket = connect(server.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    const head = ['POST /graphql HTTP/1.1', 'host: localhost', 'content-type: application/json', header];
    const before = requests;
    socket.write(`${head.join('\r\n')}\r\n\r\n${sent}`);
    const status = once(socket, 'data').then(([data]) => String(data).slice(9, 12));
    await eventually(() => expect(requests).toBeGreaterThan(before));
    return { socket, status };
  }
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  return { ...server, body, send, chunk, length: `content-length: ${body.length}` };
}

const CHUNKED = 'transfer-encoding: chunked';

test.each(['with its length', 'in chunks'])(
  'a long body %s that does not arrive is refused, and the next one has its turn',
  async (how) => {
    const { send, chunk, body, length } = await startSlow({ bodyMs: 500 });
    const part = body.slice(0, -1);
    const slow = how === 'in chunks' ? await send(CHUNKED, chunk(part)) : await send(length, part);
    const next = await send(length, body);
    const closed = once(slow.socket, 'close');
    expect(await slow.status).toBe('408');
    await closed;
    expect(await next.status).toBe('200');
  },
);

test('a body in chunks takes its turn when it turns out to be long', async () => {
  const { send, chunk, body, length, query } = await startSlow({ bodyMs: 3_600_000 });
  const slow = await send(length, body.slice(0, -1));
  const long = await send(CHUNKED, `${chunk(body.slice(0, 500))}${chunk(body.slice(500))}0\r\n\r\n`);
  const short = await send(CHUNKED, `${chunk('{"query":"{ hello }"}')}0\r\n\r\n`);
  expect(await short.status).toBe('200');
  const answered: string[] = [];
  void long.status.then((status) => answered.push(status));
  expect(await query('{ hello }')).toMatchObject({ data: { hello: 'world' } });
  expect(answered).toEqual([]);
  slow.socket.write(body.slice(-1));
  expect([await slow.status, await long.status]).toEqual(['200', '200']);
});
