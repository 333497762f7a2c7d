import { systemClock } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import { OutageError, StartError } from '../../core/errors.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { keys } from '../../dynamo/keys.ts';
import { nameOf } from '../heartbeats.ts';
import {
  readTableShape,
  type TableInUse,
  type TablePlace,
  type TableShape,
  unendedHandOver,
} from '../tableShape.ts';
import { type Carrying, type CarryOptions, startCarrying } from './carry.ts';
import { skipStream } from './following.ts';
import { CARRIES, changeUse, copyOf, refuse, usersOf } from './marks.ts';
import type { Side, Sides } from './sides.ts';
import { type CarryState, changeState, readState } from './state.ts';
import { readTurn } from './turn.ts';
import { createUseChanges } from './useChanges.ts';

export interface HandOverOptions extends Omit<CarryOptions, 'sides' | 'state'> {
  /** Handles what is left in the stream of the source, until the signal is aborted. */
  readonly catchUp: (signal: AbortSignal) => Promise<void>;
  /** How a process that is started with the source finds the target, and the other way round. */
  readonly place: TablePlace;
  readonly sourcePlace: TablePlace;
  /** Write units a second, if what changes is carried back from then on. Default: as for any copy. */
  readonly backRate?: number | undefined;
  /** What an operator runs if it does not end. Default: a command without further flags. */
  readonly command?: string;
  /** How long it tries to take itself back while the table does not respond, in milliseconds. Default: 60 s. */
  readonly settleMs?: number;
}

/** No server is there that could take it back, so the command tries for a while. */
const SETTLE_MS = 60_000;

/**
 * The target is in use from now on, and the source is not. No server may be running. What their consumers have not
 * handled is handled here, because those of the target begin behind it. If it cannot be done, the source stays in use;
 * if it is killed on its way, or the table does not respond until it ends, neither is: both say so, and it has to be run
 * again. Without effect if it was done.
 */
export async function handOver(sides: Sides, { catchUp, ...options }: HandOverOptions): Promise<void> {
  const { source, target } = sides;
  const { place, sourcePlace, command, backRate, settleMs = SETTLE_MS } = options;
  const handedOver = { table: target.place, stream: target.streamArn, ...defined({ backRate }) };
  const begun = { from: source.place, to: place, ...defined({ command }) };
  // A copy of a table that is in use names it as well.
  if ((await readState(source.dynamo)) === undefined && (await endHandOver(source, target))) return;
  const isBegun = ({ moving, notInUse }: TableShape) =>
    moving === undefined && notInUse?.stream === target.streamArn && notInUse.place === undefined;
  const unknown = `The table does not respond. ${unendedHandOver(source.place, target.place, command)}`;
  const use = createUseChanges(source.dynamo, {
    clock: options.clock ?? systemClock,
    isBegun,
    settleMs,
    unknown,
  });
  /** If the source is in use, or a hand-over was killed. Throws `StartError` otherwise. */
  async function mayHandOver(): Promise<void> {
    const shape = await use.read();
    const { notInUse } = shape;
    if (notInUse === undefined || isBegun(shape)) return;
    if (notInUse.stream === target.streamArn && shape.moving === undefined)
      refuse('A switch to it was decided. Run `switch` again.');
    refuse(`This table is not in use. The table in use is ${notInUse.table}.`);
  }
  async function begin(): Promise<Carrying> {
    const state = await completeCopy(sides);
    await assertUnused(sides, options.now());
    await mayHandOver();
    return startCarrying({ ...options, sides, state, mayBegin: mayHandOver });
  }
  const before = await use.read();
  // An earlier run was killed. That is not taken back until this one has changed something.
  const isUnended = isBegun(before) && before.notInUse?.handOver !== undefined;
  const carrying = await begin().catch((error: unknown) => {
    throw isUnended && error instanceof OutageError ? new StartError(unknown, { cause: error }) : error;
  });
  const over = new AbortController();
  async function carryAll(): Promise<number> {
    try {
      await changeState(target.dynamo, { place: sourcePlace });
      // A server that starts at this moment either sees this, or is seen.
      await use.change({ notInUse: { ...handedOver, handOver: begun } });
      await assertUnused(sides, options.now());
      return await carryRest(sides, carrying, { ...options, catchUp, over });
    } catch (error) {
      over.abort();
      await use.settle();
      throw error;
    }
  }
  try {
    const turn = await carryAll();
    await putInUse(source, target, turn).catch((error: unknown) => {
      // It may be done. Run again, it finds out.
      throw error instanceof OutageError ? new StartError(unknown, { cause: error }) : error;
    });
    // If that fails, the next start says it.
    await endHandOver(source, target).catch(() => {});
  } finally {
    await leave(carrying);
  }
}

/** Lets another run begin. If that fails, its lock ends by itself, and what was decided is what counts. */
export const leave = (carrying: Carrying): Promise<void> => carrying.stop().catch(() => {});

