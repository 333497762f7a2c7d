/**
 * What `npm start` runs: builds where the build is missing or older than the sources, then runs the server
 * in this very process, so that signals reach it directly. (package.json says `exec`, for the same reason:
 * many shells would stay in between and die of npm's signal without passing it on.) Plain JavaScript without
 * dependencies, because it runs before anything is built.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = join(root, 'dist', 'main.js');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/** When a file was changed last, or the newest file of a folder; 0 where there is nothing. */
function newest(path) {
  if (!existsSync(path)) return 0;
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isBuilt() {
  if (!existsSync(main)) return false;
  // An installation for production has the build and no compiler.
  if (!existsSync(compiler)) return true;
  // `main.js` is written after everything that it imports: a build that was interrupted did not get to it.
  return newest(main) >= Math.max(newest(join(root, 'src')), newest(join(root, 'package-lock.json')));
}

function build() {
  process.stderr.write('building…\n');
  // No output with errors in it: it would pass for a build the next time.
  const args = [compiler, '-p', 'tsconfig.build.json', '--noEmitOnError'];
  const { status, error } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status === 0 && existsSync(main)) return;
  const why = existsSync(compiler) ? (error?.message ?? 'see the lines above') : 'run npm ci first';
  process.stderr.write(`The build failed: ${why}.\n`);
  process.exit(1);
}

if (!isBuilt()) build();
await import(new URL('../dist/main.js', import.meta.url).href);
