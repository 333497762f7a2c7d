import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairQueue } from '../../src/core/fairQueue.ts';
import { scaled } from '../support/run/budget.ts';

test('FairQueue: a user with one entry has a turn after one entry of each other user', () => {
  const queue = new FairQueue<string>();
  for (let i = 0; i < 1_000; i++) queue.add('eve', `eve ${i}`);
  queue.add(undefined, 'background');
  queue.add('aki', 'aki');
  const all = () => true;
  const order = [queue.take(all), queue.take(all), queue.take(all), queue.take(all)];
  expect(order).toEqual(['eve 0', 'background', 'aki', 'eve 1']);
});

test('FairQueue: a user who may not have a turn keeps their place', () => {
  const queue = new FairQueue<string>();
  queue.add('eve', 'eve 0');
  queue.add('eve', 'eve 1');
  queue.add('aki', 'aki');
  expect(queue.take((owner) => owner !== 'eve')).toBe('aki');
  expect(queue.take((owner) => owner !== 'eve')).toBeUndefined();
  expect(queue.take(() => true)).toBe('eve 0');
});

test('FairQueue: for random entries, each is taken once, in order for its owner, and no owner has two turns before another', () => {
  const owners = fc.array(fc.nat(4), { maxLength: 40 });
  fc.assert(
    fc.property(owners, fc.nat(40), (added, deleted) => {
      const queue = new FairQueue<{ readonly owner: string; readonly at: number }>();
      const entries = added.map((owner, at) => ({ owner: String(owner), at }));
      for (const entry of entries) queue.add(entry.owner, entry);
      const removed = entries[deleted];
      if (removed !== undefined) queue.delete(removed.owner, removed);
      const left = entries.filter((entry) => entry !== removed);
      expect([...queue]).toHaveLength(left.length);
      const counts = new Map<string, number>();
      const taken: typeof entries = [];
      for (let next = queue.take(() => true); next !== undefined; next = queue.take(() => true)) {
        taken.push(next);
        counts.set(next.owner, (counts.get(next.owner) ?? 0) + 1);
        // Everyone who still waits has had the same number of turns, or one less.
        const waiting = new Set([...queue].map(({ owner }) => owner));
        const turns = counts.get(next.owner) ?? 0;
        for (const owner of waiting) expect(turns - (counts.get(owner) ?? 0)).toBeLessThanOrEqual(1);
      }
      const ofOwners = (list: typeof entries) =>
        Object.fromEntries(list.map(({ owner }) => [owner, list.filter((one) => one.owner === owner)]));
      expect(ofOwners(taken)).toEqual(ofOwners(left));
    }),
    { numRuns: scaled(200) },
  );
});
