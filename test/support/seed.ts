import fc from 'fast-check';

/**
 * What every random test of this run begins with. Another one each time, unless `SEED` repeats a run; CI takes it
 * from the code, so that the same code is always asked the same.
 */
export const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

fc.configureGlobal({ seed });
