import { secondsOf } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ifConditionHolds } from '../dynamo/errors.ts';
import { keyOf } from '../dynamo/keys.ts';
import { EXPIRING } from '../stream/records.ts';

export interface DeleteExpiredOptions {
  readonly dynamo: Pick<Dynamo, 'scan' | 'update' | 'remove'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Deletes at most this many items. */
  readonly limit?: number;
}

const LIMIT = 1_000;

/**
 * Deletes the items that have expired, as DynamoDB does by itself on AWS, but no emulator does. It reads the whole
 * table, which is small there. Each item is marked before it is deleted, so that handlers do not take it for a user's
 * deletion. Resolves to the number of items that were deleted.
 */
export async function deleteExpired({ dynamo, now, limit = LIMIT }: DeleteExpiredOptions): Promise<number> {
  const isOver = { condition: 'expiresAt < :now', values: { ':now': secondsOf(now()) } };
  let deleted = 0;
  for await (const item of dynamo.scan(isOver)) {
    if (deleted >= limit) break;
    const names = { '#expiring': EXPIRING };
    const mark = { update: 'SET #expiring = :true', names, values: { ...isOver.values, ':true': true } };
    const marked = await ifConditionHolds(
      dynamo.update(keyOf(item), { ...mark, condition: isOver.condition }),
    );
    // It was used again, or deleted.
    if (marked === undefined) continue;
    await ifConditionHolds(dynamo.remove(keyOf(item), isOver));
    deleted++;
  }
  return deleted;
}
