import fc from 'fast-check';
import type { Change } from '../../../src/stream/change.ts';
import type { Dispatcher } from '../../../src/stream/dispatcher.ts';

/** The most changes that a consumer with an older checkpoint repeats. */
const BACK_MAX = 60;

/**
 * Simulates a stream's worst behaviour: batches are handled in part and then from the start, by two consumers at once,
 * or again from an older checkpoint. Repeated changes are always consecutive and in order, as in a shard.
 */
export function createStreamRepeats(seed: number) {
  const random = createRandom(seed);
  const past: Change[] = [];

  return (dispatcher: Dispatcher): Dispatcher => ({
    async dispatch(changes, signal) {
      const kind = random();
      if (kind < 0.25) {
        await dispatcher.dispatch(changes.slice(0, Math.ceil(random() * changes.length)), signal);
      } else if (kind < 0.5) {
        await Promise.all([dispatcher.dispatch(changes, signal), dispatcher.dispatch(changes, signal)]);
      } else if (kind < 0.75) {
        const back = Math.ceil(random() * BACK_MAX);
        await dispatcher.dispatch([...past.slice(-back), ...changes], signal);
      }
      await dispatcher.dispatch(changes, signal);
      past.push(...changes);
      past.splice(0, past.length - BACK_MAX);
    },
    get deadLetterCount() {
      return dispatcher.deadLetterCount;
    },
  });
}

/** Random numbers from 0 to 1 (exclusive), the same ones for the same seed. */
function createRandom(seed: number): () => number {
  const numbers = fc.sample(fc.integer({ min: 0, max: 999 }), { seed, numRuns: 1_000 });
  let next = 0;
  return () => (numbers[next++ % numbers.length] ?? 0) / 1_000;
}
