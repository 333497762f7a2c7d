import { spawnSync } from 'node:child_process';
import { cp, mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/machine/directory.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

/** A project like this one, with a server of one line. */
async function project() {
  const directory = await temporaryDirectory();
  const path = (...names: string[]) => join(directory, ...names);
  await mkdir(path('scripts'));
  await mkdir(path('src', 'deep'), { recursive: true });
  for (const folder of ['bin', 'scripts/build']) {
    await cp(join(ROOT, folder), path(folder), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), path('node_modules'));
  await writeFile(path('package.json'), '{ "type": "module" }');
  await writeFile(path('package-lock.json'), '{}');
  const write = (text: string) =>
    writeFile(path('src', 'deep', 'text.ts'), `export const text: string = ${text};`);
  await write("'one'");
  await writeFile(
    path('src', 'main.ts'),
    [
      "import { text } from './deep/text.ts';",
      "process.stdout.write([text, process.pid].join(' '));",
      "if (text === 'fault') throw new Error('The fault.');",
    ].join('\n'),
  );
  return {
    path,
    write,
    start() {
      const { stdout, stderr, status, pid } = spawnSync(
        process.execPath,
        [path('bin', 'tsudoi.js'), 'start'],
        {
          encoding: 'utf8',
        },
      );
      return { stdout, stderr, status, pid };
    },
  };
}

describe('npm start', () => {
  it('builds what is missing or old, and only that, and runs the server in its own process', async () => {
    const { start, write, path } = await project();
    const first = start();
    expect(first).toMatchObject({ stdout: `one ${first.pid}`, stderr: 'building…\n', status: 0 });
    expect(start()).toMatchObject({ stderr: '', status: 0 });

    await write("'two'");
    const second = start();
    expect(second).toMatchObject({ stdout: `two ${second.pid}`, stderr: 'building…\n' });

    const later = new Date(Date.now() + 1_000);
    await utimes(path('package-lock.json'), later, later);
    expect(start()).toMatchObject({ stderr: 'building…\n', status: 0 });
  });

  it('says so when the build fails, every time', async () => {
    const { start, write, path } = await project();
    await write('1 +');
    for (const _ of ['first', 'again']) {
      const { stdout, stderr, status } = start();
      expect(status).toBe(1);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/text\.ts[\s\S]*\nThe build failed: see the lines above\.\n$/);
    }
    await write("'fixed'");
    expect(start()).toMatchObject({ status: 0 });

    await rm(path('node_modules'));
    await rm(path('dist'), { recursive: true });
    expect(start()).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/The build failed: run npm ci first\.\n$/),
    });
  });

  it('shows the files of src in stack traces', async () => {
    const { start, write } = await project();
    await write("'fault'");
    const { stderr, status } = start();
    expect(status).toBe(1);
    expect(stderr).toMatch(/Error: The fault\.\n.*src\/main\.ts:3:/);
  });

  it('runs an installation that has a build and no compiler', async () => {
    const { start, write, path } = await project();
    start();
    await rm(path('node_modules'));
    await write("'two'");
    expect(start()).toMatchObject({ stdout: expect.stringMatching(/^one /), stderr: '', status: 0 });
  });
});
