import { expect, test } from 'vitest';
import type { Api } from '../../../web/src/api/api.ts';
import { createTyping } from '../../../web/src/composer/typing.ts';

function start() {
  const sent: boolean[] = [];
  let now = 1_000;
  const mutateUncached: Api['mutateUncached'] = async (_document, variables) => {
    sent.push((variables as { input: { typing: boolean } }).input.typing);
    throw new Error('The result is not used.');
  };
  const typing = createTyping({ mutateUncached }, 'a room', () => now);
  /** Types once every 100 ms. */
  const typeFor = (ms: number) => {
    for (const end = now + ms; now < end; now += 100) typing.typed();
  };
  return { sent, typing, typeFor };
}

test('typing: is sent at once, and again before it expires on the server', () => {
  const { sent, typeFor } = start();
  typeFor(100);
  expect(sent).toEqual([true]);
  typeFor(3_900);
  expect(sent).toEqual([true]);
  typeFor(200);
  expect(sent).toEqual([true, true]);
});

test('typing: after sending a message, is sent again as soon as the server would publish it', () => {
  const { sent, typing, typeFor } = start();
  typeFor(500);
  typing.stopped();
  typeFor(1_500);
  expect(sent).toEqual([true, false]);
  typeFor(200);
  expect(sent).toEqual([true, false, true]);
});

test('typing: a stop is sent once, and only after a start', () => {
  const { sent, typing, typeFor } = start();
  typing.stopped();
  expect(sent).toEqual([]);
  typeFor(100);
  typing.stopped();
  typing.stopped();
  expect(sent).toEqual([true, false]);
});
