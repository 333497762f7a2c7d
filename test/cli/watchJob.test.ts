import { expect, test } from 'vitest';
import { watchJob } from '../../src/cli/command/watchJob.ts';
import type { Job } from '../../src/jobs/job.ts';

test('watchJob: shows what is done each time that the job is read, until it has ended', async () => {
  const at = (done: number, state: Job['state']) => ({ done, state }) as Job;
  const read = [at(6, 'RUNNING'), at(11, 'RUNNING'), at(11, 'PAUSED'), at(20, 'DONE')];
  const added: number[] = [];
  const ended = await watchJob(at(2, 'RUNNING'), {
    next: async () => read.shift() ?? expect.unreachable(),
    progress: { add: (count) => added.push(count) },
  });
  expect(added).toEqual([2, 4, 5, 0, 9]);
  expect(ended).toEqual(at(20, 'DONE'));
});
