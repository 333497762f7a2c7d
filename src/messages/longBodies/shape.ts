import { defined } from '../../core/defined.ts';
import type { Item } from '../../dynamo/item.ts';
import { keyOf, keys, parseKey } from '../../dynamo/keys.ts';
import type { Group, Shape, StoredItem } from '../../dynamo/shape.ts';
import { FIRST_SHAPE, LONG_BODIES } from '../../dynamo/shapes.ts';
import { bodyKey, inShape } from './body.ts';

/** No shorter text is a kilobyte long in UTF-8, however `size` counts. */
const CHARACTERS_MIN = 256;

/** Long bodies are items of their own. */
export const longBodies: Shape = {
  version: LONG_BODIES,
  title: 'Message bodies over 1 kB are items of their own',
  candidates: {
    up: {
      condition: 'size(body) > :least AND v = :before',
      values: { ':least': CHARACTERS_MIN, ':before': FIRST_SHAPE },
    },
    down: { condition: 'v = :own', values: { ':own': LONG_BODIES } },
  },
  group(key) {
    if (key.type !== 'root' && key.type !== 'reply' && key.type !== 'body') return undefined;
    const { room, threadTs, ts } = key;
    return [keys.message(room, threadTs, ts), bodyKey({ room, threadTs, ts })];
  },
  up(group) {
    const { message } = partsOf(group);
    const key = message === undefined ? undefined : parseKey(keyOf(message));
    if (message === undefined || (key?.type !== 'root' && key?.type !== 'reply')) return group;
    return message.body === undefined ? group : inShape(message, key, LONG_BODIES);
  },
  down(group) {
    const { message, body } = partsOf(group);
    // What is left of a room that is being deleted.
    if (message === undefined) return [];
    if (message.bodyApart === undefined) return body === undefined ? group : [message];
    const { bodyApart: _, ...rest } = message;
    // Only the deletion of a room leaves the attribute on a deleted message.
    const text = message.deletedAt === undefined ? body?.body : undefined;
    return [{ ...(rest as StoredItem), v: FIRST_SHAPE, ...defined({ body: text }) }];
  },
};

function partsOf(group: Group): {
  readonly message: StoredItem | undefined;
  readonly body: Item | undefined;
} {
  const typeOf = (item: StoredItem) => parseKey(keyOf(item)).type;
  return {
    message: group.find((item) => typeOf(item) !== 'body'),
    body: group.find((item) => typeOf(item) === 'body'),
  };
}
