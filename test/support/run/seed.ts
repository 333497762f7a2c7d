import fc from 'fast-check';
import { scaled } from './budget.ts';

/**
 * The seed of all random tests of this run. It differs from run to run, unless SEED repeats one. CI derives it from the
 * code, so that the same code is always tested with the same values.
 */
export const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

fc.configureGlobal({ seed, numRuns: scaled(100) });
