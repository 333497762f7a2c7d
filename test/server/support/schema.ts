import { type EventEmitter, on } from 'node:events';
import {
  GraphQLError,
  type GraphQLFieldConfig,
  GraphQLFloat,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';
import { badUserInput, TsudoiError, unauthenticated } from '../../../src/core/errors.ts';
import type { Identity } from '../../../src/core/identity.ts';

/** The context of the test schema's resolvers. */
export interface TestContext {
  readonly identity: Identity | null;
  readonly requestId: string;
  readonly acceptLanguage: string | undefined;
  /** Subscriptions send its events, and mutations emit one when they run. */
  readonly events: EventEmitter;
}

const Tree: GraphQLObjectType = new GraphQLObjectType({
  name: 'Tree',
  fields: () => ({
    name: { type: GraphQLString, resolve: () => 'tree' },
    child: { type: Tree, resolve: () => ({}) },
    children: {
      type: new GraphQLList(Tree),
      args: { first: { type: GraphQLInt }, last: { type: GraphQLInt } },
      resolve: () => [{}],
    },
  }),
});

/** Answers after the test emits `finish`, with the text that it emits. */
const slow: GraphQLFieldConfig<unknown, TestContext> = {
  type: GraphQLString,
  resolve: (_root, _args, { events }) =>
    new Promise((resolve) => {
      events.once('finish', (text = 'done') => resolve(text));
      events.emit('started');
    }),
};

const Query = new GraphQLObjectType<unknown, TestContext>({
  name: 'Query',
  fields: {
    hello: { type: GraphQLString, resolve: () => 'world' },
    tree: { type: Tree, resolve: () => ({}) },
    echo: {
      type: GraphQLString,
      args: { text: { type: new GraphQLNonNull(GraphQLString) }, times: { type: GraphQLInt } },
      resolve: (_root, { text, times = 1 }: { text: string; times?: number }) => text.repeat(times),
    },
    whoami: {
      type: GraphQLString,
      resolve(_root, _args, { identity }) {
        if (identity === null) throw unauthenticated();
        return identity.sub;
      },
    },
    language: { type: GraphQLString, resolve: (_root, _args, context) => context.acceptLanguage },
    requestId: { type: GraphQLString, resolve: (_root, _args, context) => context.requestId },
    refuse: {
      type: GraphQLString,
      resolve: () => {
        throw badUserInput('input.body', 'Too long.', 4_000);
      },
    },
    unavailable: {
      type: new GraphQLNonNull(GraphQLString),
      resolve: () => {
        // As `unavailable`, but the same each time, because responses are compared.
        throw new TsudoiError('UNAVAILABLE', 'The service cannot do this right now.', {
          retryAfterMs: 1_500,
        });
      },
    },
    fail: {
      type: GraphQLString,
      resolve: () => {
        throw new Error('the password is hunter2');
      },
    },
    misfit: { type: GraphQLFloat, resolve: () => 'hunter2 is not a number' },
    wrapped: {
      type: GraphQLString,
      resolve: () => {
        const originalError = badUserInput('input.name', 'Too short.');
        throw new GraphQLError('Too short.', {
          originalError,
          extensions: { code: 'BAD_USER_INPUT', field: 'input.name' },
        });
      },
    },
    slow,
  },
});

const Mutation = new GraphQLObjectType<unknown, TestContext>({
  name: 'Mutation',
  fields: {
    slow,
    write: {
      type: GraphQLString,
      resolve(_root, _args, { events }) {
        events.emit('written');
        return 'written';
      },
    },
  },
});

const Subscription = new GraphQLObjectType<unknown, TestContext>({
  name: 'Subscription',
  fields: {
    /** One event with objects that have pages. */
    forest: {
      type: Tree,
      resolve: () => ({}),
      async *subscribe() {
        yield {};
      },
    },
    /** Every `tick` that the test emits. */
    ticks: {
      type: GraphQLString,
      resolve: (tick) => (tick as [string])[0],
      subscribe(_root, _args, { identity, events }) {
        if (identity === null) throw unauthenticated();
        const ticks = on(events, 'tick');
        events.emit('subscribed');
        return ticks;
      },
    },
    /** Counts to three. */
    count: {
      type: GraphQLInt,
      async *subscribe() {
        for (const count of [1, 2, 3]) yield { count };
      },
    },
    /** Sends one event and fails. */
    breaks: {
      type: GraphQLString,
      async *subscribe() {
        yield { breaks: 'fine' };
        throw new Error('the password is hunter2');
      },
    },
    /** Sends events of 16 KiB without end, as fast as the client reads them. */
    flood: {
      type: GraphQLString,
      async *subscribe(_root, _args, { events }) {
        try {
          for (let sent = 1; ; sent++) {
            yield { flood: 'x'.repeat(16_384) };
            events.emit('flooded', sent);
          }
        } finally {
          events.emit('unsubscribed');
        }
      },
    },
  },
});

export const testSchema = new GraphQLSchema({ query: Query, mutation: Mutation, subscription: Subscription });
