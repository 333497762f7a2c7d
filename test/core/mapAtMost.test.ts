import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapAtMost } from '../../src/core/mapAtMost.ts';
import { seed } from '../support/run/seed.ts';

test('mapAtMost: keeps the order and the bound, for any items', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.nat(5), { maxLength: 12 }),
    fc.integer({ min: 1, max: 5 }),
    async (turns, limit) => {
      let running = 0;
      let most = 0;
      const results = await mapAtMost(limit, new Map(turns.entries()), async ([at, wait], index) => {
        most = Math.max(most, ++running);
        for (let i = 0; i < wait; i++) await null;
        running--;
        return [at, index, wait];
      });
      expect(results).toEqual(turns.map((wait, at) => [at, at, wait]));
      expect(most).toBeLessThanOrEqual(limit);
    },
  );
  await fc.assert(property, { seed });
});

test.each([1, 5])(
  'mapAtMost: rejects with the first error, also one that is thrown at once (at most %i)',
  async (limit) => {
    const done: number[] = [];
    const mapped = mapAtMost(limit, [1, 2, 3], (one) => {
      if (one === 2) throw new Error('two');
      done.push(one);
    });
    await expect(mapped).rejects.toThrow('two');
    expect(done).toContain(1);
  },
);
