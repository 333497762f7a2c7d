import { sleep, systemClock } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import { parseTableArn } from '../../core/tableArn.ts';
import type { Pacing } from '../../stream/reader.ts';
import { startCarrying } from '../carry/carry.ts';
import {
  assertNoChange,
  carryRest,
  completeCopy,
  type HandOverOptions,
  leave,
  putInUse,
} from '../carry/handOver.ts';
import { refuse, usersOf } from '../carry/marks.ts';
import type { Sides } from '../carry/sides.ts';
import { changeState } from '../carry/state.ts';
import { createUseChanges } from '../carry/useChanges.ts';
import { type Heartbeat, nameOf, readHeartbeats } from '../heartbeats.ts';
import { readTableShape, type TableShape, unendedHandOver } from '../tableShape.ts';

export interface SwitchOptions extends Omit<HandOverOptions, 'settleMs' | 'command'> {
  /** How long servers may be without a table, in milliseconds. */
  readonly withinMs: number;
  /** How long servers may take to open the target, in milliseconds. Default: 10 s. */
  readonly readyMs?: number;
  /**
   * No function uses the table any more, so only those that were called within a minute count. Default: those of the
   * last hour.
   */
  readonly functionsRemoved?: boolean;
  /** How the source is followed while no server reads its stream. */
  readonly frozenPacing: Pacing;
  /** Called when a phase has begun. */
  readonly onPhase?: (phase: 'announced' | 'frozen' | 'decided') => void;
}

export interface Switched {
  /** From the first moment at which a server may have stopped to that at which it may go on. Milliseconds. */
  readonly frozenMs: number;
  /** Processes that use the target now. */
  readonly servers: number;
  /** Those that have not moved yet. */
  readonly late: readonly Heartbeat[];
}

const READY_MS = 10_000;
const LOOK_MS = 25;
/** How long the result waits for servers to go on in the target. */
const MOVED_MS = 10_000;
/** How long an outage may last before the command leaves it to the servers to take the switch back, in milliseconds. */
const SETTLE_MS = 10_000;
/** Of `withinMs`: for the decision itself, and for servers to see it. */
const DECIDE_MS = 150;

/**
 * Servers go on in the target, without a restart. Each of them opens it first, then all stop using the source, and when
 * the rest is carried, one conditional write decides. Until then any process can take the switch back, with the same
 * condition:
 *
 *   announced ── all are ready ──▶ frozen ── all have stopped, the rest is carried ──▶ decided: servers move
 *       └─────────────────────────────┴── too slow, refused, killed ──▶ taken back: servers resume
 *
 * Throws `StartError` if it was taken back. If this process is killed before the decision, servers take the switch
 * back; after the decision they end it. Run again, it ends what was decided, and begins from scratch otherwise.
 */
