import type { Dynamo } from '../dynamo/dynamo.ts';
import { ConditionsFailed } from '../dynamo/errors.ts';
import type { Write } from '../dynamo/write.ts';

/** All of it, or nothing and false, where something is not as it had been read: it has to be looked at again. */
export async function written(dynamo: Dynamo, writes: readonly Write[]): Promise<boolean> {
  try {
    await dynamo.transact(writes);
    return true;
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    return false;
  }
}
