/** What is made before for a group of readers: from which items, and for how many. */
import { GraphQLBoolean, GraphQLObjectType, GraphQLSchema, GraphQLString, parse } from 'graphql';
import { beforeEach, expect, test } from 'vitest';
import { createItemLoader, type ItemSource } from '../../src/dynamo/itemLoader.ts';
import { type Key, keys } from '../../src/dynamo/keys.ts';
import type { Context } from '../../src/graphql/context.ts';
import { viewerLeaf } from '../../src/graphql/viewerLeaves.ts';
import { createSharedResults, type SharedEvent } from '../../src/live/sharedResults.ts';
import { held } from '../support/time/held.ts';

interface Event {
  readonly source?: ItemSource;
  readonly type?: string;
  readonly isPersonal?: boolean;
}

let isFailing = false;
/** For how many readers the holders were read. */
let readFor: number[] = [];
beforeEach(() => {
  isFailing = false;
  readFor = [];
});

const [first, second] = [keys.user('one'), keys.user('two')];
const inner = new GraphQLObjectType<unknown, Context>({
  name: 'Inner',
  fields: {
    name: {
      type: GraphQLString,
      resolve: async (_inner, _args, { items }) => (await items.load(second))?.name,
    },
  },
});
const eventType = new GraphQLObjectType<Event, Context>({
  name: 'Event',
  fields: {
    inner: { type: inner, resolve: async (_event, _args, { items }) => ({ first: await items.load(first) }) },
    viewer: {
      type: GraphQLString,
      resolve: ({ isPersonal }, _args, context) => (isPersonal === true ? context.viewer : null),
    },
    fails: {
      type: GraphQLString,
      resolve: () => {
        if (isFailing) throw new Error('no answer');
        return 'good';
      },
    },
    liked: {
      type: GraphQLBoolean,
      resolve: (_event, _args, context, info) =>
        viewerLeaf(context, info, {
          async holders(readers) {
            readFor.push(readers);
            return new Set<string>();
          },
          has: async () => false,
        }),
    },
  },
});
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: 'Query', fields: { any: { type: GraphQLString } } }),
  subscription: new GraphQLObjectType<Event, Context>({
    name: 'Subscription',
    fields: {
      event: {
        type: eventType,
        resolve: (event, _args, { items }) => {
          items.clear(event.source);
          return event;
        },
      },
    },
  }),
});

/** Items with this name, once they may be read. */
const sourceOf = (name: string, gate: Promise<void> = Promise.resolve()): ItemSource => ({
  async batchGet(wanted: readonly Key[]) {
    await gate;
    return wanted.map((key) => ({ ...key, name }));
  },
});
const argsOf = (fields: string) => ({
  schema,
  document: parse(`subscription { event { ${fields} } }`),
  contextValue: { viewer: 'aki', items: createItemLoader(sourceOf('table')) },
});

test('prepare: reads its own items, also while the first reader gets another event', async () => {
  const results = createSharedResults();
  const args = argsOf('inner { name }');
  const gate = held();
  const [live, replayed] = [{ source: sourceOf('new', gate.promise) }, { source: sourceOf('old') }];
  const prepared = results.prepare([live], 'selection', args, 2);
  const old = await results.resultOf(replayed, 'selection', args);
  gate.letGo();
  await prepared;
  expect(String(old)).toContain('old');
  expect(String(await results.resultOf(live, 'selection', args))).toContain('new');
});

test('resultOf: two selections of one event in turns have their own results', async () => {
  const results = createSharedResults();
  const [one, two] = [argsOf('fails'), argsOf('viewer')];
  const event = {};
  await Promise.all([results.prepare([event], 'one', one, 2), results.prepare([event], 'two', two, 2)]);
  const texts = ['one', 'two', 'two', 'one'].map((selection) =>
    String(results.resultOf(event, selection, selection === 'one' ? one : two)),
  );
  const [good, empty] = ['{"data":{"event":{"fails":"good"}}}', '{"data":{"event":{"viewer":null}}}'];
  expect(texts).toEqual([good, empty, empty, good]);
});

test('prepare: counts its readers also if another had begun', async () => {
  const results = createSharedResults();
  const args = argsOf('liked');
  const event = {};
  const one = results.resultOf(event, 'selection', args);
  await results.prepare([event], 'selection', args, 1_000);
  await one;
  expect(readFor).toEqual([1_000]);
});

test('resultOf: what is executed ahead is for the readers of the first of the batch', async () => {
  const results = createSharedResults();
  const args = argsOf('liked');
  const batch: SharedEvent[] = [];
  for (let i = 0; i < 30; i++) batch.push({ batch });
  await results.prepare(batch, 'selection', args, 500);
  for (const event of batch) await results.resultOf(event, 'selection', args);
  expect(readFor).toEqual(batch.map(() => 500));
});

test('prepare: a type of events that is personal does not stop the others of the selection', async () => {
  const results = createSharedResults();
  const args = argsOf('viewer fails');
  const joined = { type: 'MembershipChanged', isPersonal: true };
  await results.prepare([joined], 'selection', args, 2);
  const next = { type: 'MembershipChanged', isPersonal: true };
  expect(results.prepare([next], 'selection', args, 2)).toBeUndefined();
  const added = { type: 'MessageAdded' };
  await results.prepare([next, added], 'selection', args, 2);
  expect(results.resultOf(added, 'selection', args)).toBeInstanceOf(Buffer);
});

test('prepare: begins again some events after a failure', async () => {
  const results = createSharedResults();
  const args = argsOf('fails');
  isFailing = true;
  await results.prepare([{}], 'selection', args, 2);
  isFailing = false;
  const begun: boolean[] = [];
  for (let i = 0; i < 25; i++) {
    const event = {};
    begun.push(results.prepare([event], 'selection', args, 2) !== undefined);
    // Both readers get it.
    for (let reader = 0; reader < 2; reader++) await results.resultOf(event, 'selection', args);
  }
  expect(begun.indexOf(true)).toBe(20);
  expect(begun.slice(20)).not.toContain(false);
});
