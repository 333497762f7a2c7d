/**
 * Fails if package-lock.json cannot be installed safely on every platform.
 *
 * Packages with a program for each platform list all of them as optional dependencies. npm leaves out of the lock file
 * those that the registry of this machine does not have, and `npm ci` then refuses the whole file, on every platform.
 * An entry written by hand has no hash, so what is installed could be anything. In both cases another version of the
 * package has to be chosen.
 */
import { readFileSync } from 'node:fs';

interface Entry {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, Entry>> };

const problems = text.includes('"resolved"')
  ? ['It names the registry that it was made with: see .npmrc.']
  : [];
for (const [path, { integrity, link, inBundle, optionalDependencies = {} }] of Object.entries(packages)) {
  const isDownloaded = path !== '' && link !== true && inBundle !== true;
  if (isDownloaded && integrity === undefined) problems.push(`${path} has no hash.`);
  for (const name of Object.keys(optionalDependencies)) {
    const isLocked = [`${path}/node_modules/${name}`, `node_modules/${name}`].some((at) => at in packages);
    if (!isLocked) problems.push(`${name} is missing, which ${path} needs on other platforms.`);
  }
}
if (problems.length > 0) {
  process.stdout.write(`package-lock.json:\n  ${problems.join('\n  ')}\n`);
  process.exitCode = 1;
}
