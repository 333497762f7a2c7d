import { parseArgs } from 'node:util';
import { openForReshape } from '../app/commandDatabase.ts';
import type { Database } from '../app/database.ts';
import { outageError } from '../app/startError.ts';
import { type Config, loadConfig } from '../config.ts';
import { sleep, systemClock } from '../core/clock.ts';
import { defined } from '../core/defined.ts';
import { createDynamo } from '../dynamo/dynamo.ts';
import { countedItems } from '../dynamo/ensureTable.ts';
import { createJobControl } from '../jobs/control.ts';
import { type Heartbeat, nameOf } from '../reshape/heartbeats.ts';
import { SHAPE } from '../reshape/newestShape.ts';
import { planOf } from '../reshape/plan.ts';
import { createReshaping, type ReshapeStatus } from '../reshape/reshaping.ts';
import { readTableShape } from '../reshape/tableShape.ts';
import type { Waiting } from '../reshape/waiting.ts';
import { carryCommand } from './command/carry.ts';
import { createCommandLog } from './command/commandLog.ts';
import { isOutputClosed } from './command/outputs.ts';
import { showProgress } from './command/progress.ts';
import { reshapeCommand, type ShapeCommand } from './command/reshapeFlags.ts';
import { Refusal, run, Usage } from './command/run.ts';

const USAGE = `Usage: npm run -s reshape -- COMMAND
  plan [--rate N]          what the newest shape changes, and how long it takes and costs, by a sample of 16 MB
  start [--to SHAPE] [--rate N]
                           servers write the newest shape from now on, and a job converts what is there
  status [--watch]         how far it is, and which servers follow; --watch: until everything is converted
  pause                    no further group is converted until it is resumed
  resume [--rate N]        also changes the rate of a job that runs
  back [--rate N]          the shape before, as long as the change is not finished
  finish                   nothing of the shape before is left: there is no way back
To another table (docs/another-table.md says how):
  carry --to-table NAME [--create [--to-keys PK,SK,GSI1PK,GSI1SK]] [--rate N] [--metrics-port N]
                           copies the table and follows its changes, until Ctrl-C; --create: if it does not exist;
                           --to-keys: the names of its key attributes and of those of its index; default: pk,sk,gsi1pk,gsi1sk;
                           --metrics-port: serves how far it is behind to Prometheus
  status --to-table NAME   how far it is
  rate --to-table NAME --rate N
                           changes the rate of a copy that runs, and of \`verify\` without --rate
  verify --to-table NAME   compares both tables, twice; exit code 1 if an item differs, 2 if that is not known, because items
                           change all the time, or \`carry\` is behind or not running
  hand-over --to-table NAME [--handled] [--no-way-back]
                           handles what the servers have left in the stream, and then the copy is the table in use;
                           no server may be running; --handled: a function has handled everything
  switch --to-table NAME [--within MS] [--functions-removed] [--no-way-back]
                           servers that run go on in the copy, without a restart; requests wait meanwhile. If it takes longer
                           than MS milliseconds, 500 to 10000, default 1000, they go on as before, and the exit code is 1;
                           --functions-removed: no function uses the table any more, so those of the last hour do not count
                           After \`hand-over\` and \`switch\` the command goes on, and the former table follows the one in use, so that
                           you can go back, until Ctrl-C; --rate and --metrics-port as for \`carry\`; --no-way-back: it ends at once
  --to-table               a name, or the ARN of a table in another AWS account (docs/aws.md)
  --to-region, --to-endpoint
                           where that table is; default: where this one is
  --rate                   write units a second for the conversion or the copy, 1 to 100000; default 500
Refuses a flag that the command does not have. Prints a line of JSON, unless the output is a terminal. Works while servers
run.`;

const RATE = 500;
const RATE_MAX = 100_000;
/** What `--within` may be, in milliseconds. */
const WITHIN_MS = [500, 10_000] as const;
const WATCH_EVERY_MS = 1_000;
/** Servers that a line names. */
const NAMED_MAX = 3;
const CHANGES_NOTHING: ReadonlySet<ShapeCommand> = new Set(['plan', 'status']);
/** Passes over the table. */
const PASSES_MIN = 2;

function wholeNumber(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > max) throw new Refusal(`--${name} must be a whole number from 1 to ${max}.`);
  return value;
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new Refusal('--metrics-port must be a whole number from 0 to 65535.');
}

function withinOf(text: string | undefined): number | undefined {
  const [least, most] = WITHIN_MS;
  const value = wholeNumber('within', text, most);
  if (value === undefined || value >= least) return value;
  throw new Refusal(`--within must be a whole number from ${least} to ${most}.`);
}

