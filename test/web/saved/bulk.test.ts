import { expect, test } from 'vitest';
import { forEach } from '../../../web/src/saved/bulk.ts';

/** Runs four items, whose work ends in the opposite order if it may. Returns what happened. */
async function happened(atOnce?: number): Promise<readonly string[]> {
  const log: string[] = [];
  const ends: Array<() => void> = [];
  const work = async (item: number) => {
    log.push(`begin ${item}`);
    await new Promise<void>((resolve) => {
      ends.push(resolve);
    });
    log.push(`end ${item}`);
  };
  const session = { api: { connection: { backoff: {} } } } as Parameters<typeof forEach>[0];
  const signal = new AbortController().signal;
  const all = forEach(session, [1, 2, 3, 4], work, { signal, onDone() {}, ...(atOnce && { atOnce }) });
  let isOver = false;
  const over = all.then(() => {
    isOver = true;
  });
  while (!isOver) {
    ends.pop()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await over;
  return log;
}

test('forEach: does one after the other in their order, if only one may be sent at a time', async () => {
  const inOrder = [1, 2, 3, 4].flatMap((item) => [`begin ${item}`, `end ${item}`]);
  expect(await happened(1)).toEqual(inOrder);
});

test('forEach: sends four at a time otherwise', async () => {
  expect((await happened()).slice(0, 4)).toEqual(['begin 1', 'begin 2', 'begin 3', 'begin 4']);
});
