import { secondsOf } from '../../../core/timestamps.ts';
import type { Dynamo } from '../../../dynamo/dynamo.ts';
import { keys } from '../../../dynamo/keys.ts';
import { FIRST_SHAPE } from '../../../dynamo/shapes.ts';
import { ifVersion } from '../../../dynamo/write.ts';
import type { TakenTurn, Turn, Turns } from '../channel.ts';

/** The least time between two pushes to a browser. */
const APART_MS = 10_000;
/** The most pushes to a browser in an hour. */
const HOURLY_MAX = 30;
const HOUR_MS = 3_600_000;
/** The most deliveries of one push. */
const TOGETHER_MAX = 20;

export interface PushLimitOptions {
  readonly dynamo: Pick<Dynamo, 'get' | 'tryTransact'>;
}

/**
 * At most one push in ten seconds and thirty in an hour to each browser. The times of the last ones are an item of the
 * browser, which the transaction that claims an attempt writes: of two attempts at the same time one waits.
 */
export function createPushLimit({ dynamo }: PushLimitOptions): Turns {
  async function next(id: string): Promise<Turn> {
    const item = await dynamo.get(keys.recentPushes(id));
    const times = (item?.times as readonly number[] | undefined) ?? [];
    const version = (item?.rev as number | undefined) ?? 0;
    const last = times.at(-1);
    const first = times.at(-HOURLY_MAX);
    return {
      at: Math.max(
        last === undefined ? 0 : last + APART_MS,
        times.length < HOURLY_MAX || first === undefined ? 0 : first + HOUR_MS,
      ),
      take: (at) => take(id, { times, version }, at),
    };
  }

  function take(id: string, before: { times: readonly number[]; version: number }, at: number): TakenTurn {
    const write = (times: readonly number[], version: number) => ({
      put: {
        ...keys.recentPushes(id),
        v: FIRST_SHAPE,
        times,
        rev: version + 1,
        // Then nothing of it matters any more.
        expiresAt: secondsOf(at) + HOUR_MS / 1_000,
      },
      ...ifVersion(version),
    });
    return {
      write: write([...before.times, at].slice(-HOURLY_MAX), before.version),
      async giveBack() {
        // If another attempt has taken a turn since, this one stays taken.
        await dynamo.tryTransact({ back: write(before.times, before.version + 1) });
      },
    };
  }

  return { max: TOGETHER_MAX, apartMs: APART_MS, next };
}
