/** The program that `cdk` runs. */
import { createStack } from './lib/stack.ts';
import { settings, stack } from './settings.ts';

createStack(stack.name, settings).app.synth();
