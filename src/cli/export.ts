import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { openForCommand } from '../app/commandDatabase.ts';
import { type Config, loadConfig } from '../config.ts';
import { createLog } from '../core/log.ts';
import { createDynamo, type Dynamo } from '../dynamo/dynamo.ts';
import { exportRoom, type RoomExport, roomIdIn } from '../export/export.ts';
import { exportSaved, type SavedExport, type SavedExportOptions } from '../export/saved.ts';
import type { SavedFormat } from '../export/savedFormats.ts';
import { outFile, type WriteOut } from './command/outFile.ts';
import { type Progress, showProgress } from './command/progress.ts';
import { Refusal, run, Usage } from './command/run.ts';
import { userNamed } from './command/userNamed.ts';

const USAGE = `Usage: npm run -s export -- --room <id> | --saved USER [--format html] [--out <file>]
  --room ID      the room's id in the API
  --saved USER   instead: what a user has saved; USER is a handle, or an id as the API has it (User.id)
  --format HOW   of what was saved: jsonl, with everything, or html, bookmarks for browsers; default: jsonl
  --out FILE     the file to write; default: standard output
Of a room: one line of JSON for the room, one for each member and each ban, and one for each thread, with its likes, stamps
and replies in order (docs/import.md). With --saved: a line for each saved message with its note, tags and reminder, as the
user sees it, newest first. PUBLIC_URL is where its links lead.`;

/**
 * Writes a whole room, or what a user has saved: for backups, for moving away, and for users who ask for their data.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      room: { type: 'string' },
      saved: { type: 'string' },
      format: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) throw new Usage(USAGE);
  const { room, saved, out } = values;
  if ((room === undefined) === (saved === undefined)) throw new Refusal(USAGE);
  if (room !== undefined && values.format !== undefined)
    throw new Refusal('--format can be combined with --saved only.');
  const format = formatIn(values.format ?? 'jsonl');
  const config = loadConfig(process.env);
  const writeOut: WriteOut = out === undefined ? (fill) => fill(process.stdout) : await outFile(out);
  const log = createLog({ level: 'warn', pretty: process.stderr.isTTY === true });
  const database = await openForCommand(config, log, { create: false });
  try {
    const dynamo = createDynamo(database);
    await (room !== undefined
      ? writeRoom(dynamo, room, writeOut)
      : writeSaved(dynamo, saved ?? '', { format, origin: originOf(config), writeOut }));
  } finally {
    await database.close();
  }
}

function formatIn(text: string): SavedFormat {
  if (text === 'jsonl' || text === 'html') return text;
  throw new Refusal('--format must be jsonl or html.');
}

const originOf = ({ publicUrl, port }: Config): string => publicUrl ?? `http://127.0.0.1:${port}`;

async function writeRoom(dynamo: Dynamo, text: string, writeOut: WriteOut): Promise<void> {
  const id = roomIdIn(text);
  let progress: Progress | undefined;
  const options = { dynamo, now: Date.now(), onThread: () => progress?.add(1) };
  const found = id === null ? null : await exportRoom(id, options);
  if (found === null)
    throw new Refusal(`There is no room ${text}. A room's id is in its address in the web client.`);
  progress = showProgress({ what: 'threads', total: found.threads, elsewhere: 'nothing' });
  await writeTo(writeOut, found, progress);
}

interface SavedOptions extends Pick<SavedExportOptions, 'format' | 'origin'> {
  readonly writeOut: WriteOut;
}

async function writeSaved(
  dynamo: Dynamo,
  name: string,
  { writeOut, ...options }: SavedOptions,
): Promise<void> {
  const user = await userNamed(dynamo, name);
  let progress: Progress | undefined;
  const onSaved = (count: number) => progress?.add(count);
  const found = user === undefined ? null : await exportSaved(user, { dynamo, ...options, onSaved });
  if (found === null) throw new Refusal(`There is no user ${name}. Use a handle, or an id of the API.`);
  progress = showProgress({ what: 'saved messages', total: found.total, elsewhere: 'nothing' });
  await writeTo(writeOut, found, progress);
}

type Exported = Pick<RoomExport | SavedExport, 'text'>;

async function writeTo(writeOut: WriteOut, found: Exported, progress: Progress): Promise<void> {
  try {
    await writeOut((to) => write(found, to));
  } finally {
    progress.stop();
  }
}

/** Waits for a slow reader. Ends if the reader has closed its end (`… | head`). */
async function write(found: Exported, to: Writable): Promise<void> {
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

await run(main);
