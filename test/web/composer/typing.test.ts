import { expect, test } from 'vitest';
import type { Api } from '../../../web/src/api/api.ts';
import { createTyping } from '../../../web/src/composer/typing.ts';

function start() {
  const said: boolean[] = [];
  let now = 1_000;
  const fetch: Api['fetch'] = async (_document, variables) => {
    said.push((variables as { input: { typing: boolean } }).input.typing);
    throw new Error('The result is not used.');
  };
  const typing = createTyping({ fetch }, 'a room', () => now);
  /** Types once every 100 ms. */
  const typeFor = (ms: number) => {
    for (const end = now + ms; now < end; now += 100) typing.typed();
  };
  return { said, typing, typeFor };
}

test('typing: is sent at once, and again before it expires on the server', () => {
  const { said, typeFor } = start();
  typeFor(100);
  expect(said).toEqual([true]);
  typeFor(3_900);
  expect(said).toEqual([true]);
  typeFor(200);
  expect(said).toEqual([true, true]);
});

test('typing: after sending a message, is sent again as soon as the server would publish it', () => {
  const { said, typing, typeFor } = start();
  typeFor(500);
  typing.stopped();
  typeFor(1_500);
  expect(said).toEqual([true, false]);
  typeFor(200);
  expect(said).toEqual([true, false, true]);
});

test('typing: a stop is sent once, and only after a start', () => {
  const { said, typing, typeFor } = start();
  typing.stopped();
  expect(said).toEqual([]);
  typeFor(100);
  typing.stopped();
  typing.stopped();
  expect(said).toEqual([true, false]);
});
