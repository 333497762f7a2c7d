import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The file that the template's handlers are in. */
const FILE = 'lambda.mjs';

/**
 * Builds the functions if they are not in their folder, as after a clone, so that `cdk synth` and `cdk diff` need no
 * step before. Those that are there are taken as they are: `npm run deploy` always builds them. Throws if they are
 * missing afterwards.
 */
export function ensureFunctions(directory: string, build: () => void = buildFunctions): void {
  if (existsSync(join(directory, FILE))) return;
  build();
  if (existsSync(join(directory, FILE))) return;
  throw new Error(`${directory} has no ${FILE}: run npm run build:functions in the root folder.`);
}

/** Its output goes to standard error, because the template goes to standard output. */
function buildFunctions(): void {
  spawnSync('npm', ['run', '--silent', 'build:functions'], {
    cwd: ROOT,
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
  });
}
