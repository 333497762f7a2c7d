/** The program that `cdk` runs. */
import { ensureFunctions } from './functions.ts';
import { createStack } from './lib/stack.ts';
import { settings, stack } from './settings.ts';

try {
  ensureFunctions(settings.functionsDirectory);
  createStack(stack.name, settings).app.synth();
} catch (error) {
  // What it says is enough: a setting, a folder, or what cdk-nag has found.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
