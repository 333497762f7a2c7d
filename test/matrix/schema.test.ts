/** Each field of the schema has a row in the matrix, and each row has a field and a rule in the oracle. */
import { extendSchema, parse } from 'graphql';
import { expect, test } from 'vitest';
import { FIELD_RULES, QUERY_FIELDS } from './support/fieldRules.ts';
import { mutationCases } from './support/mutationCases.ts';
import { MUTATION_NAMES, SUBSCRIPTIONS } from './support/oracle.ts';
import { allPaths } from './support/paths.ts';
import { disagreements, objectTypes, schema, shapeOf } from './support/schema.ts';

test('field rules: each field of the schema has a row, and each row a field', () => {
  expect(disagreements(schema, FIELD_RULES)).toEqual([]);
});

test('disagreements: names a field without a row, a row without a field and a node type without an id', () => {
  const extended = extendSchema(
    schema,
    parse('extend type Room { pins: [Pin!]! } type Pin implements Node { id: ID! }'),
  );
  const { User, ...others } = FIELD_RULES;
  expect(disagreements(extended, { ...others, User: { ...User, age: { rule: 'always' } } })).toEqual([
    'Room.pins has no row. Add one to test/matrix/support/fieldRules.ts that says who may see it.',
    'Pin.id has no row. Add one to test/matrix/support/fieldRules.ts that says who may see it.',
    'User.age is not in the schema any more. Remove its row from test/matrix/support/fieldRules.ts.',
    'node(id) can return a Pin, but NODES in test/matrix/support/fieldRules.ts has no id of one.',
  ]);
});

test('oracle: has a row for each mutation and subscription of the schema, and no other', () => {
  const fieldsOf = (type: string) =>
    Object.keys(
      objectTypes(schema)
        .find(({ name }) => name === type)
        ?.getFields() ?? {},
    ).sort();
  expect([...new Set(mutationCases.map(({ field }) => field))].sort()).toEqual(fieldsOf('Mutation'));
  expect(mutationCases.map(({ name }) => name).sort()).toEqual([...MUTATION_NAMES].sort());
  expect([...SUBSCRIPTIONS].sort()).toEqual(fieldsOf('Subscription'));
});

test('allPaths: contains every field that returns an object, and reaches every type', () => {
  const paths = allPaths();
  const followed = new Set(paths.map(({ steps }) => steps.at(-1)?.name));
  const objectFields = Object.entries(QUERY_FIELDS).flatMap(([type, rows]) =>
    Object.keys(rows)
      .filter((field) => shapeOf(type, field).isObject)
      .map((field) => `${type}.${field}`),
  );
  expect(objectFields.filter((name) => !followed.has(name))).toEqual([]);
  const types = Object.keys(QUERY_FIELDS).filter((type) => type !== 'Query');
  expect(types.filter((name) => !paths.some(({ type }) => type === name))).toEqual([]);
});
