/** The clients that people use for server-sent events, unchanged. */
import { type EventEmitter, once } from 'node:events';
import { EventSource } from 'eventsource';
import { createClient, NetworkError } from 'graphql-sse';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from './support/server.ts';
import { endingToken, tokenOf } from './support/tokens.ts';

describe('graphql-sse', () => {
  async function start(options: { readonly token?: () => Promise<string> } = {}) {
    const server = await startServer();
    const client = createClient({
      url: `${server.url}/graphql`,
      headers: async () => ({ authorization: `Bearer ${await (options.token ?? tokenOf)()}` }),
      retry: async () => {},
    });
    onTestFinished(() => client.dispose());
    return { ...server, client };
  }

  test('queries, mutations and subscriptions return their results', async () => {
    const { client } = await start();
    for (const [query, data] of [
      ['{ hello }', [{ hello: 'world' }]],
      ['mutation { write }', [{ write: 'written' }]],
      ['subscription { count }', [{ count: 1 }, { count: 2 }, { count: 3 }]],
    ] as const) {
      const results: unknown[] = [];
      for await (const result of client.iterate({ query })) results.push(result.data);
      expect(results).toEqual(data);
    }
  });

  test('an error of the document is a result, and is not repeated', async () => {
    const { client } = await start();
    const results: unknown[] = [];
    for await (const result of client.iterate({ query: '{ nothing }' })) results.push(result);
    expect(results).toMatchObject([{ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] }]);
  });

  test('after the end of its token it connects again with a new one', async () => {
    const tokens = [endingToken(), tokenOf()];
    const { client, events } = await start({ token: () => tokens.shift() ?? tokenOf() });
    const results = client.iterate<{ ticks: string }>({ query: 'subscription { ticks }' });
    const [first, again] = [once(events, 'subscribed'), secondOf(events)];
    const next = results.next();
    await first;
    await again;
    events.emit('tick', 'after the new token');
    expect((await next).value?.data).toEqual({ ticks: 'after the new token' });
    expect(tokens).toEqual([]);
    await results.return?.();
  });

  test('a token that stays wrong is an error with the response', async () => {
    const { client } = await start({ token: async () => 'nonsense' });
    const failure = await client
      .iterate({ query: '{ hello }' })
      .next()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NetworkError);
    const { response } = failure as NetworkError<Response>;
    expect(await response?.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  });
});

/** Resolves at the second subscription. */
const secondOf = (events: EventEmitter) => once(events, 'subscribed').then(() => once(events, 'subscribed'));

test('EventSource with headers: events, none for a ping, and a new connection after the end of the token', async () => {
  const tokens = [endingToken(), tokenOf()];
  const { url, events } = await startServer({ limits: { pingMs: 50 } });
  const query = encodeURIComponent('subscription { ticks }');
  const [first, again] = [once(events, 'subscribed'), secondOf(events)];
  const source = new EventSource(`${url}/graphql?query=${query}`, {
    fetch: async (address, init) => {
      const authorization = `Bearer ${await (tokens.shift() ?? tokenOf())}`;
      return fetch(address, { ...init, headers: { ...init.headers, authorization } });
    },
  });
  onTestFinished(() => source.close());
  source.addEventListener('message', () => expect.unreachable());
  await first;
  await again;
  const received = new Promise<string>((resolve) =>
    source.addEventListener('next', ({ data }) => resolve(data)),
  );
  events.emit('tick', 'after the new token');
  expect(JSON.parse(await received)).toEqual({ data: { ticks: 'after the new token' } });
});

test('EventSource with headers: receives `complete`, so it knows that it must not connect again', async () => {
  const { url } = await startServer();
  const source = new EventSource(`${url}/graphql?query=${encodeURIComponent('subscription { count }')}`);
  const counts: unknown[] = [];
  source.addEventListener('next', ({ data }) => counts.push(JSON.parse(data).data.count));
  await new Promise<void>((resolve) => source.addEventListener('complete', () => resolve()));
  source.close();
  expect(counts).toEqual([1, 2, 3]);
});