export async function switchTable(sides: Sides, options: SwitchOptions): Promise<Switched> {
  const { source, target } = sides;
  const { now, clock = systemClock, withinMs, readyMs = READY_MS, onPhase, place } = options;
  const inUse = { table: target.place, stream: target.streamArn, place };
  const use = createUseChanges(source.dynamo, {
    clock,
    isBegun: ({ moving }) => moving !== undefined,
    settleMs: SETTLE_MS,
    unknown:
      'The table does not respond, so it is not known which one is in use. Servers find out by themselves. Run this again.',
  });
  const users = () => usersOf(source, now());
  const isDecided = ({ moving, notInUse }: TableShape): boolean =>
    moving === undefined && notInUse?.place !== undefined && notInUse.stream === target.streamArn;

  async function moved(frozenMs: number): Promise<Switched> {
    await putInUse(source, target);
    const until = clock.now() + MOVED_MS;
    let late = await users();
    for (; late.length > 0 && clock.now() < until; late = await users()) await sleep(clock, LOOK_MS);
    return { frozenMs, servers: (await usersOf(target, now())).length, late };
  }

  const found = await use.read();
  if (isDecided(found)) {
    onPhase?.('decided');
    return moved(0);
  }
  assertUndecided(found);
  const state = await completeCopy(sides);
  const [user] = await usersOf(target, now());
  if (user !== undefined) refuse(`The server ${nameOf(user)} uses the table ${target.place}. Stop it.`);
  // Also functions that are not called at this moment: they would be left behind at the former table.
  const resting = options.functionsRemoved !== true;
  const byArn = [place, options.sourcePlace].some(({ table }) => parseTableArn(table) !== undefined);
  assertMovable(await readHeartbeats(source.dynamo, now(), { resting }), { byArn, resting });

  let frozenAt: number | undefined;
  let decidedAt: number | undefined;
  const begun = await startCarrying({
    ...options,
    sides,
    state,
    lookMs: LOOK_MS,
    pacing: changingPacing(() => (frozenAt === undefined ? options.pacing : options.frozenPacing)),
    async mayBegin() {
      const shape = await use.read();
      assertUndecided(shape);
      // What a run has left that was killed or suspended. Before anything is carried, so it cannot be decided after
      // that.
      if (shape.moving !== undefined) await use.change({});
    },
  }).catch(async (error: unknown) => {
    // Another run that was waited for has decided.
    if (isDecided(await use.read())) return undefined;
    throw error;
  });
  if (begun === undefined) {
    onPhase?.('decided');
    return moved(0);
  }
  const carrying = begun;

  async function announce(): Promise<void> {
    await use.change({ moving: { ...inUse, phase: 'announced', withinMs: readyMs } });
    onPhase?.('announced');
    await waitForAll(
      ({ readyFor }) => readyFor === use.version,
      clock.now() + readyMs,
      'has not opened the other table in time. Its log says why',
    );
  }

  /** Resolves when each process that uses the source is in a state, and fails at a moment on the clock. */
  async function waitForAll(is: (user: Heartbeat) => boolean, until: number, why: string): Promise<void> {
    for (let all = await users(); !all.every(is); all = await users()) {
      assertMovable(all, { byArn });
      if (clock.now() >= until) assertAll(all, is, why);
      await sleep(clock, LOOK_MS);
    }
  }

  /** Resolves when all servers have stopped writing. What comes next may take until `until`. */
  async function freeze(until: number): Promise<void> {
    await use.change({
      moving: { ...inUse, phase: 'frozen', withinMs },
      // For releases that know no switch, and for servers that start now.
      notInUse: { table: inUse.table, stream: inUse.stream },
    });
    onPhase?.('frozen');
    await waitForAll(
      ({ stoppedFor }) => stoppedFor === use.version,
      until,
      'has not stopped writing in time',
    );
  }

  async function decide(): Promise<void> {
    // So that little is left to carry when servers stop.
    await Promise.race([carrying.following.drained(over.signal), carrying.ended]);
    const shape = await use.read();
    assertUndecided(shape);
    assertNoChange(shape);
    await changeState(target.dynamo, { place: options.sourcePlace });
    await announce();
    frozenAt = clock.now();
    const until = frozenAt + withinMs - DECIDE_MS;
    await freeze(until);
    const tooLate = sleep(clock, until - clock.now(), over.signal).then(() =>
      refuse(
        `What was left to carry took longer than the ${withinMs} ms that servers may wait. ${AS_BEFORE} Run this again, or with more time: --within.`,
      ),
    );
    tooLate.catch(() => {});
    rest = carryRest(sides, carrying, { ...options, over, lookMs: LOOK_MS });
    await Promise.race([rest, tooLate]);
    // One that was suspended says that it is there before it does anything else. If the version has changed, the next
    // change says why.
    const all = await users();
    if ((await readTableShape(source.dynamo)).version === use.version)
      assertAll(all, ({ stoppedFor }) => stoppedFor === use.version, 'is there again');
    await use.change({ notInUse: { ...inUse, ...defined({ backRate: options.backRate }) } });
    decidedAt = clock.now();
  }

  const over = new AbortController();
  let rest: Promise<unknown> = Promise.resolve();
  try {
    await decide();
  } catch (error) {
    over.abort();
    if (!isDecided(await use.settle())) throw error;
  } finally {
    over.abort();
    await rest.catch(() => {});
    await leave(carrying);
  }
  onPhase?.('decided');
  return moved(frozenAt === undefined ? 0 : (decidedAt ?? clock.now()) - frozenAt);
}

const AS_BEFORE = 'The table in use is the same as before.';
const IN_USE = `hour, and functions cannot change their table: use \`hand-over\`. If you have removed all of them, add --functions-removed. ${AS_BEFORE}`;
const REMOVED = `minute. Stop it, wait a minute, and run this again. ${AS_BEFORE}`;

/** Throws `StartError` if the table is not in use, unless servers are about to use another one. */
function assertUndecided({ moving, notInUse }: TableShape): void {
  if (moving !== undefined || notInUse === undefined) return;
  const { handOver, table } = notInUse;
  refuse(
    handOver === undefined
      ? `This table is not in use. The table in use is ${table}. If a \`hand-over\` was killed, run it again.`
      : unendedHandOver(handOver.from, table, handOver.command),
  );
}

interface MovableOptions {
  /** Whether a table is named by its ARN. */
  readonly byArn: boolean;
  readonly resting?: boolean;
}

/** Names the first process that cannot go on in the other table. */
function assertMovable(all: readonly Heartbeat[], { byArn, resting }: MovableOptions): void {
  assertAll(
    all,
    ({ canMove }) => canMove === true,
    'cannot change its table while it runs. Stop it',
    resting,
  );
  if (!byArn) return;
  // It would go on with another prefix in Redis, so the others would not reach it.
  const why = 'is of a release that takes no ARN of a table. Stop it, or start this release in its place';
  assertAll(all, ({ takesArns }) => takesArns === true, why, resting);
}

/**
 * Names the first process that is not in a state. `resting`: functions that were called within the last hour are among
 * them.
 */
function assertAll(
  all: readonly Heartbeat[],
  is: (user: Heartbeat) => boolean,
  why: string,
  resting = false,
): void {
  const other = all.find((user) => !is(user));
  if (other === undefined) return;
  if (other.rests === true)
    refuse(`The function ${nameOf(other)} was called within the last ${resting ? IN_USE : REMOVED}`);
  refuse(
    `The process ${nameOf(other)} ${why}; one that was killed or suspended counts for a minute. ${AS_BEFORE}`,
  );
}

/** One of several, as it is at each moment. */
const changingPacing = (now: () => Pacing): Pacing => ({
  get busyMs() {
    return now().busyMs;
  },
  get idleMs() {
    return now().idleMs;
  },
  get spacingMs() {
    return now().spacingMs;
  },
  get catchUpMs() {
    return now().catchUpMs;
  },
});