/** The copy, if it may be put in use. Throws `StartError` otherwise. */
export async function completeCopy(sides: Sides): Promise<CarryState> {
  const state = await copyOf(sides);
  if (state.progress.reads !== 'nothing') refuse('Not everything is copied yet. See `status`.');
  if (!state.verified) refuse('The copy is not verified. Run `verify` while `carry` is running.');
  assertNoChange(await readTableShape(sides.source.dynamo));
  return state;
}

export function assertNoChange({ change }: TableShape): void {
  if (change === undefined) return;
  refuse('A change of the shape is under way. Finish it first, or wait until it is taken back.');
}

export interface CarryRestOptions extends Pick<HandOverOptions, 'catchUp' | 'clock'> {
  /** Aborted if it is to end early; then it rejects. */
  readonly over: AbortController;
  /** See `SentinelWatchOptions`. */
  readonly lookMs?: number | undefined;
}

/**
 * For a source that no process writes to any more: carries what is left, with what handling it causes, and writes where
 * the consumers of the target begin. Then nothing is carried any more. Resolves to the turn of the copy.
 */
export async function carryRest(
  { target }: Sides,
  carrying: Carrying,
  { catchUp, over, clock, lookMs }: CarryRestOptions,
): Promise<number> {
  const handledAndCarried = catchUp(over.signal).then(() => carrying.following.drained(over.signal));
  try {
    await Promise.race([handledAndCarried, carrying.ended]);
  } catch (error) {
    over.abort();
    await handledAndCarried.catch(() => {});
    throw error;
  }
  over.signal.throwIfAborted();
  const turn = await carrying.finish();
  await skipStream(target, {
    clock,
    lookMs,
    signal: over.signal,
    async mayTake() {
      if ((await readTurn(target.dynamo)) !== turn) refuse(CARRIES);
    },
  });
  over.signal.throwIfAborted();
  return turn;
}

/** Whether the source was handed over to the target, and that is done. The source says so from then on. */
export async function endHandOver(source: Reachable, target: Reachable): Promise<boolean> {
  const { notInUse, moving, version } = await readTableShape(source.dynamo);
  if (notInUse?.stream !== target.streamArn || notInUse.place !== undefined || moving !== undefined)
    return false;
  if ((await readTableShape(target.dynamo)).notInUse !== undefined) return false;
  const { handOver, ...handedOver } = notInUse;
  // Another process may have written the same.
  if (handOver !== undefined)
    await changeUse(source.dynamo, { notInUse: { ...handedOver, at: handOver.to } }, version);
  return true;
}

/** Throws `StartError` if a process has a heartbeat in one of the tables. */
async function assertUnused({ source, target }: Sides, now: number): Promise<void> {
  for (const side of [source, target]) {
    const [user] = await usersOf(side, now);
    if (user === undefined) continue;
    refuse(
      `The server ${nameOf(user)} uses the table ${side.place}. Stop all servers; one that was killed counts for a minute.`,
    );
  }
}

type Reachable = Pick<Side, 'streamArn'> & { readonly dynamo: Pick<Dynamo, 'get' | 'tryTransact'> };

/**
 * Puts the target in use, with the shape of the source. Throws `StartError` unless a switch was decided: the source
 * names the target, and the target is the copy of this source. Idempotent, so any process may call it at any time.
 * `turn`: of a `hand-over`, which needs no decision; throws if another command has begun to carry since then.
 */
export async function putInUse(source: Reachable, target: Reachable, turn?: number): Promise<void> {
  for (;;) {
    // In this order: if the source names the target now, only this write can have changed the target since the first
    // read.
    const own = await target.dynamo.get(keys.shape());
    if (own?.notInUse === undefined) return;
    const shape = await source.dynamo.get(keys.shape());
    const { notInUse, moving, ...rest } = shape ?? {};
    const named = notInUse as TableInUse | undefined;
    const isDecided = turn !== undefined || named?.place !== undefined;
    if (named?.stream !== target.streamArn || moving !== undefined || !isDecided)
      refuse('The table is not the one that the former table names. See `status`.');
    const rev = Math.max(Number(rest.rev ?? 0), Number(own.rev ?? 0)) + 1;
    const failed = await target.dynamo.tryTransact({
      shape: {
        put: { ...rest, ...keys.shape(), rev },
        condition: 'rev = :rev',
        values: { ':rev': Number(own.rev) },
      },
      carry: {
        delete: keys.carry(),
        condition: turn === undefined ? '#from = :from' : '#from = :from AND turn = :turn',
        names: { '#from': 'from' },
        values: { ':from': source.streamArn, ...defined({ ':turn': turn }) },
      },
    });
    if (failed === undefined) return;
    if (failed.carry !== undefined && failed.shape === undefined) refuse(CARRIES);
  }
}
