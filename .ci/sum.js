/**
 * Says what became of a run: `node sum.js FOLDER RUN… -- FAILED_STEP…`. FOLDER has a report of each run of
 * tests, by its name, and what each step has said, in `STEP.log`. In the first run nothing may be skipped; in the others, tests may leave out what
 * their database does not have. What failed is told once more here, as the end of a log is what people read.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Of one failure no more than this many characters are told again, and of so many failures. */
const [CHARACTERS, FAILURES] = [2_000, 5];

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

const failures = [...failedSteps.flatMap(blameless), ...counts.flatMap((run) => run.failures)];
for (const { name, why } of failures.slice(0, FAILURES)) {
  process.stdout.write(`✗ ${name}\n${stripVTControlCharacters(why).slice(0, CHARACTERS)}\n\n`);
}
for (const { name } of failures.slice(FAILURES)) process.stdout.write(`✗ ${name}\n`);
if (failedSteps.length > 0) process.stdout.write(`Failed: ${failedSteps.join(', ')}.\n`);
if (wronglySkipped > 0) process.stdout.write(`${wronglySkipped} tests were skipped that have to run here.\n`);
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exitCode = failed > 0 || wronglySkipped > 0 || passed === 0 ? 1 : 0;

function count(name) {
  const tests = read(name);
  const of = (state) => tests.filter((test) => test.state === state);
  const failures = of('failed');
  // A run that failed without a test to blame, as one that took too long, counts as one itself.
  const failed = failures.length === 0 && failedSteps.includes(name) ? 1 : failures.length;
  return { passed: of('passed').length, failed, skipped: of('skipped').length, failures };
}

/** A step that failed without a test to blame, with the end of what it said. */
function blameless(step) {
  if (read(step).some((test) => test.state === 'failed')) return [];
  const said = stripVTControlCharacters(text(`${step}.log`));
  return [{ name: step, why: said.trimEnd().slice(-CHARACTERS) }];
}

/** The lines that reporter.js has written; none where the run did not begin. */
function read(name) {
  // The last is empty, or was cut off with the run.
  const lines = text(name).split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

function text(file) {
  try {
    return readFileSync(join(folder, file), 'utf8');
  } catch {
    return '';
  }
}
