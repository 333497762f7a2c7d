import fc from 'fast-check';
import { expect, it } from 'vitest';
import { handlesMentioned } from '../../../src/messages/mentions.ts';
import { MENTION } from '../../../web/src/markdown/mention.ts';
import { scaled } from '../../support/run/budget.ts';

/** The different handles that the web client may draw as mentions. */
const drawn = (text: string) => [
  ...new Set([...text.matchAll(MENTION)].map(([, handle = '']) => handle.toLowerCase())),
];

it('web mentions: are where the server sees them, beside any characters', () => {
  const part = fc.oneof(
    fc.constantFrom('@aki', '@BEN', '@chie_', '@', ' ', '_', '.', '/', '/@aki/', 'a', '3', 'é', '\u0301'),
    fc.constantFrom('さん', 'ー', '々', '、', '漢', 'ａ', '님', 'ที่', 'ж', 'و', '👋', '\n'),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      expect(drawn(text)).toEqual(handlesMentioned(text));
    }),
    { numRuns: scaled(500) },
  );
});
