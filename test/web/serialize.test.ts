import { expect, it } from 'vitest';
import { createSerializer } from '../../web/src/state/serialize.ts';

it('does what has the same key one after the other, also after one that failed, and the rest at once', async () => {
  const serialize = createSerializer();
  const done: string[] = [];
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const put = serialize('stamp', async () => {
    await answered;
    done.push('put');
    throw new Error('Refused.');
  });
  const takenBack = serialize('stamp', async () => done.push('taken back'));
  await serialize('another', async () => done.push('another'));
  expect(done).toEqual(['another']);
  answer();
  await expect(put).rejects.toThrow('Refused.');
  await takenBack;
  expect(done).toEqual(['another', 'put', 'taken back']);
});
