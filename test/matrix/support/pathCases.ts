/** What is requested at the end of a path, as GraphQL, and what the oracle expects of it. */
import { FIELD_RULES, type Row } from './fieldRules.ts';
import { type Cell, expectedRead, type ReadResult, type Relation, relationOf } from './oracle.ts';
import type { Path } from './paths.ts';
import { hasId, type Shape, shapeOf } from './schema.ts';

/** One requested field. */
export interface FieldCase {
  /** `Type.field`. */
  readonly name: string;
  readonly field: string;
  readonly row: Row;
  readonly shape: Shape;
  readonly expected: ReadResult;
}

export interface PathCase {
  readonly path: Path;
  /** What is expected of each step. */
  readonly steps: readonly ReadResult[];
  /** The fields requested of the object at the end. A field for which an error is expected is the only one. */
  readonly fields: readonly FieldCase[];
}

/** All fields of a type. */
export const fieldCases = (
  type: string,
  cell: Cell,
  relation: Relation | null = relationOf(cell),
): FieldCase[] =>
  Object.entries(FIELD_RULES[type] ?? {}).map(([field, row]) => ({
    name: `${type}.${field}`,
    field,
    row,
    shape: shapeOf(type, field),
    expected: expectedRead(row.rule, cell, relation),
  }));

export const isError = (expected: ReadResult): boolean => expected === expected.toUpperCase();

export const allowedFields = (fields: readonly FieldCase[]): FieldCase[] =>
  fields.filter(({ expected }) => !isError(expected));
export const refusedFields = (fields: readonly FieldCase[]): FieldCase[] =>
  fields.filter(({ expected }) => isError(expected));

export function pathCases(path: Path, cell: Cell): PathCase[] {
  // A field of the viewer's own object has a value if it is requested of an object of theirs.
  const steps = path.steps.map(({ rule, of }) => {
    const expected = expectedRead(rule, cell);
    return expected === 'own' && of !== undefined ? 'value' : expected;
  });
  const fields = fieldCases(path.type, cell);
  // The list contains other rooms. Only fields that everyone may see are requested of them.
  if (steps.includes('unlisted')) {
    return [{ path, steps, fields: fields.filter(({ row }) => row.rule === 'always') }];
  }
  if (steps.some((expected) => expected !== 'value')) return [{ path, steps, fields }];
  // An error makes the fields next to it null, so each refused field is requested alone.
  return [allowedFields(fields), ...refusedFields(fields).map((field) => [field])]
    .filter((group) => group.length > 0)
    .map((group) => ({ path, steps, fields: group }));
}

const PAGE_INFO = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

function within(form: Shape['form'], selection: string): string {
  if (form === 'page') return `{ edges { cursor node { ${selection} } } ${PAGE_INFO} }`;
  return form === 'edge' ? `{ cursor node { ${selection} } }` : `{ ${selection} }`;
}

const call = (field: string, args?: string): string => (args === undefined ? field : `${field}(${args})`);

/** A field alone. Of an object, only the id, or the type if it has none. */
function fieldText({ field, row, shape }: FieldCase): string {
  if (!shape.isObject) return call(field, row.args);
  return `${call(field, row.args)} ${within(shape.form, hasId(shape.type) ? 'id' : '__typename')}`;
}

/** A field with these fields of its object. */
export const nestedText = ({ field, row, shape }: FieldCase, inner: readonly FieldCase[]): string =>
  shape.isObject
    ? `${call(field, row.args)} ${within(shape.form, fieldsText(inner))}`
    : call(field, row.args);

/** The owner of the object, to know which of the `own` fields must have a value. */
const OWNER = 'ownedBy: user { id }';

function fieldsText(fields: readonly FieldCase[]): string {
  const owner = fields.some(({ expected }) => expected === 'own') ? [OWNER] : [];
  return [...fields.map(fieldText), ...owner].join(' ');
}

/** The path with the fields at its end. */
export const pathText = ({ path, fields }: PathCase): string =>
  path.steps.reduceRight((selection, { field, args, on, shape }) => {
    const typed = on === undefined ? selection : `... on ${on} { ${selection} }`;
    return `${call(field, args)} ${within(shape.form, typed)}`;
  }, fieldsText(fields));

/** Whether an error in it would make the other cases of the same document null. */
export function needsOwnDocument({ path, steps, fields }: PathCase): boolean {
  const refused = [...steps, ...fields.map(({ expected }) => expected)].some(isError);
  return refused && path.steps[0]?.shape.nullable !== true;
}

/** The types of variables that are not ids. */
const TYPES: Readonly<Record<string, string>> = {
  $handle: 'String!',
  $directoryCursor: 'String',
  $directoryCount: 'Int!',
  $people: '[ID!]!',
  $code: 'String!',
  $name: 'String!',
  $body: 'String!',
};

/** A document that declares the variables that the selection uses. */
export function documentOf(kind: 'query' | 'mutation' | 'subscription', selection: string): string {
  const used = [...new Set(selection.match(/\$\w+/g) ?? [])];
  const declared = used.map((name) => `${name}: ${TYPES[name] ?? 'ID!'}`).join(', ');
  return `${kind}${declared === '' ? '' : ` (${declared})`} { ${selection} }`;
}
