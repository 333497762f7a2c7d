import { groupBy } from '../../core/groupBy.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { type KeyRange, keyOf, parseKey, ranges } from '../../dynamo/keys.ts';
import { type Message, messageId } from '../../messages/message.ts';
import { type MessageStamp, stampCountsOf, toMessageStamp } from './stamp.ts';

/** 4 KB, which is one read unit, has about this many stamps. */
const STAMPS_PER_UNIT = 25;
/** Well under 1 MB, so the query is one round trip. */
const SPAN_MAX = 2_500;

export function createStampsOfMessages({ dynamo }: { readonly dynamo: Dynamo }) {
  /**
   * The first `limit` stamps of each of several messages of one room, by the message's id, oldest first. One query from
   * the first to the last message that has stamps. Between them there may be other messages with any number of stamps.
   * So the query reads at most what a query for each message would cost, and a second round trip has a query for each
   * of the messages that it did not reach. Reads nothing if no message has stamps.
   */
  return async function ofMessages(
    messages: readonly Message[],
    limit: number,
  ): Promise<ReadonlyMap<string, readonly MessageStamp[]>> {
    const wanted = messages
      .filter((message) => Object.keys(stampCountsOf(message)).length > 0)
      .map((message) => ({ message, range: ranges.stamps(message.room, message.threadTs, message.ts) }))
      .sort((one, other) => (one.range.from < other.range.from ? -1 : 1));
    const [first, last] = [wanted[0]?.range, wanted.at(-1)?.range];
    if (first === undefined || last === undefined) return new Map();

    const span: KeyRange = { pk: first.pk, from: first.from, to: last.to };
    const page = await dynamo.query(span, { limit: Math.min(SPAN_MAX, STAMPS_PER_UNIT * wanted.length) });
    const reached = page.more ? String(page.items.at(-1)?.sk) : last.to;
    const found = groupBy(stampsOf(page.items), messageId);
    const missing = wanted.filter(({ range }) => range.to > reached);
    const queried = await Promise.all(
      missing.map(async ({ message, range }) => {
        const { items } = await dynamo.query(range, { limit });
        return [messageId(message), stampsOf(items)] as const;
      }),
    );
    const all = new Map<string, readonly MessageStamp[]>([...found, ...queried]);
    return new Map(
      wanted.map(({ message }) => {
        const id = messageId(message);
        return [id, (all.get(id) ?? []).slice(0, limit)];
      }),
    );
  };
}

const stampsOf = (items: readonly Item[]): MessageStamp[] =>
  items.flatMap((item) => {
    const key = parseKey(keyOf(item));
    return key.type === 'stamp' ? [toMessageStamp(key, item)] : [];
  });
