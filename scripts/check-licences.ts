/**
 * Refuses packages that name no licence, or one that is not on the lists below. It needs no network: package-lock.json
 * lists the packages, and each package.json has the licence. Packages for other platforms are not installed, so their
 * counterparts for this platform are checked instead.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { infraIsInstalled } from './infra.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Licences of packages that are part of the product, by their SPDX names. */
const ALLOWED = new Set(
  '0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 CC0-1.0 ISC MIT MIT-0 Unlicense Zlib'.split(' '),
);
/** Licences of packages that only build and test it. */
const ALLOWED_IN_DEVELOPMENT = new Set([...ALLOWED, 'CC-BY-4.0', 'MPL-2.0', 'Python-2.0']);

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
}

/** A licence as a package.json has it: a name, an expression such as `(MIT OR GPL-2.0)`, or an older form. */
function isAllowed(licence: unknown, allowed: ReadonlySet<string>): boolean {
  if (Array.isArray(licence)) return licence.some((one) => isAllowed(one, allowed));
  if (typeof licence === 'object' && licence !== null) {
    return 'type' in licence && isAllowed(licence.type, allowed);
  }
  if (typeof licence !== 'string') return false;
  // No package has nested brackets. Such an expression would be refused.
  const plain = licence.replace(/^\((.*)\)$/, '$1');
  return plain
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => allowed.has(name.trim())));
}

const manifestOf = (path: string): string => join(root, path, 'package.json');

/** Undefined if the package names no licence or is not installed. */
function licenceOf(path: string): unknown {
  const manifest = manifestOf(path);
  if (!existsSync(manifest)) return undefined;
  const { license, licenses } = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, unknown>;
  return license ?? licenses;
}

/** Of the project, or of infra/, whose packages only deploy it. */
const lockedIn = (folder: string): ReadonlyArray<[path: string, locked: Locked]> => {
  const { packages } = JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  return Object.entries(packages).map(([path, locked]) => [join(folder, path), locked]);
};

const all = [...lockedIn('.'), ...(infraIsInstalled() ? lockedIn('infra') : [])];
const problems = all.flatMap(([path, locked]) => {
  if (!path.includes('node_modules/') || locked.link === true) return [];
  if (locked.optional === true && !existsSync(manifestOf(path))) return [];
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  if (!existsSync(manifestOf(path))) return [`${name} is not installed: npm ci`];
  const licence = licenceOf(path);
  if (isAllowed(licence, locked.dev === true ? ALLOWED_IN_DEVELOPMENT : ALLOWED)) return [];
  return [
    `${name} ${locked.version ?? ''}: ${licence === undefined ? 'names no licence' : JSON.stringify(licence)}`,
  ];
});

if (problems.length > 0) {
  process.stdout.write(`${problems.join('\n')}\n`);
  process.exitCode = 1;
}
