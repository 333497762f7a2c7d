/**
 * Whether a program that some tests need is on this machine. If it is missing, those tests are skipped, and each file
 * prints so once. With TESTS=all, which CI sets, a missing program is an error.
 */
export function isHere(program: string, found: boolean): boolean {
  if (found) return true;
  if (process.env.TESTS === 'all') throw new Error(`There is no ${program} here, and TESTS=all needs it.`);
  process.stderr.write(`\nSKIPPED: there is no ${program} here; the tests that need it do not run.\n`);
  return false;
}
