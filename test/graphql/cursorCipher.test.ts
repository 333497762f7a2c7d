import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createCursorCipher } from '../../src/graphql/cursorCipher.ts';

const cipher = createCursorCipher(randomBytes(32));
const position = fc.stringMatching(/^[^\0]{0,60}$/u);

describe('createCursorCipher', () => {
  test('opens what it sealed, for the same list only', () => {
    fc.assert(
      fc.property(position, fc.string(), fc.string(), (text, list, other) => {
        const cursor = cipher.seal(list, text);
        expect(cipher.open(list, cursor)).toBe(text);
        if (other !== list) expect(cipher.open(other, cursor)).toBeUndefined();
        expect(createCursorCipher(randomBytes(32)).open(list, cursor)).toBeUndefined();
      }),
    );
  });

  test('all cursors have one length, which a query may send; the same position has the same', () => {
    const cursors = ['', 'a', 'x'.repeat(240)].map((text) => cipher.seal('list', text));
    expect(new Set([...cursors, cipher.seal('list', 'a')]).size).toBe(3);
    expect(cipher.seal('other', 'a')).not.toBe(cursors[1]);
    expect(new Set(cursors.map(({ length }) => length)).size).toBe(1);
    expect(cursors[0]?.length).toBeLessThanOrEqual(512);
  });

  test('does not open what was changed, or any other bytes', () => {
    const bytes = Buffer.from(cipher.seal('list', 'position'), 'base64url');
    for (let i = 0; i < bytes.length; i += 7) {
      const changed = Buffer.from(bytes);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(cipher.open('list', changed.toString('base64url'))).toBeUndefined();
    }
    for (const length of [0, 1, 27, 268])
      expect(cipher.open('list', randomBytes(length).toString('base64url'))).toBeUndefined();
  });
});
