import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { getIntrospectionQuery } from 'graphql';
import { generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
import { codesOf, FREE, type Result, startServer } from './support/server.ts';
import { tokenOf } from './support/tokens.ts';

const resultOf = async (response: Response) => (await response.json()) as Result;

describe('operations', () => {
  test('a query comes by POST or GET, a mutation by POST', async () => {
    const { query, get } = await startServer();
    expect(await query('{ hello }')).toEqual({ data: { hello: 'world' }, extensions: FREE });
    expect(await query('mutation { write }')).toEqual({ data: { write: 'written' }, extensions: FREE });
    const variables = encodeURIComponent('{"t":"a&b"}');
    const response = await get(`/graphql?query=query($t:String!){echo(text:$t)}&variables=${variables}`);
    expect(await resultOf(response)).toEqual({ data: { echo: 'a&b' }, extensions: FREE });
  });

  test('a mutation over GET is 405 and does not run', async () => {
    const { get, events } = await startServer();
    let written = false;
    events.once('written', () => {
      written = true;
    });
    const response = await get('/graphql?query=mutation{write}');
    expect([response.status, response.headers.get('allow'), written]).toEqual([405, 'POST', false]);
    expect(codesOf(await resultOf(response))).toEqual(['BAD_USER_INPUT']);
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
  ])('a body of type %s is 415 and does not run', async (type, body) => {
    const { post, events } = await startServer();
    let written = false;
    events.once('written', () => {
      written = true;
    });
    const response = await post(body, { 'content-type': type });
    expect([response.status, written]).toEqual([415, false]);
  });

  test.each([['PUT'], ['DELETE'], ['PATCH'], ['HEAD']])('%s is 405', async (method) => {
    const { url } = await startServer();
    expect((await fetch(`${url}/graphql`, { method })).status).toBe(405);
  });

  test.each([
    ['no JSON', '{"query":'],
    ['JSON null', 'null'],
    ['a number', '7'],
    ['no query', '{}'],
    ['a query that is no text', '{"query":7}'],
    ['variables that are no object', '{"query":"{ hello }","variables":[1]}'],
    ['an unknown member', '{"query":"{ hello }","cookies":1}'],
    ['a batch', '[{"query":"{ hello }"},{"query":"{ hello }"}]'],
    ['an empty batch', '[]'],
  ])('a body with %s is 400', async (_what, body) => {
    const { post } = await startServer();
    const response = await post(body, { accept: 'application/graphql-response+json' });
    expect([response.status, codesOf(await resultOf(response))]).toEqual([400, ['BAD_USER_INPUT']]);
  });

  test('a body that is not UTF-8 is 400', async () => {
    const { url } = await startServer();
    const body = Buffer.from('{"query":"{ echo(text: \\"\u00e9\\") }"}', 'latin1');
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(`${url}/graphql`, { method: 'POST', headers, body })).status).toBe(400);
  });

  test('variables in an address that are not JSON are 400', async () => {
    const { get } = await startServer();
    expect((await get('/graphql?query={hello}&variables={x')).status).toBe(400);
  });

  test.each([['GET'], ['POST']])('a subscription over %s is refused, event stream or not', async (method) => {
    const { url, authorization } = await startServer();
    const query = 'subscription { count }';
    for (const accept of ['text/event-stream', 'application/json', 'multipart/mixed, application/json']) {
      const headers = { accept, authorization, 'content-type': 'application/json' };
      const response =
        method === 'GET'
          ? await fetch(`${url}/graphql?query=${query}`, { headers })
          : await fetch(`${url}/graphql`, { method, headers, body: JSON.stringify({ query }) });
      expect(response.status).toBe(accept === 'text/event-stream' ? 406 : 400);
      expect(await response.text()).not.toContain('"count"');
    }
  });

  test.each([
    ['text/event-stream, application/json', 'application/json; charset=utf-8'],
    ['multipart/mixed;boundary=x, */*;q=0.1', 'application/json; charset=utf-8'],
    [
      'text/event-stream, application/graphql-response+json',
      'application/graphql-response+json; charset=utf-8',
    ],
    ['text/event-stream', null],
    ['multipart/mixed', null],
    ['text/html', null],
  ])('a query whose client accepts %s is answered as %s', async (accept, type) => {
    const { post } = await startServer({ config: { graphiql: false } });
    const response = await post({ query: '{ hello }' }, { accept });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      type === null ? 406 : 200,
      type,
    ]);
  });
});

