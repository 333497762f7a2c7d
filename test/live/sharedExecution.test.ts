import {
  type ExecutionResult,
  execute,
  GraphQLBoolean,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  parse,
} from 'graphql';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Payload } from '../../src/core/subscribe.ts';
import type { Context } from '../../src/graphql/context.ts';
import { type ViewerLeaf, viewerLeaf } from '../../src/graphql/viewerLeaves.ts';
import { createSharedExecution } from '../../src/live/sharedExecution.ts';
import { pushed, streamOf } from './support/pushed.ts';

type Reader = Context & { readonly [more: string]: unknown };
type Event = { readonly text: string; readonly batch?: readonly Event[] };

const ONE: Event = { text: 'one' };
let events: readonly Event[] = [];
let executions = 0;
let closings = 0;
/** What the field `gated` waits for. */
let gate = Promise.resolve();
/** Readings of holders, and of one user's own value. */
let readings: string[] = [];

const LIKERS = new Set(['user 3', 'user 7']);
const leaf = (name: string, holders: ReadonlySet<string> | undefined): ViewerLeaf => ({
  async holders() {
    readings.push(name);
    return holders;
  },
  async has(user) {
    readings.push(`${name} of ${user}`);
    return LIKERS.has(user);
  },
});

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
    gated: { type: GraphQLString, resolve: ({ text }) => gate.then(() => text) },
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
    likes: {
      type: GraphQLBoolean,
      resolve: (_event, _args, context, info) => viewerLeaf(context, info, leaf('likers', LIKERS)),
    },
    likesEach: {
      type: GraphQLBoolean,
      resolve: (_event, _args, context, info) => viewerLeaf(context, info, leaf('each', undefined)),
    },
    likesUnknown: {
      type: GraphQLBoolean,
      resolve: (_event, _args, context, info) =>
        viewerLeaf(context, info, {
          holders: () => Promise.reject(new Error('no answer')),
          has: async (user) => LIKERS.has(user),
        }),
    },
    likesUnread: {
      type: GraphQLBoolean,
      resolve: (_event, _args, context, info) =>
        viewerLeaf(context, info, {
          holders: async () => undefined,
          has: () => Promise.reject(new Error('no answer')),
        }),
    },
    likesNot: {
      type: GraphQLBoolean,
      resolve: async (_event, _args, context, info) =>
        !(await viewerLeaf(context, info, leaf('likers', LIKERS))),
    },
    again: { type: new GraphQLList(eventType), resolve: (event) => [event, event] },
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
  subscribe: () => streamOf(events, () => void closings++),
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

interface Request {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string;
  readonly context?: object;
}

const NEXT = { data: { next: true } };
const documents = new Map<string, ReturnType<typeof parse>>();
let subscribe = createSharedExecution();
beforeEach(() => {
  events = [ONE];
  executions = 0;
  closings = 0;
  readings = [];
  subscribe = createSharedExecution();
});

/** The server parses a text once, too. */
const argsOf = ({ query, variables, operationName, context = { viewer: 'aki' } }: Request) => {
  const document = documents.get(query) ?? parse(query);
  documents.set(query, document);
  return { schema, document, variableValues: variables, operationName, contextValue: context };
};

const resultsOf = (request: Request) => pushed(subscribe, argsOf(request));

/** The first result of each, all subscribed at the same time. */
const firstResults = async (all: readonly Request[]): Promise<Array<ExecutionResult | undefined>> =>
  (await Promise.all(all.map(resultsOf))).map(([result]) => result);

const readers = Array.from({ length: 20 }, (_, i) => ({ viewer: `user ${i}`, language: `language ${i}` }));
const byAll = (query: string) => readers.map((context) => ({ query, context }));

/** What each reader would receive alone. */
const alone = (all: readonly Request[]) =>
  Promise.all(
    all.map(async (request) =>
      JSON.parse(JSON.stringify(await execute({ ...argsOf(request), rootValue: ONE }))),
    ),
  );

test('shared execution: readers with the same selection receive what was executed once', async () => {
  const results = await firstResults(byAll('subscription { shared { text later again { text } } }'));
  const again = [{ text: 'one' }, { text: 'one' }];
  expect(results).toEqual(readers.map(() => ({ data: { shared: { text: 'one', later: 'one', again } } })));
  expect(executions).toBe(1);
});

test.each(['viewer', 'viewerLater', 'copied', 'language'])(
  'shared execution: %s is right for each reader, at any depth',
  async (name) => {
    const requests = byAll(`subscription { shared { text again { again { x: ${name} } } } }`);
    const results = await firstResults(requests);
    expect(executions).toBe(readers.length);
    expect(results).toEqual(await alone(requests));
  },
);

test('shared execution: each event is executed once', async () => {
  events = [ONE, { text: 'two' }];
  const query = 'subscription { shared { text } }';
  const results = await Promise.all([resultsOf({ query }), resultsOf({ query })]);
  const both = [{ data: { shared: { text: 'one' } } }, { data: { shared: { text: 'two' } } }];
  expect(results).toEqual([both, both]);
  expect(executions).toBe(2);
});

