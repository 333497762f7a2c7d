import { mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ROOT } from '../../support/builds/viteBuild.ts';

interface LockedPackage {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}

/** Links the packages of `npm ci --omit=dev --omit=optional` into a directory. */
export async function linkProductionPackages(directory: string): Promise<void> {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  for (const [path, { dev, optional, devOptional }] of Object.entries(packages)) {
    // Packages inside another one come with its link.
    const topLevel = /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path);
    if (!topLevel || dev === true || optional === true || devOptional === true) continue;
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await symlink(join(ROOT, path), join(directory, path));
  }
}
