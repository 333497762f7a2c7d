import { expect, it } from 'vitest';
import { ORDERS, queryOf, shownIn, startOf } from '../../../web/src/saved/address.ts';

it('the address of a list: has its order and its first day', () => {
  for (const order of ORDERS) {
    for (const day of [undefined, '2026-01-05', '2024-02-29'])
      expect(shownIn(queryOf({ order, day }))).toEqual({ order, day });
  }
  expect(queryOf({ order: 'SAVED_NEWEST', day: undefined })).toBe('');
  expect(queryOf({ order: 'MESSAGE_OLDEST', day: '2026-01-05' })).toBe(
    '?order=message-oldest&from=2026-01-05',
  );
});

it.each(['', '?order=best', '?from=2026-02-30', '?from=2026-1-5', '?from=x', '?from=', '?order='])(
  'the address of a list: with %j it is the usual one',
  (query) => expect(shownIn(query)).toEqual({ order: 'SAVED_NEWEST', day: undefined }),
);

it('a day: begins with its first moment if the oldest come first, and otherwise with its last', () => {
  const day = '2026-01-05';
  const midnight = new Date(2026, 0, 5).getTime();
  expect(startOf({ order: 'SAVED_OLDEST', day })).toBe(midnight);
  expect(startOf({ order: 'MESSAGE_NEWEST', day })).toBe(new Date(2026, 0, 6).getTime() - 1);
  expect(startOf({ order: 'MESSAGE_NEWEST', day: undefined })).toBeUndefined();
});
