import { microsOf } from '../../../core/timestamps.ts';
import type { Message } from '../../../messages/message.ts';
import type { Like } from '../../../reactions/likes/like.ts';
import type { StampingOptions } from './stamping.ts';
import { createTicks, following } from './ticks.ts';

/** Once somebody likes a message, so many others do on average; now and then nearly everybody. */
const OTHERS_MEAN = 2;
const CROWD = { chance: 0.015, mean: 25 };
const MOST = 200;
const MEAN_MS = 20 * 60_000;

/** The likes of a message in the order they were given: none of most, one each, and nobody likes their own. */
export function likesOn(
  { room, t, c, author }: Message,
  { until, random, somebody, present }: Omit<StampingOptions, 'stampKeys'>,
  chance: number,
): Like[] {
  if (!random.chance(chance)) return [];
  const mean = random.chance(CROWD.chance) ? CROWD.mean : OTHERS_MEAN;
  const wanted = Math.min(MOST, present, 1 + Math.floor(random.exponential(mean)));
  const times = following({ from: microsOf(c) / 1000, until, count: wanted, mean: MEAN_MS }, random);
  const ticks = createTicks(random, microsOf(c));
  const taken = new Set([author]);
  return times.flatMap((ms): Like[] => {
    const user = somebody().user.id;
    if (taken.has(user)) return [];
    taken.add(user);
    return [{ room, t, c, user, author, at: ticks(ms) }];
  });
}
