import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, viteBuild } from './viteBuild.ts';
import { buildWebClient } from './webClient.ts';

let built: Promise<string> | undefined;

/**
 * The directory with `dist/main.js` and the other programs, as `npm run build:server` makes them, for tests and benches
 * that run them as processes. Takes a few seconds, or nothing if the same sources were built before.
 */
export function buildProgram(): Promise<string> {
  built ??= build();
  return built;
}

/** The path of a built program, such as `main` or `cli/seed`. */
export const programFile = async (name: string): Promise<string> =>
  join(await buildProgram(), 'dist', `${name}.js`);

/** Installs the program with its web client and packages in an empty directory; returns the path of `main.js`. */
export async function installProgram(directory: string): Promise<string> {
  const [program, web] = await Promise.all([buildProgram(), buildWebClient()]);
  await cp(program, directory, { recursive: true });
  await symlink(web, join(directory, 'dist', 'web'));
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
  return join(directory, 'dist', 'main.js');
}

async function build(): Promise<string> {
  return viteBuild({
    name: 'program',
    config: 'test/support/builds/program.vite.config.ts',
    sources: [
      'src',
      'scripts/build',
      'test/support/database/embeddedHost.ts',
      'test/bus/support',
      'test/cli/support',
      'test/saved/jobs/support',
    ],
    outDir: 'dist',
    async complete(directory) {
      await symlink(join(ROOT, 'assets'), join(directory, 'assets'));
      await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
    },
  });
}
