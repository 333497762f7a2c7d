import fc from 'fast-check';
import { buildSchema, execute, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { compileSync } from '../../src/graphql/syncExecution.ts';
import { scaled } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';

const schema = buildSchema(`
  interface Named { name: String }
  type Query { thing: Thing, things: [Thing!], named: Named }
  type Thing implements Named {
    name: String
    count: Int!
    required: String!
    later: String
    fails: String
    numbers: [Int]
    grid: [[Float!]!]!
    self: Thing
    broken: Thing
    wrong: Thing
    others: [Thing!]!
    maybe: [Thing]
    add(a: Int = 1, b: Int!): Int
    kind: Kind
    old: Boolean
    id: ID!
  }
  enum Kind { GOOD BAD }
`);

/** buildSchema has the default resolvers: a function is called with the arguments. */
interface Thing {
  readonly [field: string]: unknown;
}

const thing = (depth: number): Thing => ({
  __typename: 'Thing',
  name: 'a "quoted" 集い \u2028',
  count: depth,
  required: 'there',
  later: async () => 'later',
  fails: () => {
    throw new Error('no');
  },
  numbers: [1, null, 3],
  grid: [[0.5, 1e21], []],
  self: depth > 2 ? null : () => thing(depth + 1),
  others: depth > 2 ? [] : [thing(depth + 1), thing(depth + 2)],
  maybe: depth > 2 ? [] : [null, thing(3)],
  broken: { name: 'broken', required: null },
  wrong: { count: 'many' },
  add: ({ a, b }: { a: number | null; b: number }) => (a ?? 10) + b,
  kind: depth % 2 === 0 ? 'GOOD' : 'BAD',
  old: false,
  id: 7,
});

const rootValue = { thing: thing(0), things: [thing(1), thing(2)], named: thing(0) };

const expectedOf = async (query: string, variableValues: Record<string, unknown>) =>
  execute({ schema, document: parse(query), rootValue, variableValues });
const written = (query: string, variableValues: Record<string, unknown> = {}) =>
  compileSync({ schema, document: parse(query), variableValues })(rootValue, {});

const LEAVES = ['name', 'count', 'required', 'numbers', 'grid', 'kind', 'old', 'id', '__typename'];
const ARGUMENTS = ['add(b: 1)', 'add(a: $a, b: 2)', 'add(a: null, b: $b)', 'add(a: 3, b: $b)'];
const CONDITIONS = ['', '', '', '@include(if: $yes)', '@skip(if: $yes)', '@include(if: $no) @skip(if: $no)'];

const field = fc
  .record({
    name: fc.constantFrom(...LEAVES, ...ARGUMENTS),
    on: fc.constantFrom(...CONDITIONS),
    alias: fc.nat(40),
  })
  .map(({ name, on, alias }) => `x${alias}_${name.replace(/\W/g, '')}: ${name} ${on}`);

const { selection } = fc.letrec<{ selection: string; part: string }>((tie) => ({
  selection: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => `{ ${parts.join(' ')} }`),
  part: fc.oneof(
    { maxDepth: 3 },
    field,
    fc
      .tuple(fc.constantFrom('self', 'others', 'maybe'), tie('selection'))
      .map(([name, set]) => `${name} ${set}`),
    fc
      .tuple(
        fc.constantFrom('... on Thing', '... on Named @include(if: $yes) { name } ... on Thing', '...'),
        tie('selection'),
      )
      .map(([condition, set]) => `${condition} ${set}`),
    fc.constantFrom('...F', '...F @skip(if: $no)', '...G'),
  ),
}));

const query = fc.record({ one: selection, many: selection, fragment: selection }).map(
  ({ one, many, fragment }) => `
    query ($a: Int, $b: Int! = 5, $yes: Boolean! = true, $no: Boolean! = false) {
      thing ${one} again: thing { ...F } things ${many}
    }
    fragment F on Thing { count add(a: $a, b: $b) same: self @skip(if: $yes) { id } }
    fragment G on Thing ${fragment.replaceAll('...G', '...F')}`,
);

test(`compileSync: writes what execution returns, for random operations and variables (seed ${seed})`, async () => {
  const variables = fc.record(
    { a: fc.constantFrom(null, 4), b: fc.nat(9), yes: fc.boolean(), no: fc.boolean() },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(query, variables, async (text, values) => {
      const wrong = validate(schema, parse(text)).filter(({ message }) => !message.endsWith('never used.'));
      expect(wrong).toEqual([]);
      const expected = await expectedOf(text, values);
      expect(expected.errors).toBeUndefined();
      expect(written(text, values)).toBe(JSON.stringify({ data: expected.data }));
    }),
    { seed, numRuns: scaled(100) },
  );
});

test.each([
  ['a promise', '{ thing { name later } }'],
  ['a resolver that throws', '{ thing { name fails } }'],
  ['null that may not be', '{ thing { broken { name required } } }'],
  ['a value of another type', '{ thing { wrong { count } } }'],
  ['an interface', '{ named { name } }'],
  ['introspection', '{ __schema { types { name } } }'],
])('compileSync: %s has to be executed', (_what, text) => {
  expect(written(text)).toBeUndefined();
});

test('compileSync: wrong variables have to be executed', () => {
  expect(written('query ($b: Int!) { thing { add(b: $b) } }', {})).toBeUndefined();
});
