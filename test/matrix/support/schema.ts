/** The product's schema, and what each field returns. */
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { type FieldRules, NODES, STRUCTURAL_FIELDS } from './fieldRules.ts';

/** The committed SDL. `npm run schema:check` compares it with the code. */
export const schema = buildSchema(
  readFileSync(new URL('../../../schema/schema.graphql', import.meta.url), 'utf8'),
);

export const objectTypes = (of: GraphQLSchema): GraphQLObjectType[] =>
  Object.values(of.getTypeMap()).filter(
    (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__'),
  );

const isStructural = (type: string, field: string): boolean =>
  STRUCTURAL_FIELDS.some(({ types, fields }) => types.test(type) && fields.includes(field));

/** All fields that need a row, as `Type.field`. */
const fieldsOf = (of: GraphQLSchema): string[] =>
  objectTypes(of).flatMap((type) =>
    Object.keys(type.getFields())
      .filter((field) => !isStructural(type.name, field))
      .map((field) => `${type.name}.${field}`),
  );

/** All fields that have a row, as `Type.field`. */
export const rowsOf = (rules: FieldRules): string[] =>
  Object.entries(rules).flatMap(([type, rows]) => Object.keys(rows).map((field) => `${type}.${field}`));

/** A message for each field without a row, each row without a field, and each node type without an id in `NODES`. */
export function disagreements(of: GraphQLSchema, rules: FieldRules): string[] {
  const [fields, rows] = [fieldsOf(of), rowsOf(rules)];
  const nodes = objectTypes(of).filter((type) => type.getInterfaces().some(({ name }) => name === 'Node'));
  const file = 'test/matrix/support/fieldRules.ts';
  return [
    ...fields
      .filter((field) => !rows.includes(field))
      .map((field) => `${field} has no row. Add one to ${file} that says who may see it.`),
    ...rows
      .filter((row) => !fields.includes(row))
      .map((row) => `${row} is not in the schema any more. Remove its row from ${file}.`),
    ...nodes
      .filter(({ name }) => !NODES.some(({ type }) => type === name))
      .map(({ name }) => `node(id) can return a ${name}, but NODES in ${file} has no id of one.`),
  ];
}

/** The form in which a field returns its value. */
export interface Shape {
  /** The named type, without list and non-null. For a connection or an edge, the type of the nodes. */
  readonly type: string;
  readonly form: 'one' | 'list' | 'page' | 'edge';
  readonly isObject: boolean;
  /** Whether an error in the field, or below it, makes only this field or one of its items null. */
  readonly nullable: boolean;
}

const shapes = new Map<string, Shape>();

export function shapeOf(type: string, field: string): Shape {
  const name = `${type}.${field}`;
  const shape = shapes.get(name) ?? readShape(type, field);
  shapes.set(name, shape);
  return shape;
}

function readShape(type: string, field: string): Shape {
  const { type: declared } = fieldOf(type, field);
  const named = getNamedType(declared);
  const unwrapped = isNonNullType(declared) ? declared.ofType : declared;
  const items = isListType(unwrapped) ? unwrapped.ofType : unwrapped;
  const nullable = !isNonNullType(declared) || (isListType(unwrapped) && !isNonNullType(items));
  if (isObjectType(named) && named.name.endsWith('Connection')) {
    const edge = getNamedType(fieldOf(named.name, 'edges').type);
    const node = getNamedType(fieldOf(edge.name, 'node').type);
    return { type: node.name, form: 'page', isObject: true, nullable };
  }
  if (isObjectType(named) && named.name.endsWith('Edge')) {
    const node = getNamedType(fieldOf(named.name, 'node').type);
    return { type: node.name, form: 'edge', isObject: true, nullable };
  }
  const isObject = 'getFields' in named;
  return { type: named.name, form: isListType(unwrapped) ? 'list' : 'one', isObject, nullable };
}

function fieldOf(type: string, field: string): GraphQLField<unknown, unknown> {
  const found = (schema.getType(type) as GraphQLObjectType | undefined)?.getFields()[field];
  if (found === undefined) throw new Error(`The schema has no ${type}.${field}.`);
  return found;
}

export const hasId = (type: string): boolean =>
  'id' in ((schema.getType(type) as GraphQLObjectType | undefined)?.getFields() ?? {});
