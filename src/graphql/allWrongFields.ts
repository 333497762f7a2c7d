import { type GraphQLFieldResolver, type GraphQLSchema, getNullableType, isInputObjectType } from 'graphql';
import { z } from 'zod';
import type { Context } from './context.ts';
import { InvalidArguments, type Issue } from './validation.ts';

type Resolver = GraphQLFieldResolver<unknown, Context>;
type Validate = (value: unknown) => readonly Issue[];
/** By the path of the field. */
type Validators = ReadonlyArray<readonly [path: readonly [argument: string, field: string], Validate]>;

/**
 * Makes mutations list every field of their input that is not valid. The validation plugin stops at the first, and
 * ignores null. Only a refused input is validated again.
 */
export function listAllWrongFields(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const validators: Validators = field.args.flatMap(({ name, type }) => {
      const input = getNullableType(type);
      if (!isInputObjectType(input)) return [];
      return Object.values(input.getFields()).map((one) => {
        const schemas = one.extensions['@pothos/plugin-validation']?.schemas ?? [];
        return [[name, one.name], validates(schemas.filter((each) => each instanceof z.ZodType))] as const;
      });
    });
    if (field.resolve !== undefined) field.resolve = listing(field.resolve, validators);
  }
  return schema;
}

const validates =
  (schemas: readonly z.ZodType[]): Validate =>
  (value) =>
    schemas.flatMap((schema) => (schema.safeParse(value).error?.issues ?? []) as readonly Issue[]);

const listing =
  (resolve: Resolver, validators: Validators): Resolver =>
  async (source, args, context, info) => {
    try {
      return await resolve(source, args, context, info);
    } catch (error) {
      throw error instanceof InvalidArguments ? new InvalidArguments(issuesOf(args, validators)) : error;
    }
  };

function issuesOf(args: Readonly<Record<string, unknown>>, validators: Validators): Issue[] {
  return validators.flatMap(([path, validate]) => {
    const [argument, field] = path;
    const value = (args[argument] as Readonly<Record<string, unknown>> | undefined)?.[field];
    if (value === undefined) return [];
    return validate(value).map((issue): Issue => ({ ...issue, path: [...path, ...(issue.path ?? [])] }));
  });
}
