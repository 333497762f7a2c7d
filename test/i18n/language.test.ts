import { expect, test } from 'vitest';
import { bestLanguage } from '../../src/i18n/language.ts';

test.each([
  ['nothing', [], 'en'],
  ['no header and no choice', [null, undefined], 'en'],
  ['a language', ['ja'], 'ja'],
  ['a region of a language', ['ja-JP'], 'ja'],
  ['a script and a region', ['ja-Jpan-JP'], 'ja'],
  ['any case', ['JA-jp'], 'ja'],
  ['a language without texts', ['de'], 'en'],
  ['another language with the same beginning', ['jam'], 'en'],
  ['a list in the order of its weights', ['de, en;q=0.3, ja;q=0.8'], 'ja'],
  ['a list that refuses one', ['ja;q=0, *;q=0.1'], 'en'],
  ['anything', ['*'], 'en'],
  ['the header of a browser', ['ja,en-US;q=0.9,en;q=0.8'], 'ja'],
  ['the user’s choice before the header', ['ja', 'en'], 'ja'],
  ['the header, if the chosen language has no texts', ['de', 'fr, ja;q=0.1'], 'ja'],
  ['a malformed header', [';;,=, q=1;;;', ',,,'], 'en'],
  ['an empty header', [''], 'en'],
] as const)('bestLanguage: %s', (_, preferences, language) => {
  expect(bestLanguage(...preferences)).toBe(language);
});
