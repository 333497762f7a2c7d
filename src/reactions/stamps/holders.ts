import type { Dynamo } from '../../dynamo/dynamo.ts';
import { keyOf, parseKey, ranges } from '../../dynamo/keys.ts';
import type { Message } from '../../messages/message.ts';
import { isWorthReading, NO_USERS, oncePerMessage } from '../holders.ts';
import { stampCountsOf, TOTAL_MAX, toMessageStamp } from './stamp.ts';

interface StampOfMessage {
  readonly message: Message;
  readonly stampKey: string;
}

type StampHolders = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The users who put a stamp on a message, read once for all readers of an event. One query for all stamps, because
 * they are under their message. Undefined if it costs less to read each reader's own.
 */
export function createStampHolders({ dynamo }: { readonly dynamo: Dynamo }) {
  const holdersOf = oncePerMessage(async (message, readers): Promise<StampHolders | undefined> => {
    const total = Object.values(stampCountsOf(message)).reduce((sum, count) => sum + count, 0);
    if (!isWorthReading(total, readers)) return undefined;
    const { room, threadTs, ts } = message;
    const { items: found, more } = await dynamo.query(ranges.stamps(room, threadTs, ts), {
      limit: TOTAL_MAX,
    });
    if (more) return undefined;
    const holders = new Map<string, Set<string>>();
    for (const item of found) {
      const key = parseKey(keyOf(item));
      if (key.type !== 'stamp') continue;
      const { user, stampKey } = toMessageStamp(key, item);
      holders.set(stampKey, (holders.get(stampKey) ?? new Set()).add(user));
    }
    return holders;
  });

  return async ({ message, stampKey }: StampOfMessage, readers: number) => {
    const holders = await holdersOf(message, readers);
    return holders === undefined ? undefined : (holders.get(stampKey) ?? NO_USERS);
  };
}
