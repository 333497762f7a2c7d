/** Which items outside a user's partition belong to them. No index has them: they are found by reading the table. */
import type { Item } from '../dynamo/item.ts';
import type { ParsedKey } from '../dynamo/keys.ts';
import type { Guard } from '../dynamo/write.ts';
import { entryOf } from '../saved/entry.ts';

/**
 * `text`: a message that still has its text. `saved`: a message that the user has saved. `record`: what the user was
 * notified of, the items that say whose a push subscription is, and what belongs to saved messages or is left of them.
 */
export type KindOfItem = 'text' | 'like' | 'stamp' | 'saved' | 'follow' | 'record';

/** Undefined if the item is not the user's. */
export function kindOf(user: string, key: ParsedKey, item: Item): KindOfItem | undefined {
  switch (key.type) {
    case 'root':
    case 'reply':
      return item.author === user && item.deletedAt === undefined ? 'text' : undefined;
    case 'stamp':
      return item.user === user ? 'stamp' : undefined;
    case 'pushEndpoint':
    case 'pushToken':
      return item.user === user ? 'record' : undefined;
    case 'saved':
      if (key.user !== user) return undefined;
      return entryOf(key, item) === undefined ? 'record' : 'saved';
    case 'savedRow':
    case 'reminder':
    case 'savedTag':
    case 'savedTagName':
      return key.user === user ? 'record' : undefined;
    case 'like':
      return key.user === user ? 'like' : undefined;
    case 'follow':
      return key.user === user ? 'follow' : undefined;
    case 'notified':
      return key.user === user ? 'record' : undefined;
    default:
      return undefined;
  }
}

/** Items that may be the user's: they name them in an attribute, or in a key. */
export const naming = (user: string): Guard => ({
  condition: 'author = :user OR #user = :user OR contains(pk, :user) OR contains(sk, :user)',
  names: { '#user': 'user' },
  values: { ':user': user },
});
