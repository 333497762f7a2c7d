import { expect, it } from 'vitest';
import { createSerializer } from '../../../web/src/state/serialize.ts';

it('serialize: runs actions with the same key one after the other, even after a failure, and others at once', async () => {
  const serialize = createSerializer();
  const done: string[] = [];
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const added = serialize('stamp', async () => {
    await answered;
    done.push('added');
    throw new Error('Refused.');
  });
  const removed = serialize('stamp', async () => done.push('removed'));
  await serialize('another', async () => done.push('another'));
  expect(done).toEqual(['another']);
  answer();
  await expect(added).rejects.toThrow('Refused.');
  await removed;
  expect(done).toEqual(['another', 'added', 'removed']);
});
