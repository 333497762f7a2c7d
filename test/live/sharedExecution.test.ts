import {
  type ExecutionResult,
  execute,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from 'graphql';
import { beforeEach, expect, test } from 'vitest';
import { createSharedExecution } from '../../src/live/sharedExecution.ts';
import { eventIterator } from '../../src/live/subscription.ts';

interface Reader {
  readonly viewer: string;
  readonly [more: string]: unknown;
}
type Event = { readonly text: string };

let executions = 0;
let letGo = 0;
const events = [{ text: 'one' }, { text: 'two' }] as const satisfies Event[];

const eventType: GraphQLObjectType<Event, Reader> = new GraphQLObjectType<Event, Reader>({
  name: 'Event',
  fields: () => ({
    text: { type: GraphQLString },
    later: { type: GraphQLString, resolve: async ({ text }) => text },
    repeated: {
      type: GraphQLString,
      args: { times: { type: GraphQLInt, defaultValue: 2 } },
      resolve: ({ text }, { times }) => (times === null ? 'null' : text.repeat(times)),
    },
    viewer: { type: GraphQLString, resolve: (_event, _args, { viewer }) => viewer },
    viewerLater: {
      type: GraphQLString,
      resolve: async (_event, _args, context) => {
        await new Promise(setImmediate);
        return context.viewer;
      },
    },
    language: { type: GraphQLString, resolve: (_event, _args, { language }) => String(language) },
    copied: { type: GraphQLString, resolve: (_event, _args, context) => String({ ...context }.viewer) },
    again: { type: new GraphQLList(eventType), resolve: (event) => [event] },
    fails: {
      type: GraphQLString,
      resolve: () => {
        throw new Error(`execution ${executions}`);
      },
    },
  }),
});

const field = (extensions: { readonly sharedEvents?: true }) => ({
  type: eventType,
  args: { after: { type: GraphQLString } },
  extensions,
  subscribe: () => {
    let told = 0;
    return eventIterator<Event>({
      next: async () => {
        const value = events[told++];
        return value === undefined ? { done: true, value } : { done: false, value };
      },
      close: () => {
        letGo++;
      },
    });
  },
  resolve: (event: Event) => {
    executions++;
    return event;
  },
});

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: 'Query', fields: { any: { type: GraphQLString } } }),
  subscription: new GraphQLObjectType({
    name: 'Subscription',
    fields: { shared: field({ sharedEvents: true }), own: field({}) },
  }),
});

interface Asked {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string;
  readonly context?: Reader;
}

const OTHERWISE = { data: { otherwise: true } };
const documents = new Map<string, ReturnType<typeof parse>>();
let subscribe = createSharedExecution();
beforeEach(() => {
  executions = 0;
  letGo = 0;
  subscribe = createSharedExecution();
});

/** The server parses a text once, too. */
const argsOf = ({ query, variables, operationName, context = { viewer: 'aki' } }: Asked) => {
  const document = documents.get(query) ?? parse(query);
  documents.set(query, document);
  return { schema, document, variableValues: variables, operationName, contextValue: context };
};

const open = async (asked: Asked) =>
  (await subscribe(argsOf(asked), () => OTHERWISE)) as AsyncIterableIterator<ExecutionResult>;

/** What each gets of the first event, all at the same time; as plain JSON, as it is sent. */
async function told(all: readonly Asked[]): Promise<unknown[]> {
  const opened = await Promise.all(all.map(open));
  const results = await Promise.all(opened.map((one) => one.next()));
  return results.map(({ value }) => JSON.parse(JSON.stringify(value)));
}

const people = Array.from({ length: 20 }, (_, i) => ({ viewer: `person ${i}`, language: `language ${i}` }));
const byAll = (query: string) => people.map((context) => ({ query, context }));

