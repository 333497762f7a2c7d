/** The status of a refused request: by what is wrong with it, the same for GET and POST. See docs/errors.md. */

import type { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { rawRequest } from './support/rawRequest.ts';
import { codesOf, type Result, startServer } from './support/server.ts';

const JSON_TYPE = 'application/json';
const MODERN = 'application/graphql-response+json';
const EVENTS = 'text/event-stream';

/** No `accept`, as programs send it, and all that the API has. */
const ACCEPTS = [undefined, '*/*', JSON_TYPE, MODERN, `${MODERN}, ${JSON_TYPE};q=0.9`, EVENTS] as const;
type Accept = (typeof ACCEPTS)[number];

/** The type of a refusal that has a status. An event stream begins only for what is an event. */
const typeOf = (accept: Accept) => (accept?.startsWith(MODERN) || accept === EVENTS ? MODERN : JSON_TYPE);

interface Refused {
  readonly port: number;
  readonly accept: Accept | string;
  readonly method: string;
  readonly params?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
}

async function send({ port, accept, method, params = {}, headers = {} }: Refused) {
  const search = new URLSearchParams(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const response = await rawRequest({
    port,
    method,
    path: method === 'GET' ? `/graphql?${search}` : '/graphql',
    headers: {
      ...defined({ accept }),
      ...(method === 'GET' ? {} : { 'content-type': JSON_TYPE }),
      ...headers,
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(params) }),
  });
  const type = response.headers['content-type']?.split(';', 1)[0];
  return { ...response, type };
}

/** How often an event was emitted. */
function countOf(events: EventEmitter, name: string): () => number {
  let count = 0;
  events.on(name, () => {
    count++;
  });
  return () => count;
}

const codesIn = (text: string) => codesOf(JSON.parse(text) as Result);

test.each([
  ['no query', {}],
  ['a wrong name of the query', { qeury: '{ hello }' }],
  ['variables that are not an object', { query: '{ hello }', variables: [1] }],
  ['extensions that are not an object', { query: '{ hello }', extensions: 3 }],
])('statuses: a request with %s is 400 for every media type', async (_what, params) => {
  const { port } = await startServer({ config: { graphiql: false } });
  for (const accept of ACCEPTS) {
    for (const method of ['GET', 'POST']) {
      const { status, type, text } = await send({ port, accept, method, params });
      expect({ accept, method, status, type }).toEqual({ accept, method, status: 400, type: typeOf(accept) });
      expect(codesIn(text)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    }
  }
});

test.each([
  ['that does not parse', { query: '{ hello' }, 'GRAPHQL_VALIDATION_FAILED'],
  ['that does not fit the schema', { query: '{ helo }' }, 'GRAPHQL_VALIDATION_FAILED'],
  ['without the named operation', { query: '{ hello }', operationName: 'A' }, 'GRAPHQL_VALIDATION_FAILED'],
  [
    'with a variable of the wrong type',
    { query: 'query($t: Int!) { echo(text: "a", times: $t) }', variables: { t: 'x' } },
    'BAD_USER_INPUT',
  ],
])('statuses: a document %s is 400, 200 as plain JSON, and an event', async (_what, params, code) => {
  const { port } = await startServer({ config: { graphiql: false } });
  for (const accept of ACCEPTS) {
    for (const method of ['GET', 'POST']) {
      const { status, type, text } = await send({ port, accept, method, params });
      const isEvent = accept === EVENTS;
      const expected = isEvent ? EVENTS : typeOf(accept);
      expect({ accept, method, status, type }).toEqual({
        accept,
        method,
        type: expected,
        status: expected === MODERN ? 400 : 200,
      });
      if (isEvent) expect(text).toMatch(new RegExp(`^event: next\ndata: .*"code":"${code}"`, 'm'));
      else expect(codesIn(text)).toEqual([code]);
    }
  }
});

test('statuses: a mutation by GET is 405 for every media type, and does not run', async () => {
  const { port, events } = await startServer({ config: { graphiql: false } });
  const written = countOf(events, 'written');
  for (const accept of ACCEPTS) {
    const params = { query: 'mutation { write }' };
    const { status, type, text, headers } = await send({ port, accept, method: 'GET', params });
    expect({ accept, status, type, allow: headers.allow }).toEqual({
      accept,
      status: 405,
      allow: 'POST',
      type: typeOf(accept),
    });
    expect(codesIn(text)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  }
  expect(written()).toBe(0);
});

test('statuses: a method or a content type that is not served is 405 or 415 for every media type', async () => {
  const { port } = await startServer({ config: { graphiql: false } });
  for (const accept of [...ACCEPTS, 'application/xml']) {
    const put = await send({ port, accept, method: 'PUT', params: { query: '{ hello }' } });
    expect({ accept, status: put.status, allow: put.headers.allow }).toEqual({
      accept,
      status: 405,
      allow: 'GET, POST',
    });
    const headers = { 'content-type': 'text/plain' };
    const plain = await send({ port, accept, method: 'POST', params: { query: '{ hello }' }, headers });
    expect({ accept, status: plain.status }).toEqual({ accept, status: 415 });
    for (const { text } of [put, plain]) expect(codesIn(text)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  }
});

test.each(['application/xml', 'multipart/mixed', 'text/html', 'image/png, text/*'])(
  'statuses: a client that accepts only %s gets 406 with an error, and nothing runs',
  async (accept) => {
    const { port, events, authorization } = await startServer({ config: { graphiql: false } });
    const written = countOf(events, 'written');
    for (const method of ['GET', 'POST']) {
      for (const query of ['{ hello }', 'mutation { write }', '{ helo }', 'subscription { count }']) {
        const headers = { authorization };
        const { status, type, text } = await send({ port, accept, method, params: { query }, headers });
        expect({ method, query, status, type }).toEqual({ method, query, status: 406, type: MODERN });
        expect(codesIn(text)).toEqual(['GRAPHQL_VALIDATION_FAILED']);
      }
    }
    expect(written()).toBe(0);
  },
);
