import { expect, test } from 'vitest';
import { isInCode } from '../../../web/src/composer/formatting.ts';

/** A field with the caret at its end. */
const fieldWith = (value: string) => ({ value, selectionStart: value.length }) as HTMLTextAreaElement;

test.each([
  ['```', true],
  ['```ts\nconst cups = 2;', true],
  ['Run this:\n   ```sh\nnpm i', true],
  ['```\nnpm i\n```', false],
  ['```\nnpm i\n```\n\n```', true],
  ['```npm i```', false],
  ['```npm i``` and\n```npm start```', false],
  ['words ``` words', false],
  ['', false],
])('isInCode: after %j it is %s', (text, expected) => {
  expect(isInCode(fieldWith(text))).toBe(expected);
});
