/** Each field of the schema has a row in the matrix, and each row a field and a line of the oracle. */
import { extendSchema, parse } from 'graphql';
import { expect, test } from 'vitest';
import { acts } from './acts.ts';
import { ACTS, SUBSCRIPTIONS } from './oracle.ts';
import { disagreements, objectTypes, schema, shapeOf } from './schema.ts';
import { READING, TABLE } from './table.ts';
import { waysToEverything } from './ways.ts';

test('every field has a row, and every row a field', () => {
  expect(disagreements(schema, TABLE)).toEqual([]);
});

test('a field without a row is named, as is a row without a field', () => {
  const more = extendSchema(
    schema,
    parse('extend type Room { pins: [Pin!]! } type Pin implements Node { id: ID! }'),
  );
  const { User, ...others } = TABLE;
  expect(disagreements(more, { ...others, User: { ...User, age: { rule: 'shown' } } })).toEqual([
    'Room.pins has no row: who may see it? Say so in test/matrix/table.ts.',
    'Pin.id has no row: who may see it? Say so in test/matrix/table.ts.',
    'User.age is not in the schema any more: take its row out of test/matrix/table.ts.',
    'node(id) leads to Pin, of which NODES in test/matrix/table.ts has no id.',
  ]);
});

test('the oracle says something of every mutation and subscription, and of nothing else', () => {
  const fieldsOf = (type: string) =>
    Object.keys(
      objectTypes(schema)
        .find(({ name }) => name === type)
        ?.getFields() ?? {},
    ).sort();
  expect([...new Set(acts.map(({ field }) => field))].sort()).toEqual(fieldsOf('Mutation'));
  expect(acts.map(({ name }) => name).sort()).toEqual([...ACTS].sort());
  expect([...SUBSCRIPTIONS].sort()).toEqual(fieldsOf('Subscription'));
});

test('every field that gives an object is a way to it, and is gone', () => {
  const ways = waysToEverything();
  const gone = new Set(ways.map(({ steps }) => steps.at(-1)?.name));
  const leading = Object.entries(READING).flatMap(([type, rows]) =>
    Object.keys(rows)
      .filter((field) => shapeOf(type, field).isObject)
      .map((field) => `${type}.${field}`),
  );
  expect(leading.filter((name) => !gone.has(name))).toEqual([]);
  const types = Object.keys(READING).filter((type) => type !== 'Query');
  expect(types.filter((type) => !ways.some(({ to }) => to === type))).toEqual([]);
});
