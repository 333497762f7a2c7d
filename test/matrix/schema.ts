/** The product's schema, as the matrix asks for all of it. */
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
import { FORM, NODES, type Table } from './table.ts';

/** As it is printed and committed; `npm run schema:check` holds that against the code. */
export const schema = buildSchema(
  readFileSync(new URL('../../schema/schema.graphql', import.meta.url), 'utf8'),
);

export const objectTypes = (of: GraphQLSchema): GraphQLObjectType[] =>
  Object.values(of.getTypeMap()).filter(
    (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__'),
  );

const isForm = (type: string, field: string): boolean =>
  FORM.some(({ types, fields }) => types.test(type) && fields.includes(field));

/** `Type.field`, all that ask for a row. */
const fieldsOf = (of: GraphQLSchema): string[] =>
  objectTypes(of).flatMap((type) =>
    Object.keys(type.getFields())
      .filter((field) => !isForm(type.name, field))
      .map((field) => `${type.name}.${field}`),
  );

/** `Type.field`, all that have one. */
export const rowsOf = (table: Table): string[] =>
  Object.entries(table).flatMap(([type, rows]) => Object.keys(rows).map((field) => `${type}.${field}`));

/** A sentence for each field without a row, each row without a field, and each type that `node` leads to and no id does. */
export function disagreements(of: GraphQLSchema, table: Table): string[] {
  const [fields, rows] = [fieldsOf(of), rowsOf(table)];
  const nodes = objectTypes(of).filter((type) => type.getInterfaces().some(({ name }) => name === 'Node'));
  return [
    ...fields
      .filter((field) => !rows.includes(field))
      .map((field) => `${field} has no row: who may see it? Say so in test/matrix/table.ts.`),
    ...rows
      .filter((row) => !fields.includes(row))
      .map((row) => `${row} is not in the schema any more: take its row out of test/matrix/table.ts.`),
    ...nodes
      .filter(({ name }) => !NODES.some(({ type }) => type === name))
      .map(({ name }) => `node(id) leads to ${name}, of which NODES in test/matrix/table.ts has no id.`),
  ];
}

/** How a field gives what it gives. */
export interface Shape {
  /** What is in it; of a page, what the page is of. */
  readonly type: string;
  readonly form: 'one' | 'list' | 'page';
  readonly isObject: boolean;
  /** Whether an error of it, or beneath it, goes no further up than itself, or its items. */
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
  const { type: gives } = fieldOf(type, field);
  const named = getNamedType(gives);
  const listed = isNonNullType(gives) ? gives.ofType : gives;
  const items = isListType(listed) ? listed.ofType : listed;
  const nullable = !isNonNullType(gives) || (isListType(listed) && !isNonNullType(items));
  if (isObjectType(named) && named.name.endsWith('Connection')) {
    const edge = getNamedType(fieldOf(named.name, 'edges').type);
    const node = getNamedType(fieldOf(edge.name, 'node').type);
    return { type: node.name, form: 'page', isObject: true, nullable };
  }
  const isObject = 'getFields' in named;
  return { type: named.name, form: isListType(listed) ? 'list' : 'one', isObject, nullable };
}

function fieldOf(type: string, field: string): GraphQLField<unknown, unknown> {
  const found = (schema.getType(type) as GraphQLObjectType | undefined)?.getFields()[field];
  if (found === undefined) throw new Error(`The schema has no ${type}.${field}.`);
  return found;
}

export const hasId = (type: string): boolean =>
  'id' in ((schema.getType(type) as GraphQLObjectType | undefined)?.getFields() ?? {});
