/**
 * `npm start`: builds if the build is missing or older than the sources, then runs the server in this process, so that
 * signals reach it directly. (package.json has `exec` for the same reason: many shells would stay in between and end on
 * npm's signal without passing it on.) Plain JavaScript without dependencies, because it runs before anything is built.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const main = join(root, 'dist', 'main.js');

/** The parts of the build: the file that is written last, its sources, and the command. */
const parts = [
  {
    output: main,
    sources: ['src', 'package-lock.json'],
    // With errors it must not write anything, which would look like a build the next time.
    command: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noEmitOnError'],
  },
  {
    output: join(root, 'dist', 'web', 'index.html'),
    sources: ['web', 'package-lock.json'],
    command: [
      'node_modules/vite/bin/vite.js',
      ...['build', '--config', 'web/vite.config.ts', '--configLoader', 'runner', '--logLevel', 'warn'],
    ],
  },
];

/** When a file, or the newest file of a folder, was last changed. 0 if it does not exist. */
function newest(path) {
  if (!existsSync(path)) return 0;
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function isBuilt({ output, sources, command: [program] }) {
  // An installation for production has the build, but neither the compilers nor the sources.
  if (existsSync(output) && !existsSync(join(root, program))) return true;
  const newestSource = Math.max(...sources.map((path) => newest(join(root, path))));
  // If a build was interrupted, the file that is written last is older.
  return existsSync(output) ? newest(output) >= newestSource : !existsSync(join(root, sources[0]));
}

function build({ output, command: [program, ...args] }) {
  const path = join(root, program);
  const { status, error } = spawnSync(process.execPath, [path, ...args], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status === 0 && existsSync(output)) return;
  const why = existsSync(path) ? (error?.message ?? 'see the lines above') : 'run npm ci first';
  process.stderr.write(`The build failed: ${why}.\n`);
  process.exit(1);
}

const missing = parts.filter((part) => !isBuilt(part));
if (missing.length > 0) process.stderr.write('building…\n');
for (const part of missing) build(part);
await import(new URL('../dist/main.js', import.meta.url).href);