describe('identity', () => {
  test('a good token is known to the resolvers, without one nobody is', async () => {
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
    ['missing behind its scheme', () => 'Bearer '],
  ])('a token that is %s is 401, whatever is asked', async (_what, make) => {
    const { post } = await startServer();
    for (const accept of ['application/json', 'application/graphql-response+json']) {
      const response = await post({ query: '{ hello }' }, { authorization: await make(), accept });
      const result = await resultOf(response);
      expect([response.status, codesOf(result), result.data]).toEqual([401, ['UNAUTHENTICATED'], undefined]);
    }
  });

  test('the scheme of a token may be in any case', async () => {
    const { query, authorization } = await startServer();
    const result = await query(
      '{ whoami }',
      {},
      { authorization: authorization.replace('Bearer', 'bEARER') },
    );
    expect(result.data).toEqual({ whoami: 'aki' });
  });

  test('keys that cannot be had are 503', async () => {
    const auth = { kind: 'jwks', url: 'http://127.0.0.1:1/', issuer: 'i', audience: 'a' } as const;
    const { post } = await startServer({ config: { auth } });
    const { privateKey: key } = await generateKeyPair('RS256');
    const authorization = `Bearer ${await tokenOf({ key, header: { alg: 'RS256' } })}`;
    const response = await post({ query: '{ hello }' }, { authorization });
    expect([response.status, codesOf(await resultOf(response))]).toEqual([503, ['UNAVAILABLE']]);
  });
});

