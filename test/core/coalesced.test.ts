import { expect, test } from 'vitest';
import { coalesced } from '../../src/core/coalesced.ts';
import { eventually } from '../support/time/eventually.ts';

/** Work that ends when the test says so. */
function controlled() {
  const runs: Array<{ readonly end: () => void; readonly fail: (error: Error) => void }> = [];
  const work = () => new Promise<void>((end, fail) => runs.push({ end, fail }));
  return { runs, run: coalesced(work) };
}

test('coalesced: calls during a run share one more run, which begins after it', async () => {
  const { runs, run } = controlled();
  const first = run();
  const [second, third] = [run(), run()];
  expect(runs).toHaveLength(1);
  runs[0]?.end();
  await first;
  expect(runs).toHaveLength(2);
  runs[1]?.end();
  await Promise.all([second, third]);
  expect(runs).toHaveLength(2);
});

test('coalesced: a call in the moment when a run ends does not begin a second one beside the next', async () => {
  const { runs, run } = controlled();
  const calls = [run(), run()];
  runs[0]?.end();
  for (let microtasks = 0; microtasks < 20; microtasks++) {
    calls.push(run());
    await Promise.resolve();
    // The first one has ended.
    expect(runs.length).toBeLessThanOrEqual(2);
  }
  runs[1]?.end();
  await eventually(() => expect(runs).toHaveLength(3));
  runs[2]?.end();
  await Promise.all(calls);
  expect(runs).toHaveLength(3);
});

test('coalesced: a failed run rejects its own callers, and the next run still begins', async () => {
  const { runs, run } = controlled();
  const first = run();
  const second = run();
  runs[0]?.fail(new Error('first'));
  await expect(first).rejects.toThrow('first');
  runs[1]?.end();
  await second;
  const third = run();
  expect(runs).toHaveLength(3);
  runs[2]?.end();
  await third;
});
