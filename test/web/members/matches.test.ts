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
