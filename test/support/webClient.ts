import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CACHE = join(ROOT, 'node_modules', '.cache', 'tsudoi-web');

/**
 * The web client as `npm run build:web` makes it, in a directory of its own: a few seconds, and nothing at all
 * where these very sources were built before.
 */
export async function buildWebClient(): Promise<string> {
  const directory = join(CACHE, await hashOfSources());
  if (await exists(directory)) return directory;
  // Whole under another name first: others may be building the same.
  const draft = join(CACHE, `draft-${randomUUID()}`);
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
  const args = [
    vite,
    'build',
    '--config',
    'web/vite.config.ts',
    '--configLoader',
    'runner',
    '--outDir',
    draft,
  ];
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    // As for the product, not as for the tests.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The web client could not be built:\n${said}`);
  await rename(draft, directory).catch(() => rm(draft, { recursive: true }));
  return directory;
}

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256').update(await readFile(join(ROOT, 'package-lock.json')));
  const entries = await readdir(join(ROOT, 'web'), { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const path of paths.sort()) hash.update(path).update(await readFile(path));
  return hash.digest('hex').slice(0, 16);
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
