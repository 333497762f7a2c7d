/**
 * A Vitest reporter that writes a line for each test into the file that REPORT names: `passed`, `failed` or
 * `skipped`, and prints why one failed. At once, so that a run that is cut off has told what it did.
 */
import { appendFileSync, writeFileSync } from 'node:fs';

export default class {
  onInit() {
    writeFileSync(process.env.REPORT, '');
  }

  onTestCaseResult(test) {
    const { state, errors = [] } = test.result();
    this.write(state);
    for (const { stack, message } of errors) process.stdout.write(`${test.fullName}\n${stack ?? message}\n`);
  }

  /** A file that could not be loaded, or whose hooks failed, has no test that did: it counts as one. */
  onTestModuleEnd(module) {
    const failed = [...module.children.allTests('failed')].length;
    if (module.state() === 'failed' && failed === 0) this.write('failed');
  }

  /** Errors that nobody caught. */
  onTestRunEnd(_modules, errors) {
    for (const _ of errors) this.write('failed');
  }

  write(state) {
    appendFileSync(process.env.REPORT, `${state}\n`);
  }
}
