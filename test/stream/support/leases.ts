import { afterAll, beforeAll } from 'vitest';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import type { Item } from '../../../src/dynamo/item.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { createLeases, type Lease, type Leases } from '../../../src/stream/leases.ts';
import { openTestDynamo, type TestDynamo } from '../../support/database/dynamo.ts';
import { createTestClock } from '../../support/time/clock.ts';

export const SHARD = 'shardId-1';
export const LOST_AFTER_MS = 10_000;

let streams = 0;
/** Each test has its own stream, so the leases in one table are separate. */
export const freshStream = () => `stream.${++streams}`;

/** To be called once in a file, outside its tests. */
export function useLeases() {
  let db: TestDynamo;
  beforeAll(async () => {
    db = await openTestDynamo();
  });
  afterAll(() => db.stop());

  return {
    get dynamo(): Dynamo {
      return db.dynamo;
    },
    /** A consumer with a clock of its own. */
    consumer(
      stream: string,
      owner: string,
      dynamo: Pick<Dynamo, 'query' | 'put' | 'update' | 'remove'> = db.dynamo,
    ) {
      const clock = createTestClock();
      return { clock, leases: createLeases({ dynamo, stream, owner, lostAfterMs: LOST_AFTER_MS, clock }) };
    },
    stored: (stream: string): Promise<Item | undefined> => db.dynamo.get(keys.shard(stream, SHARD)),
  };
}

export async function taken(leases: Leases): Promise<Lease> {
  await leases.list();
  const lease = await leases.take(SHARD);
  if (lease === undefined) throw new Error('The shard could not be taken.');
  return lease;
}
