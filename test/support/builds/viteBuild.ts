import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Inside node_modules, so that built programs find their packages as in an installation. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'tsudoi');
const VITE = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js');
const KEPT_MS = 3_600_000;

export interface Built {
  /** The folder of the cache. */
  readonly name: string;
  /** Vite's configuration. Like all paths here, it is relative to the project. */
  readonly config: string;
  /** The files and folders that the result depends on, in addition to package-lock.json and the configuration. */
  readonly sources: readonly string[];
  /** The folder inside the returned directory that Vite writes to. Default: the directory itself. */
  readonly outDir?: string;
  /** Adds files that Vite does not make, before other workers can see the directory. */
  readonly complete?: (directory: string) => Promise<void>;
}

/** Runs Vite unless it has built the same sources before, and returns the directory with the result. */
export async function viteBuild({ name, config, sources, outDir = '.', complete }: Built): Promise<string> {
  const hash = await hashOf(['package-lock.json', config, ...sources]);
  const directory = join(CACHE, name, hash);
  if (await exists(directory)) return directory;

  // It has another name until it is complete, because other workers may build the same sources.
  const draft = join(CACHE, name, `draft-${randomUUID()}`);
  await runVite([
    'build',
    ...['--config', config, '--configLoader', 'runner'],
    ...['--outDir', join(draft, outDir)],
  ]);
  await complete?.(draft);
  await rename(draft, directory).catch(() => rm(draft, { recursive: true }));
  await removeOld(join(CACHE, name), hash);
  return directory;
}

async function runVite(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [VITE, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Builds for a deployment. Vitest sets another value.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`vite ${args.join(' ')} failed:\n${output}`);
}

async function hashOf(sources: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    const path = join(ROOT, source);
    const paths = (await stat(path)).isDirectory() ? await filesIn(path) : [path];
    for (const file of paths.sort()) hash.update(file).update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 16);
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

async function removeOld(folder: string, kept: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (name === kept || found === undefined || found.mtimeMs > Date.now() - KEPT_MS) continue;
    await rm(path, { recursive: true, force: true });
  }
}