/** Events that were read together. */
function batchOf(...texts: string[]): readonly Event[] {
  const batch: Event[] = [];
  for (const text of texts) batch.push({ text, batch });
  return batch;
}

test('shared execution: the events of a batch are executed together, and sent in order', async () => {
  events = batchOf('one', 'two', 'three');
  const started: string[] = [];
  const query = 'subscription { shared { later } }';
  const stream = (await subscribe(
    { ...argsOf({ query }), push: (payload) => void started.push(`${payload} ${executions}`) },
    () => NEXT,
  )) as AsyncIterableIterator<ExecutionResult>;
  await stream.next();
  expect(started).toEqual(
    ['one', 'two', 'three'].map((later) => `{"data":{"shared":{"later":"${later}"}}} 3`),
  );
});

test.each([
  ['text', 0],
  ['likes', 0],
  // Those that were executed ahead are executed again.
  ['viewer', 20],
  ['fails', 20],
])(
  'shared execution: a batch with %s is executed for one reader, %i events of it again',
  async (name, again) => {
    events = batchOf(...Array.from({ length: 30 }, (_, i) => `number ${i}`));
    const results = await resultsOf({ query: `subscription { shared { text ${name} } }` });
    expect(results.map(({ data }) => (data as { shared: { text: string } }).shared.text)).toEqual(
      events.map(({ text }) => text),
    );
    expect(executions).toBe(events.length + again);
  },
);

test("shared execution: a slow reader's own result is not from before it is sent", async () => {
  events = batchOf('one', 'two', 'three');
  const context: Record<string, string> = { viewer: 'aki', language: 'before' };
  const received: string[] = [];
  let makeRoom = () => {};
  const push = (payload: Payload) => {
    received.push(JSON.stringify(Buffer.isBuffer(payload) ? String(payload) : payload));
    return new Promise<void>((resolve) => {
      makeRoom = resolve;
    });
  };
  const query = 'subscription { shared { language } }';
  const stream = (await subscribe(
    { ...argsOf({ query, context }), push },
    () => NEXT,
  )) as AsyncIterableIterator<ExecutionResult>;
  const ended = stream.next();
  await new Promise(setImmediate);
  context.language = 'after';
  makeRoom();
  await new Promise(setImmediate);
  makeRoom();
  await new Promise(setImmediate);
  makeRoom();
  await ended;
  expect(received.map((text) => /before|after/.exec(text)?.[0])).toEqual(['before', 'after', 'after']);
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
  expect(executions).toBe(4);
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
  expect(executions).toBe(16 + 24 + 24);
});

test('shared execution: completes after the last event, and closes the stream when the client leaves', async () => {
  const query = 'subscription { shared { text } }';
  await resultsOf({ query });
  expect(closings).toBe(1);
  let makeRoom = () => {};
  const push = () =>
    new Promise<void>((resolve) => {
      makeRoom = resolve;
    });
  const left = (await subscribe(
    { ...argsOf({ query }), push },
    () => NEXT,
  )) as AsyncIterableIterator<ExecutionResult>;
  const ended = left.next();
  await left.return?.();
  makeRoom();
  expect(await ended).toEqual({ done: true, value: undefined });
  expect(closings).toBe(2);
});

test('shared execution: waits for a client that has no room', async () => {
  events = [ONE, { text: 'two' }, { text: 'three' }];
  const received: string[] = [];
  let makeRoom = () => {};
  const push = (payload: unknown) => {
    received.push(String(payload));
    return new Promise<void>((resolve) => {
      makeRoom = resolve;
    });
  };
  const query = 'subscription { shared { text } }';
  const stream = (await subscribe(
    { ...argsOf({ query }), push },
    () => NEXT,
  )) as AsyncIterableIterator<ExecutionResult>;
  const ended = stream.next();
  for (let i = 1; i <= events.length; i++) {
    await new Promise(setImmediate);
    expect(received).toHaveLength(i);
    makeRoom();
  }
  await ended;
});

