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
import type { Payload } from '../../../src/core/subscribe.ts';
import type { Context } from '../../../src/graphql/context.ts';
import { textFor, type ViewerLeaf, viewerLeaf } from '../../../src/graphql/viewerLeaves.ts';
import { createSharedExecution } from '../../../src/live/sharedExecution.ts';
import type { LiveStream } from '../../../src/live/subscription.ts';
import { pushed, streamOf } from './pushed.ts';

export type Reader = Context & { readonly [more: string]: unknown };
export type Event = { readonly text: string; readonly batch?: readonly Event[] };

export const ONE: Event = { text: 'one' };

/** What the tests of a file change and count. `resetShared` sets it back before each test. */
interface Shared {
  /** What every subscription sends, unless `open` is changed. */
  events: readonly Event[];
  open: () => LiveStream<Event>;
  executions: number;
  /** Streams of events that were closed. */
  closings: number;
  /** What the field `gated` waits for. */
  gate: Promise<void>;
  /** Readings of holders, and of one user's own value. */
  readings: string[];
  subscribe: ReturnType<typeof createSharedExecution>;
}

const initial = (): Shared => ({
  events: [ONE],
  open: () => streamOf(shared.events, () => void shared.closings++),
  executions: 0,
  closings: 0,
  gate: Promise.resolve(),
  readings: [],
  subscribe: createSharedExecution(),
});

export const shared: Shared = initial();

/** Call it before each test. */
export function resetShared(): void {
  Object.assign(shared, initial());
}

/** With everything that JSON and the marks of holes have to escape. */
export const SECRET = 'a "key" with \\ and ; in it';
export const LIKERS = new Set(['user 3', 'user 7']);
const leaf = (name: string, holders: ReadonlySet<string> | undefined): ViewerLeaf => ({
  async holders() {
    shared.readings.push(name);
    return holders;
  },
  async has(user) {
    shared.readings.push(`${name} of ${user}`);
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
    gated: { type: GraphQLString, resolve: ({ text }) => shared.gate.then(() => text) },
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
    secret: {
      type: GraphQLString,
      resolve: (_event, _args, context, info) => textFor('user 3', SECRET, { context, info }),
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
        throw new Error(`execution ${shared.executions}`);
      },
    },
  }),
});

export const field = (extensions: { readonly sharedEvents?: true }) => ({
  type: eventType,
  args: { after: { type: GraphQLString } },
  extensions,
  subscribe: () => shared.open(),
  resolve: (event: Event) => {
    shared.executions++;
    return event;
  },
});

export const schema = new GraphQLSchema({
  query: new GraphQLObjectType({ name: 'Query', fields: { any: { type: GraphQLString } } }),
  subscription: new GraphQLObjectType({
    name: 'Subscription',
    fields: { shared: field({ sharedEvents: true }), own: field({}) },
  }),
});

export interface Request {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string;
  readonly context?: object;
}

export const NEXT = { data: { next: true } };
const documents = new Map<string, ReturnType<typeof parse>>();

/** The server parses a text once, too. */
export const argsOf = ({ query, variables, operationName, context = { viewer: 'aki' } }: Request) => {
  const document = documents.get(query) ?? parse(query);
  documents.set(query, document);
  return { schema, document, variableValues: variables, operationName, contextValue: context };
};

export const resultsOf = (request: Request) => pushed(shared.subscribe, argsOf(request));

/** The first result of each, all subscribed at the same time. */
export const firstResults = async (all: readonly Request[]): Promise<Array<ExecutionResult | undefined>> =>
  (await Promise.all(all.map(resultsOf))).map(([result]) => result);

export const readers = Array.from({ length: 20 }, (_, i) => ({
  viewer: `user ${i}`,
  language: `language ${i}`,
}));
export const byAll = (query: string) => readers.map((context) => ({ query, context }));

/** What each reader would receive alone. */
export const alone = (all: readonly Request[]) =>
  Promise.all(
    all.map(async (request) =>
      JSON.parse(JSON.stringify(await execute({ ...argsOf(request), rootValue: ONE }))),
    ),
  );

/** One subscription whose events go to `push`. It sends them while `next` is called. */
export const openStream = async (
  request: Request,
  push: (payload: Payload) => Promise<void> | void,
): Promise<AsyncIterableIterator<ExecutionResult>> =>
  (await shared.subscribe(
    { ...argsOf(request), push },
    () => NEXT,
  )) as AsyncIterableIterator<ExecutionResult>;
