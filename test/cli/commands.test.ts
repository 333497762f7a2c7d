import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import * as demo from '../../src/dev/demo/conversations.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { createPersonJobs } from '../../src/jobs/personJobs.ts';
import { type Timer, timerItem } from '../../src/timers/timer.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { eventually } from '../support/time/eventually.ts';
import { readContents } from '../verify/support/contents.ts';
import { recount } from '../verify/support/recount.ts';
import { command, serve } from './support/commands.ts';

const FEW = ['--rooms', '3', '--people', '12', '--messages', '120'];

describe('npm run seed', () => {
  test('seed: fills a new directory, which also has the demo users, and prints what it did', async () => {
    const DATA_DIR = await temporaryDirectory();
    const { code, stdout, stderr } = await command('seed', FEW, { DATA_DIR });
    expect([
      code,
      stderr.split('\n').filter((line) => line !== '' && !line.includes('120 messages')),
    ]).toEqual([0, []]);
    expect(stdout).toMatch(
      /^120 messages, \d+ stamps and \d+ likes in 3 rooms with 12 people, in [\d.]+ s: [\d,]+ messages a second\.$/m,
    );
    expect(stdout).toContain('aki has joined the public rooms.');
    // No estimate before anything is written.
    const [first = ''] = stderr.trim().split('\n');
    expect(first).toMatch(/ 0% {2}0 of 120 messages$/);
    expect(stderr).toMatch(/100% {2}120 of 120 messages/);
    const { dynamo, quiet } = await serve(DATA_DIR);
    const { users, rooms, messages } = await readContents(dynamo);
    expect(users).toHaveLength(12 + demo.people.length);
    expect(rooms.size).toBe(3 + demo.rooms.length);
    expect(messages.length).toBeGreaterThan(120);
    const [, handle = ''] = /npm run -s token -- (\w+)/.exec(stdout) ?? [];
    expect(users.map((user) => user.handle)).toContain(handle);
    expect(stdout).toContain('on the sign-in page, under “Use a token”, or in GraphiQL, in the Headers tab');
    await quiet();
    expect(await recount(dynamo)).toEqual([]);
  });

  test('seed: works while a server uses the directory, and reports data that exists already', async () => {
    const DATA_DIR = await temporaryDirectory();
    const { dynamo, quiet } = await serve(DATA_DIR);
    expect((await command('seed', FEW, { DATA_DIR })).code).toBe(0);
    const again = await command('seed', FEW, { DATA_DIR });
    expect(again.code).toBe(1);
    expect(again.stderr).toBe('These rooms are in the table already. Another --seed creates others.\n');
    expect((await command('seed', [...FEW, '--seed', 'another'], { DATA_DIR })).code).toBe(0);
    const { rooms } = await readContents(dynamo);
    expect(rooms.size).toBe(demo.rooms.length + 3 + 3);
    await quiet();
    expect(await recount(dynamo)).toEqual([]);
  });

  test('seed: creates the table in the shape of --shape, and refuses another one for a table that exists', async () => {
    const DATA_DIR = await temporaryDirectory();
    const many = ['--rooms', '3', '--people', '12', '--messages', '600'];
    expect((await command('seed', [...many, '--shape', '1'], { DATA_DIR })).code).toBe(0);
    const refused = await command('seed', [...FEW, '--shape', '2', '--seed', 'another'], { DATA_DIR });
    const stderr = 'The table has shape 1 already: --shape is for a new one.\n';
    expect(refused).toEqual({ code: 1, stdout: '', stderr });
    const plan = JSON.parse((await command('reshape', ['plan'], { DATA_DIR })).stdout);
    expect(plan).toMatchObject({ inForce: 1, to: 2 });
    expect(plan.groups).toBeGreaterThan(0);
  });

  test('seed: creates nothing if an argument is wrong', async () => {
    const DATA_DIR = join(await temporaryDirectory(), 'data');
    const refused = await command('seed', ['--rooms', '0'], { DATA_DIR });
    const stderr = '--rooms must be a whole number from 1 to 10000.\n';
    expect(refused).toEqual({ code: 1, stdout: '', stderr });
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  test('seed: fills a table on AWS only if --table names it', async () => {
    const env = { AWS_REGION: 'eu-west-1', AUTH_SECRET: 'a secret of thirty-two bytes or more' };
    const { code, stderr } = await command('seed', FEW, env);
    expect(code).toBe(1);
    expect(stderr).toBe('This would fill the table tsudoi on AWS. If that is meant, add --table tsudoi.\n');
  });
});

describe('npm run export', () => {
  test('export: writes a room to standard output or to a file, with or without a server', async () => {
    const DATA_DIR = await temporaryDirectory();
    const { app, dynamo, quiet } = await serve(DATA_DIR);
    const [room = ''] = (await readContents(dynamo)).rooms;
    await quiet();
    const withServer = await command('export', ['--room', encodeId('Room', room)], { DATA_DIR });
    expect([withServer.code, withServer.stderr]).toEqual([0, '']);
    const lines = withServer.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ type: 'room', id: encodeId('Room', room) });
    expect(lines.length).toBeGreaterThan(1);

    await app.stop();
    const out = join(await temporaryDirectory(), 'room.ndjson');
    const toFile = await command('export', ['--room', room, '--out', out], { DATA_DIR });
    expect(toFile).toEqual({ code: 0, stdout: '', stderr: '' });
    const withoutTime = (text: string) => text.replace(/"exportedUntil":"[^"]+"/, '');
    expect(withoutTime(await readFile(out, 'utf8'))).toBe(withoutTime(withServer.stdout));
    expect(existsSync(`${out}.part`)).toBe(false);
  });

  test('export: its help names every kind of line that a room has', async () => {
    const { code, stdout } = await command('export', ['--help'], {});
    expect(code).toBe(0);
    for (const kind of ['the room', 'each member', 'each ban', 'each thread']) expect(stdout).toContain(kind);
  });

  test('export: reports a missing room, database and table in one line', async () => {
    const DATA_DIR = await temporaryDirectory();
    const missing = await command('export', ['--room', 'x'], { DATA_DIR });
    expect(missing).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no database in ${DATA_DIR}. Set DATA_DIR to the folder of an existing one.\n`,
    });
    await command('seed', FEW, { DATA_DIR });
    const refused = async (...args: string[]) => {
      const { code, stdout, stderr } = await command('export', args, { DATA_DIR });
      expect([code, stdout]).toEqual([1, '']);
      return stderr;
    };
    expect(await refused('--room', 'nothing')).toBe(
      "There is no room nothing. A room's id is in its address in the web client.\n",
    );
    expect(await refused('--room', encodeId('User', 'x'))).toMatch(/^There is no room \S+\. A room's id/);
    expect(await refused()).toMatch(/^Usage: npm run -s export -- --room <id>/);
    const other = await command('export', ['--room', 'x'], { DATA_DIR, TABLE_NAME: 'other' });
    expect(other.stderr).toBe('There is no table other. Set TABLE_NAME to an existing one.\n');
  });
});

describe('npm run repair', () => {
  test('repair: reports wrong numbers and fixes them while a server runs', async () => {
    const DATA_DIR = await temporaryDirectory();
    const { dynamo, quiet } = await serve(DATA_DIR);
    await quiet();
    const repair = async (...args: string[]) => {
      const { code, stdout } = await command('repair', args, { DATA_DIR });
      return [
        code,
        ...stdout
          .trim()
          .split('\n')
          .map((line) => line.replace(/"pk":"[^"]*"/, '"pk":"…"')),
      ];
    };
    expect(await repair()).toEqual([0, '0 differed, 0 fixed']);
    const [room = ''] = (await readContents(dynamo)).rooms;
    await dynamo.update(keys.seats(room), { update: 'SET taken = :n', values: { ':n': 999 } });
    const line = /^\{"what":"seats","pk":"…","sk":"SEATS","stored":\{"taken":999,.*"fixed":(true|false)\}$/;
    expect(await repair('--dry-run')).toEqual([1, expect.stringMatching(line), '1 differed, 0 fixed']);
    expect(await repair()).toEqual([0, expect.stringMatching(line), '1 differed, 1 fixed']);
    await quiet();
    const before = (await dynamo.get(keys.counter(room)))?.changeCount;
    expect(await repair('--forgotten')).toEqual([0, '0 differed, 0 fixed']);
    expect((await dynamo.get(keys.counter(room)))?.changeCount).toBe(Number(before) + 1);
  });
});

describe('npm run forget', () => {
  test('forget: counts, deletes and reopens an account while a server runs, and reports wrong arguments', async () => {
    const DATA_DIR = await temporaryDirectory();
    const { dynamo, services, quiet } = await serve(DATA_DIR);
    const forget = (...args: string[]) => command('forget', args, { DATA_DIR });
    const aki = services.users.idOf('aki');
    await quiet();
    const { rooms } = (await dynamo.get(keys.user(aki))) ?? {};
    const counted = await forget('@aki', '--dry-run');
    expect([counted.code, counted.stderr]).toEqual([0, '']);
    expect(JSON.parse(counted.stdout)).toMatchObject({ rooms, text: expect.any(Number) });
    expect(await dynamo.get(keys.user(aki))).not.toHaveProperty('deletedAt');
    for (const args of [[], ['nobody_here'], ['aki', 'ben'], ['aki', '--sub', 'aki'], ['aki', '--reopen']]) {
      const refused = await forget(...args);
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).not.toContain('    at ');
    }
    const deleted = await forget('aki', '--erase-messages');
    expect([deleted.code, deleted.stderr]).toEqual([0, '']);
    const [, job = ''] = /npm run -s jobs watch (\w+)/.exec(deleted.stdout) ?? [];
    expect(await dynamo.get(keys.user(aki))).toMatchObject({ deletedAt: expect.any(String), rooms: 0 });
    const tooEarly = await forget('--sub', 'aki', '--reopen');
    expect([tooEarly.code, tooEarly.stderr]).toEqual([1, expect.stringContaining(job)]);
    expect((await command('jobs', ['cancel', job], { DATA_DIR })).code).toBe(0);
    expect((await forget(encodeId('User', aki))).stdout).toContain(job);
    expect((await command('jobs', ['cancel', job], { DATA_DIR })).code).toBe(0);
    expect((await forget(aki, '--reopen')).code).toBe(0);
    expect(await dynamo.get(keys.user(aki))).not.toHaveProperty('deletedAt');
  });
});

describe('npm run jobs', () => {
  test('jobs: lists, pauses, resumes and cancels while a server runs, and reports wrong arguments', async () => {
    const DATA_DIR = await temporaryDirectory();
    const { dynamo } = await serve(DATA_DIR);
    const jobs = async (...args: string[]) => {
      const { code, stdout, stderr } = await command('jobs', args, { DATA_DIR });
      return {
        code,
        stderr,
        lines: stdout.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line))),
      };
    };
    expect(await jobs()).toEqual({ code: 0, stderr: 'There are none.\n', lines: [] });
    // It waits for an hour, so the server does not run it.
    const system = { id: newId(), kind: 'clearStamps', cursor: 'more' };
    const hour = Date.now() + 3_600_000;
    await createJobs({ dynamo }).add({ ...system, about: {}, runAt: hour });
    const person = await createPersonJobs({ dynamo, now: () => hour }).add(newId(), {
      kind: 'unknown',
      about: {},
      total: 10,
    });
    const id = `${person.user}:${person.id}`;
    const { lines } = await jobs('list');
    expect(lines).toEqual([
      expect.objectContaining({ id: system.id, kind: 'clearStamps', state: 'QUEUED', done: 0 }),
      expect.objectContaining({ id, kind: 'unknown', state: 'QUEUED', done: 0, total: 10 }),
    ]);
    expect((await jobs('pause', id)).lines).toMatchObject([{ id, state: 'PAUSED' }]);
    expect((await jobs('resume', id)).lines).toMatchObject([{ id, state: 'QUEUED' }]);
    for (const one of [id, system.id]) {
      expect((await jobs('cancel', one)).lines).toMatchObject([{ id: one, state: 'CANCELLED' }]);
    }
    expect((await jobs('watch', id)).lines).toMatchObject([{ id, state: 'CANCELLED' }]);
    expect((await jobs()).lines).toEqual([]);
    expect((await jobs('list', '--ended')).lines).toHaveLength(2);
    for (const args of [
      ['pause'],
      ['stop', id],
      ['list', id],
      ['pause', 'A#b'],
      ['list', '--limit', '0'],
      ['cancel', 'x'],
    ]) {
      const refused = await jobs(...args);
      expect([refused.code, refused.lines]).toEqual([1, []]);
      expect(refused.stderr).not.toContain('    at ');
    }
    for (const one of ['pause', 'watch'])
      expect((await jobs(one, 'x')).stderr).toBe(
        'There is no job x. A job of the system is deleted when it is done; `list` prints the others.\n',
      );
  });
});

describe('npm run jobs, without a server', () => {
  test('jobs: watch is refused, because nothing would happen and no server could start; the others work', async () => {
    const DATA_DIR = await temporaryDirectory();
    const { app } = await serve(DATA_DIR);
    await app.stop();
    const forgotten = await command('forget', ['aki'], { DATA_DIR });
    const [, id = ''] = /while a server runs: npm run -s jobs watch (\w+)\n$/.exec(forgotten.stdout) ?? [];
    expect(await command('jobs', ['watch', id], { DATA_DIR })).toEqual({
      code: 1,
      stdout: '',
      stderr: `No server uses the database in ${DATA_DIR}, so nothing happens there. Start one: it runs the jobs.\n`,
    });
    expect(JSON.parse((await command('jobs', ['pause', id], { DATA_DIR })).stdout)).toMatchObject({
      id,
      state: 'PAUSED',
    });
    const { stderr } = await command('jobs', ['watch', id], { DATA_DIR: join(DATA_DIR, 'none') });
    expect(stderr).toMatch(/^There is no database in /);
  });
});

describe('npm run timers', () => {
  test('timers: lists those that failed for good while a server runs, without what they are about', async () => {
    const DATA_DIR = await temporaryDirectory();
    const { dynamo } = await serve(DATA_DIR);
    const timers = (...args: string[]) => command('timers', args, { DATA_DIR });
    expect(await timers()).toMatchObject({ code: 0, stdout: '', stderr: 'There are none.\n' });
    const failed = (id: string, setFor: number): Timer => ({
      id,
      kind: 'REMINDER',
      owner: 'user',
      due: setFor + 90_000_000,
      about: { text: 'a secret' },
      failures: { count: 40, since: setFor, setFor, error: 'TypeError: it is broken' },
    });
    for (const timer of [failed('second', 2_000), failed('first', 1_000)])
      await dynamo.put({ ...timerItem(timer), ...keys.failedTimer(timer.due, timer.id) });
    const { code, stdout } = await timers();
    expect(code).toBe(0);
    const first = {
      id: 'first',
      kind: 'REMINDER',
      owner: 'user',
      due: '1970-01-01T00:00:01.000Z',
      failedSince: '1970-01-01T00:00:01.000Z',
      attempts: 40,
      error: 'TypeError: it is broken',
    };
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([first, expect.objectContaining({ id: 'second' })]);
    expect((await timers('--limit', '1')).stdout.trim()).toBe(JSON.stringify(first));
    for (const args of [['--limit', '0'], ['list'], ['--limit', 'all']]) {
      const refused = await timers(...args);
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).not.toContain('    at ');
    }
  });
});

describe('npm run revoke', () => {
  test('revoke: makes a running server refuse the tokens, and reports wrong arguments in one line', async () => {
    const DATA_DIR = await temporaryDirectory();
    const { url, tokens } = await serve(DATA_DIR);
    const [aki, ben] = tokens.map(({ token }) => token);
    const status = async (token = '') => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const body = JSON.stringify({ query: '{ viewer { id } }' });
      return (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).status;
    };
    expect([await status(aki), await status(ben)]).toEqual([200, 200]);
    const misspelt = await command('revoke', ['--sub', 'akii'], { DATA_DIR });
    expect([misspelt.code, misspelt.stdout, misspelt.stderr]).toEqual([
      0,
      expect.stringMatching(/^Tokens of "akii" issued until \S+Z are refused .*\(revocation 1\)\.\n$/),
      'No user has this subject yet. If someone should have it, compare the spelling with their tokens.\n',
    ]);
    const { code, stdout, stderr } = await command('revoke', ['--sub', 'aki'], { DATA_DIR });
    expect([code, stderr, stdout]).toEqual([
      0,
      '',
      expect.stringMatching(
        /^Tokens of "aki" issued until \S+Z are refused for 400 days \(revocation 2\)\.\n$/,
      ),
    ]);
    await eventually(async () => expect(await status(aki)).toBe(401));
    expect(await status(ben)).toBe(200);
    for (const args of [
      ['--sub', 'aki', '--jti', 'x'],
      ['--sub', 'x', '--days', '0'],
    ]) {
      const refused = await command('revoke', args, { DATA_DIR });
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toMatch(/^[^\n]+\n$/);
    }
  });
});

describe('npm run table', () => {
  test('table: compares the table of a running server, and says what is missing in one line', async () => {
    const DATA_DIR = await temporaryDirectory();
    const missing = await command('table', [], { DATA_DIR });
    expect([missing.code, missing.stderr]).toEqual([
      1,
      expect.stringMatching(/^There is no database in .*\n$/),
    ]);
    await serve(DATA_DIR);
    const whole = { code: 0, stdout: 'The table tsudoi has what this release needs.\n', stderr: '' };
    expect(await command('table', [], { DATA_DIR })).toEqual(whole);
    expect(await command('table', ['--add'], { DATA_DIR })).toEqual(whole);
    const other = await command('table', [], { DATA_DIR, TABLE_NAME: 'other' });
    expect(other).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no table other. Set TABLE_NAME to an existing one.\n',
    });
  });
});
