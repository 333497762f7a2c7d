import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keys, MAX_SUFFIX } from '../../src/dynamo/keys.ts';
import { foldedName, TAG_NAME_MAX, type TagName, tagName } from '../../src/saved/tagName.ts';
import { scaled } from '../support/run/budget.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: fc.constantFrom(...'aAßẞıİIσςΣǅﬁ①＃#  　\u0345ͅά가각'), maxLength: 12 }),
);
const valid = (text: string): TagName | undefined => {
  const name = tagName(text);
  return 'wrong' in name ? undefined : name;
};
const numRuns = scaled(3_000);

describe('tagName', () => {
  test.each([
    ['STRASSE', 'straße'],
    ['ΟΔΟΣ', 'οδος'],
    ['ＴＯＤＯ　１', 'todo 1'],
    ['ﬁne', 'FINE'],
    ['が', 'か\u3099'],
    ['  to \u2003 read ', 'To Read'],
    ['①', '1'],
    ['ΐ', 'Ϊ́'],
  ])('%s and %s are the same tag', (one, other) => {
    expect(valid(one)?.folded).toBeDefined();
    expect(valid(one)?.folded).toBe(valid(other)?.folded);
  });

  test('the dotless ı is another letter', () => {
    expect(valid('ılık')?.folded).not.toBe(valid('ilik')?.folded);
  });

  test('keeps what the user wrote, with single spaces', () => {
    expect(valid('  To   Read ')).toEqual({ shown: 'To Read', folded: 'to read' });
  });

  test.each([
    ['', 'must have at least one visible character.'],
    ['   ', 'must have at least one visible character.'],
    ['\u3164', 'must have at least one visible character.'],
    ['c#', 'must not have a number sign (#).'],
    ['c＃', 'must not have a number sign (#).'],
    ['a\u0007', 'must not have control or format characters.'],
    ['a\nb', 'must not have control or format characters.'],
    ['a\u202eb', 'must not have control or format characters.'],
    ['a\u200db', 'must not have control or format characters.'],
    ['a\u{10ffff}', 'must not have control or format characters.'],
    ['a\ud800', 'must be well-formed Unicode, but has half of a surrogate pair.'],
    ['x'.repeat(TAG_NAME_MAX + 1), 'must have at most 40 characters.'],
    ['ﬁ'.repeat(21), 'must have at most 40 characters.'],
    ['x'.repeat(1_000_000), 'must have at most 40 characters.'],
  ])('refuses %j', (text, wrong) => {
    expect(tagName(text)).toMatchObject({ wrong });
  });

  test('accepts 40 characters of 4 bytes', () => {
    expect(valid('🍵'.repeat(40))?.folded).toBe('🍵'.repeat(40));
  });

  test('folding again changes nothing, and a folded name is the same tag', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const folded = foldedName(text);
        expect(foldedName(folded)).toBe(folded);
        const name = valid(text);
        if (name !== undefined) expect(valid(name.folded)?.folded).toBe(name.folded);
        if (name !== undefined) expect(valid(name.shown)?.folded).toBe(name.folded);
      }),
      { numRuns },
    );
  });

  test('upper and lower case, and all forms of normalization, are the same tag', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'), (text, form) => {
        const name = valid(text);
        const other = valid(text.normalize(form));
        if (name !== undefined && other !== undefined) expect(other.folded).toBe(name.folded);
      }),
      { numRuns },
    );
  });

  test('a name is part of its key as it is: keys have the order of the bytes, and prefixes have theirs', () => {
    const bytes = (text: string) => Buffer.from(text);
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        const [a, b] = [valid(one)?.folded, valid(other)?.folded];
        if (a === undefined || b === undefined) return;
        const [first, second] = [a, b].map((name) => keys.savedTagName('u', name).sk);
        expect(Math.sign(Buffer.compare(bytes(first ?? ''), bytes(second ?? '')))).toBe(
          Math.sign(Buffer.compare(bytes(a), bytes(b))),
        );
        expect(a).not.toMatch(/[#\p{C}]/u);
        // Everything that begins with `a` is before the end of its range.
        expect(Buffer.compare(bytes(a + b), bytes(a + MAX_SUFFIX))).toBe(-1);
        expect([...a].length).toBeLessThanOrEqual(TAG_NAME_MAX);
        expect(Buffer.byteLength(a)).toBeLessThanOrEqual(160);
      }),
      { numRuns },
    );
  });
});
