import { expect, test } from 'vitest';
import { LANGUAGES } from '../../src/i18n/language.ts';
import { textOf, withheldText } from '../../src/notifications/text.ts';

const kinds = ['LIKE', 'REPLY', 'MENTION', 'STAMP'] as const;

test.each([
  ['en', 1, 'Aki liked your message'],
  ['en', 2, 'Aki and Ben liked your message'],
  ['en', 3, 'Aki and 2 others liked your message'],
  ['en', 10_000, 'Aki and 9,999 others liked your message'],
  ['ja', 1, 'Akiさんがあなたのメッセージに「いいね」しました'],
  ['ja', 2, 'AkiさんとBenさんがあなたのメッセージに「いいね」しました'],
  ['ja', 5, 'Akiさんと他4人があなたのメッセージに「いいね」しました'],
] as const)('textOf: in %s, for %i actors', (language, count, text) => {
  expect(textOf(language, 'LIKE', { count, names: ['Aki', 'Ben'] })).toBe(text);
});

test.each(LANGUAGES)(
  'textOf: in %s every kind has its own words for one, two and many actors',
  (language) => {
    const texts = kinds.flatMap((kind) =>
      [1, 2, 3].map((count) => textOf(language, kind, { count, names: ['Aki', 'Ben'] })),
    );
    const others = [
      withheldText(language, 'LIKE'),
      withheldText(language, 'REMINDER'),
      textOf(language, 'REMINDER', { count: 1, names: ['Aki'] }),
    ];
    expect(new Set([...texts, ...others]).size).toBe(15);
    for (const text of texts) expect(text).toMatch(/^Aki.*[^\s{}#]$/);
  },
);

test.each(['<b>Aki</b>', '{first}', "'{'", '#', 'Ａｋｉ 秋', ''])(
  'textOf: does not change a name: %s',
  (name) => {
    expect(textOf('en', 'MENTION', { count: 1, names: [name] })).toBe(`${name} mentioned you`);
    expect(textOf('en', 'REPLY', { count: 2, names: [name, name] })).toBe(
      `${name} and ${name} replied in a thread`,
    );
  },
);

test('textOf: isolates a right-to-left name, so that it does not reorder the sentence', () => {
  const names = ['דנה', 'Ben'];
  expect(textOf('en', 'LIKE', { count: 2, names })).toBe('\u2068דנה\u2069 and Ben liked your message');
});
