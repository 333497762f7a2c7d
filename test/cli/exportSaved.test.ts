import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { createCommandServices } from '../../src/app/commandServices.ts';
import { loadConfig } from '../../src/config.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { validTagNames } from '../../src/saved/tagName.ts';
import { programFile } from '../support/builds/build.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { commandResult, runProgram } from '../support/servers/program.ts';

/** A server whose user `aki` has saved a message. */
async function serve() {
  const DATA_DIR = await temporaryDirectory();
  const log = pino({ level: 'silent' });
  const app = createApp(loadConfig({ DATA_DIR, PORT: '0' }), log);
  onTestFinished(() => app.stop());
  const { dynamo } = await app.start();
  const { users, rooms, messages, saved } = createCommandServices(dynamo, log);
  const aki = users.idOf('aki');
  const input = { name: 'Attic', topic: null, visibility: 'PRIVATE', capacity: null } as const;
  const { id: room } = await rooms.create(aki, input);
  const { threadTs, ts } = await messages.send({ room, author: aki, body: 'Find <it>' });
  const tags = validTagNames(['later']);
  await saved.save({ user: aki, room, threadTs, ts }, { tags, note: 'For me' }, { known: false });
  return { aki, DATA_DIR };
}

async function exported(DATA_DIR: string, ...args: string[]) {
  const program = await runProgram({
    command: [process.execPath, await programFile('cli/export'), ...args],
    env: { DATA_DIR, PUBLIC_URL: 'https://chat.example' },
  });
  return commandResult(program);
}

describe('npm run export -- --saved', () => {
  test('writes what a user has saved, to standard output or to a file, while a server runs', async () => {
    const { aki, DATA_DIR } = await serve();
    const lines = await exported(DATA_DIR, '--saved', '@Aki');
    expect([lines.code, lines.stderr]).toEqual([0, '']);
    // The newest comes first: the demo has others.
    const entry = JSON.parse(lines.stdout.split('\n')[0] ?? '');
    expect(entry).toMatchObject({
      visibility: 'PRIVATE',
      note: 'For me',
      tags: ['later'],
      message: { body: 'Find <it>', author: { handle: 'aki' }, room: { name: 'Attic' } },
    });
    expect(entry.url).toContain('https://chat.example/rooms/');
    const out = join(await temporaryDirectory(), 'saved.html');
    const args = ['--saved', encodeId('User', aki), '--format', 'html', '--out', out];
    expect(await exported(DATA_DIR, ...args)).toEqual({ code: 0, stdout: '', stderr: '' });
    const text = await readFile(out, 'utf8');
    expect(text).toMatch(/^<!DOCTYPE NETSCAPE-Bookmark-file-1>\n.*\n<\/DL><p>\n$/s);
    expect(text).toContain('TAGS="later">Find &lt;it&gt;</A>\n<DD>For me\n');
    expect(existsSync(`${out}.part`)).toBe(false);
  });

  test('refuses an unknown user, a wrong format and a file that cannot be written, in one line', async () => {
    const { DATA_DIR } = await serve();
    const refused = async (...args: string[]) => {
      const { code, stdout, stderr } = await exported(DATA_DIR, ...args);
      expect([code, stdout]).toEqual([1, '']);
      return stderr;
    };
    expect(await refused('--saved', 'unknown_one')).toBe(
      'There is no user unknown_one. Use a handle, or an id of the API.\n',
    );
    expect(await refused('--saved', encodeId('Room', 'x'))).toMatch(/^There is no user \S+\. Use a handle/);
    expect(await refused('--saved', 'aki', '--format', 'csv')).toBe('--format must be jsonl or html.\n');
    expect(await refused('--room', 'x', '--format', 'html')).toBe(
      '--format can be combined with --saved only.\n',
    );
    expect(await refused('--saved', 'aki', '--room', 'x')).toMatch(/^Usage: npm run -s export/);
    const folder = join(await temporaryDirectory(), 'folder');
    expect(await refused('--saved', 'aki', '--out', join(folder, 'saved.jsonl'))).toMatch(
      /^\S+saved\.jsonl cannot be written: [^\n]+\n$/,
    );
    // A folder is in the place of the file.
    await mkdir(folder);
    expect(await refused('--saved', 'aki', '--out', folder)).toMatch(
      /^\S+folder cannot be written: [^\n]+\n$/,
    );
    expect(existsSync(`${folder}.part`)).toBe(false);
  });
});
