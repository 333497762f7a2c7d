import type { Dynamo } from '../../dynamo/dynamo.ts';
import { keys } from '../../dynamo/keys.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import type { Check } from '../../dynamo/write.ts';

/**
 * One run at a time writes into the target. The lock keeps runs apart that are alive; this keeps out what is late: a
 * run that was suspended longer than it may hold the lock, and a request that timed out, was sent again, and arrives at
 * last. Only copying on AWS writes without it, in batches: see decision 0066.
 *
 *   CARRY    turn 4 ── begin: 5 ──────────────── end: 6 ── put in use: deleted
 *   fences              5 … 5   each write       none
 *                               checks one
 *
 * Several fences, because transactions that check the same item at the same time are in each other's way.
 */
export const FENCES = 8;

const NUMBERS = Array.from({ length: FENCES }, (_, number) => number);

/** Part of each write of a run: it fails as soon as the turn is over, or another one has begun. `writer`: 0, 1, … */
export const fenceOf = (turn: number, writer: number): Check => ({
  check: keys.fence(writer % FENCES),
  condition: 'turn = :turn',
  values: { ':turn': turn },
});

/** The turn of the newest run. Undefined if there is no copy. */
export async function readTurn(dynamo: Pick<Dynamo, 'get'>): Promise<number | undefined> {
  const item = await dynamo.get(keys.carry());
  // A release before has begun copies without turns.
  return item === undefined ? undefined : Number(item.turn ?? 0);
}

/**
 * From now on no earlier run writes any more. Resolves to the turn. Undefined if there is no copy, or another run was
 * first.
 */
export async function beginTurn(dynamo: Pick<Dynamo, 'get' | 'tryTransact'>): Promise<number | undefined> {
  const before = await readTurn(dynamo);
  if (before === undefined) return undefined;
  const turn = before + 1;
  const isFirst = before === 0 ? 'attribute_not_exists(turn) OR ' : '';
  const failed = await dynamo.tryTransact({
    carry: {
      key: keys.carry(),
      update: 'SET turn = :turn REMOVE ended',
      condition: `attribute_exists(pk) AND (${isFirst}turn = :before)`,
      values: { ':turn': turn, ':before': before },
    },
    fences: NUMBERS.map((number) => ({ put: { ...keys.fence(number), v: FIRST_SHAPE, turn } })),
  });
  return failed === undefined ? turn : undefined;
}

/**
 * `ended`: from now on no write of this run arrives, and the copy is verified. `unverified`: it is not, and the turn
 * goes on. `lost`: another run has begun.
 */
export async function endTurn(
  dynamo: Pick<Dynamo, 'tryTransact'>,
  turn: number,
): Promise<'ended' | 'unverified' | 'lost'> {
  const failed = await dynamo.tryTransact({
    carry: {
      key: keys.carry(),
      update: 'SET turn = :next, ended = :true',
      condition: 'turn = :turn AND verified = :true',
      values: { ':turn': turn, ':next': turn + 1, ':true': true },
    },
    fences: NUMBERS.map((number) => ({ delete: keys.fence(number) })),
  });
  if (failed === undefined) return 'ended';
  const { turn: now, ended } = failed.carry?.item ?? {};
  // It was done before, and the response was lost.
  if (now === turn + 1 && ended === true) return 'ended';
  return now === turn ? 'unverified' : 'lost';
}
