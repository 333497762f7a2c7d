import { getIntrospectionQuery, getOperationAST, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createSchema } from '../../src/app/schema.ts';
import { compileCost } from '../../src/server/graphql/operationCost.ts';

const schema = createSchema();

function cost(text: string, variables?: Record<string, unknown> | null): number {
  const document = parse(text);
  const operation = getOperationAST(document);
  if (operation == null) throw new Error('There is no operation.');
  return compileCost(document, { schema, operation })(variables);
}

const messages = (args: string, inside = 'id') => `messages${args} { edges { node { ${inside} } } }`;
const replies = (args: string, inside = 'id') => `replies${args} { edges { node { ${inside} } } }`;
const room = (inside: string) => `{ room(id: "x") { ${inside} } }`;

describe('operationCost: the number of objects in full pages', () => {
  test.each([
    [
      'nothing for fields without pages',
      '{ viewer { id user { displayName } unread { total } } stamps { key } }',
      0,
    ],
    ['one page', room(messages('(first: 7)')), 7],
    ['fifty if the page has no size', room(messages('')), 50],
    ['the same from either end', room(messages('(last: 7)')), 7],
    ['a page inside a page', room(messages('(last: 10)', replies('(first: 5)'))), 10 + 50],
    [
      'three deep',
      room(messages('(first: 10)', replies('(first: 10)', 'stamps(first: 10) { edges { node { id } } }'))),
      10 + 100 + 1_000,
    ],
    ['two aliases of one page', room(`a: ${messages('')} b: ${messages('')}`), 100],
    ['at most a hundred and at least one', room(messages('(first: 900) ') + replies('(first: -1)')), 100],
    [
      'each requested node',
      `{ nodes(ids: ["a", "b"]) { id ... on Room { ${messages('(last: 3)')} } } }`,
      2 + 6,
    ],
    ['a list by the default length', room(`explainUnread { ${replies('(first: 2)')} }`), 50 * 2],
    [
      'a list by its declared length',
      `{ viewer { unread { rooms { room { ${messages('(last: 2)')} } } } } }`,
      2_000,
    ],
    [
      'a list that is read like a page by its declared length',
      room('threads(last: 20) { edges { node { replies { id } stamps { id } } } }'),
      20 * (1 + 3 + 100),
    ],
    ['nothing for unknown fields', '{ nothing { messages(first: 5) { id } } viewer { nothing { id } } }', 0],
    ['5,000 for introspection of the whole schema', getIntrospectionQuery({ descriptions: true }), 5_000],
    ['100 for introspection of a type', '{ __type(name: "Room") { name fields { name } } }', 100],
  ])('operationCost: counts %s', (_what, text, expected) => {
    expect(cost(text)).toBe(expected);
  });

  test('operationCost: counts a fragment each time that it is spread', () => {
    const text = `${room(messages('(first: 2)', '...M'))} fragment M on Message { ...N ...N } fragment N on Message { ${replies('(first: 3)')} }`;
    expect(cost(text)).toBe(2 + 2 * 2 * 3);
  });

  test('operationCost: counts the pages of one event of a subscription', () => {
    const event = `... on MessageAdded { message { ${replies('(last: 4)')} } }`;
    expect(cost(`subscription { roomEvents(roomId: "x") { ${event} } }`)).toBe(4);
  });

  test('operationCost: a page size in a variable is the value, its default, or fifty', () => {
    const text = (type: string) => `query ($n: ${type}) ${room(messages('(first: $n)'))}`;
    expect(cost(text('Int'), { n: 9 })).toBe(9);
    expect(cost(text('Int = 8'), {})).toBe(8);
    expect(cost(text('Int = 8'), null)).toBe(8);
    expect(cost(text('Int'))).toBe(50);
    expect(cost(text('Int'), { n: 'many' })).toBe(100);
    expect(cost('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: ['a', 'b', 'c'] })).toBe(3);
    // Every object has a property with this name.
    const inherited = 'query ($constructor: [ID!]! = ["a", "b", "c"]) { nodes(ids: $constructor) { id } }';
    expect(cost(inherited, {})).toBe(3);
  });
});

test('operationCost: fragments that double 300 times are counted in linear time', () => {
  const chain = Array.from({ length: 300 }, (_, i) => `fragment F${i} on Room { ...F${i + 1} ...F${i + 1} }`);
  const text = `${room('...F0')} ${chain.join(' ')} fragment F300 on Room { ${messages('(first: 1)')} }`;
  expect(cost(text)).toBe(2 ** 300);
});
