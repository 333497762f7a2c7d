/** Which readers of an event share one execution of it. */
import { beforeEach, expect, test } from 'vitest';
import {
  alone,
  byAll,
  firstResults,
  ONE,
  readers,
  resetShared,
  resultsOf,
  shared,
} from './support/sharedExecution.ts';

beforeEach(resetShared);

test('shared execution: readers with the same selection receive what was executed once', async () => {
  const results = await firstResults(byAll('subscription { shared { text later again { text } } }'));
  const again = [{ text: 'one' }, { text: 'one' }];
  expect(results).toEqual(readers.map(() => ({ data: { shared: { text: 'one', later: 'one', again } } })));
  expect(shared.executions).toBe(1);
});

test.each(['viewer', 'viewerLater', 'copied', 'language'])(
  'shared execution: %s is right for each reader, at any depth',
  async (name) => {
    const requests = byAll(`subscription { shared { text again { again { x: ${name} } } } }`);
    const results = await firstResults(requests);
    expect(shared.executions).toBe(readers.length);
    expect(results).toEqual(await alone(requests));
  },
);

test('shared execution: each event is executed once', async () => {
  shared.events = [ONE, { text: 'two' }];
  const query = 'subscription { shared { text } }';
  const results = await Promise.all([resultsOf({ query }), resultsOf({ query })]);
  const both = [{ data: { shared: { text: 'one' } } }, { data: { shared: { text: 'two' } } }];
  expect(results).toEqual([both, both]);
  expect(shared.executions).toBe(2);
});

test('shared execution: an error is not shared, the others execute the event themselves', async () => {
  const results = await firstResults(byAll('subscription { shared { text fails } }'));
  const messages = results.map((result) => result?.errors?.[0]?.message);
  expect(new Set(messages).size).toBe(readers.length);
});

test("shared execution: the field's own arguments make no other selection, variables below it do", async () => {
  const query = `subscription ($after: String, $times: Int, $with: Boolean! = true) {
    shared(after: $after) { repeated(times: $times) text @include(if: $with) }
  }`;
  const requests = [
    {},
    { after: 'a' },
    { after: 'b', times: 1 },
    { after: null, times: 1 },
    { times: null },
    { times: 1, with: false },
  ].map((variables) => ({ query, variables }));
  const results = await firstResults(requests);
  expect(shared.executions).toBe(4);
  expect(results).toEqual(await alone(requests));
});

test('shared execution: operations of one document, and documents that differ in an alias, are apart', async () => {
  const query =
    'subscription A { shared { text } } subscription B { shared { ...F } } fragment F on Event { a: text }';
  const results = await firstResults([
    { query, operationName: 'A' },
    { query, operationName: 'B' },
    { query: 'subscription { shared { b: text } }' },
    { query: 'subscription { c: shared { b: text } }' },
  ]);
  expect(results.map((result) => result?.data)).toEqual([
    { shared: { text: 'one' } },
    { shared: { a: 'one' } },
    { shared: { b: 'one' } },
    { c: { b: 'one' } },
  ]);
});

test('shared execution: selections beyond the bound are executed for each reader', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `x${i}`);
  const both = [...names, ...names];
  const results = await firstResults(
    both.map((name) => ({ query: `subscription { shared { ${name}: text } }` })),
  );
  expect(results).toEqual(both.map((name) => ({ data: { shared: { [name]: 'one' } } })));
  expect(shared.executions).toBe(16 + 24 + 24);
});

test.each([
  ['other fields', 'subscription { own { text } }'],
  ['other fields that have to wait', 'subscription { own { text viewer later } }'],
  ['a field in a fragment', 'subscription { ...F } fragment F on Subscription { shared { text viewer } }'],
])("shared execution: the events of %s are each reader's own", async (_what, query) => {
  const requests = byAll(query);
  const results = await firstResults(requests);
  expect(shared.executions).toBeGreaterThanOrEqual(readers.length);
  expect(results).toEqual(await alone(requests));
});

test("shared execution: readers' own events of one operation differ by its variables", async () => {
  const query = 'subscription ($times: Int = 3) { own { repeated(times: $times) } }';
  const requests = [{}, { times: 1 }, { times: 2 }, {}, { times: null }, { times: 1 }].map((variables) => ({
    query,
    variables,
  }));
  expect(await firstResults(requests)).toEqual(await alone(requests));
});

test.each(['shared', 'own'])(
  'shared execution: mistakes of a client in the selection of "%s" are errors of its results, and leave nothing open',
  async (name) => {
    const query = `subscription ($on: Boolean = true) { ${name} { text @include(if: $on) } }`;
    const request = { query, variables: { on: null } };
    expect(await firstResults([request])).toEqual(await alone([request]));
    expect(shared.closings).toBe(1);
  },
);

test.each(['shared', 'own'])(
  'shared execution: a variable of "%s" that is not declared does not matter, however deep it is',
  async (name) => {
    const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
    const query = `subscription { ${name} { text } }`;
    const results = await firstResults([{ query, variables: { deep } }]);
    expect(results).toEqual([{ data: { [name]: { text: 'one' } } }]);
    expect(shared.closings).toBe(1);
  },
);
