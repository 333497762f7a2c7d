import { expect, it } from 'vitest';
import { ApiError } from '../../../web/src/api/errors.ts';
import { tagNameProblem } from '../../../web/src/saved/tagProblem.ts';

const texts = { tagRule: 'rule', tagNeeded: 'needed', tagCharacters: 'characters', tooManyTags: 'many' };

it.each([
  ['', 'needed'],
  [' ', 'needed'],
  ['a#b', 'rule'],
  ['a\u202eb', 'characters'],
])('the refused name %j: says what is wrong with it', (name, wanted) => {
  const failure = new ApiError('BAD_USER_INPUT', { field: 'input.name' });
  expect(tagNameProblem(texts, name, failure)).toBe(wanted);
});
