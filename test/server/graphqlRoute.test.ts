import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { mediaTypeOf } from '../../src/server/graphql/httpResponse.ts';
import { scaled } from '../support/run/budget.ts';
import { rawRequest } from './support/rawRequest.ts';
import { startServer } from './support/server.ts';

const JSON_TYPE = 'application/json';
const MODERN = 'application/graphql-response+json';

const USUAL = [
  JSON_TYPE,
  MODERN,
  '*/*',
  `${MODERN}, ${JSON_TYPE}`,
  `${MODERN},${JSON_TYPE};q=0.9`,
  `${MODERN}, application/graphql+json, ${JSON_TYPE}, text/event-stream, multipart/mixed`,
];

/** A header value for the same media type that only Yoga handles: the route knows the usual values only. */
const throughYoga = (accept: string) => `${accept} ;x=1`;

test.each(USUAL)('mediaTypeOf: knows %s, and leaves its variant to Yoga', (accept) => {
  expect([mediaTypeOf(accept), mediaTypeOf(throughYoga(accept))]).toEqual([expect.any(String), undefined]);
});

interface Sent {
  readonly body: string;
  readonly accept: string;
  readonly token: string | undefined;
  readonly origin?: string;
}

async function createComparison() {
  const { port, authorization, recorded } = await startServer();
  const send = ({ body, accept, token, origin }: Sent) =>
    rawRequest({
      port,
      method: 'POST',
      body,
      headers: {
        accept,
        'content-type': JSON_TYPE,
        'x-request-id': 'same',
        ...defined({ authorization: token, origin }),
      },
    });
  /** A response without what differs from one request to the next. */
  async function comparable(sent: Sent) {
    const { status, headers, text } = await send(sent);
    const { date: _date, 'content-length': _length, ...others } = headers;
    return { status, headers: others, text: text.replace(/"errorId":"\w{16}"/g, '"errorId":"…"') };
  }
  return {
    authorization,
    recorded,
    async expectEqual(sent: Sent) {
      const [direct, yoga] = [
        await comparable(sent),
        await comparable({ ...sent, accept: throughYoga(sent.accept) }),
      ];
      expect({ sent, ...direct }).toEqual({ sent, ...yoga });
      return direct;
    },
  };
}

const QUERIES: ReadonlyArray<readonly [query: string, variables?: Record<string, unknown> | null]> = [
  ['{ hello }'],
  ['{ __typename }'],
  ['{ whoami hello }'],
  ['{ refuse hello }'],
  ['{ wrapped }'],
  ['{ unavailable }'],
  ['{ fail }'],
  ['{ misfit hello }'],
  ['{ tree { child { name } children(first: 3) { name } } }'],
  ['{ tree { children(first: 100) { children(first: 100) { children(first: 100) { name } } } } }'],
  ['query($t: String!) { echo(text: $t) }', { t: 'é"\u2028\\' }],
  ['query($t: String!) { echo(text: $t) }', { t: 7 }],
  ['query($t: String!) { echo(text: $t) }', null],
  ['query($t: String!) { echo(text: $t) }'],
  ['query A { hello } query B { hello }'],
  ['mutation { write }'],
  ['subscription { count }'],
  ['fragment F on Query { hello }'],
  ['{ helo nothing }'],
  ['{ hello'],
  [''],
  ['{ tree { ...F } } fragment F on Tree { child { ...F } }'],
  [`{ ${'hello '.repeat(2_001)} }`],
  ['{ __schema { queryType { name } } }'],
];

const BODIES = [
  '',
  '{',
  'null',
  '7',
  '"{ hello }"',
  '[]',
  '[{"query":"{ hello }"}]',
  '{}',
  '{"query":null}',
  '{"query":7}',
  '{"query":["{ hello }"]}',
  '{"query":"{ hello }","variables":[1]}',
  '{"query":"{ hello }","variables":"x"}',
  '{"query":"{ hello }","extensions":3}',
  '{"query":"{ hello }","extensions":{"any":1}}',
  '{"query":"{ hello }","operationName":3}',
  '{"query":"{ hello }","operationName":null,"variables":null,"cookies":null}',
  '{"query":"{ hello }","cookies":1}',
  '{"query":"{ hello }","__proto__":{"query":"{ whoami }"}}',
  '{"query":"query A { hello } query B { __typename }","operationName":"B"}',
  '{"query":"{ hello }","operationName":"__proto__"}',
  `{"query":"{ hello }","variables":{"x":"${'x'.repeat(1_048_577)}"}}`,
  ...QUERIES.map(([query, variables]) => JSON.stringify({ query, ...defined({ variables }) })),
];

test('GraphQL route: answers directly as Yoga does', async () => {
  const { authorization, expectEqual } = await createComparison();
  for (const body of BODIES) {
    for (const accept of USUAL) {
      await expectEqual({ body, accept, token: authorization });
    }
    for (const token of [undefined, 'Bearer garbage', 'Basic x', 'Bearer ']) {
      await expectEqual({ body, accept: MODERN, token });
    }
  }
  const sent = { body: BODIES[0] ?? '', accept: JSON_TYPE, token: authorization };
  for (const origin of ['https://chat.example.com', 'https://evil.example']) {
    await expectEqual({ ...sent, origin });
  }
});

test('GraphQL route: answers any body directly as Yoga does', async () => {
  const { authorization, expectEqual, recorded } = await createComparison();
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(...QUERIES.map(([query]) => query)));
  const params = fc.dictionary(
    fc.constantFrom('query', 'variables', 'operationName', 'extensions', 'id', '__proto__'),
    value,
  );
  const body = fc.oneof(
    params.map((given) => JSON.stringify(given)),
    fc.string(),
    fc.json(),
  );
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom(JSON_TYPE, MODERN), async (text, accept) => {
      const { status } = await expectEqual({ body: text, accept, token: authorization });
      expect([200, 400]).toContain(status);
    }),
    { numRuns: scaled(40) },
  );
  expect(recorded.text()).not.toContain('could not be answered');
});
