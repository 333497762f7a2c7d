import { beforeEach, expect, test } from 'vitest';
import { createThrottle, GONE, type Throttle } from '../../../src/notifications/live/throttle.ts';

let time = 0;
let throttle: Throttle;
beforeEach(() => {
  time = 1_000_000;
  throttle = createThrottle({ now: () => time });
});

/** Sends this version at once. Returns false if it was not newer than the last one. */
function send(id: string, version: number, unread = true): boolean {
  const isNewer = throttle.beginSend(id, { version, unread });
  if (isNewer) throttle.sent(id);
  return isNewer;
}

test('takeDue: returns the first change at once, and the next ones together a second later', () => {
  throttle.markChanged('a', 1);
  expect(throttle.takeDue(10)).toEqual(['a']);
  expect(send('a', 1)).toBe(true);
  throttle.markChanged('a', 2);
  time += 400;
  throttle.markChanged('a', 3);
  expect(throttle.takeDue(10)).toEqual([]);
  expect(throttle.dueIn).toBe(600);
  time += 600;
  expect(throttle.dueIn).toBe(0);
  expect(throttle.takeDue(10)).toEqual(['a']);
  expect(send('a', 3)).toBe(true);
  expect(throttle.dueIn).toBeUndefined();
});

test('takeDue: delays each notification separately', () => {
  throttle.markChanged('a', 1);
  throttle.takeDue(10);
  send('a', 1);
  throttle.markChanged('a', 2);
  throttle.markChanged('b', 1);
  expect(throttle.takeDue(10)).toEqual(['b']);
});

test('dueIn: the second begins when the event is sent, not when it is prepared', () => {
  throttle.beginSend('a', { version: 1, unread: true });
  throttle.markChanged('a', 2);
  time += 5_000;
  expect(throttle.takeDue(10)).toEqual([]);
  expect(throttle.dueIn).toBeUndefined();
  throttle.sent('a');
  expect(throttle.dueIn).toBe(1_000);
});

test('takeDue: leaves out versions that were sent and older ones', () => {
  send('a', 5);
  time += 10_000;
  for (const version of [3, 4, 5]) throttle.markChanged('a', version);
  expect(throttle.dueIn).toBeUndefined();
  expect(send('a', 5)).toBe(false);
  expect(send('a', 4)).toBe(false);
});

test('takeDue: leaves out a change that was sent while it waited', () => {
  throttle.markChanged('a', 2);
  send('a', 3);
  time += 10_000;
  expect(throttle.takeDue(10)).toEqual([]);
});

test('beginSend: a removed notification stays removed', () => {
  expect(send('a', GONE, false)).toBe(true);
  time += 10_000;
  throttle.markChanged('a', 1_000);
  expect(throttle.takeDue(10)).toEqual([]);
  expect(send('a', GONE, false)).toBe(false);
});

test('unread: has the notifications that were last sent as unread', () => {
  send('a', 1);
  send('b', 1);
  time += 1_000;
  send('a', 2, false);
  expect(throttle.unread).toEqual(['b']);
});

test('markChanged: overflows and keeps nothing if more than 256 wait, until restart', () => {
  for (let i = 0; i < 256; i++) throttle.markChanged(`n${i}`, 1);
  expect(throttle.overflowed).toBe(false);
  throttle.markChanged('one-more', 1);
  throttle.markChanged('and-another', 1);
  expect([throttle.overflowed, throttle.takeDue(1_000)]).toEqual([true, []]);
  throttle.restart();
  throttle.markChanged('a', 1);
  expect([throttle.overflowed, throttle.takeDue(1_000)]).toEqual([false, ['a']]);
});

test('beginSend: forgets the oldest of more than 1,000', () => {
  for (let i = 0; i < 1_001; i++) send(`n${i}`, 1);
  time += 1_000;
  expect(throttle.unread).toHaveLength(1_000);
  expect(send('n0', 1)).toBe(true);
  expect(send('n500', 1)).toBe(false);
});
