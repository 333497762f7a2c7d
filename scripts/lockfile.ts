/**
 * Fails if a package-lock.json, of the project or of infra/, cannot be installed safely on every platform.
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

for (const path of ['package-lock.json', 'infra/package-lock.json']) {
  const problems = problemsOf(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));
  if (problems.length > 0) {
    process.stdout.write(`${path}:\n  ${problems.join('\n  ')}\n`);
    process.exitCode = 1;
  }
}

function problemsOf(text: string): string[] {
  const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, Entry>> };
  const problems = text.includes('"resolved"')
    ? ['It names the registry that it was made with: see .npmrc.']
    : [];
  for (const [path, { integrity, link, inBundle, optionalDependencies = {} }] of Object.entries(packages)) {
    const isDownloaded = path !== '' && link !== true && inBundle !== true;
    if (isDownloaded && integrity === undefined) problems.push(`${path} has no hash.`);
    for (const name of Object.keys(optionalDependencies)) {
      const isLocked = packagesAround(path).some((around) => `${around}node_modules/${name}` in packages);
      if (!isLocked) problems.push(`${name} is missing, which ${path} needs on other platforms.`);
    }
  }
  return problems;
}

/** The packages in which Node looks for those that a package needs: itself, and each one around it. */
function packagesAround(path: string): string[] {
  const parts = path.split('/node_modules/');
  return ['', ...parts.map((_, i) => `${parts.slice(0, i + 1).join('/node_modules/')}/`)];
}
