/** Whether `dist` is current, and how it is built. Plain JavaScript without packages: they may not be installed yet. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const VITE = 'node_modules/vite/bin/vite.js';
const vite = (config) => ['build', '--config', config, '--configLoader', 'runner', '--logLevel', 'warn'];

/** A part of the build: the file that is written last, its sources, and the arguments for Vite. */
const server = {
  output: join(root, 'dist', 'server.built'),
  sources: ['src', 'scripts/build', 'package-lock.json'],
  args: vite('scripts/build/server.vite.config.ts'),
};
const web = {
  output: join(root, 'dist', 'web', 'index.html'),
  sources: ['web', 'package-lock.json'],
  args: vite('web/vite.config.ts'),
};

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

/** Builds a part. Resolves to why the build failed; undefined if it succeeded. */
export function build({ output, args }) {
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

/** Whether the built server and commands are at least as new as their sources. */
export const serverIsBuilt = () => isBuilt(server);

/** The parts that are missing or older than their sources. */
export const outdatedParts = () => [server, web].filter((part) => !isBuilt(part));
