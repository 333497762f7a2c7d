/**
 * `npm start`: builds if the build is missing or older than the sources, then runs the server in this process, so that
 * signals reach it directly. (package.json has `exec` for the same reason: many shells would stay in between and end on
 * npm's signal without passing it on.) Plain JavaScript without dependencies, because it runs before anything is built.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const VITE = 'node_modules/vite/bin/vite.js';
const vite = (config) => ['build', '--config', config, '--configLoader', 'runner', '--logLevel', 'warn'];

/** The parts of the build: the file that is written last, its sources, and the arguments for Vite. */
const parts = [
  {
    output: join(root, 'dist', 'server.built'),
    sources: ['src', 'scripts/build', 'package-lock.json'],
    args: vite('scripts/build/server.vite.config.ts'),
  },
  {
    output: join(root, 'dist', 'web', 'index.html'),
    sources: ['web', 'package-lock.json'],
    args: vite('web/vite.config.ts'),
  },
];

/** When a file, or the newest file of a folder, was last changed. 0 if it does not exist. */
function newest(path) {
  if (!existsSync(path)) return 0;
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isBuilt({ output, sources }) {
  // An installation for production has the build, but neither the compiler nor the sources.
  if (existsSync(output) && !existsSync(join(root, VITE))) return true;
  const newestSource = Math.max(...sources.map((path) => newest(join(root, path))));
  // If a build was interrupted, the file that is written last is missing or older.
  return existsSync(output) ? newest(output) >= newestSource : !existsSync(join(root, sources[0]));
}

/** Resolves to why the build failed; undefined if it succeeded. */
function build({ output, args }) {
  const program = join(root, VITE);
  if (!existsSync(program)) return 'run npm ci first';
  const child = spawn(process.execPath, [program, ...args], { cwd: root, stdio: ['ignore', 2, 2] });
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('exit', (code) =>
      resolve(code === 0 && existsSync(output) ? undefined : 'see the lines above'),
    );
  });
}

const missing = parts.filter((part) => !isBuilt(part));
if (missing.length > 0) process.stderr.write('building…\n');
const [failure] = (await Promise.all(missing.map(build))).filter((why) => why !== undefined);
if (failure !== undefined) {
  process.stderr.write(`The build failed: ${failure}.\n`);
  process.exit(1);
}
// Stack traces name the files of `src`.
process.setSourceMapsEnabled(true);
await import(new URL('../dist/main.js', import.meta.url).href);
