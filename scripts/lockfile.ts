/**
 * Completes package-lock.json. With --check, it fails if something is missing.
 *
 * Packages with a program for each platform list all of them as optional dependencies. npm leaves out of the lock file
 * those that it could not find (a registry may not have them all), and `npm ci` then refuses the whole file, on every
 * platform. Therefore each gets an entry with its platform. Other platforms skip it without a request.
 */
import { readFileSync, writeFileSync } from 'node:fs';

interface Entry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const file = new URL('../package-lock.json', import.meta.url);
const text = readFileSync(file, 'utf8');
const lock = JSON.parse(text) as { packages: Record<string, Entry> };

const OS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const CPU = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32'];

/** `@scope/binding-linux-x64-musl` → linux, x64, musl. */
function platformOf(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> | undefined {
  const words = name.split(/[-/]/);
  const os = words.find((word) => OS.includes(word));
  const cpu = words.find((word) => CPU.includes(word));
  if (os === undefined || cpu === undefined) return undefined;
  const libc = name.includes('musl') ? ['musl'] : /-gnu(eabihf)?$/.test(name) ? ['glibc'] : undefined;
  return { os: [os], cpu: [cpu], ...(libc === undefined ? {} : { libc }) };
}

const added: string[] = [];
for (const [path, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (lock.packages[`node_modules/${name}`] !== undefined) continue;
    if (lock.packages[`${path}/node_modules/${name}`] !== undefined) continue;
    const platform = platformOf(name);
    if (platform === undefined || !/^\d/.test(version)) {
      throw new Error(`${path} wants ${name} ${version}, which cannot be completed: add it by hand.`);
    }
    lock.packages[`node_modules/${name}`] = {
      version,
      ...(dev === true ? { dev } : {}),
      optional: true,
      ...platform,
    };
    added.push(name);
  }
}

if (process.argv.includes('--check')) {
  const problems = [
    ...(text.includes('"resolved"') ? ['It names the registry that it was made with: see .npmrc.'] : []),
    ...added.map((name) => `${name} is missing.`),
  ];
  if (problems.length > 0) {
    process.stdout.write(`package-lock.json:\n  ${problems.join('\n  ')}\n`);
    process.exitCode = 1;
  }
} else if (added.length > 0) {
  const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
  process.stdout.write(`Added to package-lock.json: ${added.join(', ')}.\n`);
}
