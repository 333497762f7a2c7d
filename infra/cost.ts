/**
 * `npm run cost --prefix infra`: what the stack of settings.ts costs in a month in which nothing happens, and what a
 * million messages cost in addition. From the template and the table of costs, without an account.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { idleCosts, messageCosts, type Resources, tableOf } from './cost/cost.ts';
import { sourceLines } from './cost/prices.ts';
import { ensureFunctions } from './functions.ts';
import { createStack } from './lib/stack.ts';
import { settings, stack } from './settings.ts';

ensureFunctions(settings.functionsDirectory);
const outdir = await mkdtemp(join(tmpdir(), 'tsudoi-cost-'));
try {
  const { app } = createStack(stack.name, settings, { outdir });
  const { Resources } = app.synth().getStackByName(stack.name).template as { Resources: Resources };
  process.stdout.write(`${tableOf('a month, idle', idleCosts(Resources))}\n\n`);
  process.stdout.write(`${tableOf('a million messages', messageCosts())}\n\n`);
  process.stdout.write(`Prices, by the day on which they were noted:\n${sourceLines().join('\n')}\n`);
} finally {
  await rm(outdir, { recursive: true, force: true });
}
