import { expect, test } from 'vitest';
import { isBlank } from '../../../web/src/composer/limits.ts';

test.each(['', ' \n\t', '\u3000', '\u200b\u200b', '\ufeff \u2060', '\u2800'])(
  'isBlank: %j has nothing to read',
  (text) => {
    expect(isBlank(text)).toBe(true);
  },
);

test.each(['.', '\u200ba', '👨‍👩‍👧', '。'])('isBlank: %j has something to read', (text) => {
  expect(isBlank(text)).toBe(false);
});
