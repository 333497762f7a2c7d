import { DELIVERY_KINDS } from '../core/deliveryKinds.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keyOf, keys, parseKey, ranges } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import type { Write } from '../dynamo/write.ts';
import { setTimer } from '../timers/timer.ts';
import { type Gathering, gatheringOf, gatheringTimer, gatheringWrite } from './gathering.ts';
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

/** Resolves to false, with nothing written, if the gathering changed since it was read, or if `check` does not hold. */
export async function moveGathering(
  dynamo: Pick<Dynamo, 'tryTransact'>,
  before: Gathering,
  dueAt: number,
  check?: Write,
): Promise<boolean> {
  const failed = await dynamo.tryTransact({ move: moveWrites(before, dueAt), check });
  return failed === undefined;
}

/** Two writes. The timer of the time before finds that it is not the gathering's any more. */
export const moveWrites = (before: Gathering, dueAt: number): Write[] => [
  gatheringWrite(before, { ...before, dueAt, held: true }),
  setTimer(gatheringTimer(before, dueAt)),
];

export interface ReleaseOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Moves the first of what is held forward to the time that the person's settings say now: its decision takes the others
 * with it. If that time is later, each finds out at its own. One read, one query, and one transaction at most.
 */
export function createRelease({ dynamo, now }: ReleaseOptions) {
  return (user: string): Promise<void> =>
    dynamo.optimistic(async () => {
      const settings = settingsOf(await dynamo.get(keys.deliverySettings(user)));
      const hold = holdOf(settings, now());
      const dueAt = hold === null ? now() : hold.until + spreadOf(user);
      const times = (await gatheringsOf(dynamo, user)).flatMap((one) =>
        one.held && one.dueAt !== null ? [{ one, at: one.dueAt }] : [],
      );
      const [first] = times.sort((a, b) => a.at - b.at);
      if (first === undefined || first.at <= dueAt) return;
      return (await moveGathering(dynamo, first.one, dueAt)) ? undefined : AGAIN;
    });
}
