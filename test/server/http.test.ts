import { generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
import { codesOf, FREE, resultOf, startServer } from './support/server.ts';
import { tokenOf } from './support/tokens.ts';

describe('operations', () => {
  test('HTTP: accepts queries by POST and GET, and mutations by POST', async () => {
    const { query, get } = await startServer();
    expect(await query('{ hello }')).toEqual({ data: { hello: 'world' }, extensions: FREE });
    expect(await query('mutation { write }')).toEqual({ data: { write: 'written' }, extensions: FREE });
    const variables = encodeURIComponent('{"t":"a&b"}');
    const response = await get(`/graphql?query=query($t:String!){echo(text:$t)}&variables=${variables}`);
    expect(await resultOf(response)).toEqual({ data: { echo: 'a&b' }, extensions: FREE });
  });

  test('HTTP: refuses a mutation by GET with 405 and does not run it', async () => {
    const { get, events } = await startServer();
    let written = false;
    events.once('written', () => {
      written = true;
    });
    const response = await get('/graphql?query=mutation{write}');
    expect([response.status, response.headers.get('allow'), written]).toEqual([405, 'POST', false]);
    expect(codesOf(await resultOf(response))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  });

  test.each([
    ['application/x-www-form-urlencoded', 'query=mutation{write}'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{}\r\n--x--',
    ],
    ['text/plain', '{"query":"mutation { write }"}'],
    ['application/graphql', 'mutation { write }'],
    ['application/jsonp', '{"query":"mutation { write }"}'],
    ['application/json; charset=utf-16', '{"query":"mutation { write }"}'],
  ])('HTTP: refuses a body of type %s with 415 and does not run it', async (type, body) => {
    const { post, events } = await startServer();
    let written = false;
    events.once('written', () => {
      written = true;
    });
    const response = await post(body, { 'content-type': type });
    expect([response.status, written]).toEqual([415, false]);
  });

  test.each([['PUT'], ['DELETE'], ['PATCH'], ['HEAD']])('HTTP: refuses %s with 405', async (method) => {
    const { url } = await startServer();
    expect((await fetch(`${url}/graphql`, { method })).status).toBe(405);
  });

  test.each([
    ['invalid JSON', '{"query":'],
    ['JSON null', 'null'],
    ['a number', '7'],
    ['no query', '{}'],
    ['a query that is not a text', '{"query":7}'],
    ['variables that are not an object', '{"query":"{ hello }","variables":[1]}'],
    ['an unknown member', '{"query":"{ hello }","cookies":1}'],
    ['a batch', '[{"query":"{ hello }"},{"query":"{ hello }"}]'],
    ['an empty batch', '[]'],
  ])('HTTP: refuses a body with %s with 400', async (_what, body) => {
    const { post } = await startServer();
    const response = await post(body, { accept: 'application/graphql-response+json' });
    expect([response.status, codesOf(await resultOf(response))]).toEqual([
      400,
      ['GRAPHQL_VALIDATION_FAILED'],
    ]);
  });

  test.each([
    ['Apollo', 'application/graphql-response+json,application/json;q=0.9'],
    ['urql', 'application/graphql-response+json, application/json'],
    ['a program', 'application/json'],
  ])('HTTP: answers a persisted query of %s so that the client sends the text', async (_client, accept) => {
    const { post, get, query } = await startServer();
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
    const answers = [
      await post({ operationName: 'Hello', variables: {}, extensions }, { accept }),
      await get(`/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`),
    ];
    for (const response of answers) {
      expect(response.status).toBe(200);
      const { errors } = await resultOf(response);
      expect(errors?.[0]).toMatchObject({
        message: 'PersistedQueryNotSupported',
        extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' },
      });
    }
    const retried = await post({ query: '{ hello }', extensions }, { accept });
    expect([retried.status, await resultOf(retried)]).toEqual([200, await query('{ hello }')]);
  });

  test('HTTP: refuses a body that is not UTF-8 with 400', async () => {
    const { url } = await startServer();
    const body = Buffer.from('{"query":"{ echo(text: \\"\u00e9\\") }"}', 'latin1');
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${url}/graphql`, { method: 'POST', headers, body })).status).toBe(400);
  });

  test('HTTP: refuses variables in the query string that are not JSON with 400', async () => {
    const { get } = await startServer();
    expect((await get('/graphql?query={hello}&variables={x')).status).toBe(400);
  });

  test.each([['GET'], ['POST']])(
    'HTTP: refuses a subscription by %s for every media type but an event stream alone',
    async (method) => {
      const { url, authorization } = await startServer();
      const query = 'subscription { count }';
      for (const accept of ['multipart/mixed', 'application/json', 'text/event-stream, application/json']) {
        const headers = { accept, authorization, 'content-type': 'application/json' };
        const response =
          method === 'GET'
            ? await fetch(`${url}/graphql?query=${query}`, { headers })
            : await fetch(`${url}/graphql`, { method, headers, body: JSON.stringify({ query }) });
        expect(response.status).toBe(accept === 'multipart/mixed' ? 406 : 400);
        expect(await response.text()).not.toContain('"count"');
      }
    },
  );

  test.each([
    ['text/event-stream, application/json', 'application/json; charset=utf-8'],
    ['multipart/mixed;boundary=x, */*;q=0.1', 'application/json; charset=utf-8'],
    [
      'text/event-stream, application/graphql-response+json',
      'application/graphql-response+json; charset=utf-8',
    ],
    ['text/event-stream', 'text/event-stream; charset=utf-8'],
    ['text/event-stream, application/json;q=0, */*; q=0.0', 'text/event-stream; charset=utf-8'],
    ['text/event-stream;q=0.9, multipart/mixed', 'text/event-stream; charset=utf-8'],
  ])('HTTP: answers a client that accepts %s with %s', async (accept, type) => {
    const { post } = await startServer({ config: { graphiql: false } });
    const response = await post({ query: '{ hello }' }, { accept });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
  });

  test('HTTP: refuses a client that accepts every type of JSON with the weight 0', async () => {
    const { post } = await startServer();
    const response = await post({ query: '{ hello }' }, { accept: 'application/json;q=0, text/plain' });
    expect(response.status).toBe(406);
  });
});

describe('identity', () => {
  test('identity: resolvers know it from a valid token, and refuse fields without one', async () => {
    const { query, post } = await startServer();
    expect(await query('{ whoami }')).toEqual({ data: { whoami: 'aki' }, extensions: FREE });
    const response = await post({ query: '{ hello whoami }' });
    const result = await resultOf(response);
    expect([response.status, result.data, codesOf(result)]).toEqual([
      200,
      { hello: 'world', whoami: null },
      ['UNAUTHENTICATED'],
    ]);
  });

  test.each([
    ['expired', async () => `Bearer ${await tokenOf({ expiresIn: -10 })}`],
    ['garbage', () => 'Bearer garbage'],
    ['of another scheme', () => 'Basic YWtpOnNlY3JldA=='],
    ['empty after its scheme', () => 'Bearer '],
  ])('identity: a token that is %s is refused with 401 for any operation', async (_what, make) => {
    const { post } = await startServer();
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const response = await post({ query: '{ hello }' }, { authorization: await make(), accept });
      const result = await resultOf(response);
      expect([response.status, codesOf(result), result.data]).toEqual([401, ['UNAUTHENTICATED'], undefined]);
    }
  });

  test('identity: the scheme of a token may be in upper or lower case', async () => {
    const { query, authorization } = await startServer();
    const result = await query(
      '{ whoami }',
      {},
      { authorization: authorization.replace('Bearer', 'bEARER') },
    );
    expect(result.data).toEqual({ whoami: 'aki' });
  });

  test('identity: keys that cannot be fetched are 503', async () => {
    const auth = { kind: 'jwks', url: 'http://127.0.0.1:1/', issuer: 'i', audience: 'a' } as const;
    const { post } = await startServer({ config: { auth } });
    const { privateKey: key } = await generateKeyPair('RS256');
    const authorization = `Bearer ${await tokenOf({ key, header: { alg: 'RS256' } })}`;
    const response = await post({ query: '{ hello }' }, { authorization });
    expect([response.status, codesOf(await resultOf(response))]).toEqual([503, ['UNAVAILABLE']]);
  });
});

describe('errors', () => {
  test('errors: a deliberate error in the data has its code and details, and status 200', async () => {
    const { query } = await startServer();
    const { errors, data } = await query('{ refuse hello }');
    expect(data).toEqual({ refuse: null, hello: 'world' });
    expect(errors).toEqual([
      {
        message: 'Too long.',
        path: ['refuse'],
        locations: [{ line: 1, column: 3 }],
        extensions: {
          code: 'BAD_USER_INPUT',
          field: 'input.body',
          limit: 4_000,
          fields: [{ field: 'input.body', max: 4_000, message: 'Too long.' }],
        },
      },
    ]);
    expect((await query('{ wrapped }')).errors?.[0]?.extensions).toEqual({
      code: 'BAD_USER_INPUT',
      field: 'input.name',
      fields: [{ field: 'input.name', message: 'Too short.' }],
    });
  });

  test('errors: an error that makes the whole data null has status 200', async () => {
    const { post } = await startServer();
    const accept = 'application/graphql-response+json';
    const response = await post({ query: '{ unavailable }' }, { accept });
    const result = await resultOf(response);
    expect([response.status, result.data, codesOf(result)]).toEqual([200, null, ['UNAVAILABLE']]);
  });

  test.each([['fail'], ['misfit']])(
    'errors: an unexpected error (%s) has only an id, which is in the log',
    async (field) => {
      const { query, recorded } = await startServer();
      const result = await query(`{ ${field} }`);
      const [error] = result.errors ?? [];
      expect(error?.extensions).toEqual({ code: 'INTERNAL', errorId: expect.stringMatching(/^\w{16}$/) });
      expect(JSON.stringify(result)).not.toMatch(/hunter2|stack|\.ts/);
      const line = recorded.lines().find(({ errorId }) => errorId === error?.extensions?.errorId);
      expect(line).toMatchObject({ level: 50, path: field, err: { at: expect.any(Array) } });
      expect(recorded.text()).not.toContain('hunter2');
    },
  );

  test.each([
    ['a syntax error', '{ hello', 'GRAPHQL_VALIDATION_FAILED'],
    ['an unknown field', '{ helo }', 'GRAPHQL_VALIDATION_FAILED'],
    ['a missing argument', '{ echo }', 'GRAPHQL_VALIDATION_FAILED'],
    ['an unused variable', 'query($t: Int) { hello }', 'GRAPHQL_VALIDATION_FAILED'],
    ['an unknown operation', 'query A { hello } query B { hello }', 'GRAPHQL_VALIDATION_FAILED'],
    ['a fragment cycle', '{ tree { ...A } } fragment A on Tree { ...A }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'a document with 51 directives',
      `{ hello ${'@skip(if: false) '.repeat(51)} }`,
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['a wrong variable', 'query($t: Int!) { echo(text: "a", times: $t) }', 'BAD_USER_INPUT'],
  ])('errors: %s has the status of the media type', async (_what, query, code) => {
    const { post } = await startServer();
    const modern = await post({ query, variables: {} }, { accept: 'application/graphql-response+json' });
    const result = await resultOf(modern);
    expect([modern.status, result.data, new Set(codesOf(result))]).toEqual([400, undefined, new Set([code])]);
    const plain = await post({ query, variables: {} }, { accept: 'application/json' });
    expect([plain.status, new Set(codesOf(await resultOf(plain)))]).toEqual([200, new Set([code])]);
    expect(JSON.stringify(result)).not.toMatch(/"http"|stack/);
  });

  test('errors: a misspelt field, argument, type or enum gets no suggestions', async () => {
    const { query } = await startServer();
    for (const document of [
      '{ helo }',
      '{ echo(txt: "a") }',
      '{ tree { ... on Tre { name } } }',
      '{ tree { nam } }',
    ]) {
      const result = await query(document);
      expect(result.errors?.length).toBeGreaterThan(0);
      expect(JSON.stringify(result)).not.toContain('Did you mean');
    }
  });
});
