import type { Dynamo, PageRequest } from '../dynamo/dynamo.ts';
import { type KeyRange, keys, parseKey, ranges, type Stamp } from '../dynamo/keys.ts';
import type { Stamps } from '../dynamo/stamps.ts';
import { type Message, messageOf } from './message.ts';
import { createSending } from './send.ts';

export type Messages = ReturnType<typeof createMessages>;

export interface MessagesOptions {
  readonly dynamo: Dynamo;
  readonly stamps: Stamps;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export function createMessages(options: MessagesOptions) {
  const { dynamo } = options;

  /** Thread roots in chronological order (by their time stamps). One round trip; no reply is read. */
  const roots = (room: string, page: MessagePage) =>
    read(ranges.roots(room), page, (c) => keys.root(room, c).sk);

  /** A thread's replies in chronological order. One round trip. */
  const replies = (room: string, t: Stamp, page: MessagePage) =>
    read(ranges.replies(room, t), page, (c) => keys.reply(room, t, c).sk);

  async function read(
    range: KeyRange,
    { limit, direction, from }: MessagePage,
    sortKey: (c: Stamp) => string,
  ) {
    const reverse = direction === 'backward';
    const request: PageRequest =
      from === undefined ? { limit, reverse } : { limit, reverse, after: sortKey(from) };
    const { items, more } = await dynamo.query(range, request);
    const nodes = items.flatMap((item): Message[] => {
      const key = parseKey(item as { pk: string; sk: string });
      return key.type === 'root' || key.type === 'reply' ? [messageOf(key, item)] : [];
    });
    return { nodes: reverse ? nodes.reverse() : nodes, more };
  }

  return { ...createSending(options), roots, replies };
}

export interface MessagePage {
  readonly limit: number;
  readonly direction: 'forward' | 'backward';
  /** The createdAt to start behind, in the direction of reading; absent: from the end. */
  readonly from: Stamp | undefined;
}
