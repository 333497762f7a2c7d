import { DELIVERY_KINDS } from '../core/deliveryKinds.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keyOf, keys, parseKey, ranges } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { setTimer } from '../timers/timer.ts';
import {
  type Gathering,
  type GatheringKey,
  gatheringOf,
  gatheringTimer,
  gatheringWrite,
} from './gathering.ts';
import { holdOf, settingsOf, spreadOf } from './settings/settings.ts';

/** The most gatherings of a person, open or not, that are read. There is one for each kind and room. */
const LOOKED_AT_MAX = 1_000;

/** One read. */
export async function gatheringsOf(dynamo: Pick<Dynamo, 'query'>, user: string): Promise<Gathering[]> {
  const { items } = await dynamo.query(ranges.gatherings(user), { limit: LOOKED_AT_MAX });
  return items.flatMap((item) => {
    const key = parseKey(keyOf(item));
    const kind = key.type === 'gathering' ? DELIVERY_KINDS.find((known) => known === key.kind) : undefined;
    if (key.type !== 'gathering' || kind === undefined) return [];
    return [gatheringOf({ user, kind, room: key.room }, item)];
  });
}

/** Resolves to false, with nothing written, if the gathering changed since it was read. */
export async function moveGathering(
  dynamo: Pick<Dynamo, 'tryTransact'>,
  before: Gathering,
  dueAt: number,
): Promise<boolean> {
  const failed = await dynamo.tryTransact({
    gathering: gatheringWrite(before, { ...before, dueAt, held: true }),
    // The timer of the time before finds that it is not the gathering's any more.
    timer: setTimer(gatheringTimer(before, dueAt)),
  });
  return failed === undefined;
}

export interface ReleaseOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Moves what is held to the time that the person's settings say now. One query, and a transaction for each gathering that
 * moves.
 */
export function createRelease({ dynamo, now }: ReleaseOptions) {
  const move = (key: GatheringKey, dueAt: number): Promise<void> =>
    dynamo.optimistic(async () => {
      const one = gatheringOf(key, await dynamo.get(keys.gathering(key.user, key.kind, key.room)));
      if (!one.held || one.dueAt === null || one.dueAt === dueAt) return;
      return (await moveGathering(dynamo, one, dueAt)) ? undefined : AGAIN;
    });

  return async function release(user: string): Promise<void> {
    const settings = settingsOf(await dynamo.get(keys.deliverySettings(user)));
    const hold = holdOf(settings, now());
    const dueAt = hold === null ? now() : hold.until + spreadOf(user);
    const held = (await gatheringsOf(dynamo, user)).filter((one) => one.held && one.dueAt !== null);
    for (const one of held) await move(one, dueAt);
  };
}
