import { parseArgs } from 'node:util';
import { openForCommand } from '../app/commandDatabase.ts';
import { createCommandRebuild } from '../app/commandServices.ts';
import { counters } from '../app/features.ts';
import { loadConfig } from '../config.ts';
import { createLog } from '../core/log.ts';
import { createDynamo } from '../dynamo/dynamo.ts';
import { backfillNotifications } from '../notifications/derive/backfill.ts';
import { type Difference, type Verified, verify } from '../verify/verify.ts';
import { showProgress } from './command/progress.ts';
import { Refusal, run, Usage } from './command/run.ts';

const USAGE = `Usage: npm run -s repair [-- --dry-run | --forgotten]
  --dry-run     only report differences
  --forgotten   also process changes that never reached a consumer (trimmed stream records, failed Lambda
                batches); clients then reload every open room
Counts every stored number again from the items themselves (docs/operations.md lists them), reports those that
differ, and fixes them, while the system serves requests. Makes the notifications of likes, replies, mentions
and stamps that are missing (not with --dry-run).`;

/** Verifies the table's numbers. Exit code 1 if a number differs and was not fixed. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      forgotten: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) throw new Usage(USAGE);
  if (values.forgotten && values['dry-run'])
    throw new Refusal('--dry-run and --forgotten exclude each other.');
  const log = createLog({ level: 'warn', pretty: process.stderr.isTTY === true });
  const config = loadConfig(process.env);
  const { notificationRetention: retention } = config;
  const database = await openForCommand(config, log, { create: false });
  try {
    const dynamo = createDynamo(database);
    const progress = showProgress({ what: 'items read', elsewhere: 'nothing' });
    const fix = !values['dry-run'];
    const options = { dynamo, onItem: () => progress.add(1) };

    /** Resolves to the number of missing notifications. A rebuild derives them as well. */
    async function derive(): Promise<number> {
      if (!fix) return 0;
      if (!values.forgotten) return backfillNotifications({ ...options, retention, now: Date.now });
      const rebuild = createCommandRebuild({ ...options, log, retention });
      return (await rebuild(new AbortController().signal)).notifications ?? 0;
    }

    try {
      const missed = await derive();
      const found = await verify({ ...options, counters, fix });
      progress.stop();
      process.stdout.write(`${[...found.differences.map(lineOf), summaryOf(found, missed)].join('\n')}\n`);
      if (!found.differences.every(({ fixed }) => fixed)) process.exitCode = 1;
    } finally {
      progress.stop();
    }
  } finally {
    await database.close();
  }
}

/** One line of JSON for each difference. */
const lineOf = ({ what, key, stored, counted, fixed }: Difference): string =>
  JSON.stringify({ what, ...key, stored, counted, fixed });

function summaryOf({ differences, stillChanging }: Verified, missed: number): string {
  const fixed = differences.filter((one) => one.fixed).length;
  const changing =
    stillChanging.length === 0 ? '' : `, ${stillChanging.length} changed each time they were counted`;
  const missing = missed === 0 ? '' : `, ${missed} notifications were missing`;
  return `${differences.length} differed, ${fixed} fixed${missing}${changing}`;
}

await run(main);
