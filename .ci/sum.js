/**
 * Says what became of a run: `node sum.js FOLDER RUN… -- FAILED_STEP…`. FOLDER has a report of each run of
 * tests, by its name. In the first run nothing may be skipped; in the others, tests may leave out what
 * their database does not have.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [folder, ...args] = process.argv.slice(2);
const end = args.indexOf('--');
const [runs, failedSteps] = [args.slice(0, end), args.slice(end + 1)];

const counts = runs.map(count);
// A step that is no run of tests counts as one.
let failed = failedSteps.filter((name) => !runs.includes(name)).length;
let [passed, skipped] = [0, 0];
for (const run of counts) {
  passed += run.passed;
  failed += run.failed;
  skipped += run.skipped;
}
const wronglySkipped = counts[0].skipped;

if (failedSteps.length > 0) process.stdout.write(`Failed: ${failedSteps.join(', ')}.\n`);
if (wronglySkipped > 0) process.stdout.write(`${wronglySkipped} tests were skipped that have to run here.\n`);
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exitCode = failed > 0 || wronglySkipped > 0 || passed === 0 ? 1 : 0;

function count(name) {
  const states = read(name);
  const of = (state) => states.filter((one) => one === state).length;
  // A run that failed without a test to blame, as one that took too long, counts as one itself.
  const failed = of('failed') === 0 && failedSteps.includes(name) ? 1 : of('failed');
  return { passed: of('passed'), failed, skipped: of('skipped') };
}

/** The lines that reporter.js has written; none where the run did not begin. */
function read(name) {
  try {
    return readFileSync(join(folder, name), 'utf8').split('\n');
  } catch {
    return [];
  }
}
