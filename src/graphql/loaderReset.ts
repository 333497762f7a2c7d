import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import type { Context } from './context.ts';

/**
 * What an operation has read stays as it was for it; but a mutation changes things, and each event of a
 * subscription is of its own moment. So both forget what was read before and, mutations, after they ran.
 */
export function resetLoader(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      const resolve = field.resolve;
      if (resolve !== undefined) field.resolve = forgetting(resolve);
    }
  }
  return schema;
}

const forgetting =
  (resolve: GraphQLFieldResolver<unknown, Context>): GraphQLFieldResolver<unknown, Context> =>
  (source, args, context, info) => {
    context.items.clear();
    const result = resolve(source, args, context, info);
    return result instanceof Promise ? result.finally(() => context.items.clear()) : result;
  };
