import { keys } from '../../dynamo/keys.ts';
import { readTableShape } from '../tableShape.ts';
import { type CarryOptions, startCarrying } from './carry.ts';
import { skipStream } from './following.ts';
import { close, copyOf, isClosedFor, open, refuse, usersOf } from './marks.ts';
import type { Sides } from './sides.ts';
import { readState } from './state.ts';

/**
 * The target is in use from now on, and the source is not. No server may be running. If it cannot be done, the source stays in
 * use; if it is killed on its way, neither is, and it has to be run again.
 */
export async function handOver(sides: Sides, options: Omit<CarryOptions, 'sides' | 'state'>): Promise<void> {
  const { source, target } = sides;
  const state = await copyOf(sides);
  if (state.progress.reads !== 'nothing') refuse('Not everything is copied yet. See `status`.');
  if (!state.verified) refuse('The copy is not verified. Run `verify` while `carry` is running.');
  const shape = await readTableShape(source.dynamo);
  if (shape.change !== undefined)
    refuse('A change of the shape is under way. Finish it first, or wait until it is taken back.');
  const isBegun = await isClosedFor(source, target);
  if (!isBegun && shape.notInUse !== undefined)
    refuse(`This table is not in use, but ${shape.notInUse.table}.`);
  await assertUnused(sides, options.now());
  const carrying = await startCarrying({ ...options, sides, state });
  try {
    // A server that starts at this moment either sees this, or is seen.
    await close(source, target);
    await assertUnused(sides, options.now());
    const drained = new AbortController();
    await Promise.race([
      carrying.following.drained(drained.signal),
      carrying.ended.finally(() => drained.abort()),
    ]);
    await carrying.stop();
    if ((await readState(target.dynamo))?.verified !== true)
      refuse('Changes were missed, so everything is compared again. Run `carry` and `verify`, then this.');
    await skipStream(target, options.clock);
  } catch (error) {
    await carrying.stop();
    await open(source);
    throw error;
  }
  await target.dynamo.transact([{ put: await shapeAfter(sides) }, { delete: keys.carry() }]);
}

async function assertUnused({ source, target }: Sides, now: number): Promise<void> {
  for (const side of [source, target]) {
    const [user] = await usersOf(side, now);
    if (user === undefined) continue;
    refuse(
      `The server ${user.server} on ${user.host} uses the table ${side.place}. Stop all servers; one that was killed counts for a minute.`,
    );
  }
}

/** The shape of the source, for a table that is in use. */
async function shapeAfter({ source, target }: Sides) {
  const [shape, own] = await Promise.all([source.dynamo.get(keys.shape()), target.dynamo.get(keys.shape())]);
  const { notInUse: _, ...rest } = shape ?? {};
  const rev = Math.max(Number(shape?.rev ?? 0), Number(own?.rev ?? 0)) + 1;
  return { ...keys.shape(), ...rest, rev };
}
