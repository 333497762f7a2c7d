import { describe, expect, it } from 'vitest';
import { createInFlightUpdates } from '../../../web/src/api/inFlightUpdates.ts';
import { held } from '../support/requests.ts';

/** A reading that ends when the test says, as often as it is called. */
function reading() {
  const answers: ReturnType<typeof held>[] = [];
  return {
    count: () => answers.length,
    async read() {
      const answer = held();
      answers.push(answer);
      const number = answers.length;
      await answer.promise;
      return `answer ${number}`;
    },
    async answer() {
      answers.at(-1)?.letGo();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

const together = (answer: string, updates: readonly number[]) => ({ answer, updates: [...updates] });

describe('InFlightUpdates', () => {
  it('applies an answer with the updates that arrived while it was in flight, in their order', async () => {
    const updates = createInFlightUpdates<number>();
    const { read, answer } = reading();
    updates.push(1);
    const applied = updates.read(read, together);
    updates.push(2);
    updates.push(3);
    await answer();
    updates.push(4);
    expect(await applied).toEqual({ answer: 'answer 1', updates: [2, 3] });
  });

  it('gives each of several answers in flight its own updates', async () => {
    const updates = createInFlightUpdates<number>();
    const [first, second] = [reading(), reading()];
    const early = updates.read(first.read, together);
    updates.push(1);
    const late = updates.read(second.read, together);
    updates.push(2);
    await first.answer();
    updates.push(3);
    await second.answer();
    expect((await early).updates).toEqual([1, 2]);
    expect((await late).updates).toEqual([2, 3]);
  });

  it('reads again after `invalidate`, or more than 500 updates', async () => {
    const updates = createInFlightUpdates<number>();
    const { read, answer, count } = reading();
    const applied = updates.read(read, together);
    updates.invalidate();
    await answer();
    expect(count()).toBe(2);
    for (let update = 0; update <= 500; update++) updates.push(update);
    await answer();
    expect(count()).toBe(3);
    await answer();
    expect(await applied).toEqual({ answer: 'answer 3', updates: [] });
  });

  it('rejects with UNAVAILABLE after three dropped answers, and as the reading does', async () => {
    const updates = createInFlightUpdates<number>();
    let reads = 0;
    const outdated = async () => {
      reads++;
      updates.invalidate();
    };
    await expect(updates.read(outdated, () => 'applied')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(reads).toBe(3);
    const failing = async () => {
      throw new Error('Refused.');
    };
    await expect(updates.read(failing, () => 'applied')).rejects.toThrow('Refused.');
  });

  it('applies in the same step in which it stops collecting: no update is missed between the two', async () => {
    const updates = createInFlightUpdates<number>();
    const { read, answer } = reading();
    const seen: number[] = [];
    const applied = updates.read(read, (_answer, arrived) => {
      seen.push(...arrived);
      return arrived.length;
    });
    updates.push(1);
    const answered = answer();
    updates.push(2);
    await answered;
    expect(seen).toEqual([1, 2]);
    expect(await applied).toBe(2);
  });
});
