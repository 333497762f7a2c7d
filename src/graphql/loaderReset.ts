import { RequestCache } from '@pothos/plugin-scope-auth';
import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import type { Context } from './context.ts';

/**
 * Clears the item loader around every mutation and before every event of a subscription. Within one operation
 * the loader returns each item as it was first read. But a mutation changes items, and each event has to show
 * the items as they are when it is sent.
 */
export function resetLoader(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      const resolve = field.resolve;
      if (resolve !== undefined) field.resolve = withReset(resolve);
    }
  }
  return schema;
}

const withReset =
  (resolve: GraphQLFieldResolver<unknown, Context>): GraphQLFieldResolver<unknown, Context> =>
  (source, args, context, info) => {
    context.items.clear();
    const result = resolve(source, args, context, info);
    return result instanceof Promise ? result.finally(() => context.items.clear()) : result;
  };

/**
 * Forgets the checks of a subscription's opening (`authorizeOnSubscribe`) when it is open. Its events need none, and
 * otherwise each open subscription keeps 1.3 KB of empty maps.
 */
export function forgetScopes(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) {
    const { subscribe } = field;
    if (subscribe !== undefined) field.subscribe = withoutScopes(subscribe);
  }
  return schema;
}

const withoutScopes =
  (subscribe: GraphQLFieldResolver<unknown, Context>): GraphQLFieldResolver<unknown, Context> =>
  async (source, args, context, info) => {
    try {
      return await subscribe(source, args, context, info);
    } finally {
      RequestCache.clearForContext(context);
    }
  };
