import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { getIntrospectionQuery } from 'graphql';
import { describe, expect, test } from 'vitest';
import { codesOf, resultOf, startServer } from './support/server.ts';

describe('limits of documents and bodies', () => {
  const nested = (levels: number) =>
    `{ tree ${'{ child '.repeat(levels - 2)}{ name }${' }'.repeat(levels - 1)}`;
  /** Fragments of which each is spread twice in the one before. */
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
  test.each(cases)(
    'document limits: allow %s and refuse one more before anything runs',
    async (_what, within, over) => {
      const { query } = await startServer();
      const good = await query(within);
      // A document with the same field 1,998 times is refused for another reason.
      if (!within.includes('hello hello')) expect(good.errors).toBeUndefined();
      const refused = await query(over);
      expect([refused.data, codesOf(refused)]).toEqual([undefined, ['GRAPHQL_VALIDATION_FAILED']]);
      expect(refused.errors?.[0]?.message).toMatch(/more th/);
    },
  );

  test('document limits: a fragment that is not spread counts, because it is validated', async () => {
    const { query } = await startServer();
    const refused = await query(`{ hello } fragment F on Query { ${'hello '.repeat(51)} }`);
    expect(refused.errors?.[0]?.message).toContain('more than 50 fields of one name');
  });

  test('cost: an answer has it, and so has the error that refuses the operation', async () => {
    const { query } = await startServer();
    const pages = (last: number) =>
      `{ tree { children(last: ${last}) { child { children(first: 100) { name } } } } }`;
    expect((await query(pages(7))).extensions).toEqual({ cost: { objects: 707, limit: 30_000 } });
    const deep = await query(pages(100).replace('{ name }', '{ children(first: 9) { name } }'));
    expect(deep.errors?.[0]?.extensions).toEqual({
      code: 'GRAPHQL_VALIDATION_FAILED',
      limit: 30_000,
      cost: { objects: 100_100, limit: 30_000 },
    });
  });

  test.each([
    ['executed once', 1],
    ['compiled', 4],
  ])(
    'result: the longest one is sent, and a longer one is refused with the limit: %s',
    async (_what, times) => {
      const resultChars = 1_000;
      const { query } = await startServer({ limits: { resultChars } });
      const ofLength = (chars: number) =>
        query(`{ echo(text: "x", times: ${chars - '{"echo":""}'.length}) }`);
      for (let i = 0; i < times; i++) {
        expect((await ofLength(resultChars)).errors).toBeUndefined();
        const { data, errors } = await ofLength(resultChars + 1);
        expect([data, errors?.[0]?.extensions]).toEqual([
          undefined,
          { code: 'GRAPHQL_VALIDATION_FAILED', limit: resultChars },
        ]);
      }
    },
  );

  test('document limits: refuse fragments that spread themselves or each other', async () => {
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
      expect(codesOf(await query(document))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
    }
    expect(recorded.lines().filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test('introspection: allowed as GraphiQL does it, and refused if it is off', async () => {
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
    const closed = await startServer({ config: { introspection: false } });
    for (const document of [full, '{ __type(name: "Tree") { name } }']) {
      const result = await closed.query(document);
      expect(new Set(codesOf(result))).toEqual(new Set(['GRAPHQL_VALIDATION_FAILED']));
      expect(result.data).toBeUndefined();
    }
    expect((await closed.query('{ __typename hello }')).errors).toBeUndefined();
  });

  test('body: 1 MiB is accepted, one byte more is 413, and the server continues', async () => {
    const { post, query } = await startServer();
    const sized = (bytes: number) => {
      const body = JSON.stringify({ query: '{ hello }', variables: { x: '' } });
      return body.replace('""', `"${'x'.repeat(bytes - body.length)}"`);
    };
    expect((await post(sized(1_048_576))).status).toBe(200);
    const response = await post(sized(1_048_577));
    expect([response.status, codesOf(await resultOf(response))]).toEqual([
      413,
      ['GRAPHQL_VALIDATION_FAILED'],
    ]);
    expect((await query('{ hello }')).data).toEqual({ hello: 'world' });
  });

  test.each([
    [2, 413],
    [64, 413],
  ])('body: %i MiB in chunks is 413', async (mebibytes, status) => {
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

  test('body: a client that disconnects in the middle of it causes no error', async () => {
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
