/** The command as an operator runs it: a process beside a server. */
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { identitiesOf } from '../../src/import/identities.ts';
import { runImport } from '../../src/import/import.ts';
import { readerOf } from '../../src/import/reader.ts';
import { programFile } from '../support/builds/build.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { dump, itemsIn } from '../support/database/table.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { createHandled } from '../support/servers/handled.ts';
import { commandResult, runProgram } from '../support/servers/program.ts';
import { eventually } from '../support/time/eventually.ts';
import { recount } from '../verify/support/recount.ts';
import { exported, fileOf } from './support/files.ts';

const { room: roomId, person } = identitiesOf('flat');

/** A server with a database of its own, and the command for it. */
async function serve() {
  const DATA_DIR = await temporaryDirectory();
  const { wrapDispatcher, quiet } = createHandled();
  const app = createApp(loadConfig({ DATA_DIR, PORT: '0' }), pino({ level: 'silent' }), { wrapDispatcher });
  onTestFinished(() => app.stop());
  const { dynamo } = await app.start();
  const file = await programFile('cli/import');

  async function begin(...args: string[]) {
    const program = await runProgram({ command: [process.execPath, file, ...args], env: { DATA_DIR } });
    onTestFinished(() => program.stop());
    return program;
  }
  async function run(...args: string[]) {
    const program = await begin(...args);
    return commandResult(program);
  }
  return { dynamo, begin, run, quiet: () => quiet(dynamo) };
}

const rowsOf = (room: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `m${i}`,
    roomId: room,
    userId: `u${i % 3}`,
    text: `Number ${i}`,
    createdAt: new Date(1_700_000_000_000 + i).toISOString(),
    ...(i % 4 === 0 ? {} : { replyToId: `m${i - (i % 4)}` }),
  }));

const linesOf = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join('\n');

const resultOf = (stdout: string) => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');

/** The room after one run. */
async function inOneRun(path: string, room: string): Promise<string> {
  const { dynamo, stop } = await openTestDynamo();
  onTestFinished(() => stop());
  const given = { people: undefined, rooms: undefined, source: undefined, create: 'PUBLIC' as const };
  const read = await readerOf({ path, dynamo, now: Date.now(), ...given });
  await runImport({ dynamo, read, by: 'transactions', now: Date.now });
  return exported(dynamo, room);
}

const rootsIn = (dynamo: Dynamo, room: string) => itemsIn(dynamo, ranges.roots(room));

test('import: prints what is wrong by line, and writes nothing', async () => {
  const { dynamo, run } = await serve();
  const [first, second, third, last] = rowsOf('wrong', 4).map((row) => JSON.stringify(row));
  const path = await fileOf(
    [first, '{"id":', second, third?.replace('2023-', '2999-'), last].join('\n'),
    'broken.ndjson',
  );
  const { code, stdout, stderr } = await run(path, '--create', 'PUBLIC');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr.trimEnd().split('\n')).toEqual([
    'broken.ndjson:2: It is not JSON.',
    'broken.ndjson:4: `createdAt` must not be in the future.',
    'Nothing was written.',
  ]);
  const written = [keys.room(roomId('wrong')), keys.roomImport(roomId('wrong')), keys.user(person('u0'))];
  expect(await dynamo.batchGet(written)).toEqual([undefined, undefined, undefined]);
  expect(await rootsIn(dynamo, roomId('wrong'))).toEqual([]);
});

test('import: keeps to a rate, and refuses one that is not a number', async () => {
  const { dynamo, run } = await serve();
  const path = await fileOf(linesOf(rowsOf('slow', 60)));
  for (const rate of ['0', '1.5', 'fast', '1000001']) {
    expect(await run(path, '--create', 'PUBLIC', '--rate', rate)).toEqual({
      code: 1,
      stdout: '',
      stderr: '--rate must be a whole number from 1 to 1000000.\n',
    });
  }
  expect(await dynamo.get(keys.room(roomId('slow')))).toBeUndefined();
  const { code, stdout } = await run(path, '--create', 'PUBLIC', '--rate', '60');
  expect(code).toBe(0);
  // Two units for each message in a transaction: the second sixty are paid a second after the first, and the room after
  // these.
  expect(resultOf(stdout)).toMatchObject({ messages: 60, newMessages: 60, newRooms: 1 });
  expect(resultOf(stdout).seconds).toBeGreaterThanOrEqual(1.8);
});

test('import: killed in between, it is completed by the next run, or given up', async () => {
  const { dynamo, begin, run, quiet } = await serve();
  const room = roomId('killed');
  const id = encodeId('Room', room);
  const path = await fileOf(linesOf(rowsOf('killed', 600)));

  /** The messages alone would take a minute at this rate. */
  async function killedInBetween(): Promise<void> {
    const program = await begin(path, '--create', 'PUBLIC', '--rate', '20');
    await eventually(async () => expect((await rootsIn(dynamo, room)).length).toBeGreaterThan(0));
    program.signal('SIGKILL');
    expect(await program.ended).toMatchObject({ signal: 'SIGKILL' });
    expect((await rootsIn(dynamo, room)).length).toBeLessThan(150);
    expect(await dynamo.get(keys.room(room))).toBeUndefined();
    expect(await dynamo.get(keys.roomImport(room))).toBeDefined();
  }

  await killedInBetween();
  const discarded = await run('--discard', id);
  expect([discarded.code, discarded.stdout]).toEqual([0, '{"discarded":"REMOVED"}\n']);
  // The server's job for the same may still be doing its last step.
  await quiet();
  expect([...(await dump(dynamo)).keys()].filter((key) => key.includes(room))).toEqual([]);
  expect((await run('--discard', id)).stdout).toBe('{"discarded":"NONE"}\n');
  expect(await run('--discard', encodeId('User', room))).toEqual({
    code: 1,
    stdout: '',
    stderr: '--discard must be the id of a room.\n',
  });

  await killedInBetween();
  const completed = await run(path, '--create', 'PUBLIC');
  expect([completed.code, resultOf(completed.stdout)]).toMatchObject([0, { newRooms: 1, messages: 600 }]);
  expect(completed.stderr).toContain('An import that did not end holds the table');
  expect(await exported(dynamo, room)).toBe(await inOneRun(path, room));
  expect(await dynamo.get(keys.roomImport(room))).toBeUndefined();
  expect(resultOf((await run(path, '--create', 'PUBLIC')).stdout)).toMatchObject({
    newRooms: 0,
    newMessages: 0,
    messages: 600,
  });
  await quiet();
  expect(await recount(dynamo)).toEqual([]);
});
