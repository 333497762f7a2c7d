import { expect, it } from 'vitest';
import { byMatch, matches } from '../../../web/src/members/matches.ts';

const person = (displayName: string, handle: string | null = null) => ({ displayName, handle });

it('people: beginnings of names and handles come before beginnings of words, and these before other parts', () => {
  const people = [
    person('Brian Moran'),
    person('Ben Anders'),
    person('Zoe', 'andy_z'),
    person('Andrea Rossi'),
    person('Chie Mori'),
  ];
  const found = people.filter((one) => matches(one, 'an')).sort(byMatch('an'));
  expect(found.map(({ displayName }) => displayName)).toEqual([
    'Andrea Rossi',
    'Zoe',
    'Ben Anders',
    'Brian Moran',
  ]);
  expect(people.filter((one) => matches(one, ' @ANDY')).map(({ handle }) => handle)).toEqual(['andy_z']);
});

it('people: are found in any kana and width, as an input method has it before it converts it', () => {
  const people = [person('カトウ マリ', 'mari'), person('石田健司', 'kenji'), person('ＯＫＡＦＯＲ Ben')];
  const found = (typed: string) =>
    people.filter((one) => matches(one, typed)).map(({ displayName }) => displayName);
  expect(found('かとう')).toEqual(['カトウ マリ']);
  expect(found('＠ｋｅｎ')).toEqual(['石田健司']);
  expect(found('okafor')).toEqual(['ＯＫＡＦＯＲ Ben']);
  expect([...people].sort(byMatch('かとう'))[0]?.handle).toBe('mari');
});
