/**
 * What some tests need and not every machine has: a program. Its absence is said aloud, once in each file
 * that needs it, and the tests are skipped; with TESTS=all (as CI has it) it is a failure instead.
 */
export function isHere(program: string, found: boolean): boolean {
  if (found) return true;
  if (process.env.TESTS === 'all') throw new Error(`There is no ${program} here, and TESTS=all needs it.`);
  process.stderr.write(`\nSKIPPED: there is no ${program} here; the tests that need it do not run.\n`);
  return false;
}
