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
  ['another language that begins alike', ['jam'], 'en'],
  ['a list in the order of its weights', ['de, en;q=0.3, ja;q=0.8'], 'ja'],
  ['a list that refuses one', ['ja;q=0, *;q=0.1'], 'en'],
  ['anything', ['*'], 'en'],
  ['what a browser sends', ['ja,en-US;q=0.9,en;q=0.8'], 'ja'],
  ['a choice before what is accepted', ['ja', 'en'], 'ja'],
  ['what is accepted where there are no texts in the choice', ['de', 'fr, ja;q=0.1'], 'ja'],
  ['what cannot be read', [';;,=, q=1;;;', ',,,'], 'en'],
  ['no text at all', [''], 'en'],
] as const)('%s', (_what, wishes, language) => {
  expect(bestLanguage(...wishes)).toBe(language);
});
