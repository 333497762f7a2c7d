import type { Dynamo } from '../../dynamo/dynamo.ts';
import { keys } from '../../dynamo/keys.ts';
import { readTableShape, type TableInUse, type TableShape } from '../tableShape.ts';
import { type Carrying, type CarryOptions, startCarrying } from './carry.ts';
import { skipStream } from './following.ts';
import { close, copyOf, isClosedFor, open, refuse, usersOf } from './marks.ts';
import type { Sides } from './sides.ts';
import { type CarryState, readState } from './state.ts';

export interface HandOverOptions extends Omit<CarryOptions, 'sides' | 'state'> {
  /** Handles what is left in the stream of the source, until the signal is aborted. */
  readonly catchUp: (signal: AbortSignal) => Promise<void>;
}

/**
 * The target is in use from now on, and the source is not. No server may be running. What their consumers have not handled is
 * handled here, because those of the target begin behind it. If it cannot be done, the source stays in use; if it is killed on
 * its way, neither is, and it has to be run again.
 */
export async function handOver(sides: Sides, { catchUp, ...options }: HandOverOptions): Promise<void> {
  const { source, target } = sides;
  const state = await completeCopy(sides);
  const isBegun = await isClosedFor(source, target);
  const { notInUse } = await readTableShape(source.dynamo);
  if (!isBegun && notInUse !== undefined) refuse(`This table is not in use, but ${notInUse.table}.`);
  await assertUnused(sides, options.now());
  const carrying = await startCarrying({ ...options, sides, state });
  const over = new AbortController();
  try {
    // A server that starts at this moment either sees this, or is seen.
    await close(source, target);
    await assertUnused(sides, options.now());
    await carryRest(sides, carrying, { ...options, catchUp, over });
  } catch (error) {
    over.abort();
    await carrying.stop();
    await open(source);
    throw error;
  }
  await putInUse(source, target);
}

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
 * For a source that no process writes to any more: carries what is left, with what handling it causes, and writes where the
 * consumers of the target begin. Then nothing is carried any more.
 */
export async function carryRest(
  { target }: Sides,
  carrying: Carrying,
  { catchUp, over, clock, lookMs }: CarryRestOptions,
): Promise<void> {
  const handledAndCarried = catchUp(over.signal).then(() => carrying.following.drained(over.signal));
  try {
    await Promise.race([handledAndCarried, carrying.ended]);
  } catch (error) {
    over.abort();
    await handledAndCarried.catch(() => {});
    throw error;
  }
  over.signal.throwIfAborted();
  await carrying.stop();
  if ((await readState(target.dynamo))?.verified !== true)
    refuse('Changes were missed, so everything is compared again. Run `carry` and `verify`, then this.');
  over.signal.throwIfAborted();
  await skipStream(target, { clock, lookMs });
}

/** Throws `StartError` if a process has a heartbeat in one of the tables. */
async function assertUnused({ source, target }: Sides, now: number): Promise<void> {
  for (const side of [source, target]) {
    const [user] = await usersOf(side, now);
    if (user === undefined) continue;
    refuse(
      `The server ${user.server} on ${user.host} uses the table ${side.place}. Stop all servers; one that was killed counts for a minute.`,
    );
  }
}

type Reached = Pick<Dynamo, 'get' | 'tryTransact'>;

/**
 * Puts the target in use, with the shape of the source, which names it as the one in use. Idempotent: any process may do it, also
 * one that has read the source long ago. Throws `StartError` if the source names another table by now.
 */
export async function putInUse(
  source: { readonly dynamo: Reached },
  target: { readonly dynamo: Reached; readonly streamArn: string },
): Promise<void> {
  for (;;) {
    // In this order: if the source names the target now, only this write can have changed the target since the first read.
    const own = await target.dynamo.get(keys.shape());
    if (own?.notInUse === undefined) return;
    const shape = await source.dynamo.get(keys.shape());
    const { notInUse, moving, ...rest } = shape ?? {};
    if ((notInUse as TableInUse | undefined)?.stream !== target.streamArn || moving !== undefined)
      refuse('The table is not the one that the former table names. See `status`.');
    const rev = Math.max(Number(rest.rev ?? 0), Number(own.rev ?? 0)) + 1;
    const failed = await target.dynamo.tryTransact({
      shape: {
        put: { ...rest, ...keys.shape(), rev },
        ...{ condition: 'rev = :rev', values: { ':rev': Number(own.rev) } },
      },
      carry: { delete: keys.carry() },
    });
    if (failed === undefined) return;
  }
}
