import { buildSchema, type GraphQLSchema, getOperationAST, parse } from 'graphql';
import { expect, test } from 'vitest';
import { fragmentsOf } from '../../src/server/graphql/fragments.ts';
import { patternOf } from '../../src/server/graphql/patternOf.ts';

const schema: GraphQLSchema = buildSchema(`
  type Query { viewer: Viewer! room(id: ID!): Room node(id: ID!): Node rooms: [Room!]! }
  type Mutation { sendMessage(body: String!): Room }
  type Subscription { roomEvents(id: ID!): Room }
  interface Node { id: ID! }
  type Viewer { id: ID! rooms: [Room!]! unread: Unread! }
  type Unread { total: Int! }
  type Room implements Node { id: ID! name: String! members: [Viewer!]! messages: [Room!]! }
`);

const patternIn = (text: string): string => {
  const document = parse(text);
  const operation = getOperationAST(document);
  if (operation == null) throw new Error('There is no operation.');
  return patternOf(operation, { schema, fragments: fragmentsOf(document) });
};

test.each([
  ['a mutation', 'mutation { sendMessage(body: "a") { messages { name } } }', 'sendMessage'],
  ['a subscription', 'subscription { roomEvents(id: 1) { messages { name } } }', 'roomEvents'],
  ['a field with scalars', '{ room(id: 1) { id name } }', 'room'],
  ['one list of an object', '{ room(id: 1) { name messages { name } } }', 'Room.messages'],
  [
    'the same by another name',
    '{ r: room(id: 1) { m: messages { name } n: messages { id } } }',
    'Room.messages',
  ],
  ['two lists of an object', '{ viewer { rooms { name } unread { total } } }', 'viewer'],
  ['a list in a fragment', '{ viewer { ...V } } fragment V on Viewer { unread { total } }', 'Viewer.unread'],
  ['a list in an inline fragment', '{ viewer { ... on Viewer { unread { total } } } }', 'Viewer.unread'],
  ['an object of any type', '{ node(id: 1) { ... on Room { messages { name } } } }', 'node'],
  ['several fields', '{ viewer { id } rooms { name } }', 'several'],
  ['one field twice', '{ a: room(id: 1) { name } b: room(id: 2) { name } }', 'room'],
  ['introspection only', '{ __typename }', 'other'],
])('patternOf: %s', (_what, text, expected) => {
  expect(patternIn(text)).toBe(expected);
});

test('patternOf: fragments that double 300 times take linear time', () => {
  const fragments = Array.from(
    { length: 300 },
    (_, i) => `fragment F${i} on Viewer { ...F${i + 1} ...F${i + 1} }`,
  );
  const text = `{ viewer { ...F0 } } ${fragments.join(' ')} fragment F300 on Viewer { unread { total } }`;
  expect(patternIn(text)).toBe('Viewer.unread');
});
