import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = join(ROOT, 'src');
/** Inside node_modules, so that the program finds its packages as it does in an installation. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'tsudoi-program');
const KEPT_MS = 3_600_000;

/**
 * The program as JavaScript, for tests and benches that run it as processes: the directory that has
 * `dist/main.js`. As `npm run build` makes it, but for the types, which nobody checks here: a second instead of ten, and
 * nothing at all where these very sources were built before.
 */
export async function buildProgram(): Promise<string> {
  const sources = new Map<string, string>();
  for (const entry of await readdir(SOURCES, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) sources.set(path.slice(SOURCES.length + 1), await readFile(path, 'utf8'));
  }
  const options = compilerOptions();
  const hash = createHash('sha256')
    .update(JSON.stringify([...sources].sort()))
    .update(JSON.stringify(options));
  const directory = join(CACHE, hash.digest('hex').slice(0, 16));
  if (await exists(join(directory, 'dist', 'main.js'))) return directory;

  // Whole under another name first: others may be building the same.
  const draft = join(CACHE, `draft-${randomUUID()}`);
  const dist = join(draft, 'dist');
  await mkdir(dist, { recursive: true });
  await symlink(join(ROOT, 'assets'), join(draft, 'assets'));
  await writeFile(join(draft, 'package.json'), '{ "type": "module" }');
  for (const [name, text] of sources) {
    if (!name.endsWith('.ts')) continue;
    const { outputText } = ts.transpileModule(text, { fileName: name, compilerOptions: options });
    await mkdir(dirname(join(dist, name)), { recursive: true });
    await writeFile(join(dist, name.replace(/\.ts$/, '.js')), outputText);
  }
  await rename(draft, directory).catch(() => rm(draft, { recursive: true }));
  await removeOld(directory);
  return directory;
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  // Told outright: file by file, the compiler does not see the package.json that says so.
  return { ...options, noEmit: false, module: ts.ModuleKind.ESNext };
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

async function removeOld(kept: string): Promise<void> {
  for (const name of await readdir(CACHE)) {
    const path = join(CACHE, name);
    const found = await stat(path).catch(() => undefined);
    if (path === kept || found === undefined || found.mtimeMs > Date.now() - KEPT_MS) continue;
    await rm(path, { recursive: true, force: true });
  }
}
