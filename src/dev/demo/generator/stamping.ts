import { microsOf } from '../../../core/timestamps.ts';
import type { MessageKey } from '../../../messages/message.ts';
import type { MessageStamp } from '../../../reactions/stamps/stamp.ts';
import type { Person } from './people.ts';
import type { Random } from './random.ts';
import { createTicks, following } from './ticks.ts';

export interface StampingOptions {
  /** Milliseconds since 1970: nothing happens after it. */
  readonly until: number;
  readonly stampKeys: readonly string[];
  readonly random: Random;
  /** Somebody who is in the room. */
  readonly somebody: () => Person;
  /** How many are. */
  readonly present: number;
}

/** Once somebody has stamped, so many others follow on average; now and then it is a crowd. */
const FOLLOWERS_MEAN = 1.4;
const CROWD = { chance: 0.02, mean: 12 };
const MOST = 60;
/** Most take the stamp that is there already. */
const SAME = 0.65;
const MEAN_MS = 15 * 60_000;

/** The stamps on a message, in order: none on most of them, and nobody puts the same one twice. */
export function stampsOn(
  { room, t, c }: MessageKey,
  { until, stampKeys, random, somebody, present }: StampingOptions,
  chance: number,
): MessageStamp[] {
  if (stampKeys.length === 0 || !random.chance(chance)) return [];
  const mean = random.chance(CROWD.chance) ? CROWD.mean : FOLLOWERS_MEAN;
  const wanted = Math.min(MOST, present, 1 + Math.floor(random.exponential(mean)));
  const times = following({ from: microsOf(c) / 1000, until, count: wanted, mean: MEAN_MS }, random);
  const ticks = createTicks(random, microsOf(c));
  const first = random.pick(stampKeys);
  const taken = new Set<string>();
  return times.flatMap((ms): MessageStamp[] => {
    const user = somebody().user.id;
    const stampKey = random.chance(SAME) ? first : random.pick(stampKeys);
    const placed = `${user} ${stampKey}`;
    if (taken.has(placed)) return [];
    taken.add(placed);
    return [{ room, t, c, s: ticks(ms), user, stampKey }];
  });
}
