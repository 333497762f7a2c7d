import { parseArgs } from 'node:util';
import { openForCommand } from '../app/commandDatabase.ts';
import { createCommandRepair } from '../app/commandServices.ts';
import { audits } from '../app/counters.ts';
import { createNotifying } from '../app/notificationPipeline.ts';
import { loadConfig } from '../config.ts';
import { createLog } from '../core/log.ts';
import { createDynamo } from '../dynamo/dynamo.ts';
import { backfillNotifications } from '../notifications/derive/backfill.ts';
import { type Difference, type Recounted, recount } from '../verify/recount.ts';
import { showProgress } from './command/progress.ts';
import { Refusal, run, Usage } from './command/run.ts';

const USAGE = `Usage: npm run -s repair [-- --dry-run | --forgotten]
  --dry-run     only say what differs
  --forgotten   before that, make good what stream records would have led to that nobody has read, or that a
                Lambda function has given up; every room's readers are told to read it again
Counts everything afresh from the items themselves (members, positions, replies, likes, stamps, notifications,
badges), says what differs from what the table says of itself, and mends it, while the system serves. Tells
people of likes, replies, mentions and stamps that nobody told them of (not with --dry-run).`;

/** Holds the table to its own numbers. Exit code 1 where something differs and was not mended. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      forgotten: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) throw new Usage(USAGE);
  if (values.forgotten && values['dry-run']) throw new Refusal(USAGE);
  const log = createLog({ level: 'warn', pretty: process.stderr.isTTY === true });
  const config = loadConfig(process.env);
  const { notificationRetention: retention } = config;
  const database = await openForCommand(config, log, { create: false });
  try {
    const dynamo = createDynamo(database);
    if (values.forgotten) await createCommandRepair({ dynamo, log, retention })(new AbortController().signal);
    const progress = showProgress({ what: 'items read', elsewhere: 'nothing' });
    const mend = !values['dry-run'];
    const options = { dynamo, onItem: () => progress.add(1) };
    try {
      const terms = { dynamo, retention, now: Date.now };
      const missed = mend
        ? await backfillNotifications({ ...options, ...terms, ...createNotifying(terms) })
        : 0;
      const found = await recount({ ...options, audits, mend });
      progress.stop();
      process.stdout.write(`${[...found.differences.map(lineOf), summaryOf(found, missed)].join('\n')}\n`);
      if (!found.differences.every(({ mended }) => mended)) process.exitCode = 1;
    } finally {
      progress.stop();
    }
  } finally {
    await database.close();
  }
}

/** As JSON, a line for each. */
const lineOf = ({ what, key, said, counted, mended }: Difference): string =>
  JSON.stringify({ what, ...key, said, counted, mended });

function summaryOf({ differences, unsettled }: Recounted, missed: number): string {
  const mended = differences.filter((one) => one.mended).length;
  const changing = unsettled.length === 0 ? '' : `, ${unsettled.length} changed each time they were counted`;
  const told = missed === 0 ? '' : `, ${missed} notifications were missing`;
  return `${differences.length} differed, ${mended} mended${told}${changing}`;
}

await run(main);
