import { parseArgs } from 'node:util';
import { openForCommand } from '../app/commandDatabase.ts';
import { loadConfig } from '../config.ts';
import { createLog } from '../core/log.ts';
import { createDynamo } from '../dynamo/dynamo.ts';
import { failedTimers } from '../timers/failed.ts';
import type { Timer } from '../timers/timer.ts';
import { limitOf } from './command/limit.ts';
import { run, Usage } from './command/run.ts';

const USAGE = `Usage: npm run -s timers [-- --limit 100]
Prints a line for each timer that failed for a day and is not tried again, the oldest first; of JSON, unless the
output is a terminal. They are kept for 30 days.
  --limit          how many are printed, 1 to 1000
Works while servers run.`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      limit: { type: 'string', default: '100' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) throw new Usage(USAGE);
  const limit = limitOf(values.limit);
  const log = createLog({ level: 'warn', pretty: process.stderr.isTTY === true });
  const database = await openForCommand(loadConfig(process.env), log, { create: false });
  try {
    const timers = await failedTimers(createDynamo(database), limit);
    for (const timer of timers) print(timer);
    if (timers.length === 0) process.stderr.write('There are none.\n');
  } finally {
    await database.close();
  }
}

/** `about` is left out: it may have what a user has written. */
function print({ id, kind, owner, due, failures }: Timer): void {
  const line = {
    id,
    kind,
    owner,
    due: new Date(failures?.setFor ?? due),
    ...(failures && {
      failedSince: new Date(failures.since),
      attempts: failures.count,
      error: failures.error,
    }),
  };
  const isTerminal = process.stdout.isTTY === true;
  const words = [id.padEnd(40), kind.padEnd(16), line.due.toISOString(), failures?.error ?? ''];
  process.stdout.write(isTerminal ? `${words.join(' ')}\n` : `${JSON.stringify(line)}\n`);
}

await run(main);