describe('errors', () => {
  test('a deliberate one has its code and details, and status 200 inside data', async () => {
    const { query } = await startServer();
    const { errors, data } = await query('{ refuse hello }');
    expect(data).toEqual({ refuse: null, hello: 'world' });
    expect(errors).toEqual([
      {
        message: 'Too long.',
        path: ['refuse'],
        locations: [{ line: 1, column: 3 }],
        extensions: { code: 'BAD_USER_INPUT', field: 'input.body', limit: 4_000 },
      },
    ]);
    expect((await query('{ wrapped }')).errors?.[0]?.extensions).toEqual({
      code: 'BAD_USER_INPUT',
      field: 'input.name',
    });
  });

  test('one that takes the whole data with it is still an answer', async () => {
    const { post } = await startServer();
    const accept = 'application/graphql-response+json';
    const response = await post({ query: '{ away }' }, { accept });
    const result = await resultOf(response);
    expect([response.status, result.data, codesOf(result)]).toEqual([200, null, ['UNAVAILABLE']]);
  });

  test.each([['fail'], ['misfit']])(
    'an unexpected one (%s) tells only an id, which is in the log',
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
    ['a syntax error', '{ hello'],
    ['an unknown field', '{ helo }'],
    ['a missing argument', '{ echo }'],
    ['an unknown operation', 'query A { hello } query B { hello }'],
    ['a wrong variable', 'query($t: Int!) { echo(text: "a", times: $t) }'],
  ])('%s is BAD_USER_INPUT, by the status that the media type asks for', async (_what, query) => {
    const { post } = await startServer();
    const modern = await post({ query, variables: {} }, { accept: 'application/graphql-response+json' });
    const result = await resultOf(modern);
    expect([modern.status, result.data, new Set(codesOf(result))]).toEqual([
      400,
      undefined,
      new Set(['BAD_USER_INPUT']),
    ]);
    expect(JSON.stringify(result)).not.toMatch(/"http"|stack/);
  });

  test('a misspelt field, argument, type or enum gets no suggestions', async () => {
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

describe('limits', () => {
  const nested = (levels: number) =>
    `{ tree ${'{ child '.repeat(levels - 2)}{ name }${' }'.repeat(levels - 1)}`;
  /** So many fragments, each of which is spread twice by the one before. */
  const doubling = (fragments: number) =>
    [
      '{ tree { ...F0 } }',
      ...Array.from(
        { length: fragments },
        (_, i) =>
          `fragment F${i} on Tree { child { ...F${i + 1} } children(first: 1) { ...F${i + 1} } name }`,
      ),
      `fragment F${fragments} on Tree { name }`,
    ].join(' ');
  const cases: Array<[string, string, string]> = [
    ['20 levels', nested(20), nested(21)],
    [
      '20 levels through fragments',
      `{ tree { ...F } } fragment F on Tree ${nested(19).replace('tree', 'child')}`,
      `{ tree { ...F } } fragment F on Tree ${nested(20).replace('tree', 'child')}`,
    ],
    [
      '100 aliases',
      `{ ${Array.from({ length: 100 }, (_, i) => `a${i}: hello`).join(' ')} }`,
      `{ ${Array.from({ length: 101 }, (_, i) => `a${i}: hello`).join(' ')} }`,
    ],
    [
      '100 aliases through fragments',
      `{ tree { ...F child { ...F } } } fragment F on Tree { ${'a: name b: name c: name d: name e: name '.repeat(10)} }`,
      `{ tree { ...F child { ...F } } } fragment F on Tree { ${'a: name b: name c: name d: name e: name '.repeat(10)} z: name }`,
    ],
    [
      '50 directives',
      `{ ${'hello @include(if: true) '.repeat(50)} }`,
      `{ ${'hello @include(if: true) '.repeat(51)} }`,
    ],
    [
      '50 directives on spreads of one fragment',
      `{ ${'...F @include(if: true) '.repeat(50)} } fragment F on Query { hello }`,
      `{ ${'...F @include(if: true) '.repeat(51)} } fragment F on Query { hello }`,
    ],
    [
      '30,000 objects',
      '{ tree { children(first: 100) { children(last: 13) { child { children(first: 22) { name } } } } } }',
      '{ tree { children(first: 100) { children(last: 13) { child { children(first: 22) { name } } } } a: children(first: 1) { name } } }',
    ],
    [
      '50 fields of one name in one place',
      `{ ${'tree { name } '.repeat(49)} ...F } fragment F on Query { tree { name } }`,
      `{ ${'tree { name } '.repeat(49)} ...F ...G } fragment F on Query { tree { name } } fragment G on Query { tree { child { name } } }`,
    ],
    [
      '50 fields of one name in one place, by the fields around them',
      `{ ${`tree { ${'name '.repeat(10)} } `.repeat(5)} }`,
      `{ ${`tree { ${'name '.repeat(10)} } `.repeat(5)} tree { name } }`,
    ],
    [
      '50 fields of one name in a fragment that is spread twice in one place',
      `{ ...F ...F } fragment F on Query { ${'tree { name } '.repeat(50)} }`,
      `{ ...F ...F } fragment F on Query { ${'tree { name } '.repeat(51)} }`,
    ],
    ['5,000 fields, in fragments that double', doubling(10), doubling(11)],
    ['2,000 tokens', `{ ${'hello '.repeat(1_998)} }`, `{ ${'hello '.repeat(1_999)} }`],
  ];
  test.each(cases)('%s pass, one more is refused before anything runs', async (_what, within, over) => {
    const { query } = await startServer();
    const good = await query(within);
    // Two thousand times the same field is more than validation compares; any other refusal is not ours.
    if (!within.includes('hello hello')) expect(good.errors).toBeUndefined();
    const refused = await query(over);
    expect([refused.data, codesOf(refused)]).toEqual([undefined, ['BAD_USER_INPUT']]);
    expect(refused.errors?.[0]?.message).toMatch(/more th/);
  });

  test('what nobody spreads is validated, and so it is bounded', async () => {
    const { query } = await startServer();
    const refused = await query(`{ hello } fragment F on Query { ${'hello '.repeat(51)} }`);
    expect(refused.errors?.[0]?.message).toContain('more than 50 fields of one name');
  });

  test('an answer tells what its operation cost, and so does a refusal for it', async () => {
    const { query } = await startServer();
    const pages = (last: number) =>
      `{ tree { children(last: ${last}) { child { children(first: 100) { name } } } } }`;
    expect((await query(pages(7))).extensions).toEqual({ cost: { objects: 707, limit: 30_000 } });
    const deep = await query(pages(100).replace('{ name }', '{ children(first: 9) { name } }'));
    expect(deep.errors?.[0]?.extensions).toEqual({
      code: 'BAD_USER_INPUT',
      limit: 30_000,
      cost: { objects: 100_100, limit: 30_000 },
    });
  });

  test('fragments that spread themselves, or each other, are refused', async () => {
    const { query, recorded } = await startServer();
    const ring = Array.from(
      { length: 100 },
      (_, i) => `fragment F${i} on Tree { child { ...F${(i + 1) % 100} ...F${(i + 2) % 100} } }`,
    ).join(' ');
    for (const document of [
      '{ tree { ...F } } fragment F on Tree { child { ...F } }',
      `{ tree { ...F0 } } ${ring}`,
      `{ hello } ${ring}`,
    ]) {
      expect(codesOf(await query(document))).toEqual(['BAD_USER_INPUT']);
    }
    expect(recorded.lines().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test('introspection as GraphiQL does it passes; where it is off it is refused', async () => {
    const full = getIntrospectionQuery({
      descriptions: true,
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      inputValueDeprecation: true,
      oneOf: true,
    });
    const open = await startServer();
    expect((await open.query(full)).errors).toBeUndefined();
    const shut = await startServer({ config: { introspection: false } });
    for (const document of [full, '{ __type(name: "Tree") { name } }']) {
      const result = await shut.query(document);
      expect(new Set(codesOf(result))).toEqual(new Set(['BAD_USER_INPUT']));
      expect(result.data).toBeUndefined();
    }
    expect((await shut.query('{ __typename hello }')).errors).toBeUndefined();
  });

  test('a body of 1 MiB passes, one byte more is 413, and the server lives', async () => {
    const { post, query } = await startServer();
    const sized = (bytes: number) => {
      const body = JSON.stringify({ query: '{ hello }', variables: { x: '' } });
      return body.replace('""', `"${'x'.repeat(bytes - body.length)}"`);
    };
    expect((await post(sized(1_048_576))).status).toBe(200);
    const response = await post(sized(1_048_577));
    expect([response.status, codesOf(await resultOf(response))]).toEqual([413, ['BAD_USER_INPUT']]);
    expect((await query('{ hello }')).data).toEqual({ hello: 'world' });
  });

  test.each([
    [2, 413],
    [64, 413],
  ])('a chunked body of %i MiB is 413', async (mebibytes, status) => {
    const { port, query } = await startServer();
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(
        { port, path: '/graphql', method: 'POST', headers: { 'content-type': 'application/json' } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      request.on('error', reject);
      const chunk = Buffer.alloc(65_536, 'x');
      let left = mebibytes * 16;
      const write = () => {
        while (left-- > 0) {
          if (!request.write(chunk)) return void request.once('drain', write);
        }
        request.end();
      };
      write();
    });
    expect(answer).toBe(status);
    expect((await query('{ hello }')).data).toEqual({ hello: 'world' });
  });

  test('a client that goes away in the middle of its body leaves nothing behind', async () => {
    const { port, query, recorded } = await startServer();
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"query"',
      () => socket.destroy(),
    );
    await new Promise((resolve) => socket.once('close', resolve));
    expect((await query('{ hello }')).data).toEqual({ hello: 'world' });
    expect(recorded.lines().filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });
});
