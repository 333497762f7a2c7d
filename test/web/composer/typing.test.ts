import { expect, test } from 'vitest';
import type { Api } from '../../../web/src/api/api.ts';
import { createTyping } from '../../../web/src/composer/typing.ts';

function start() {
  const said: boolean[] = [];
  let now = 1_000;
  const mutateUncached: Api['mutateUncached'] = async (_document, variables) => {
    said.push((variables as { input: { typing: boolean } }).input.typing);
    throw new Error('The answer does not matter.');
  };
  const typing = createTyping({ mutateUncached }, 'a room', () => now);
  /** Types once every 100 ms. */
  const typeFor = (ms: number) => {
    for (const end = now + ms; now < end; now += 100) typing.typed();
  };
  return { said, typing, typeFor };
}

test('says at once that one types, and again before the server has forgotten it', () => {
  const { said, typeFor } = start();
  typeFor(100);
  expect(said).toEqual([true]);
  typeFor(3_900);
  expect(said).toEqual([true]);
  typeFor(200);
  expect(said).toEqual([true, true]);
});

test('who has sent and writes on at once is said to type as soon as the server passes it on', () => {
  const { said, typing, typeFor } = start();
  typeFor(500);
  typing.stopped();
  typeFor(1_500);
  expect(said).toEqual([true, false]);
  typeFor(200);
  expect(said).toEqual([true, false, true]);
});

test('says once that one has stopped, and nothing where one had not begun', () => {
  const { said, typing, typeFor } = start();
  typing.stopped();
  expect(said).toEqual([]);
  typeFor(100);
  typing.stopped();
  typing.stopped();
  expect(said).toEqual([true, false]);
});
