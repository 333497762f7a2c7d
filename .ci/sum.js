/**
 * Sums up what .ci/run did: `node sum.js FOLDER RUN… -- FAILED_STEP…`. The folder has Vitest's report of each run of
 * tests in `RUN.json`, and the output of each step in `STEP.log`. No test may be skipped, except on DynamoDB Local,
 * which lacks what some tests need. Failures are repeated here, because people read the end of a log.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** How many failures are repeated with their reasons, and how much of each. */
const [FAILURES, CHARACTERS] = [5, 2_000];
const MAY_SKIP = 'test on DynamoDB Local';

const [folder, ...args] = process.argv.slice(2);
const end = args.indexOf('--');
const [runs, failedSteps] = [args.slice(0, end), args.slice(end + 1)];

let [passed, skipped, wronglySkipped] = [0, 0, 0];
for (const run of runs) {
  const { numPassedTests, numPendingTests, numTodoTests } = reportOf(run);
  passed += numPassedTests;
  skipped += numPendingTests + numTodoTests;
  if (run !== MAY_SKIP) wronglySkipped += numPendingTests + numTodoTests;
}
const failures = [
  ...runs.flatMap(failuresOf),
  ...runs
    .filter((run) => !failedSteps.includes(run) && reportOf(run).numPassedTests === 0)
    .map((run) => ({ name: run, why: 'It has no report, or no test passed.' })),
  // Another command, a run that took too long, or an error outside of the tests.
  ...failedSteps
    .filter((step) => failuresOf(step).length === 0)
    .map((step) => ({ name: step, why: text(`${step}.log`).trimEnd().slice(-CHARACTERS) })),
];

for (const { name, why } of failures.slice(0, FAILURES)) {
  process.stdout.write(`✗ ${name}\n${stripVTControlCharacters(why).slice(0, CHARACTERS)}\n\n`);
}
for (const { name } of failures.slice(FAILURES)) process.stdout.write(`✗ ${name}\n`);
if (failedSteps.length > 0) process.stdout.write(`Failed: ${failedSteps.join(', ')}.\n`);
if (wronglySkipped > 0) process.stdout.write(`${wronglySkipped} tests were skipped that must run here.\n`);
process.stdout.write(`${passed} passed, ${failures.length} failed, ${skipped} skipped\n`);
process.exitCode = failures.length > 0 || wronglySkipped > 0 || passed === 0 ? 1 : 0;

/** The tests that failed, and the files that could not be loaded or whose hooks failed. */
function failuresOf(run) {
  return reportOf(run).testResults.flatMap(({ name, message, assertionResults }) => [
    ...(message === '' ? [] : [{ name, why: message }]),
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map((test) => ({ name: `${name} > ${test.fullName}`, why: test.failureMessages.join('\n') })),
  ]);
}

/** Vitest writes it at its end, so a run that was cut off has none. */
function reportOf(run) {
  const none = { numPassedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] };
  const json = text(`${run}.json`);
  return json === '' ? none : JSON.parse(json);
}

function text(file) {
  try {
    return readFileSync(join(folder, file), 'utf8');
  } catch {
    return '';
  }
}
