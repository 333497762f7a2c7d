/** Which rows end a page of a public list. */
import { expect, test } from 'vitest';
import { toTimestamp } from '../../../src/core/timestamps.ts';
import { endsPage } from '../../../src/saved/others/pageEnd.ts';

const SECRET = Buffer.from('a secret');

function ends({ secret = SECRET, user = 'ben', room = 'room' }): number[] {
  const rows = Array.from({ length: 10_000 }, (_, i) => i);
  return rows.filter((i) => {
    const ts = toTimestamp(1_000 + i);
    return endsPage(secret, user, { room, threadTs: ts, ts });
  });
}

test('endsPage: one row of 25, others for each secret, user and room, and always the same', () => {
  const some = ends({});
  expect(some.length / 10_000).toBeCloseTo(1 / 25, 2);
  expect(ends({})).toEqual(some);
  for (const other of [{ secret: Buffer.from('another') }, { user: 'chi' }, { room: 'other' }]) {
    const both = ends(other).filter((i) => some.includes(i));
    expect(both.length / 10_000).toBeCloseTo(1 / 625, 2);
  }
});

test('endsPage: the distance from one to the next is never known from the one before', () => {
  const distances = ends({}).map((row, i, rows) => row - (rows[i - 1] ?? 0));
  expect(new Set(distances).size).toBeGreaterThan(40);
});
