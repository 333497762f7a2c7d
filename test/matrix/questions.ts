/** Questions: what is asked of one way's object, as GraphQL, and what the oracle says to it. */
import { type Cell, type Position, positionOf, reading, type Verdict } from './oracle.ts';
import { hasId, type Shape, shapeOf } from './schema.ts';
import { type Row, TABLE } from './table.ts';
import type { Way } from './ways.ts';

export interface Asked {
  /** `Type.field`. */
  readonly name: string;
  readonly field: string;
  readonly row: Row;
  readonly shape: Shape;
  readonly verdict: Verdict;
}

export interface Question {
  readonly way: Way;
  /** What the oracle says to each step. */
  readonly verdicts: readonly Verdict[];
  /** What is asked of the object at the end. One, where the oracle says that it is refused. */
  readonly asked: readonly Asked[];
}

/** The fields of a type, with what the oracle says to them. */
export const askedOf = (type: string, cell: Cell, as: Position | null = positionOf(cell)): Asked[] =>
  Object.entries(TABLE[type] ?? {}).map(([field, row]) => ({
    name: `${type}.${field}`,
    field,
    row,
    shape: shapeOf(type, field),
    verdict: reading(row.rule, cell, as),
  }));

/** An error: nothing else can be asked beside what comes to one, for it takes its neighbours along. */
export const isCode = (verdict: Verdict): boolean => verdict === verdict.toUpperCase();

/** Whether there is an object to ask on: else all beneath it is not there either. */
const goesOn = (verdict: Verdict): boolean => verdict === 'value';

export function questionsOf(way: Way, cell: Cell): Question[] {
  const verdicts = way.steps.map(({ rule }) => reading(rule, cell));
  const asked = askedOf(way.to, cell);
  // Other rooms are in that list: what anybody may see of them is asked.
  if (verdicts.includes('unlisted')) {
    return [{ way, verdicts, asked: asked.filter(({ row }) => row.rule === 'shown') }];
  }
  if (!verdicts.every(goesOn)) return [{ way, verdicts, asked }];
  const refused = asked.filter(({ verdict }) => isCode(verdict));
  const given = asked.filter((one) => !refused.includes(one));
  return [given, ...refused.map((one) => [one])]
    .filter((group) => group.length > 0)
    .map((group) => ({ way, verdicts, asked: group }));
}

const PAGE_INFO = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

const within = (form: Shape['form'], selection: string): string =>
  form === 'page' ? `{ edges { cursor node { ${selection} } } ${PAGE_INFO} }` : `{ ${selection} }`;

const call = (field: string, args?: string): string => (args === undefined ? field : `${field}(${args})`);

/** A field by itself: of an object no more than which it is. */
function selectionOf({ field, row, shape }: Asked): string {
  if (!shape.isObject) return call(field, row.args);
  return `${call(field, row.args)} ${within(shape.form, hasId(shape.type) ? 'id' : '__typename')}`;
}

/** A field with these fields of what it gives. */
export const nested = ({ field, row, shape }: Asked, inside: readonly Asked[]): string =>
  shape.isObject
    ? `${call(field, row.args)} ${within(shape.form, selectionsOf(inside))}`
    : call(field, row.args);

/** Whose a membership is, for what only its owner is told. */
const WHOSE = 'whose: user { id }';

function selectionsOf(asked: readonly Asked[]): string {
  const whose = asked.some(({ verdict }) => verdict === 'own') ? [WHOSE] : [];
  return [...asked.map(selectionOf), ...whose].join(' ');
}

/** All that leads there, and what is asked there. */
export const textOf = ({ way, asked }: Question): string =>
  way.steps.reduceRight((selection, { field, args, on, shape }) => {
    const found = on === undefined ? selection : `... on ${on} { ${selection} }`;
    return `${call(field, args)} ${within(shape.form, found)}`;
  }, selectionsOf(asked));

/** Whether an error in it leaves the other questions of a document alone. */
export function standsAlone({ way, verdicts, asked }: Question): boolean {
  const refused = [...verdicts, ...asked.map(({ verdict }) => verdict)].some(isCode);
  return refused && way.steps[0]?.shape.nullable !== true;
}

const TYPES: Readonly<Record<string, string>> = {
  $handle: 'String!',
  $place: 'String',
  $listed: 'Int!',
  $people: '[ID!]!',
  $code: 'String!',
  $name: 'String!',
  $body: 'String!',
};

/** A document with the variables that it uses declared: ids, where nothing else is said. */
export function documentOf(kind: 'query' | 'mutation' | 'subscription', selection: string): string {
  const used = [...new Set(selection.match(/\$\w+/g) ?? [])];
  const declared = used.map((name) => `${name}: ${TYPES[name] ?? 'ID!'}`).join(', ');
  return `${kind}${declared === '' ? '' : ` (${declared})`} { ${selection} }`;
}
