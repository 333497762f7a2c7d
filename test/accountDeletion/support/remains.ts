import { kindOf } from '../../../src/accountDeletion/itemsOfUser.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keyOf, parseKey } from '../../../src/dynamo/keys.ts';

/** The keys of the threads that a user follows, and of records of what they were notified of that do not expire. */
export async function followsAndRecordsOf(dynamo: Dynamo, user: string): Promise<string[]> {
  const found: string[] = [];
  for await (const item of dynamo.scan({})) {
    const kind = kindOf(user, parseKey(keyOf(item)), item);
    const isRecord = kind === 'record' && item.expiresAt === undefined;
    if (kind === 'follow' || isRecord) found.push(`${item.pk} ${item.sk}`);
  }
  return found;
}
