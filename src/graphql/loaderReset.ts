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
