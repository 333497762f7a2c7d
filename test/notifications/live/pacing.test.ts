import { beforeEach, expect, test } from 'vitest';
import { createPacing, GONE, type Pacing } from '../../../src/notifications/live/throttle.ts';

let time = 0;
let pacing: Pacing;
beforeEach(() => {
  time = 1_000_000;
  pacing = createPacing({ now: () => time });
});

/** Looks at what is due and tells it at once; resolves to what was told. */
function tell(id: string, rev: number, unread = true): boolean {
  const told = pacing.take(id, { rev, unread });
  if (told) pacing.sent(id);
  return told;
}

test('the first change is due at once, the next ones together a second later', () => {
  pacing.note('a', 1);
  expect(pacing.due(10)).toEqual(['a']);
  expect(tell('a', 1)).toBe(true);
  pacing.note('a', 2);
  time += 400;
  pacing.note('a', 3);
  expect(pacing.due(10)).toEqual([]);
  expect(pacing.dueIn).toBe(600);
  time += 600;
  expect(pacing.dueIn).toBe(0);
  expect(pacing.due(10)).toEqual(['a']);
  expect(tell('a', 3)).toBe(true);
  expect(pacing.dueIn).toBeUndefined();
});

test('each notification has a second of its own', () => {
  pacing.note('a', 1);
  pacing.due(10);
  tell('a', 1);
  pacing.note('a', 2);
  pacing.note('b', 1);
  expect(pacing.due(10)).toEqual(['b']);
});

test('the second begins when the event leaves, not when it was made ready', () => {
  pacing.take('a', { rev: 1, unread: true });
  pacing.note('a', 2);
  time += 5_000;
  expect(pacing.due(10)).toEqual([]);
  expect(pacing.dueIn).toBeUndefined();
  pacing.sent('a');
  expect(pacing.dueIn).toBe(1_000);
});

test('what was told already, or is older, is not due', () => {
  tell('a', 5);
  time += 10_000;
  for (const rev of [3, 4, 5]) pacing.note('a', rev);
  expect(pacing.dueIn).toBeUndefined();
  expect(tell('a', 5)).toBe(false);
  expect(tell('a', 4)).toBe(false);
});

test('what was told while it waited is not due any more', () => {
  pacing.note('a', 2);
  tell('a', 3);
  time += 10_000;
  expect(pacing.due(10)).toEqual([]);
});

test('what is gone stays gone', () => {
  expect(tell('a', GONE, false)).toBe(true);
  time += 10_000;
  pacing.note('a', 1_000);
  expect(pacing.due(10)).toEqual([]);
  expect(tell('a', GONE, false)).toBe(false);
});

test('it knows which were last told to be unread', () => {
  tell('a', 1);
  tell('b', 1);
  time += 1_000;
  tell('a', 2, false);
  expect(pacing.unread).toEqual(['b']);
});

test('of more than 256 that wait none is kept until it is begun anew', () => {
  for (let i = 0; i < 256; i++) pacing.note(`n${i}`, 1);
  expect(pacing.overflown).toBe(false);
  pacing.note('one-more', 1);
  pacing.note('and-another', 1);
  expect([pacing.overflown, pacing.due(1_000)]).toEqual([true, []]);
  pacing.restart();
  pacing.note('a', 1);
  expect([pacing.overflown, pacing.due(1_000)]).toEqual([false, ['a']]);
});

test('of more than 1,000 that were told the oldest are forgotten', () => {
  for (let i = 0; i < 1_001; i++) tell(`n${i}`, 1);
  time += 1_000;
  expect(pacing.unread).toHaveLength(1_000);
  expect(tell('n0', 1)).toBe(true);
  expect(tell('n500', 1)).toBe(false);
});
