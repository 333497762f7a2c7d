import { defined } from '../core/defined.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { keyOf, parseKey, ranges, TIMER_PARTITIONS } from '../dynamo/keys.ts';
import { type QueuedTimer, queuedTimer } from './queue.ts';

const PAGE = 100;
/** For partitions with many timers of owners that have enough of them waiting in the queue. */
const PAGES_PER_LOOK = 10;

export interface ReadOptions {
  /** Called with each page, at most 100 timers. Returns how many of them were new. */
  readonly enqueue: (timers: readonly QueuedTimer[]) => number;
  /** Asked after each response. If it is true, the response is ignored, and the partition is not read further. */
  readonly isOutdated: () => boolean;
}

/**
 * The timers in the table, as far as they are due. Their partitions are read side by side, each from where its last
 * page ended, until it has no more that are due.
 */
export function createDueTimers({ dynamo }: { readonly dynamo: Pick<Dynamo, 'query'> }) {
  const partitions = Array.from({ length: TIMER_PARTITIONS }, (_, number) => ({
    number,
    /** The sort key behind which the next read continues. Undefined: from the beginning. */
    after: undefined as string | undefined,
    /** Every timer that is due by this time was read. */
    readUntil: Number.NEGATIVE_INFINITY,
  }));

  /**
   * Reads on, to what is due at `until` (milliseconds since 1970), until each partition has had 100 new ones. Resolves
   * to whether one has, so that it may have more. Rejects with an outage of the database.
   */
  async function readUntil(until: number, options: ReadOptions): Promise<boolean> {
    const added = await Promise.all(partitions.map((partition) => read(partition, until, options)));
    return added.some((count) => count >= PAGE);
  }

  /** Resolves to the number of timers that were new. */
  async function read(
    partition: (typeof partitions)[number],
    until: number,
    { enqueue, isOutdated }: ReadOptions,
  ): Promise<number> {
    let added = 0;
    for (let pages = 0; pages < PAGES_PER_LOOK && added < PAGE; pages++) {
      const range = ranges.timersUntil(partition.number, until);
      const page = await dynamo.query(range, defined({ limit: PAGE, after: partition.after }));
      if (isOutdated()) break;
      const found = page.items.flatMap(queuedOf);
      added += enqueue(found);
      const last = page.items.at(-1);
      if (!page.more || last === undefined) {
        Object.assign(partition, { after: undefined, readUntil: until });
        break;
      }
      Object.assign(partition, { after: last.sk, readUntil: found.at(-1)?.due ?? partition.readUntil });
    }
    return added;
  }

  return {
    readUntil,
    /** Every timer that is due by this time was read, of all partitions. */
    frontier: (): number => Math.min(...partitions.map(({ readUntil }) => readUntil)),
    /** The next read begins at the beginning. */
    forget(): void {
      for (const partition of partitions) {
        Object.assign(partition, { after: undefined, readUntil: Number.NEGATIVE_INFINITY });
      }
    },
  };
}

function queuedOf(item: Item): QueuedTimer[] {
  const key = parseKey(keyOf(item));
  return key.type === 'timer' ? [queuedTimer(key, item)] : [];
}
