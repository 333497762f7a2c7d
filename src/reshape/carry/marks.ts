import { StartError } from '../../core/errors.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { keys } from '../../dynamo/keys.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import { type Heartbeat, nameOf, readHeartbeats } from '../heartbeats.ts';
import { assertInUse, readTableShape, type TableShape } from '../tableShape.ts';
import { isCarried, type Side, type Sides } from './sides.ts';
import { type CarryState, putState, readState } from './state.ts';

/** A command that cannot be done, in one sentence. Nothing was changed. */
export const refuse = (why: string): never => {
  throw new StartError(why);
};

/** The refusal of a run while another one writes. */
export const CARRIES = 'Another command carries into this table. See `status`.';
const CHANGED = 'Another command has changed the shape of the table at the same moment. Run this one again.';

/** A process still uses the table that is to become a copy. It may end soon. */
export class UsedError extends StartError {
  readonly user: Heartbeat;
  constructor(user: Heartbeat, place: string) {
    super(`The server ${nameOf(user)} uses the table ${place}. Stop it, or name another one.`);
    this.user = user;
  }
}

/** What `SHAPE` says of the use of the table. */
export type Use = Pick<TableShape, 'notInUse' | 'moving'>;

/**
 * Replaces what `SHAPE` says of the use of the table. The version rises, so that no other command overwrites it;
 * resolves to it. Undefined if it is not `from` any more.
 */
export async function changeUse(
  dynamo: Pick<Dynamo, 'get' | 'tryTransact'>,
  use: Use,
  from?: number,
): Promise<number | undefined> {
  const item = await dynamo.get(keys.shape());
  const { notInUse: _, moving: __, ...rest } = item ?? { v: FIRST_SHAPE, inForce: FIRST_SHAPE };
  const rev = Number(item?.rev ?? 0);
  if (from !== undefined && rev !== from) return undefined;
  const guard =
    item === undefined
      ? { condition: 'attribute_not_exists(pk)' }
      : { condition: 'rev = :rev', values: { ':rev': rev } };
  const next = { ...rest, ...use, ...keys.shape(), rev: rev + 1 };
  const failed = await dynamo.tryTransact({ shape: { put: next, ...guard } });
  return failed === undefined ? rev + 1 : undefined;
}

async function putUse(dynamo: Dynamo, use: Use): Promise<void> {
  if ((await changeUse(dynamo, use)) === undefined) refuse(CHANGED);
}

/** From now on no server starts on the table, and those that use it end within a second. */
const close = ({ dynamo }: Side, inUse: Side): Promise<void> =>
  putUse(dynamo, { notInUse: { table: inUse.place, stream: inUse.streamArn } });

const isClosedFor = async ({ dynamo }: Side, inUse: Side): Promise<boolean> =>
  (await readTableShape(dynamo)).notInUse?.stream === inUse.streamArn;

/** Processes that use a table: a server that was killed counts for another minute. */
export const usersOf = ({ dynamo }: Side, now: number): Promise<Heartbeat[]> => readHeartbeats(dynamo, now);

/**
 * The target is, or becomes, a copy of the source. Throws `UsedError` if a process uses it, and another `StartError` if
 * anything else may be in it. A table that was handed over to the source before may be made a copy of it: that is the
 * way back. `rate`: that of a new copy, unless the hand-over or switch has chosen one.
 */
export async function beginCopy(sides: Sides, rate: number, now: number): Promise<CarryState> {
  const { source, target } = sides;
  if (source.streamArn === target.streamArn) refuse('The target is the table itself. Name another one.');
  assertInUse(await readTableShape(source.dynamo));
  const [user] = await usersOf(target, now);
  if (user !== undefined) throw new UsedError(user, target.place);
  const { notInUse } = await readTableShape(target.dynamo);
  if (notInUse === undefined) {
    if (await hasItems(target))
      refuse(`The table ${target.place} has items and is not a copy of this one. Name an empty table.`);
    await close(target, source);
  } else if (notInUse.stream !== source.streamArn) {
    refuse(`The table ${target.place} is a copy of another table, ${notInUse.table}. Name an empty one.`);
  }
  const state = await readState(target.dynamo);
  if (state?.from === source.streamArn) return state;
  await putState(target.dynamo, source.streamArn, notInUse?.backRate ?? rate);
  return beginCopy(sides, rate, now);
}

/** The copy that was begun. Throws `StartError` if there is none. */
export async function copyOf({ source, target }: Sides): Promise<CarryState> {
  const state = await readState(target.dynamo);
  if (state === undefined || state.from !== source.streamArn || !(await isClosedFor(target, source))) {
    // After a switch the other one is in use, and is a copy no longer. One that is under way may be taken back.
    const shape = await readTableShape(source.dynamo);
    if (shape.moving === undefined) assertInUse(shape);
    return refuse(`The table ${target.place} is not a copy of this one. Begin with \`carry\`.`);
  }
  return state;
}

/** Apart from those of a new table. */
async function hasItems({ dynamo }: Side): Promise<boolean> {
  const filter = { condition: 'pk <> :conversions', values: { ':conversions': keys.conversion('likes').pk } };
  for await (const item of dynamo.scan(filter)) if (isCarried(item)) return true;
  return false;
}
