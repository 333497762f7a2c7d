import data from 'emojibase-data/en/data.json' with { type: 'json' };
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toTimestamp } from '../../../src/core/timestamps.ts';
import { keys, parseKey } from '../../../src/dynamo/keys.ts';
import { emojiOf } from '../../../src/reactions/stamps/emoji.ts';

/** Every supported engine knows at least this version of emoji. */
const KNOWN_EVERYWHERE = 15;

interface Known {
  readonly emoji: string;
  readonly text: string;
  readonly hexcode: string;
  readonly version: number;
  /** Regional indicators are in no group: they are halves of flags. */
  readonly group?: number;
}

const all: Known[] = data
  .flatMap((one): Known[] => [one, ...(one.skins ?? [])])
  .filter(({ version, group }) => version <= KNOWN_EVERYWHERE && group !== undefined);
const identities = new Set(all.map(({ emoji }) => emojiOf(emoji) ?? ''));

test('emojiOf: knows every emoji, in all of its forms, by one identity', () => {
  expect(all.length).toBeGreaterThan(3_500);
  for (const { emoji, text, hexcode } of all) {
    const codes = hexcode.split('-').map((hex) => String.fromCodePoint(Number.parseInt(hex, 16)));
    const plain = codes.filter((code) => code !== '\uFE0F').join('');
    const forms = [emoji, plain, codes.join(''), `${plain}\uFE0F`, ...(text === '' ? [] : [text])];
    const found = new Set(forms.map(emojiOf));
    expect([...found], hexcode).toEqual([expect.any(String)]);
    expect(forms).toContain([...found][0]);
  }
  expect(identities.size).toBe(all.length);
});

test('emojiOf: every emoji is a part of a key, which is read back', () => {
  const at = { room: 'r1', threadTs: toTimestamp(1), ts: toTimestamp(2) };
  const found = [...identities].map((emoji) => {
    const key = keys.stampGuard('u1', at, emoji);
    expect(parseKey(key)).toEqual({ type: 'stampGuard', user: 'u1', ...at, stampKey: emoji });
    return key.sk;
  });
  expect(new Set(found).size).toBe(all.length);
});

test.each([
  [''],
  ['a'],
  ['1'],
  ['#'],
  ['heart'],
  ['👍👍'],
  ['👍 '],
  [' 👍'],
  ['a👍'],
  ['👍🏻🏻'],
  ['🇯'],
  ['\uFE0F'],
  ['\u200D'],
  ['\u20E3'],
  ['\uD83D'],
  ['あ'],
  ['👍'.repeat(17)],
])('emojiOf: %j is not one emoji', (text) => {
  expect(emojiOf(text)).toBeUndefined();
});

test('emojiOf: what it returns is its own identity, of at most 15 units', () => {
  const part = fc.oneof(
    fc.constantFrom(...identities),
    fc.constantFrom('\uFE0F', '\uFE0E', '\u200D', '\u20E3', '🏻', '1', '#', 'x', '🇯', '🇵', '\uD83D'),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const found = emojiOf(parts.join(''));
      if (found === undefined) return;
      expect(emojiOf(found)).toBe(found);
      expect(found.length).toBeLessThanOrEqual(15);
    }),
    { numRuns: 2_000 },
  );
});
