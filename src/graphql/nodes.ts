import { brandWithType } from '@pothos/core';
import { badUserInput } from '../core/errors.ts';
import { builder } from './builder.ts';
import type { Context } from './context.ts';
import { decodeId } from './ids.ts';

/** Reads one thing by the part of its id behind the type's name; null where it is not there or not for the viewer. */
type Load = (id: string, context: Context) => Promise<object | null> | object | null;

const loaders = new Map<string, Load>();

/** Makes `node` and `nodes` find a type: whoever defines one with `builder.node` says here how it is read. */
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

const NODES_MAX = 100;
const rule = 'Null, without an error, for what is absent, malformed or not for the viewer.';

builder.queryFields((t) => ({
  node: t.field({
    type: builder.nodeInterfaceRef(),
    nullable: true,
    description: `Anything by its id. ${rule}`,
    args: { id: t.arg.id({ required: true, description: 'As some `id` field gave it.' }) },
    resolve: (_root, { id }, context) => load(id, context),
  }),
  nodes: t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description: `Several things by their ids, in the order asked for. ${rule}`,
    args: { ids: t.arg.idList({ required: true, description: `At most ${NODES_MAX}.` }) },
    resolve: (_root, { ids }, context) => {
      if (ids.length > NODES_MAX) throw badUserInput('ids', `At most ${NODES_MAX} ids.`, NODES_MAX);
      return ids.map((id) => load(id, context)) as never;
    },
  }),
}));
