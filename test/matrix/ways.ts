/** How the matrix comes to each object: by every field that leads to one, and that field's owner by the shortest way. */
import type { Rule } from './oracle.ts';
import { type Shape, shapeOf } from './schema.ts';
import { NODES, READING, type Row } from './table.ts';

/** One field on the way. */
export interface Step extends Row {
  /** `Type.field`. */
  readonly name: string;
  readonly field: string;
  readonly shape: Shape;
  /** Of `node` and `nodes`: the type that is found. */
  readonly on?: string;
}

export interface Way {
  readonly steps: readonly Step[];
  /** The type of what it leads to. */
  readonly to: string;
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
  readonly rule: Rule;
}

const byId = (field: 'node' | 'nodes', { type, id, rule }: Target): Way => {
  const args = field === 'node' ? `id: ${id}` : `ids: [${id}]`;
  return { steps: [{ ...stepOf('Query', field, { rule, args }), on: type }], to: type };
};

/** The fields that give objects: those of this type. */
function stepsFrom(type: string): Array<{ readonly step: Step; readonly to: string }> {
  return Object.entries(READING[type] ?? {})
    .map(([field, row]) => stepOf(type, field, row))
    .filter(({ shape }) => shape.isObject && shape.type !== 'Node')
    .map((step) => ({ step, to: step.shape.type }));
}

/** A way to each type, from a query's root, with the fewest fields. */
function shortest(): Map<string, Way> {
  const found = new Map<string, Way>();
  const queue: Way[] = [
    ...NODES.map((node) => byId('node', node)),
    ...stepsFrom('Query').map(({ step, to }) => ({ steps: [step], to })),
  ];
  for (let way = queue.shift(); way !== undefined; way = queue.shift()) {
    const { steps, to } = way;
    if (found.has(to)) continue;
    found.set(to, way);
    for (const next of stepsFrom(to)) queue.push({ steps: [...steps, next.step], to: next.to });
  }
  return found;
}

/** Every way that is asked: of an object's fields all are, each time. */
export function waysToEverything(): Way[] {
  const known = shortest();
  const onwards = Object.keys(READING).flatMap((type) =>
    stepsFrom(type).map(({ step, to }): Way => {
      if (type === 'Query') return { steps: [step], to };
      const target = NODES.find(({ id }) => id === step.of);
      const way = target === undefined ? known.get(type) : byId('node', target);
      if (way === undefined) throw new Error(`No way leads to ${type}.`);
      return { steps: [...way.steps, step], to };
    }),
  );
  return [...NODES.flatMap((node) => [byId('node', node), byId('nodes', node)]), ...onwards];
}

/** `Query.room › Room.messages`. */
export const nameOf = ({ steps }: Way): string =>
  steps.map(({ name, on, args }) => (on === undefined ? name : `${name} (${args})`)).join(' › ');
