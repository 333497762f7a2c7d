/** The paths of fields by which the matrix reaches each object. */
import { NODES, QUERY_FIELDS, type Row } from './fieldRules.ts';
import type { ReadRule } from './oracle.ts';
import { type Shape, shapeOf } from './schema.ts';

/** One field of a path. */
export interface Step extends Row {
  /** `Type.field`. */
  readonly name: string;
  readonly field: string;
  readonly shape: Shape;
  /** The type of the object that `node` or `nodes` finds. */
  readonly on?: string;
}

export interface Path {
  readonly steps: readonly Step[];
  /** The type of the object at the end. */
  readonly type: string;
}

const stepOf = (type: string, field: string, row: Row): Step => ({
  ...row,
  name: `${type}.${field}`,
  field,
  shape: shapeOf(type, field),
});

interface Target {
  readonly type: string;
  readonly id: string;
  readonly rule: ReadRule;
}

const byId = (field: 'node' | 'nodes', { type, id, rule }: Target): Path => {
  const args = field === 'node' ? `id: ${id}` : `ids: [${id}]`;
  return { steps: [{ ...stepOf('Query', field, { rule, args }), on: type }], type };
};

/** The type's fields that return objects. */
function stepsFrom(type: string): Step[] {
  return Object.entries(QUERY_FIELDS[type] ?? {})
    .map(([field, row]) => stepOf(type, field, row))
    .filter(({ shape }) => shape.isObject && shape.type !== 'Node');
}

/** For each type, the path from the query's root with the fewest fields. */
function shortestPaths(): Map<string, Path> {
  const shortest = new Map<string, Path>();
  const queue: Path[] = [
    ...NODES.map((node) => byId('node', node)),
    ...stepsFrom('Query').map((step) => ({ steps: [step], type: step.shape.type })),
  ];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const { steps, type } = path;
    if (shortest.has(type)) continue;
    shortest.set(type, path);
    for (const step of stepsFrom(type)) queue.push({ steps: [...steps, step], type: step.shape.type });
  }
  return shortest;
}

/**
 * A path through every field that returns an object. The field's own object is reached by the shortest path. At the
 * end of each path, all fields of the object are requested.
 */
export function allPaths(): Path[] {
  const shortest = shortestPaths();
  const throughFields = Object.keys(QUERY_FIELDS).flatMap((type) =>
    stepsFrom(type).map((step): Path => {
      const end = step.shape.type;
      if (type === 'Query') return { steps: [step], type: end };
      const target = NODES.find(({ id }) => id === step.of);
      const path = target === undefined ? shortest.get(type) : byId('node', target);
      if (path === undefined) throw new Error(`No path leads to ${type}.`);
      return { steps: [...path.steps, step], type: end };
    }),
  );
  return [...NODES.flatMap((node) => [byId('node', node), byId('nodes', node)]), ...throughFields];
}

/** For example `Query.room › Room.messages`. */
export const nameOf = ({ steps }: Path): string =>
  steps.map(({ name, on, args }) => (on === undefined ? name : `${name} (${args})`)).join(' › ');
