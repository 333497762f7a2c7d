import { brandWithType } from '@pothos/core';
import { type GraphQLSchema, isObjectType } from 'graphql';
import { badUserInput } from '../core/errors.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { decodeId, encodeId } from './ids.ts';

/** Reads one object by its id without the type's name; null if it does not exist or the viewer may not see it. */
type Load = (id: string, context: Context) => Promise<object | null> | object | null;

const loaders = new Map<string, Load>();

/** Lets `node` and `nodes` read a type. Every type that is defined with `builder.node` needs one call of this. */
export function nodeLoader(typename: string, load: Load): void {
  loaders.set(typename, load);
}

async function load(globalId: string, context: Context): Promise<object | null> {
  const { typename, id } = decodeId(globalId);
  const node = await loaders.get(typename)?.(id, context);
  if (node === undefined || node === null) return null;
  brandWithType(node, typename as never);
  return node;
}

/** What `builder.node` was called with. */
interface NodeOptions {
  readonly id?: { readonly resolve: (node: unknown) => string };
}

/**
 * Makes `id` of all nodes a value instead of a promise: the relay plugin's resolvers are async functions, and every
 * object of every result has an id. It also lets `compileSync` write objects with an id.
 */
export function syncIds(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    const options = type.extensions.pothosOptions as NodeOptions | undefined;
    const resolveId = options?.id?.resolve;
    const field = type.getFields().id;
    if (resolveId === undefined || field === undefined) continue;
    field.resolve = (node) => encodeId(type.name, resolveId(node));
  }
  return schema;
}

const NODES_MAX = 100;
const rule = 'null without an error if the id is malformed, does not exist, or is not visible to the viewer';

builder.queryFields((t) => ({
  node: t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description: `An object by its id: ${rule}.`,
    args: { id: t.arg.id({ required: true, description: 'The value of an `id` field.' }) },
    resolve: (_root, { id }, context) => load(id, context),
  }),
  nodes: t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description: `Several objects by their ids, in the given order. An entry is ${rule}.`,
    args: {
      ids: t.arg.idList({
        required: true,
        description: `At most ${NODES_MAX} values of \`id\` fields; \`BAD_USER_INPUT\` for more.`,
      }),
    },
    resolve: (_root, { ids }, context) => {
      if (ids.length > NODES_MAX)
        throw badUserInput('ids', `\`ids\` must have at most ${NODES_MAX} items.`, NODES_MAX);
      return ids.map((id) => load(id, context)) as never;
    },
  }),
}));
