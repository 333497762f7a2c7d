import { expect, it } from 'vitest';
import { createTurns } from '../../web/src/state/turns.ts';

it('serialize: runs tasks of one key in order, even after a failure, and other keys at once', async () => {
  const inTurn = createTurns();
  const done: string[] = [];
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const put = inTurn('stamp', async () => {
    await answered;
    done.push('put');
    throw new Error('Refused.');
  });
  const takenBack = inTurn('stamp', async () => done.push('taken back'));
  await inTurn('another', async () => done.push('another'));
  expect(done).toEqual(['another']);
  answer();
  await expect(put).rejects.toThrow('Refused.');
  await takenBack;
  expect(done).toEqual(['another', 'put', 'taken back']);
});
