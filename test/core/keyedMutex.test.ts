import { expect, test } from 'vitest';
import { OverloadError } from '../../src/core/errors.ts';
import { createKeyedMutex } from '../../src/core/keyedMutex.ts';

test('createKeyedMutex: work under one name runs in order, and more than 1,000 calls are refused', async () => {
  const mutex = createKeyedMutex();
  const done: number[] = [];
  let release = () => {};
  const first = mutex.run('thing', () => new Promise<void>((resolve) => (release = resolve)));
  const rest = Array.from({ length: 999 }, (_, i) =>
    mutex
      .run('thing', async () => {
        done.push(i);
        if (i === 5) throw new Error('one of them');
      })
      .catch(() => {}),
  );
  await expect(mutex.run('thing', async () => {})).rejects.toBeInstanceOf(OverloadError);
  await expect(mutex.run('another', async () => 'at once')).resolves.toBe('at once');
  release();
  await Promise.all([first, ...rest]);
  expect(done).toEqual(Array.from({ length: 999 }, (_, i) => i));
});
