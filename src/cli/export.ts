import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { openForCommand } from '../app/commandDatabase.ts';
import { loadConfig } from '../config.ts';
import { createLog } from '../core/log.ts';
import { createDynamo } from '../dynamo/dynamo.ts';
import { exportRoom, type RoomExport, roomIdIn } from '../export/export.ts';
import { type Progress, showProgress } from './command/progress.ts';
import { Refusal, run, Usage } from './command/run.ts';

const USAGE = `Usage: npm run -s export -- --room <id> [--out <file>]
  --room ID     the room's id in the API
  --out FILE    the file to write; default: standard output
Writes one line of JSON for the room and one for each thread, with its stamps and replies in order.`;

/** Writes a whole room, for backups, for moving away, and for users who ask for their data. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      room: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) throw new Usage(USAGE);
  if (values.room === undefined) throw new Refusal(USAGE);
  const id = roomIdIn(values.room);
  const log = createLog({ level: 'warn', pretty: process.stderr.isTTY === true });
  const database = await openForCommand(loadConfig(process.env), log, { create: false });
  try {
    let progress: Progress | undefined;
    const dynamo = createDynamo(database);
    const options = { dynamo, now: Date.now(), onThread: () => progress?.add(1) };
    const found = id === null ? null : await exportRoom(id, options);
    if (found === null)
      throw new Refusal(`There is no room ${values.room}. A room's id is in its address in the web client.`);
    progress = showProgress({ what: 'threads', total: found.threads, elsewhere: 'nothing' });
    try {
      await (values.out === undefined ? write(found, process.stdout) : writeFile(found, values.out));
    } finally {
      progress.stop();
    }
  } finally {
    await database.close();
  }
}

/** The file exists only once it is complete. */
async function writeFile(found: RoomExport, path: string): Promise<void> {
  const part = `${path}.part`;
  const file = createWriteStream(part, { mode: 0o600 });
  try {
    await once(file, 'open');
    await write(found, file);
    file.end();
    await once(file, 'close');
    await rename(part, path);
  } catch (error) {
    file.destroy();
    await rm(part, { force: true });
    throw refusedByTheSystem(error) ? new Refusal(`${path} cannot be written: ${error.message}`) : error;
  }
}

/** Waits for a slow reader. Ends if the reader has closed its end (`… | head`). */
async function write(found: RoomExport, to: Writable): Promise<void> {
  let writeError: Error | undefined;
  to.on('error', (error) => {
    writeError = error;
  });
  for await (const piece of found.text()) {
    if (writeError === undefined && !to.write(piece)) await once(to, 'drain').catch(() => {});
    if (writeError !== undefined) break;
  }
  if (writeError !== undefined && !('code' in writeError && writeError.code === 'EPIPE')) throw writeError;
}

const refusedByTheSystem = (error: unknown): error is Error => error instanceof Error && 'syscall' in error;

await run(main);
