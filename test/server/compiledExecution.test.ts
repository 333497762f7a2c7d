import fc from 'fast-check';
import {
  execute,
  GraphQLBoolean,
  GraphQLEnumType,
  type GraphQLFieldConfigMap,
  GraphQLID,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  GraphQLString,
  isNonNullType,
  NoUnusedVariablesRule,
  PossibleFragmentSpreadsRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import { notFound, TsudoiError } from '../../src/core/errors.ts';
import { Later } from '../../src/core/later.ts';
import { compileText } from '../../src/graphql/textExecution.ts';
import { createCompiledExecution, type Executed } from '../../src/server/graphql/compiledExecution.ts';
import { scaled } from '../support/run/budget.ts';

/** What a resolver does depends on its path and on the seed, so both executors meet the same. */
type Behaviour = 'value' | 'promise' | 'later' | 'null' | 'throw' | 'reject' | 'late error' | 'masked';
const BEHAVIOURS: readonly Behaviour[] = [
  'value',
  'promise',
  'value',
  'later',
  'later',
  'null',
  'throw',
  'reject',
  'late error',
  'masked',
];

interface Context {
  readonly seed: number;
  /** Chances of anything but a value, of 100. */
  readonly faults: number;
  readonly calls: string[];
  /** What all values that are known later wait for. */
  readonly after: Promise<unknown>;
}

function hashOf(text: string, seed: number): number {
  let hash = 2_166_136_261 ^ seed;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619) >>> 0;
  return hash;
}

function pathOf({ path }: GraphQLResolveInfo): string {
  const parts: Array<string | number> = [];
  for (let at: GraphQLResolveInfo['path'] | undefined = path; at !== undefined; at = at.prev)
    parts.unshift(at.key);
  return parts.join('.');
}

const resolver =
  (value: (args: Record<string, unknown>, hash: number) => unknown) =>
  (
    source: { readonly at: string } | undefined,
    args: Record<string, unknown>,
    context: Context,
    info: GraphQLResolveInfo,
  ) => {
    const place = `${source?.at ?? ''}/${info.fieldName}(${JSON.stringify(args)})`;
    context.calls.push(`${info.parentType.name}.${place}`);
    const hash = hashOf(place, context.seed);
    const behaviour = hash % 100 < context.faults ? BEHAVIOURS[(hash >>> 8) % BEHAVIOURS.length] : 'value';
    const made = () => value({ ...args, at: place }, hash);
    switch (behaviour) {
      case 'promise':
        return Promise.resolve().then(made);
      case 'later':
        return new Later(context.after, made);
      case 'late error':
        return new Later(context.after, () => {
          throw notFound();
        });
      // In a field that cannot be null, graphql-js leaves its siblings' rejections without a handler if it fails at
      // once.
      case 'null':
        return isNonNullType(info.returnType) ? Promise.resolve(null) : null;
      case 'throw':
        if (isNonNullType(info.returnType)) return Promise.reject(notFound());
        throw notFound();
      case 'reject':
        return Promise.reject(notFound());
      case 'masked':
        return Promise.reject(new Error(`secret of ${pathOf(info)}`));
      default:
        return made();
    }
  };

const Color = new GraphQLEnumType({ name: 'Color', values: { RED: { value: 0 }, BLUE: { value: 1 } } });
const types = ['Person', 'Robot'] as const;
const objectAt = (at: unknown, hash: number) => ({ at: String(at), type: types[hash % 2] });

const Thing: GraphQLInterfaceType = new GraphQLInterfaceType({
  name: 'Thing',
  fields: () => fields(),
  resolveType: ({ type }: { type: string }) => type,
});

function fields(): GraphQLFieldConfigMap<{ readonly at: string }, Context> {
  const list = (_: unknown, hash: number, at: unknown) =>
    Array.from({ length: hash % 4 }, (_unused, i) => objectAt(`${at}[${i}]`, hash >>> i));
  return {
    id: { type: new GraphQLNonNull(GraphQLID), resolve: resolver(({ at }) => at) },
    name: {
      type: GraphQLString,
      args: { times: { type: GraphQLInt, defaultValue: 2 }, text: { type: GraphQLString } },
      resolve: resolver(({ times, text }) => `${text}-${times}`),
    },
    color: { type: Color, resolve: resolver((_, hash) => hash % 2) },
    big: { type: GraphQLInt, resolve: resolver((_, hash) => (hash % 5 === 0 ? 2 ** 40 : hash % 1000)) },
    sure: { type: new GraphQLNonNull(GraphQLBoolean), resolve: resolver((_, hash) => hash % 2 === 0) },
    best: { type: Thing, resolve: resolver(({ at }, hash) => objectAt(at, hash)) },
    must: { type: new GraphQLNonNull(Thing), resolve: resolver(({ at }, hash) => objectAt(at, hash)) },
    some: { type: new GraphQLList(Thing), resolve: resolver(({ at }, hash) => list(undefined, hash, at)) },
    all: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Thing))),
      resolve: resolver(({ at }, hash) => list(undefined, hash, at)),
    },
    later: {
      type: new GraphQLList(GraphQLString),
      resolve: resolver((_, hash) => [Promise.resolve(`${hash % 7}`), 'x', null]),
    },
  };
}

