import { parseArgs } from 'node:util';
import { openForCommand } from '../app/commandDatabase.ts';
import { loadConfig } from '../config.ts';
import { sleep, systemClock } from '../core/clock.ts';
import { defined } from '../core/defined.ts';
import { TsudoiError } from '../core/errors.ts';
import { createLog } from '../core/log.ts';
import { createDynamo } from '../dynamo/dynamo.ts';
import { createJobControl, type JobControl } from '../jobs/control.ts';
import {
  ENDED_STATES,
  type Job,
  type JobState,
  nameOfJob,
  OPEN_STATES,
  refOfName,
  remainingSeconds,
} from '../jobs/job.ts';
import { limitOf } from './command/limit.ts';
import { showProgress } from './command/progress.ts';
import { Refusal, run, Usage } from './command/run.ts';
import { watchJob } from './command/watchJob.ts';

const USAGE = `Usage: npm run -s jobs [-- COMMAND] [--limit 100]
  list             open jobs and those that have failed, oldest first; the default. A new job is in the list once
                   the stream's consumer has seen it
  list --ended     jobs that were done, failed or cancelled in the last seven days (of the system's, only the
                   last two)
  watch ID         a progress bar until the job has ended
  pause ID         no further step begins until it is resumed
  resume ID
  cancel ID        for good: what is done stays done, the rest is left out
  --limit          how many jobs of each state are listed, 1 to 1000
Prints a line for each job; of JSON, unless the output is a terminal. Works while servers run; watch needs one.`;

const COMMANDS = ['pause', 'resume', 'cancel'] as const;
const WATCH_EVERY_MS = 1_000;
const BAR = 20;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ended: { type: 'boolean', default: false },
      limit: { type: 'string', default: '100' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const [command = 'list', name, ...more] = positionals;
  if (values.help) throw new Usage(USAGE);
  const limit = limitOf(values.limit);
  const isKnown = command === 'list' || command === 'watch' || COMMANDS.some((one) => one === command);
  if (!isKnown || more.length > 0 || (name === undefined) !== (command === 'list')) throw new Refusal(USAGE);
  const log = createLog({ level: 'warn', pretty: process.stderr.isTTY === true });
  const needsServer = command === 'watch';
  const database = await openForCommand(loadConfig(process.env), log, { create: false, needsServer });
  try {
    const control = createJobControl({ dynamo: createDynamo(database), now: Date.now });
    if (name === undefined)
      await list(control, values.ended ? ENDED_STATES : [...OPEN_STATES, 'FAILED'], limit);
    else if (command === 'watch') await watch(control, name);
    else print(await change(control, command as (typeof COMMANDS)[number], name));
  } finally {
    await database.close();
  }
}

/** Ids have letters and digits only, so no other text can name an item. */
function refOf(name: string) {
  if (!/^[0-9a-z]{1,64}(:[0-9a-z]{1,64})?$/.test(name))
    throw new Refusal('A job’s id is as `list` prints it.');
  return refOfName(name);
}

const noJob = (name: string) =>
  new Refusal(
    `There is no job ${name}. A job of the system is deleted when it is done; \`list\` prints the others.`,
  );

const change = (control: JobControl, command: (typeof COMMANDS)[number], name: string): Promise<Job> =>
  control[command](refOf(name)).catch((error: unknown) => {
    throw error instanceof TsudoiError && error.code === 'NOT_FOUND' ? noJob(name) : error;
  });

async function list(control: JobControl, states: readonly JobState[], limit: number): Promise<void> {
  const found = await Promise.all(states.map((state) => control.list(state, limit)));
  const jobs = found.flat().sort((a, b) => a.createdAt - b.createdAt);
  for (const job of jobs) print(job);
  if (jobs.length === 0) process.stderr.write('There are none.\n');
}

async function watch(control: JobControl, name: string): Promise<void> {
  const ref = refOf(name);
  const job = await control.find(ref);
  if (job === undefined) throw noJob(name);
  const { total } = job;
  const progress = showProgress({
    ...defined({ total }),
    what: total === undefined ? 'steps' : 'done',
    elsewhere: 'lines',
  });
  const next = async (known: Job): Promise<Job> => {
    await sleep(systemClock, WATCH_EVERY_MS);
    return (await control.find(ref)) ?? { ...known, state: 'DONE' };
  };
  const last = await watchJob(job, { next, progress }).finally(() => progress.stop());
  print(last);
}

function print(job: Job): void {
  const { kind, state, done, total, failure, createdAt } = job;
  const left = remainingSeconds(job, Date.now());
  const id = nameOfJob(job);
  if (process.stdout.isTTY !== true) {
    const line = {
      id,
      kind,
      state,
      done,
      total,
      remainingSeconds: left,
      failure,
      createdAt: new Date(createdAt),
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
    return;
  }
  const filled = total === undefined ? 0 : Math.round((BAR * Math.min(done, total)) / Math.max(1, total));
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${done} of ${total}`;
  const words = [
    ...[id.padEnd(34), kind.padEnd(18), state.padEnd(9), total === undefined ? `${done} steps` : bar],
    ...(left === null ? [] : [`${left} s left`]),
    ...(failure === undefined ? [] : [failure]),
  ];
  process.stdout.write(`${words.join(' ')}\n`);
}

await run(main);
