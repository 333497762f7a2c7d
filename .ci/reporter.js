/**
 * A Vitest reporter that writes a line of JSON for each test into the file that REPORT names: what became of
 * it (`passed`, `failed` or `skipped`), and of one that failed its name and why. At once, so that a run that
 * is cut off has told what it did.
 */
import { appendFileSync, writeFileSync } from 'node:fs';

export default class {
  onInit() {
    writeFileSync(process.env.REPORT, '');
  }

  onTestCaseResult(test) {
    const { state, errors } = test.result();
    this.write(state, `${test.module.relativeModuleId} > ${test.fullName}`, errors);
  }

  /** A group whose hooks failed counts as one, and so does a file that could not be loaded. */
  onTestSuiteResult(suite) {
    if (suite.errors().length > 0)
      this.write('failed', `${suite.module.relativeModuleId} > ${suite.fullName}`, suite.errors());
  }

  onTestModuleEnd(module) {
    if (module.errors().length > 0) this.write('failed', module.relativeModuleId, module.errors());
  }

  /** Errors that nobody caught. */
  onTestRunEnd(_modules, errors) {
    for (const error of errors) this.write('failed', 'nobody caught', [error]);
  }

  write(state, name, errors = []) {
    if (state !== 'failed') return append({ state });
    const why = errors.map(tell).join('\n');
    process.stdout.write(`${name}\n${why}\n`);
    append({ state, name, why });
  }
}

/** What was wrong and where, without the runner's own part of the stack. */
function tell({ stack, message, diff = '' }) {
  const lines = (stack ?? message).split('\n').filter((line) => !/^\s+at .*node_modules/.test(line));
  return [...lines, diff].join('\n');
}

function append(line) {
  appendFileSync(process.env.REPORT, `${JSON.stringify(line)}\n`);
}
