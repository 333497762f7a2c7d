import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isKept } from '../../../src/dynamo/item.ts';
import { decodeAnyResponse, decodeResponse, type WireItem } from '../../../src/dynamo/transport/decode.ts';
import { scaled } from '../../support/run/budget.ts';

let last = 0;
const newKey = () => ({ pk: { S: `ROOM#${++last}` }, sk: { S: 'ROOT#1' } });

/** Reads a page with these items, and checks it against the reader of any JSON. */
function read(...items: readonly WireItem[]) {
  const text = JSON.stringify({ Items: items, Count: items.length });
  const { Items = [] } = decodeResponse<'Query'>(Buffer.from(text));
  expect(Items).toEqual(decodeAnyResponse<'Query'>(text).Items);
  return Items;
}

const reversed = (item: WireItem): WireItem => Object.fromEntries(Object.entries(item).reverse());

describe('knownItems: an item that is read in pages', () => {
  test('is the same frozen object from the second time on, in any order of its attributes', () => {
    const other = newKey();
    const map = { by: { S: 'aki' }, kind: { S: 'LIKED' } };
    const item = { ...newKey(), body: { S: 'a "b" 集い }' }, rev: { N: '3' }, last: { M: map } };
    const [first] = read(item);
    const [second] = read(item, other);
    expect(isKept(first ?? {})).toBe(false);
    expect(isKept(second ?? {})).toBe(true);
    expect(second).not.toBe(first);
    expect(read(other, reversed({ ...item, last: { M: reversed(map) } }))[1]).toBe(second);
    expect(Object.isFrozen(second?.last)).toBe(true);
  });

  test.each<[string, WireItem]>([
    ['a changed text', { body: { S: 'b' } }],
    ['a changed number', { rev: { N: '4' } }],
    ['a changed map', { last: { M: { kind: { S: 'LIKED' }, by: { S: 'ben' } } } }],
    ['a value of another type', { rev: { S: '3' } }],
    ['one more attribute', { more: { BOOL: true } }],
    ['one attribute instead of another', { body: undefined as never, text: { S: 'a' } }],
  ])('is another object after %s', (_what, change) => {
    const map = { by: { S: 'aki' }, kind: { S: 'LIKED' } };
    const item = { ...newKey(), body: { S: 'a' }, rev: { N: '3' }, last: { M: map } };
    read(item);
    const [before] = read(item);
    const changed: WireItem = JSON.parse(JSON.stringify({ ...item, ...change }));
    expect(read(changed)[0]).not.toBe(before);
    expect(read(changed)[0]).toBe(read(changed)[0]);
    expect(read(item)[0]).toEqual(before);
  });

  test('is not kept, and not marked as kept, if it is longer than 4 KiB', () => {
    const item = { ...newKey(), body: { S: 'a'.repeat(4_096) } };
    for (let i = 0; i < 3; i++) expect(isKept(read(item)[0] ?? {})).toBe(false);
  });

  test('is what `JSON.parse` reads, for random changes of items with few keys', () => {
    const value = fc.oneof(
      fc.string().map((S) => ({ S })),
      fc.nat(3).map((N) => ({ N: String(N) })),
      fc.constantFrom({ NULL: true }, { BOOL: false }, { M: {} }, { L: [] }),
      fc
        .dictionary(
          fc.constantFrom('a', 'b'),
          fc.nat(1).map((N) => ({ N: String(N) })),
        )
        .map((M) => ({ M })),
      fc
        .array(
          fc.nat(1).map((N) => ({ N: String(N) })),
          { maxLength: 2 },
        )
        .map((L) => ({ L })),
    );
    const item = fc
      .tuple(fc.nat(2), fc.dictionary(fc.constantFrom('x', 'y', 'z'), value), fc.boolean())
      .map(([key, rest, isReversed]) => {
        const made: WireItem = { pk: { S: 'P' }, ...rest, sk: { S: String(key) } };
        return isReversed ? reversed(made) : made;
      });
    fc.assert(
      fc.property(fc.array(fc.array(item, { maxLength: 4 }), { maxLength: 8 }), (pages) => {
        for (const page of pages) read(...page);
      }),
      { numRuns: scaled(300) },
    );
  });
});
