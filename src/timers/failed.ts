/** Timers that failed for a day and are not tried again. They are kept for 30 days. */
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keyOf, parseKey, ranges } from '../dynamo/keys.ts';
import { type Timer, timerOf } from './timer.ts';

/**
 * The oldest ones by the time that they were due, at most `limit` (1 to 1,000). One round trip for pages under 1 MB,
 * with a unit for each 4 kB.
 */
export async function failedTimers(dynamo: Dynamo, limit: number): Promise<readonly Timer[]> {
  const { items } = await dynamo.query(ranges.failedTimers(), { limit });
  return items.flatMap((item) => {
    const key = parseKey(keyOf(item));
    return key.type === 'failedTimer' ? [timerOf({ id: key.timer, due: key.due }, item)] : [];
  });
}