const objects = types.map((name) => new GraphQLObjectType({ name, interfaces: [Thing], fields }));
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: 'Query', fields }),
  types: objects,
});

/** A random document need not use all its variables, and may spread fragments that never apply. */
const RULES = specifiedRules.filter(
  (rule) => rule !== NoUnusedVariablesRule && rule !== PossibleFragmentSpreadsRule,
);

// ── Random documents ──

/** The same response name always means the same field with the same arguments, so no two selections conflict. */
const leaf = fc.constantFrom(
  ...['id', 'color', 'big', 'sure', 'later', '__typename', 'name', 'other: name', 'id2: id'],
  ...[
    'n4: name(times: 4)',
    'e: name(text: "é")',
    'v: name(text: $text)',
    'w: name(times: $times, text: null)',
  ],
);
const composite = fc.constantFrom('best', 'must', 'some', 'all', 'best2: best', 'all2: all');
const directive = fc.constantFrom(...new Array(60).fill(''), ' @include(if: $yes)', ' @skip(if: $no)');

const selections = fc.letrec<{ set: string; selection: string }>((tie) => ({
  set: fc.array(tie('selection'), { minLength: 1, maxLength: 5 }).map((list) => `{ ${list.join('\n')} }`),
  selection: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(leaf, directive).map((parts) => parts.join('')),
    fc.tuple(composite, directive, tie('set')).map(([field, when, set]) => `${field}${when} ${set}`),
    fc
      .tuple(fc.constantFrom('... on Thing', '... on Person', '... on Robot', '...'), directive, tie('set'))
      .map(([on, when, set]) => `${on}${when} ${set}`),
    fc.constantFrom('...Parts', '...More'),
  ),
})).set;

const documentOf = (set: string) => `query Q($yes: Boolean!, $no: Boolean!, $text: String, $times: Int = 3)
{ best ${set}
  some { ...Parts ...More } }
fragment Parts on Thing { id name sure }
fragment More on Thing { best { id ... on Robot { color } } all { must { sure } } }`;

const variables = fc.record(
  {
    yes: fc.boolean(),
    no: fc.boolean(),
    text: fc.option(fc.string()),
    times: fc.option(fc.integer({ min: -5, max: 5 })),
  },
  { requiredKeys: ['yes', 'no'] },
);

function plain(executed: Executed) {
  if ('dataText' in executed) return { data: JSON.parse(executed.dataText) as unknown, errors: [] };
  const { data, errors = [] } = executed;
  const said = errors.map(({ message, path, locations, originalError }) =>
    JSON.stringify({
      message,
      path,
      locations,
      code: originalError instanceof TsudoiError ? originalError.code : null,
    }),
  );
  return { data: JSON.parse(JSON.stringify(data ?? null)) as unknown, errors: said.sort() };
}

test('createCompiledExecution: a compiled query gives what graphql-js gives', async () => {
  await fc.assert(
    fc.asyncProperty(
      selections,
      variables,
      fc.nat(),
      fc.constantFrom(0, 10, 60),
      async (set, variableValues, seed, faults) => {
        const document = parse(documentOf(set));
        expect(validate(schema, document, RULES)).toEqual([]);
        const compiled = createCompiledExecution({
          schema,
          compile: compileText,
          compileAfter: 0,
          compileEveryMs: 0,
        });
        const run = async (executor: typeof execute | typeof compiled) => {
          const contextValue: Context = { seed, faults, calls: [], after: Promise.resolve() };
          const result = await executor({
            schema,
            document,
            variableValues,
            contextValue,
            operationName: 'Q',
          });
          return { ...plain(result), calls: contextValue.calls.sort(), isWritten: 'dataText' in result };
        };
        const [ours, theirs] = [await run(compiled), await run(execute)];
        expect(ours.data).toEqual(theirs.data);
        // With an error, it is executed after what could be written, so resolvers are called twice.
        if (theirs.errors.length === 0) {
          expect(ours).toEqual({ ...theirs, isWritten: !document.loc?.source.body.includes('@') });
        }
        expect(ours.errors).toEqual(theirs.errors);
      },
    ),
    { numRuns: scaled(40) },
  );
});

test('createCompiledExecution: wrong variables give the errors of graphql-js', async () => {
  const document = parse('query Q($times: Int!) { name(times: $times) }');
  const compiled = createCompiledExecution({
    schema,
    compile: compileText,
    compileAfter: 0,
    compileEveryMs: 0,
  });
  const contextValue: Context = { seed: 0, faults: 0, calls: [], after: Promise.resolve() };
  for (const variableValues of [{}, { times: null }, { times: 'four' }, { times: 1.5 }]) {
    const args = { schema, document, variableValues, contextValue };
    const [ours, theirs] = [await compiled(args), await execute(args)];
    expect(theirs.errors).toHaveLength(1);
    expect(ours).toEqual(theirs);
  }
});
