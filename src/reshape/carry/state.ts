import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ConditionFailed } from '../../dynamo/errors.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, keys } from '../../dynamo/keys.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import type { TablePlace } from '../tableShape.ts';

/** The number of parts of a table that are read side by side. */
export const SEGMENTS = 8;

/** How far the copying is. */
export interface Progress {
  /** First the source is read, for what the target lacks; then the target, for what it has too much. */
  readonly reads: 'source' | 'target' | 'nothing';
  /** The key after which each part continues. Null: its end was reached. Absent: at its beginning. */
  readonly segments: ReadonlyArray<{ readonly after?: Key } | null>;
  /** Items that were read, of both tables. */
  readonly scanned: number;
  /** Items that were put or deleted, also by following. */
  readonly written: number;
  /** The age of the oldest change of the source that was read and not carried, in milliseconds. */
  readonly lagMs: number;
}

export const ALL_SEGMENTS: Progress['segments'] = Array.from({ length: SEGMENTS }, () => ({}));

export const BEGINNING: Progress = {
  reads: 'source',
  segments: ALL_SEGMENTS,
  scanned: 0,
  written: 0,
  lagMs: 0,
};

/** The item of the target that says what it becomes. */
export interface CarryState {
  /** The ARN of the source's stream. */
  readonly from: string;
  /** Write units a second. */
  readonly rate: number;
  readonly progress: Progress;
  /** Both tables were compared completely, after everything was copied, and no item differed. */
  readonly verified: boolean;
  /** The newest question of `verify`, and the newest that `carry` has answered: see `reach.ts`. 0: none. */
  readonly asked: number;
  readonly answered: number;
  /**
   * The place of the source, once a switch has begun: the next user of this table may have to read there what was
   * decided.
   */
  readonly place?: TablePlace;
}

const stateOf = (item: Item): CarryState => ({
  from: String(item.from),
  rate: Number(item.rate),
  progress: JSON.parse(String(item.progress)) as Progress,
  verified: item.verified === true,
  asked: Number(item.asked ?? 0),
  answered: Number(item.answered ?? 0),
  ...(item.place === undefined ? {} : { place: item.place as TablePlace }),
});

export async function readState(dynamo: Pick<Dynamo, 'get'>): Promise<CarryState | undefined> {
  const item = await dynamo.get(keys.carry());
  return item === undefined ? undefined : stateOf(item);
}

export const putState = (dynamo: Pick<Dynamo, 'put'>, from: string, rate: number): Promise<void> =>
  dynamo.put({
    ...keys.carry(),
    v: FIRST_SHAPE,
    from,
    rate,
    verified: false,
    turn: 0,
    progress: JSON.stringify(BEGINNING),
  });

/** Writes some of it. Undefined: there is no such item any more. */
export async function changeState(
  dynamo: Pick<Dynamo, 'update'>,
  change: Partial<Pick<CarryState, 'rate' | 'progress' | 'verified' | 'place'>>,
): Promise<CarryState | undefined> {
  const { progress, ...rest } = change;
  const set = { ...rest, ...(progress === undefined ? {} : { progress: JSON.stringify(progress) }) };
  const names = Object.keys(set);
  try {
    const item = await dynamo.update(keys.carry(), {
      update: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
      condition: 'attribute_exists(pk)',
      names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      values: Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
    });
    return stateOf(item);
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}
