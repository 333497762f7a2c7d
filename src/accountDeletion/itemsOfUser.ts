/** Which items outside a user's partition belong to them. No index has them: they are found by reading the table. */
import type { Item } from '../dynamo/item.ts';
import type { ParsedKey } from '../dynamo/keys.ts';
import type { Guard } from '../dynamo/write.ts';

/**
 * `text`: a message that still has its text. `record`: what the user was notified of, and the items that say whose a
 * push subscription is.
 */
export type KindOfItem = 'text' | 'like' | 'stamp' | 'follow' | 'record';

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