test('who selects the same of an event gets what was executed once', async () => {
  const answers = await told(byAll('subscription { shared { text later again { text } } }'));
  expect(answers).toEqual(
    people.map(() => ({ data: { shared: { text: 'one', later: 'one', again: [{ text: 'one' }] } } })),
  );
  expect(executions).toBe(1);
});

test.each(['viewer', 'viewerLater', 'copied', 'language'])(
  '%s is right for each who asks, however deep',
  async (name) => {
    const answers = await told(byAll(`subscription { shared { text again { again { x: ${name} } } } }`));
    const right = people.map(({ viewer, language }) => (name === 'language' ? language : viewer));
    expect(answers).toEqual(
      right.map((x) => ({ data: { shared: { text: 'one', again: [{ again: [{ x }] }] } } })),
    );
    expect(executions).toBe(people.length);
  },
);

test('each event is executed for itself', async () => {
  const query = 'subscription { shared { text } }';
  const [first, second] = await Promise.all([open({ query }), open({ query })]);
  const texts = [await first.next(), await first.next(), await second.next(), await second.next()];
  expect(texts.map(({ value }) => value.data.shared.text)).toEqual(['one', 'two', 'one', 'two']);
  expect(executions).toBe(2);
});

test("an error is nobody else's: who selects the same tries it for themselves", async () => {
  const answers = await told(byAll('subscription { shared { text fails } }'));
  const messages = answers.map((answer) => (answer as ExecutionResult).errors?.[0]?.message);
  expect(new Set(messages).size).toBe(people.length);
});

test('where each stands in the stream makes no other selection, what is below it does', async () => {
  const query = `subscription ($after: String, $times: Int, $with: Boolean! = true) {
    shared(after: $after) { repeated(times: $times) text @include(if: $with) }
  }`;
  const values = [
    {},
    { after: 'a' },
    { after: 'b', times: 1 },
    { after: null, times: 1 },
    { times: null },
    { times: 1, with: false },
  ];
  const alone = await Promise.all(
    values.map((variables) => execute({ ...argsOf({ query, variables }), rootValue: events[0] })),
  );
  executions = 0;
  const answers = await told(values.map((variables) => ({ query, variables })));
  expect(answers).toEqual(JSON.parse(JSON.stringify(alone)));
  expect(executions).toBe(4);
});

test('operations of one document are not mixed up, nor documents that differ by an alias alone', async () => {
  const query =
    'subscription A { shared { text } } subscription B { shared { ...F } } fragment F on Event { a: text }';
  const answers = await told([
    { query, operationName: 'A' },
    { query, operationName: 'B' },
    { query: 'subscription { shared { b: text } }' },
    { query: 'subscription { c: shared { b: text } }' },
  ]);
  expect(answers.map((answer) => (answer as ExecutionResult).data)).toEqual([
    { shared: { text: 'one' } },
    { shared: { a: 'one' } },
    { shared: { b: 'one' } },
    { c: { b: 'one' } },
  ]);
});

test('of very many selections some are executed for each, and all are right', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `x${i}`);
  const both = [...names, ...names];
  const answers = await told(both.map((name) => ({ query: `subscription { shared { ${name}: text } }` })));
  expect(answers).toEqual(both.map((name) => ({ data: { shared: { [name]: 'one' } } })));
  expect(executions).toBe(16 + 24 + 24);
});

test('the last event ends it, and leaving lets go of the events', async () => {
  const query = 'subscription { shared { text } }';
  const [one, other] = [await open({ query }), await open({ query })];
  for (const _ of events) await one.next();
  expect(await one.next()).toEqual({ done: true, value: undefined });
  expect(letGo).toBe(0);
  await other.return?.();
  expect(letGo).toBe(1);
});

test('other fields, and what is not subscribed to at the top, run otherwise', async () => {
  expect(await open({ query: 'subscription { own { text } }' })).toBe(OTHERWISE);
  const query = 'subscription { ...F } fragment F on Subscription { shared { text } }';
  expect(await open({ query })).toBe(OTHERWISE);
});
