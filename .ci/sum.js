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
  const report = read(name);
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  // A file that could not be loaded has no test that failed, and counts as one.
  let failed = report.numFailedTests + broken.length;
  // So does what no test is to blame for: an error that nobody caught, a run that took too long.
  if (failed === 0 && failedSteps.includes(name)) failed = 1;
  return { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests };
}

/** A run that was cut off has left no report. */
function read(name) {
  try {
    return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
  } catch {
    return { testResults: [], numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
  }
}
