import { getIntrospectionQuery, getOperationAST, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createSchema } from '../../src/app/schema.ts';
import { costOf } from '../../src/server/graphql/operationCost.ts';

const schema = createSchema();

function cost(text: string, variables?: Record<string, unknown> | null): number {
  const document = parse(text);
  const operation = getOperationAST(document);
  if (operation == null) throw new Error('There is no operation.');
  return costOf(document, { schema, operation, variables });
}

const messages = (args: string, inside = 'id') => `messages${args} { edges { node { ${inside} } } }`;
const replies = (args: string, inside = 'id') => `replies${args} { edges { node { ${inside} } } }`;
const room = (inside: string) => `{ room(id: "x") { ${inside} } }`;

describe('an operation costs as many objects as its pages have when they are full', () => {
  test.each([
    ['nothing without pages', '{ viewer { id user { displayName } unread { total } } stamps { key } }', 0],
    ['one page', room(messages('(first: 7)')), 7],
    ['fifty where the page has no size', room(messages('')), 50],
    ['the same whichever end it is read from', room(messages('(last: 7)')), 7],
    ['a page in each of a page', room(messages('(last: 10)', replies('(first: 5)'))), 10 + 50],
    [
      'three deep',
      room(messages('(first: 10)', replies('(first: 10)', 'stamps(first: 10) { edges { node { id } } }'))),
      10 + 100 + 1_000,
    ],
    ['two pages side by side, by their aliases', room(`a: ${messages('')} b: ${messages('')}`), 100],
    [
      'no more than a hundred, and no less than one',
      room(messages('(first: 900) ') + replies('(first: -1)')),
      100,
    ],
    [
      'each of the nodes asked for',
      `{ nodes(ids: ["a", "b"]) { id ... on Room { ${messages('(last: 3)')} } } }`,
      2 + 6,
    ],
    ['a list by its length', room(`explainUnread { ${replies('(first: 2)')} }`), 50 * 2],
    [
      'a list by the length that it may have',
      `{ viewer { unread { rooms { room { ${messages('(last: 2)')} } } } } }`,
      2_000,
    ],
    [
      'nothing for what there is not',
      '{ nothing { messages(first: 5) { id } } viewer { nothing { id } } }',
      0,
    ],
    ['nothing for reading the schema', getIntrospectionQuery({ descriptions: true }), 0],
  ])('%s', (_what, text, expected) => {
    expect(cost(text)).toBe(expected);
  });

  test('fragments wherever they are spread', () => {
    const text = `${room(messages('(first: 2)', '...M'))} fragment M on Message { ...N ...N } fragment N on Message { ${replies('(first: 3)')} }`;
    expect(cost(text)).toBe(2 + 2 * 2 * 3);
  });

  test('pages of a subscription, for each of its events', () => {
    const event = `... on MessageAdded { message { ${replies('(last: 4)')} } }`;
    expect(cost(`subscription { roomEvents(roomId: "x") { ${event} } }`)).toBe(4);
  });

  test('pages whose size is a variable: what was sent, else its default, else fifty', () => {
    const text = (type: string) => `query ($n: ${type}) ${room(messages('(first: $n)'))}`;
    expect(cost(text('Int'), { n: 9 })).toBe(9);
    expect(cost(text('Int = 8'), {})).toBe(8);
    expect(cost(text('Int = 8'), null)).toBe(8);
    expect(cost(text('Int'))).toBe(50);
    expect(cost(text('Int'), { n: 'many' })).toBe(100);
    expect(cost('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: ['a', 'b', 'c'] })).toBe(3);
  });
});

test('a hundred thousand spreads of fragments in fragments are counted at once', () => {
  const chain = Array.from({ length: 300 }, (_, i) => `fragment F${i} on Room { ...F${i + 1} ...F${i + 1} }`);
  const text = `${room('...F0')} ${chain.join(' ')} fragment F300 on Room { ${messages('(first: 1)')} }`;
  expect(cost(text)).toBe(2 ** 300);
});
