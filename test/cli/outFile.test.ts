import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { outFile } from '../../src/cli/command/outFile.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { startProgram } from '../support/machine/processes.ts';
import { held } from '../support/time/held.ts';

const fillWith = (content: string) => async (to: Writable) => void to.write(content);

const write = async (path: string, content: string): Promise<void> =>
  (await outFile(path))(fillWith(content));

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

test('outFile: replaces a file, for its owner only, and leaves all other files alone', async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, 'notes');
  for (const name of ['notes', 'notes.part']) {
    await writeFile(join(directory, name), 'mine');
    await chmod(join(directory, name), 0o644);
  }
  await write(path, 'new');
  expect(await readFile(path, 'utf8')).toBe('new');
  expect(await modeOf(path)).toBe('600');
  expect(await readFile(`${path}.part`, 'utf8')).toBe('mine');
  expect((await readdir(directory)).sort()).toEqual(['notes', 'notes.part']);
});

test('outFile: two at once on one file leave one of them, whole', async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, 'room.ndjson');
  const begun = [held(), held()] as const;
  // Each begins before the other one ends.
  async function half(mine: 0 | 1, content: string): Promise<void> {
    await (await outFile(path))(async (to) => {
      to.write(content);
      begun[mine].letGo();
      await begun[1 - mine]?.promise;
      to.write(content);
    });
  }
  await Promise.all([half(0, 'a'.repeat(1_000)), half(1, 'b'.repeat(3))]);
  expect(await readFile(path, 'utf8')).toMatch(/^(a{2000}|b{6})$/);
  expect(await readdir(directory)).toEqual(['room.ndjson']);
});

test('outFile: a failure leaves the file as it was, and nothing beside it', async () => {
  const directory = await temporaryDirectory();
  const path = join(directory, 'room.ndjson');
  await writeFile(path, 'before');
  const writeOut = await outFile(path);
  const failing = writeOut(async (to) => {
    to.write('half');
    throw new Error('The database is down.');
  });
  await expect(failing).rejects.toThrow('The database is down.');
  expect(await readFile(path, 'utf8')).toBe('before');
  expect(await readdir(directory)).toEqual(['room.ndjson']);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'outFile: %s ends the process and leaves no part',
  async (signal) => {
    const directory = await temporaryDirectory();
    const program = await startProgram('endlessFile', [join(directory, 'room.ndjson')]);
    onTestFinished(() => void program.child.kill('SIGKILL'));
    await program.next();
    expect(await readdir(directory)).toHaveLength(1);
    const ended = once(program.child, 'exit');
    program.child.kill(signal);
    expect(await ended).toEqual([null, signal]);
    expect(await readdir(directory)).toEqual([]);
  },
);

test('outFile: refuses a directory and a path without one before anything is written', async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, 'folder'));
  await expect(outFile(join(directory, 'folder'))).rejects.toThrow(
    `${directory}/folder cannot be written: it is a directory.`,
  );
  await expect(write(join(directory, 'none', 'file'), 'new')).rejects.toThrow(
    `${directory}/none/file cannot be written: its directory does not exist.`,
  );
  await writeFile(join(directory, 'file'), '');
  await expect(outFile(join(directory, 'file', 'x'))).rejects.toThrow(
    `${directory}/file/x cannot be written: a part of its path is not a directory.`,
  );
  expect((await readdir(directory)).sort()).toEqual(['file', 'folder']);
});

test('outFile: follows symbolic links, also to a file that does not exist yet', async () => {
  const directory = await temporaryDirectory();
  await mkdir(join(directory, 'data'));
  await mkdir(join(directory, 'links'));
  await writeFile(join(directory, 'data', 'old'), 'before');
  for (const name of ['old', 'new']) {
    await symlink(join('..', 'data', name), join(directory, 'links', name));
    await symlink(name, join(directory, 'links', `${name}-again`));
    await write(join(directory, 'links', `${name}-again`), `to ${name}`);
    expect(await readFile(join(directory, 'data', name), 'utf8')).toBe(`to ${name}`);
    expect(await readlink(join(directory, 'links', `${name}-again`))).toBe(name);
  }
  expect((await readdir(join(directory, 'data'))).sort()).toEqual(['new', 'old']);
  await symlink('loop', join(directory, 'loop'));
  await expect(outFile(join(directory, 'loop'))).rejects.toThrow(
    'loop cannot be written: its symbolic links form a loop.',
  );
});

// Not with /dev/null: a broken program that root runs would replace it.
test('outFile: writes a pipe directly', async () => {
  const directory = await temporaryDirectory();
  const pipe = join(directory, 'pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  const [content] = await Promise.all([text(createReadStream(pipe)), write(pipe, 'through the pipe')]);
  expect(content).toBe('through the pipe');
  expect((await lstat(pipe)).isFIFO()).toBe(true);
  expect(await readdir(directory)).toEqual(['pipe']);
});
