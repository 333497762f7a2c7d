/** What a command repeats while a database does not respond, and what it does not. */
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { OutageError } from '../../src/core/errors.ts';
import { ServiceError } from '../../src/dynamo/errors.ts';
import { createPersist } from '../../src/reshape/carry/persist.ts';

const createTestPersist = (onFatal: (error: unknown) => void) =>
  createPersist({
    log: pino({ level: 'silent' }),
    clock: systemClock,
    signal: new AbortController().signal,
    onFatal,
  });

test('an outage is waited for', async () => {
  const onFatal = vi.fn();
  const work = vi.fn(async () => {});
  work.mockRejectedValueOnce(new OutageError(new Error('no response')));
  expect(await createTestPersist(onFatal)(work)).toBe(true);
  expect(work).toHaveBeenCalledTimes(2);
  expect(onFatal).not.toHaveBeenCalled();
});

test('a database that refuses the process ends the work at once', async () => {
  const onFatal = vi.fn();
  const refusal = new OutageError(new ServiceError('AccessDeniedException', 'You may not.', { status: 400 }));
  const work = vi.fn(async () => {});
  work.mockRejectedValueOnce(refusal);
  await expect(createTestPersist(onFatal)(work)).rejects.toBe(refusal);
  expect(work).toHaveBeenCalledTimes(1);
  expect(onFatal).toHaveBeenCalledWith(refusal);
});
