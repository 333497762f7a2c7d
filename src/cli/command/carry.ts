import { catchUp } from '../../app/catchUp.ts';
import { type OtherTable, openForCarry, type PlacedDatabase } from '../../app/commandDatabase.ts';
import { serveCommandMetrics } from '../../app/commandMetrics.ts';
import { configAt } from '../../app/database.ts';
import { openBus } from '../../app/redis.ts';
import { outageError } from '../../app/startError.ts';
import type { Config } from '../../config.ts';
import { sleep, systemClock } from '../../core/clock.ts';
import { OutageError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { createMetrics } from '../../core/metrics.ts';
import { createDynamo } from '../../dynamo/dynamo.ts';
import { countedItems } from '../../dynamo/ensureTable.ts';
import { refusalIn } from '../../dynamo/errors.ts';
import { CARRY_LOCK, type CarryOptions, startCarrying } from '../../reshape/carry/carry.ts';
import { type HandOverOptions, handOver } from '../../reshape/carry/handOver.ts';
import { beginCopy, copyOf, UsedError } from '../../reshape/carry/marks.ts';
import type { Side, Sides } from '../../reshape/carry/sides.ts';
import { type CarryState, changeState, readState } from '../../reshape/carry/state.ts';
import { nameOf } from '../../reshape/heartbeats.ts';
import { type SwitchOptions, switchTable } from '../../reshape/switch/switchTable.ts';
import { alsoEndpoint, readTableShape } from '../../reshape/tableShape.ts';
import { isLocked } from '../../stream/lock.ts';
import { awsPacing, emulatorPacing, type Pacing } from '../../stream/reader.ts';
import { handOverCommand } from './handOverCommand.ts';
import { type CarryArguments, otherTableOf } from './otherTable.ts';
import { showProgress } from './progress.ts';
import type { CopyCommand } from './reshapeFlags.ts';
import { Refusal } from './run.ts';
import { VERIFY_TIMEOUTS, verifyCopy } from './verifyCopy.ts';

const RATE = 500;
const WITHIN_MS = 1_000;
/** AWS lets two processes read a shard. The servers' own polls four times a second. */
const awsCarryPacing: Pacing = { busyMs: 1_000, idleMs: 1_000, spacingMs: 1_000, catchUpMs: 1_000 };
/** How often the end of what is left is looked for while servers wait. */
const SWITCH_LOOK_MS = 25;
/** From one look at who uses the former table to the next. */
const LEFT_MS = 1_000;

/** What each of them does is in the usage of `reshape`. */
export async function carryCommand(
  command: CopyCommand,
  options: CarryArguments,
  { config, log }: { readonly config: Config; readonly log: Log },
): Promise<void> {
  const { rate, metricsPort, within, functionsRemoved } = options;
  const other = otherTableOf(command, options);
  const timeouts = command === 'verify' ? VERIFY_TIMEOUTS : undefined;
  const databases = await openForCarry(config, log, {
    ...other,
    timeouts,
    waits: command === 'carry' || command === 'hand-over',
  });
  let silent: OutageAt = config;
  const sideAt = (database: PlacedDatabase, { dynamodb }: Config) =>
    sideOf(database, () => {
      silent = { dynamodb, tableName: database.place };
    });
  const sides: Sides = {
    source: sideAt(databases.source, config),
    target: sideAt(databases.target, configAt(config, databases.target.at)),
  };
  const context = { config, log, other };
  const { place } = sides.target;
  let outcome = OUTCOMES[command];
  const decided = (): void => {
    outcome = `That ${place} is used from now on is decided. Run this again.`;
  };
  try {
    switch (command) {
      case 'carry':
        return await carry(sides, context, {
          rate,
          metricsPort,
          items: await itemsOf(databases.source),
          interrupted: interruption(),
        });
      case 'rate': {
        if (rate === undefined) throw new Refusal('--rate must be a whole number from 1 to 100000.');
        await copyOf(sides);
        await changeState(sides.target.dynamo, { rate });
        return print(await copyOf(sides));
      }
      case 'status':
        return await status(sides);
      case 'verify':
        return await verifyCopy(sides, log, { rate, items: await itemsOf(databases.source) });
      default: {
        const copy = await readState(sides.target.dynamo);
        // From a run that was killed.
        const begun = (await readTableShape(sides.source.dynamo)).notInUse;
        const backRate = options.noWayBack ? undefined : (rate ?? begun?.backRate ?? copy?.rate);
        if (command === 'switch')
          await switchOver(sides, context, databases, {
            withinMs: within ?? WITHIN_MS,
            functionsRemoved,
            backRate,
            decided,
          });
        else await handTableOver(sides, context, databases, { ...options, backRate });
        if (options.noWayBack) return;
        outcome = `The table in use is ${place}. To follow it again, run \`carry\` with the tables exchanged.`;
        const interrupted = interruption();
        const items = await itemsOf(databases.target);
        await carryBack(sides, context, { metricsPort, items, rate, interrupted });
      }
    }
  } catch (error) {
    throw outageError(error, { ...silent, outcome });
  } finally {
    await databases.target.close();
    await databases.source.close();
  }
}

interface Databases {
  readonly source: PlacedDatabase;
  readonly target: PlacedDatabase;
}

/** The other table is in use, without servers. */
async function handTableOver(
  sides: Sides,
  context: Context,
  { source: database, target }: Databases,
  options: CarryArguments & Pick<HandOverOptions, 'backRate'>,
): Promise<void> {
  const { config, log } = context;
  await handOver(sides, {
    ...runOptions(context),
    place: target.at,
    sourcePlace: database.at,
    backRate: options.backRate,
    command: handOverCommand(database.at, { ...options, table: target.at.table }),
    async catchUp(signal) {
      if (options.handled) return;
      process.stderr.write('handling what the servers have left in the stream…\n');
      await catchUp({ config, database, log }, signal);
    },
  });
  process.stdout.write(
    `The table in use is ${sides.target.place}. Set TABLE_NAME to it${alsoEndpoint(target.at)}, and start the servers.\n`,
  );
}

/** Servers go on in the other table. */
async function switchOver(
  sides: Sides,
  context: Context,
  { source: database, target }: Databases,
  {
    decided,
    ...options
  }: Pick<SwitchOptions, 'withinMs' | 'functionsRemoved' | 'backRate'> & { readonly decided: () => void },
): Promise<void> {
  const { config, log } = context;
  const phases = {
    announced: 'servers open the other table…',
    frozen: 'servers have stopped writing, and the rest is carried…',
    decided: 'servers go on in the other table…',
  };
  const bus = openBus(config, log);
  const { frozenMs, servers, late } = await switchTable(sides, {
    ...runOptions(context),
    place: target.at,
    sourcePlace: database.at,
    ...options,
    frozenPacing: config.dynamodb.kind === 'aws' ? awsPacing : emulatorPacing,
    catchUp: (signal) => catchUp({ config, database, log, bus, lookMs: SWITCH_LOOK_MS }, signal),
    onPhase(phase) {
      if (phase === 'decided') decided();
      process.stderr.write(`${phases[phase]}\n`);
    },
  }).finally(bus.close);
  process.stdout.write(`${JSON.stringify({ frozenMs: Math.round(frozenMs), servers, late: late.length })}\n`);
  for (const one of late)
    process.stderr.write(`The process ${nameOf(one)} has not moved. It ends, or moves when it runs again.\n`);
  process.stdout.write(
    `The table in use is ${sides.target.place}. Set TABLE_NAME to it${alsoEndpoint(target.at)} before a server is started again.\n`,
  );
}

type OutageAt = Pick<Config, 'dynamodb' | 'tableName'>;

/** What each has changed if the database does not respond: `switch` and `hand-over` have taken themselves back then. */
const OUTCOMES: Readonly<Record<CopyCommand, string>> = {
  carry: 'The same command continues.',
  status: 'Nothing was changed.',
  rate: 'It is not known whether the rate was changed. Run this again.',
  verify: 'Nothing was changed.',
  switch: 'The table in use is the same as before.',
  'hand-over': 'The table in use is the same as before.',
};

/** `onOutage`: this table does not respond, or refuses this process. */
const sideOf = (database: PlacedDatabase, onOutage: () => void): Side => ({
  dynamo: createDynamo({
    ...database,
    transport: {
      send: (operation, input, options) =>
        database.transport.send(operation, input, options).catch((error: unknown) => {
          if (error instanceof OutageError || refusalIn(error) !== undefined) onOutage();
          throw error;
        }),
    },
    pattern: 'carry',
  }),
  streams: database.streams,
  streamArn: database.streamArn,
  place: database.place,
});

const itemsOf = ({ client, table }: PlacedDatabase): Promise<number> => countedItems(client, table);

interface Context {
  readonly config: Config;
  readonly log: Log;
  readonly other: OtherTable;
  /** It carries from the other table into the one of the configuration. */
  readonly isBack?: boolean;
}

function runOptions({ config, log, other, isBack = false }: Context): Omit<CarryOptions, 'sides' | 'state'> {
  const isAws = config.dynamodb.kind === 'aws';
  const isOtherAws = other.region !== undefined || (isAws && other.endpoint === undefined);
  const [isFromAws, isToAws] = isBack ? [isOtherAws, isAws] : [isAws, isOtherAws];
  return {
    log,
    now: Date.now,
    by: isToAws ? 'batches' : 'transactions',
    pacing: isFromAws ? awsCarryPacing : emulatorPacing,
    onWait: () => process.stderr.write('waiting for a run that has not ended properly…\n'),
  };
}

interface CarryingOptions extends Pick<CarryArguments, 'rate' | 'metricsPort'> {
  /** As the database counts them. */
  readonly items: number;
  /** Aborted when it should end. */
  readonly interrupted: AbortSignal;
}

/** Aborted by SIGINT or SIGTERM. The same signal again ends the process at once. */
function interruption(): AbortSignal {
  const interrupting = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupting.abort());
  return interrupting.signal;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

/**
 * After a switch or hand-over: the former table follows the one in use, so that going back takes a second, and not a
 * copy of everything. Until SIGINT or SIGTERM.
 */
async function carryBack(
  { source: former, target: inUse }: Sides,
  context: Context,
  options: CarryingOptions,
): Promise<void> {
  const { interrupted } = options;
  const back: Sides = { source: inUse, target: former };
  // A server that has not moved ends, or is not counted a minute after it was killed. Another one may start meanwhile.
  for (let named: string | undefined; !interrupted.aborted; await sleep(systemClock, LEFT_MS, interrupted)) {
    try {
      return await carry(back, { ...context, isBack: true }, options);
    } catch (error) {
      if (!(error instanceof UsedError)) throw error;
      const { user } = error;
      if (user.server !== named)
        process.stderr.write(`waiting until the server ${nameOf(user)} does not use ${former.place}…\n`);
      named = user.server;
    }
  }
}

/** Until SIGINT or SIGTERM. Throws `UsedError` if a process uses the target, before anything is changed. */
async function carry(
  sides: Sides,
  context: Context,
  { rate, items, metricsPort, interrupted }: CarryingOptions,
): Promise<void> {
  const begun = await beginCopy(sides, rate ?? RATE, Date.now());
  const state = rate === undefined ? begun : ((await changeState(sides.target.dynamo, { rate })) ?? begun);
  const progress = showProgress({
    what: 'items',
    elsewhere: 'nothing',
    // Both tables are read.
    ...(items === 0 ? {} : { total: 2 * items }),
  });
  const isTerminal = process.stderr.isTTY === true;
  let shown = 0;
  let wasCopied = false;
  const carrying = await startCarrying({
    ...runOptions(context),
    sides,
    state,
    onState(now) {
      const isCopied = now.progress.reads === 'nothing';
      if (!isTerminal) print(now);
      else if (!isCopied) progress.add(now.progress.scanned - shown);
      else if (!wasCopied) {
        progress.stop();
        const next =
          context.isBack === true
            ? 'To go back: `verify`, then end this command, and at once `switch`, with the tables exchanged.'
            : 'Next: `verify`.';
        process.stderr.write(`Everything is copied, and changes are followed until Ctrl-C. ${next}\n`);
      }
      shown = now.progress.scanned;
      wasCopied = isCopied;
    },
  });
  if (context.isBack === true) {
    process.stderr.write(
      `${sides.target.place} follows what changes from now on, so that you can go back to it, until Ctrl-C…\n`,
    );
  }
  let stopMetrics = async () => {};
  try {
    if (metricsPort !== undefined) {
      const metrics = createMetrics({ process: true });
      metrics.watched.carryLag = () => carrying.following.lagMs() / 1_000;
      const served = await serveCommandMetrics({ ...context, port: metricsPort, metrics });
      stopMetrics = served.stop;
      process.stderr.write(`metrics at ${served.url}\n`);
    }
    await Promise.race([aborted(interrupted), carrying.ended]);
  } finally {
    progress.stop();
    await stopMetrics();
    await carrying.stop();
  }
}

/** A copy that is not followed is the same as no copy when it is needed, so it is said whether it is. */
async function status(sides: Sides): Promise<void> {
  const state = await copyOf(sides);
  const followed = await isLocked({ dynamo: sides.target.dynamo, name: CARRY_LOCK });
  print(state, { followed });
  if (followed) return;
  process.stderr.write(
    `No process follows: ${sides.target.place} lacks what has changed since. Start \`carry\`, or the \`switch\` that was killed.\n`,
  );
}

function print({ rate, progress, verified }: CarryState, more: { readonly followed?: boolean } = {}): void {
  const { reads, scanned, written, lagMs } = progress;
  const state = reads === 'nothing' ? 'FOLLOWING' : 'COPYING';
  process.stdout.write(
    `${JSON.stringify({ state, reads, scanned, written, lagMs, rate, verified, ...more })}\n`,
  );
}
