import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLongerThan } from '../../src/server/graphql/resultLength.ts';
import { scaled } from '../support/run/budget.ts';

test('isLongerThan: exact for data of digits and plain words', () => {
  const leaf = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.stringMatching(/^\w*$/));
  const { data } = fc.letrec((tie) => ({
    data: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.array(tie('data'), { minLength: 1 }),
      fc.dictionary(fc.stringMatching(/^\w+$/), tie('data'), { minKeys: 1, noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(data, (value) => {
      const { length } = JSON.stringify(value);
      expect([isLongerThan(value, length), isLongerThan(value, length - 1)]).toEqual([false, true]);
    }),
    { numRuns: scaled(100) },
  );
});

test('isLongerThan: never more than the text has', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(isLongerThan(value, JSON.stringify(value).length)).toBe(false);
    }),
    { numRuns: scaled(100) },
  );
});
