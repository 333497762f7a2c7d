import { access, constants } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type CommandDatabase, NoDatabase, openForCommand } from '../app/commandDatabase.ts';
import { NoTable } from '../app/database.ts';
import { type Config, loadConfig } from '../config.ts';
import { fileReason } from '../core/fileErrors.ts';
import { createLog, type Log } from '../core/log.ts';
import { createDynamo, type Dynamo } from '../dynamo/dynamo.ts';
import { roomIdIn } from '../export/export.ts';
import { discardImport } from '../import/discard.ts';
import { type ImportOptions, type Plan, runImport } from '../import/import.ts';
import { ImportRunning } from '../import/lock.ts';
import { ImportStopped, LineProblem, NotImportable } from '../import/problems.ts';
import { type ReaderOptions, readerOf } from '../import/reader.ts';
import { type Progress, showProgress } from './command/progress.ts';
import { Refusal, run, Usage } from './command/run.ts';

const USAGE = `Usage: npm run -s import -- FILE [options]
  FILE             what \`npm run export\` wrote; the flat form: NDJSON or CSV with a row for each message
                   (id, roomId, createdAt, userId, text, replyToId, deletedAt); or a Slack export: a folder or zip
  --dry-run        only checks the file, and says what would be written
  --rate N         write units a second; default: 1,000, or no limit for the embedded database
  --discard ROOM   instead of FILE: gives up an import of this room that was ended and will not be continued
  --unread         add messages to rooms that have members, which are unread for these
Of the flat form and Slack:
  --people FILE    people: id, displayName, handle, subject (of the person's tokens)
  --rooms FILE     rooms to make: id, name, topic, visibility, createdAt, owner, members
  --create PRIVATE make rooms and people that are not known; or PUBLIC
  --source NAME    the system that it comes from; default: flat, or slack
Writes rooms with their messages, stamps, likes and members. No one is notified. Continues a run that was ended, and
changes nothing if it is repeated. If anything in the file is wrong, lists that by line and writes nothing: exit code 1.
docs/import.md describes the formats.`;

const RATE = 1_000;
const RATE_MAX = 1_000_000;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      rate: { type: 'string' },
      unread: { type: 'boolean', default: false },
      people: { type: 'string' },
      rooms: { type: 'string' },
      create: { type: 'string' },
      source: { type: 'string' },
      discard: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [path, ...more] = positionals;
  if (values.help) throw new Usage(USAGE);
  const { discard } = values;
  // Either a file, or a room alone.
  if (more.length > 0 || (path === undefined) !== (discard !== undefined)) throw new Refusal(USAGE);
  const config = loadConfig(process.env);
  const isEmbedded = config.dynamodb.kind === 'embedded';
  const log = createLog({ level: 'warn', pretty: process.stderr.isTTY === true });
  const rate = values.rate === undefined ? (isEmbedded ? undefined : RATE) : rateIn(values.rate);
  const { people, rooms, source, create } = values;
  const form = { people, rooms, source, create: visibilityIn(create) };
  // Before anything is created: a table that exists has no demo.
  for (const file of [path, people, rooms]) await readable(file);
  const dryRun = values['dry-run'];
  const database = await open(config, log, { dryRun, discard });
  try {
    const dynamo = createDynamo(database);
    if (path === undefined) return await discardIn(dynamo, discard ?? '');
    await importInto({
      dynamo,
      by: isEmbedded ? 'transactions' : 'batches',
      rate,
      read: await readerOf({ path, ...form, dynamo, now: Date.now() }).catch((error: unknown) => {
        throw asRefusal(error);
      }),
      unread: values.unread,
      dryRun,
      now: Date.now,
    });
  } finally {
    await database.close();
  }
}

interface OpenOptions {
  readonly dryRun: boolean;
  readonly discard: string | undefined;
}

async function open(config: Config, log: Log, { dryRun, discard }: OpenOptions): Promise<CommandDatabase> {
  // On AWS, a wrong name would make a table.
  const create = config.dynamodb.kind !== 'aws' && !dryRun && discard === undefined;
  return openForCommand(config, log, { create }).catch((error: unknown) => {
    const isMissing = error instanceof NoTable || error instanceof NoDatabase;
    throw dryRun && isMissing ? new Refusal(`${error.message} ${NOT_DRY}`) : error;
  });
}

const NOT_DRY = '--dry-run compares the file with a table and creates none: a server does when it starts.';

/** Throws `Refusal` if there is a name and no such file, or if this user may not read it. */
async function readable(file: string | undefined): Promise<void> {
  if (file === undefined) return;
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw asRefusal(error);
  });
}

const WAITING = 'An import that did not end holds the table; waiting up to 10 s for it…\n';

async function discardIn(dynamo: Dynamo, text: string): Promise<void> {
  const room = roomIdIn(text);
  if (room === null) throw new Refusal('--discard must be the id of a room.');
  const onWait = () => void process.stderr.write(WAITING);
  const outcome = await discardImport({ dynamo, room, now: Date.now, onWait }).catch((error: unknown) => {
    throw asRefusal(error);
  });
  process.stdout.write(`${JSON.stringify({ discarded: outcome })}\n`);
}

function rateIn(text: string): number {
  const rate = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (rate < 1 || rate > RATE_MAX) throw new Refusal(`--rate must be a whole number from 1 to ${RATE_MAX}.`);
  return rate;
}

function visibilityIn(text: string | undefined): ReaderOptions['create'] {
  if (text === undefined || text === 'PUBLIC' || text === 'PRIVATE') return text;
  throw new Refusal('--create must be PUBLIC or PRIVATE: who may see the rooms that are made.');
}

async function importInto(options: Omit<ImportOptions, 'onPlan' | 'onMessages' | 'onWait'>): Promise<void> {
  let progress: Progress | undefined;
  const start = performance.now();
  try {
    const plan = await runImport({
      ...options,
      onWait: () => process.stderr.write(WAITING),
      onPlan({ messages }) {
        progress = showProgress({ what: 'messages', total: messages, elsewhere: 'json' });
      },
      onMessages: (count) => progress?.add(count),
    });
    progress?.stop();
    const seconds = (performance.now() - start) / 1_000;
    process.stdout.write(`${JSON.stringify(resultOf(plan, options.dryRun === true, seconds))}\n`);
  } catch (error) {
    throw asRefusal(error);
  } finally {
    progress?.stop();
  }
}

const resultOf = (plan: Plan, dryRun: boolean, seconds: number) =>
  dryRun
    ? { dryRun, ...plan }
    : {
        ...plan,
        seconds: Number(seconds.toFixed(1)),
        messagesPerSecond: Math.round(plan.newMessages / seconds),
      };

function asRefusal(error: unknown): unknown {
  if (error instanceof NotImportable) {
    const { count, problems } = error;
    const more = count > problems.length ? [`… and ${count - problems.length} more.`] : [];
    return new Refusal([error.message, ...more, 'Nothing was written.'].join('\n'));
  }
  if ([ImportRunning, ImportStopped, LineProblem].some((one) => error instanceof one)) {
    return new Refusal((error as Error).message);
  }
  const reason = fileReason(error);
  const isOfFile = error instanceof Error && 'path' in error && reason !== undefined;
  if (!isOfFile) return error;
  return new Refusal(
    error.path === '' ? 'The name of a file is empty.' : `${error.path} cannot be used: ${reason}.`,
  );
}

await run(main);