test.each([
  ['other fields', 'subscription { own { text } }'],
  ['other fields that have to wait', 'subscription { own { text viewer later } }'],
  ['a field in a fragment', 'subscription { ...F } fragment F on Subscription { shared { text viewer } }'],
])("shared execution: the events of %s are each reader's own", async (_what, query) => {
  const requests = byAll(query);
  const results = await firstResults(requests);
  expect(executions).toBeGreaterThanOrEqual(readers.length);
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

test('shared execution: a transport that pulls gets what `next` returns', async () => {
  const args = argsOf({ query: 'subscription { shared { text } }' });
  expect(await subscribe(args, () => NEXT)).toBe(NEXT);
});

describe('viewerLeaf', () => {
  test('is filled in for each reader of an event that was executed once', async () => {
    const requests = byAll('subscription { shared { text likes again { x: likes y: likes text } } }');
    const results = await firstResults(requests);
    expect(executions).toBe(1);
    expect(readings).toHaveLength(5);
    expect(results).toEqual(await alone(requests));
    expect(results.filter((result) => JSON.stringify(result).includes('true'))).toHaveLength(LIKERS.size);
  });

  test('is read for each reader if its holders are not known', async () => {
    const requests = byAll('subscription { shared { text likesEach likes } }');
    const results = await firstResults(requests);
    expect(executions).toBe(1);
    expect(readings).toEqual(expect.arrayContaining(readers.map(({ viewer }) => `each of ${viewer}`)));
    expect(results).toEqual(await alone(requests));
  });

  test.each(['viewer', 'viewerLater', 'language', 'copied'])(
    'beside %s, the event is executed for each reader',
    async (name) => {
      const requests = byAll(`subscription { shared { likes x: ${name} again { likesEach } } }`);
      const results = await firstResults(requests);
      expect(results).toEqual(await alone(requests));
    },
  );

  test('a field that does not return it as it is makes the event an execution for each reader', async () => {
    const requests = byAll('subscription { shared { likesNot likes } }');
    const results = await firstResults(requests);
    expect(results).toEqual(await alone(requests));
    expect(executions).toBe(1 + readers.length + readers.length);
  });

  test.each(['likesUnknown', 'likesUnread'])(
    '%s: what cannot be read once is executed for each reader',
    async (name) => {
      const requests = byAll(`subscription { shared { text likes ${name} } }`);
      const results = await firstResults(requests);
      expect(results).toEqual(await alone(requests));
    },
  );

  test('is right beside an error', async () => {
    const results = await firstResults(byAll('subscription { shared { likes fails } }'));
    expect(results.map((result) => result?.data)).toEqual(
      readers.map(({ viewer }) => ({ shared: { likes: LIKERS.has(viewer), fails: null } })),
    );
  });

  test('is right for more combinations than texts are kept', async () => {
    const many = Array.from({ length: 150 }, (_, i) => ({ viewer: `user ${i}` }));
    const holders = (i: number) =>
      new Set(many.filter((_, user) => (user >> i) & 1).map(({ viewer }) => viewer));
    const bits = new GraphQLObjectType<Event, Reader>({
      name: 'Event',
      fields: Object.fromEntries(
        Array.from({ length: 8 }, (_, i) => [
          `bit${i}`,
          {
            type: GraphQLBoolean,
            resolve: (_event, _args, context, info) =>
              viewerLeaf(context, info, {
                holders: async () => holders(i),
                has: async (user) => holders(i).has(user),
              }),
          },
        ]),
      ),
    });
    const own = new GraphQLSchema({
      query: schema.getQueryType(),
      subscription: new GraphQLObjectType({
        name: 'Subscription',
        fields: { shared: { ...field({ sharedEvents: true }), type: bits } },
      }),
    });
    const query = `subscription { shared { ${Array.from({ length: 8 }, (_, i) => `bit${i}`).join(' ')} } }`;
    const results = await Promise.all(
      many.map((context) => pushed(subscribe, { ...argsOf({ query, context }), schema: own })),
    );
    expect(executions).toBe(1);
    expect(results.map(([result]) => result?.data)).toEqual(
      many.map((_, user) => ({
        shared: Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`bit${i}`, ((user >> i) & 1) === 1])),
      })),
    );
  });
});

test.each(['shared', 'own'])(
  'shared execution: what is executed when a subscription of the field "%s" ends is not sent, and its end waits for it',
  async (name) => {
    let open = () => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    events = [ONE, ONE];
    const sent: Payload[] = [];
    const stream = (await subscribe(
      {
        ...argsOf({ query: `subscription { ${name} { gated } }` }),
        push: (payload) => void sent.push(payload),
      },
      () => NEXT,
    )) as AsyncIterableIterator<ExecutionResult>;
    let ended = false;
    const end = stream.next().then(() => {
      ended = true;
    });
    await new Promise(setImmediate);
    await stream.return?.();
    await new Promise(setImmediate);
    expect(ended).toBe(false);
    open();
    await end;
    expect(sent).toEqual([]);
  },
);

test.each(['shared', 'own'])(
  'shared execution: mistakes of a client in the selection of "%s" are errors of its results, and leave nothing open',
  async (name) => {
    const query = `subscription ($on: Boolean = true) { ${name} { text @include(if: $on) } }`;
    const request = { query, variables: { on: null } };
    expect(await firstResults([request])).toEqual(await alone([request]));
    expect(closings).toBe(1);
  },
);

test.each(['shared', 'own'])(
  'shared execution: a variable of "%s" that is not declared does not matter, however deep it is',
  async (name) => {
    const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
    const query = `subscription { ${name} { text } }`;
    const results = await firstResults([{ query, variables: { deep } }]);
    expect(results).toEqual([{ data: { [name]: { text: 'one' } } }]);
    expect(closings).toBe(1);
  },
);
