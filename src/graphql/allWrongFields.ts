import {
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
} from 'graphql';
import { z } from 'zod';
import type { Context } from './context.ts';
import type { AlsoWrong } from './mutation.ts';
import { InvalidArguments, type Issue } from './validation.ts';

type Resolver = GraphQLFieldResolver<unknown, Context>;
type Path = ReadonlyArray<string | number>;
/** An argument, or a field of an input type. */
interface Input {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/**
 * Makes mutations list every field of their input that is not valid, at any depth, by its path from the argument, and
 * then what is wrong by more than its form (`alsoWrong`). The validation plugin stops at the first, and ignores null.
 * Only a refused input is validated again.
 */
export function listAllWrongFields(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    if (field.resolve !== undefined) field.resolve = listing(field.resolve, field);
  }
  return schema;
}

const listing =
  (resolve: Resolver, { args: inputs, extensions }: GraphQLField<unknown, Context>): Resolver =>
  async (source, args, context, info) => {
    try {
      return await resolve(source, args, context, info);
    } catch (error) {
      if (!(error instanceof InvalidArguments)) throw error;
      const issues = issuesOf(inputs, args, []);
      if (issues.length === 0) throw error;
      const { alsoWrong } = extensions as { readonly alsoWrong?: AlsoWrong<unknown> };
      const also = alsoWrong?.(args.input, context) ?? [];
      throw new InvalidArguments(
        issues,
        also.flatMap((wrong) => wrong?.details.fields ?? []),
      );
    }
  };

/** `values`: by the inputs' names. One that is absent is not validated. */
function issuesOf(inputs: readonly Input[], values: Readonly<Record<string, unknown>>, path: Path): Issue[] {
  return inputs.flatMap(({ name, type, extensions }) => {
    const value = values[name];
    if (value === undefined) return [];
    const here = [...path, name];
    return [...refused(extensions, value, here), ...issuesInside(type, value, here)];
  });
}

function issuesInside(type: GraphQLInputType, value: unknown, path: Path): Issue[] {
  const nullable = getNullableType(type);
  if (value === null) return [];
  if (isListType(nullable)) {
    const items = Array.isArray(value) ? value : [value];
    return items.flatMap((item, i) => issuesInside(nullable.ofType, item, [...path, i]));
  }
  if (!isInputObjectType(nullable)) return [];
  const ofFields = issuesOf(
    Object.values(nullable.getFields()),
    value as Readonly<Record<string, unknown>>,
    path,
  );
  // What concerns several fields makes sense only if each of them is valid.
  return ofFields.length > 0 ? ofFields : refused(nullable.extensions, value, path);
}

/** What the schemas of a field or a type say about a value. */
function refused(extensions: Readonly<Record<string, unknown>>, value: unknown, path: Path): Issue[] {
  const { schemas = [] } = (extensions['@pothos/plugin-validation'] ?? {}) as { schemas?: unknown[] };
  return schemas
    .filter((schema) => schema instanceof z.ZodType)
    .flatMap((schema) => (schema.safeParse(value).error?.issues ?? []) as readonly Issue[])
    .map((issue) => ({ ...issue, path: [...path, ...(issue.path ?? [])] }));
}
