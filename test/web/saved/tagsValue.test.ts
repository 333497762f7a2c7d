import { expect, test } from 'vitest';
import { namesIn, tagsChange, tagsValue, withTag, withText } from '../../../web/src/saved/tagsValue.ts';

test('what is typed before a comma is chosen, also with the commas of Japanese and Chinese', () => {
  const typed = withText(tagsValue(['a, b']), 'c, d、e，f');
  expect(typed).toEqual({ chosen: ['a, b', 'c', 'd', 'e'], text: 'f' });
  expect(namesIn(typed)).toEqual(['a, b', 'c', 'd', 'e', 'f']);
  expect(withText(tagsValue([]), ', ,')).toEqual({ chosen: [], text: '' });
  expect(withText(tagsValue([]), ' two words ')).toEqual({ chosen: [], text: ' two words ' });
});

test('a tag that was chosen is not chosen again, in whichever form', () => {
  expect(namesIn(withTag(tagsValue(['Work']), ' ＷＯＲＫ '))).toEqual(['Work']);
  expect(namesIn({ chosen: ['Work'], text: 'work' })).toEqual(['Work']);
  expect(withTag(tagsValue(['Work']), 'a, b')).toEqual({ chosen: ['Work', 'a, b'], text: '' });
});

test('tagsChange has only the difference', () => {
  expect(tagsChange(['a, b', 'c'], ['c', 'A, B'])).toEqual({});
  expect(tagsChange(['a', 'b'], ['B', 'c'])).toEqual({ addTags: ['c'], removeTags: ['a'] });
  expect(tagsChange([], ['x'])).toEqual({ addTags: ['x'] });
});

test('number signs before a name are left out, and those after it stay', () => {
  expect(namesIn(withText(tagsValue([]), '#travel, ＃旅行, # rail, c#'))).toEqual([
    'travel',
    '旅行',
    'rail',
    'c#',
  ]);
  expect(withTag(tagsValue([]), '##work')).toEqual({ chosen: ['work'], text: '' });
  expect(namesIn({ chosen: ['work'], text: '#Work' })).toEqual(['work']);
  expect(namesIn({ chosen: [], text: '#, ＃' })).toEqual([]);
});

test('invisible characters that come with pasted text are left out', () => {
  expect(namesIn(withText(tagsValue([]), '\u200btea\ufeff, \u200b, \u2060, ki\u00adtchen'))).toEqual([
    'tea',
    'kitchen',
  ]);
  expect(withTag(tagsValue(['tea']), 'te\u200ba')).toEqual({ chosen: ['tea'], text: '' });
});