async function main(): Promise<void> {
  const {
    values: { help, ...values },
    positionals,
  } = parseArgs({
    allowPositionals: true,
    options: {
      to: { type: 'string' },
      rate: { type: 'string' },
      watch: { type: 'boolean', default: false },
      'to-table': { type: 'string' },
      'to-region': { type: 'string' },
      'to-endpoint': { type: 'string' },
      create: { type: 'boolean', default: false },
      'to-keys': { type: 'string' },
      handled: { type: 'boolean', default: false },
      within: { type: 'string' },
      'functions-removed': { type: 'boolean', default: false },
      'metrics-port': { type: 'string' },
      'no-way-back': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (help) throw new Usage(USAGE);
  const [name = '', ...more] = positionals;
  const found = more.length > 0 ? undefined : reshapeCommand(name, values);
  if (found === undefined) {
    const text = positionals.join(' ');
    throw new Refusal(text === '' ? USAGE : `There is no command ${JSON.stringify(text)}.\n${USAGE}`);
  }
  const log = createCommandLog({ write: (text) => void process.stderr.write(text) });
  if (found.kind === 'copy') {
    const rate = wholeNumber('rate', values.rate, RATE_MAX);
    const where = { table: values['to-table'], region: values['to-region'], endpoint: values['to-endpoint'] };
    return carryCommand(
      found.command,
      {
        ...where,
        rate,
        create: values.create,
        keys: values['to-keys'],
        handled: values.handled,
        metricsPort: portOf(values['metrics-port']),
        within: withinOf(values.within),
        functionsRemoved: values['functions-removed'],
        noWayBack: values['no-way-back'],
      },
      { config: loadConfig(process.env), log },
    );
  }
  const options = {
    rate: wholeNumber('rate', values.rate, RATE_MAX),
    to: wholeNumber('to', values.to, RATE_MAX),
    watch: values.watch,
  };
  const config = loadConfig(process.env);
  const database = await openForReshape(config, log);
  try {
    await perform(found.command, options, { ...database, dataDir: config.dataDir });
  } catch (error) {
    const outcome = CHANGES_NOTHING.has(found.command)
      ? 'Nothing was changed.'
      : 'It is not known whether anything was changed: see `status`.';
    throw outageError(error, { ...config, outcome });
  } finally {
    await database.close();
  }
}

interface Options {
  readonly rate: number | undefined;
  readonly to: number | undefined;
  readonly watch: boolean;
}

async function perform(
  command: ShapeCommand,
  { rate, to, watch }: Options,
  database: Database & Pick<Config, 'dataDir'>,
): Promise<void> {
  const dynamo = createDynamo(database);
  const reshaping = createReshaping({
    dynamo,
    control: createJobControl({ dynamo, now: Date.now }),
    now: Date.now,
  });
  switch (command) {
    case 'plan':
      return plan(database, rate ?? RATE);
    case 'status':
      // The command holds the embedded database, so no server can come and convert anything.
      if (watch && database.embedded === undefined)
        await follow(reshaping.status, await countedItems(database.client, database.table));
      break;
    case 'start':
      await reshaping.start({ rate: rate ?? RATE, ...defined({ to }) });
      break;
    case 'resume':
    case 'back':
      await reshaping[command](rate);
      break;
    default:
      await reshaping[command]();
  }
  const status = await reshaping.status();
  print(status);
  if (database.embedded === undefined || !goesOn(status)) return;
  const why = `No server uses the database in ${database.dataDir}, so nothing is converted. Start one`;
  if (watch) throw new Refusal(`${why}, and run this again.`);
  process.stderr.write(`${why}.\n`);
}

const goesOn = ({ job }: ReshapeStatus): boolean => job?.state === 'QUEUED' || job?.state === 'RUNNING';

async function plan(database: Database, rate: number): Promise<void> {
  const dynamo = createDynamo(database);
  const { inForce, change } = await readTableShape(dynamo);
  const isNewest = inForce === SHAPE.version && change === undefined;
  const exact = await planOf({
    dynamo,
    shape: SHAPE,
    direction: 'up',
    rate,
    items: await countedItems(database.client, database.table),
  });
  const [dollars, dollarsPerMillion] = [cents(exact.dollars), cents(exact.dollarsPerMillion)];
  const made = { ...exact, dollars, dollarsPerMillion };
  if (process.stdout.isTTY !== true) {
    process.stdout.write(
      `${JSON.stringify({ inForce, to: SHAPE.version, changes: SHAPE.title, rate, ...made })}\n`,
    );
    return;
  }
  const { sampled, items, groups, writeUnits, readUnits, seconds } = made;
  const number = (value: number) => value.toLocaleString('en');
  process.stdout.write(
    [
      isNewest
        ? `The table has shape ${inForce}, the newest.`
        : `From shape ${inForce} to shape ${SHAPE.version}: ${SHAPE.title}.`,
      `${number(groups)} of ${number(items)} items are converted, by a sample of ${number(sampled)}.`,
      `${number(writeUnits)} write units and ${number(readUnits)} read units, which two passes need: ${number(seconds)} s at ${number(rate)} write units a second.`,
      `$${dollars.toFixed(2)}, or $${dollarsPerMillion.toFixed(2)} for a million items, on demand in us-east-1.`,
      '',
    ].join('\n'),
  );
}

/** Dollars for people to read: further digits of an estimate by a sample mean nothing. */
const cents = (dollars: number): number => Number(dollars.toFixed(2));

/** A bar on a terminal, a line of JSON a second elsewhere. */
async function follow(status: () => Promise<ReshapeStatus>, total: number): Promise<void> {
  const isTerminal = process.stderr.isTTY === true;
  const all = total === 0 ? {} : { total: total * PASSES_MIN };
  const show = () => showProgress({ what: 'items', ...all, elsewhere: 'nothing' });
  let progress = show();
  /** The line that says what the next pass waits for, if that is the last thing that was shown. */
  let waits: string | undefined;
  try {
    for (let shown = 0; ; ) {
      const now = await status();
      const { job } = now;
      if (job === undefined || !goesOn(now) || isOutputClosed()) return;
      if (!isTerminal) process.stdout.write(`${JSON.stringify(lineOf(now))}\n`);
      else if (job.waiting !== undefined) {
        if (waits === undefined) progress.stop();
        const line = waitingLine(job.pass, job.waiting);
        if (line !== waits) process.stderr.write(`${line}\n`);
        waits = line;
      } else {
        if (waits !== undefined) {
          progress = show();
          shown = 0;
        }
        waits = undefined;
        // What was converted is read once more, at least.
        if (total > 0) progress.expect(total * Math.max(PASSES_MIN, job.pass));
        progress.add(job.scanned - shown);
        shown = job.scanned;
      }
      await sleep(systemClock, WATCH_EVERY_MS);
    }
  } finally {
    progress.stop();
  }
}

/** In words: what a pass waits for, and how long that can take. */
function waitingLine(pass: number, { servers, until }: Waiting): string {
  if (until === undefined)
    return `Pass ${pass} has not begun, and nothing is read, until the job has seen that all servers follow.`;
  const time = new Date(until).toLocaleTimeString('en-GB');
  const why =
    servers.length === 0
      ? `until ${time}, when no write in the shape before can be tried again`
      : `until all servers have followed for 10 s: ${namesOf(servers)} ${servers.length === 1 ? 'does' : 'do'} not follow. If they were killed, that is at ${time} at the latest`;
  return `Pass ${pass} has not begun, and nothing is read, ${why}.`;
}

function namesOf(servers: readonly Heartbeat[]): string {
  const named = servers.slice(0, NAMED_MAX).map(nameOf);
  const more = servers.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function lineOf({ inForce, change, job, servers, version }: ReshapeStatus) {
  const { waiting, ...figures } = job ?? {};
  return {
    inForce,
    ...(change === undefined ? {} : { from: change.from, direction: change.direction, rate: change.rate }),
    ...figures,
    servers: servers.length,
    following: servers.filter(({ follows }) => follows >= version).length,
    ...(waiting === undefined
      ? {}
      : {
          waitsFor: waiting.servers.map(nameOf),
          ...(waiting.until === undefined ? {} : { waitsUntil: new Date(waiting.until).toISOString() }),
        }),
  };
}

function print(status: ReshapeStatus): void {
  const { inForce, change, job, servers, version } = status;
  if (change !== undefined && job === undefined) {
    // `start` refuses a change that goes up already, and `back` one that goes down.
    const turn = change.direction === 'up' ? 'back' : 'start';
    process.stderr.write(
      `Nothing converts the rest: the job has failed or was cancelled more than seven days ago. Run \`${turn}\`, which converts in the other direction.\n`,
    );
  }
  if (process.stdout.isTTY !== true) {
    process.stdout.write(`${JSON.stringify(lineOf(status))}\n`);
    return;
  }
  const following = servers.filter(({ follows }) => follows >= version).length;
  const lines = [`Shape ${inForce} is in force. ${following} of ${servers.length} servers follow.`];
  if (change !== undefined && job !== undefined) {
    const { pass, scanned, converted, units } = job;
    lines.push(
      change.converted
        ? `Everything is converted: ${converted} groups for ${units} units, ${scanned} items read in ${pass} passes. Run \`finish\`, or \`back\` to undo it.`
        : `Items are converted from shape ${change.from} at ${change.rate} units a second: ${job.state}, pass ${pass}, ${scanned} items read, ${converted} converted, ${units} units.`,
    );
    if (job.waiting !== undefined) lines.push(waitingLine(pass, job.waiting));
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

await run(main);
