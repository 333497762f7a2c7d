import type { ItemLoader } from '../../dynamo/itemLoader.ts';
import { type Key, keys } from '../../dynamo/keys.ts';
import { AGAIN, optimistic } from '../../dynamo/optimistic.ts';
import type { StoredItem } from '../../dynamo/shape.ts';
import { FIRST_SHAPE, LONG_BODIES } from '../../dynamo/shapes.ts';
import type { Write } from '../../dynamo/write.ts';
import { readableBody } from '../mentions.ts';
import { type Message, type MessageKey, messageOf } from '../message.ts';

/** Bytes in UTF-8. A write unit is a kilobyte, so a shorter body would gain little. */
const TOGETHER_MAX = 1_024;
/** For how long message and body are read again, in milliseconds. */
const AGAIN_MS = 1_000;

const isLong = (body: string): boolean => Buffer.byteLength(body) > TOGETHER_MAX;

export const bodyKey = ({ room, threadTs, ts }: MessageKey): Key => keys.body({ room, threadTs, ts });

/** `edits` is that of the message: a body belongs to its message if they are the same. */
const bodyItem = (message: MessageKey, { body, edits }: Pick<Message, 'body' | 'edits'>) => ({
  ...bodyKey(message),
  v: LONG_BODIES,
  body,
  edits,
});

/** Part of an update that gives a message another body, and the write of its body's item, if it has or had one. */
export function bodyWritten(
  message: Message,
  { body, edits }: { readonly body: string; readonly edits: number },
  shape: number,
) {
  const apart = shape >= LONG_BODIES && isLong(body);
  return {
    set: apart ? 'bodyApart = :isApart, v = :shape' : 'body = :body, v = :shape',
    remove: apart ? ['body'] : ['bodyApart'],
    values: apart ? { ':isApart': true, ':shape': LONG_BODIES } : { ':body': body, ':shape': FIRST_SHAPE },
    item: apart ? { put: bodyItem(message, { body, edits }) } : itemRemoved(message),
  };
}

/** The write that deletes the item of a message's body. Undefined: it has none. */
export const itemRemoved = ({
  bodyApart,
  ...message
}: MessageKey & Pick<Message, 'bodyApart'>): Write | undefined =>
  bodyApart ? { delete: bodyKey(message) } : undefined;

/** Holds if the message is still there, and its body has not moved since it was read. */
export const sameBodyPlace = ({ bodyApart }: Pick<Message, 'bodyApart'>): string =>
  bodyApart ? 'attribute_exists(bodyApart)' : 'attribute_exists(pk) AND attribute_not_exists(bodyApart)';

/**
 * The text of a message as users read it; null if it is deleted. A body apart is read by its key, in one batch with
 * what else is loaded at this moment: the authors of a page and the mentioned users, for example.
 */
export function bodyOf(message: Message, items: ItemLoader): string | null | Promise<string | null> {
  if (message.bodyApart && message.deletedAt === null) return bodyApartOf(message, items);
  return message.body === null ? null : readableBody(message.body, items);
}

async function bodyApartOf(message: Message, items: ItemLoader): Promise<string | null> {
  const [body] = await Promise.all([
    storedBodyOf(message, items),
    ...message.mentions.map((user) => items.loadKept(keys.user(user))),
  ]);
  return body === null ? null : readableBody(body, items);
}

/** The text with mentions as `mentions.ts` stores them; null if it is deleted. */
async function storedBodyOf(message: Message, items: ItemLoader): Promise<string | null> {
  return (await withStoredBody(message, items)).stored;
}

/**
 * The same with the message that it belongs to: a newer version than that which was read, if it was edited in between.
 */
export async function withStoredBody(message: Message, items: ItemLoader): Promise<WithBody> {
  if (!message.bodyApart || message.deletedAt !== null) return { message, stored: message.body };
  const item = await items.load(bodyKey(message));
  return item?.edits === message.edits ? { message, stored: item.body as string } : readAgain(message, items);
}

interface WithBody {
  readonly message: Message;
  readonly stored: string | null;
}

/**
 * An edit, a deletion or a change of the table's shape came between the reads of the message and of its body. Reads
 * both until they belong together: the text is then that of the newer version.
 */
const readAgain = (before: Message, items: ItemLoader): Promise<WithBody> =>
  optimistic<WithBody>(
    async () => {
      const { room, threadTs, ts } = before;
      const key = { room, threadTs, ts };
      const [item, body] = await items.readAgain([keys.message(room, threadTs, ts), bodyKey(key)]);
      const message = item === undefined ? undefined : messageOf(key, item);
      if (message === undefined) return { message: before, stored: null };
      if (message.deletedAt !== null) return { message, stored: null };
      if (!message.bodyApart) return { message, stored: message.body };
      return body?.edits === message.edits ? { message, stored: body.body as string } : AGAIN;
    },
    { budgetMs: AGAIN_MS },
  );

/** The items of a message for its item in the first shape. */
export function inShape(item: StoredItem, message: MessageKey, shape: number): readonly StoredItem[] {
  const { body, ...rest } = item;
  if (shape < LONG_BODIES || typeof body !== 'string' || !isLong(body)) return [item];
  const edits = (item.edits as number | undefined) ?? 0;
  return [{ ...(rest as StoredItem), v: LONG_BODIES, bodyApart: true }, bodyItem(message, { body, edits })];
}
