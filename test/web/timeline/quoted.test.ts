import { expect, it } from 'vitest';
import { handlesMentioned } from '../../../src/messages/mentions.ts';
import { quoted } from '../../../web/src/timeline/quoted.ts';

it.each([
  ['one line', 'Tea?', '> Tea?\n\n'],
  ['several lines and an empty one', 'Tea?\n\n  Now.', '> Tea?\n>\n>   Now.\n\n'],
  ['a quote in it', '> Tea?\n\nYes.', '> > Tea?\n>\n> Yes.\n\n'],
])('quoted: %s', (_, text, quote) => {
  expect(quoted(text)).toBe(quote);
});

it('quoted: mentions no one again, and looks the same', () => {
  const text = 'Thanks @ben and @chie_, not a@b.c, これは@mioさん';
  expect(handlesMentioned(text)).toEqual(['ben', 'chie_', 'mio']);
  expect(handlesMentioned(quoted(text))).toEqual([]);
  expect(quoted(text).replaceAll('\u2060', '')).toBe(`> ${text}\n\n`);
});
