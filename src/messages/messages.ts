import type { Publisher } from '../bus/publisher.ts';
import type { Timestamp, Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { type KeyRange, keys, ranges } from '../dynamo/keys.ts';
import type { PageRequest } from '../dynamo/reads.ts';
import { createChanges } from './change.ts';
import {
  type Message,
  type MessageExtension,
  type MessageKey,
  messageFrom,
  type ViewerItems,
} from './message.ts';
import { createSending } from './send.ts';

export type Messages = ReturnType<typeof createMessages>;

export interface MessagesOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  /** What other features store on messages. */
  readonly extensions: readonly MessageExtension[];
  /** What `user` has for the messages of a page: roots, or replies of one thread, in order. */
  readonly viewerItems: (user: string, page: readonly MessageKey[]) => ViewerItems;
  /** Absent: no client is connected. */
  readonly publisher?: Publisher;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

export function createMessages(options: MessagesOptions) {
  const { dynamo, viewerItems } = options;

  /** Thread roots in chronological order (by their timestamps). One round trip; no reply is read. */
  const roots = (room: string, page: MessagePage) =>
    read(ranges.roots(room), page, (ts) => keys.root(room, ts).sk);

  /** A thread's replies in chronological order. One round trip. */
  const replies = (room: string, threadTs: Timestamp, page: MessagePage) =>
    read(ranges.replies(room, threadTs), page, (ts) => keys.reply(room, threadTs, ts).sk);

  /**
   * A page of `size` roots with the given one in its middle, if there are enough on both sides; null if the root
   * does not exist. Two parallel queries, each of at most `size` roots.
   */
  async function around(room: string, threadTs: Timestamp, size: number): Promise<JumpPage | null> {
    const here = keys.root(room, threadTs).sk;
    const range = ranges.roots(room);
    const [older, newer] = await Promise.all([
      read(range, { limit: size, direction: 'backward', from: threadTs }, () => here),
      read({ ...range, from: here }, { limit: size, direction: 'forward', from: undefined }, () => here),
    ]);
    if (newer.nodes[0]?.threadTs !== threadTs) return null;
    const wanted = Math.max(Math.floor(size / 2), size - newer.nodes.length);
    const before = Math.min(older.nodes.length, wanted, size - 1);
    const after = Math.min(newer.nodes.length, size - before);
    return {
      nodes: [...older.nodes.slice(older.nodes.length - before), ...newer.nodes.slice(0, after)],
      moreBefore: older.more || older.nodes.length > before,
      moreAfter: newer.more || newer.nodes.length > after,
    };
  }

  /**
   * The first `size` roots at `from` or after it. Two parallel queries: one of them reads whether an older root exists.
   */
  async function since(room: string, from: Timestamp, size: number): Promise<JumpPage> {
    const here = keys.root(room, from).sk;
    const range = ranges.roots(room);
    const [older, newer] = await Promise.all([
      read(range, { limit: 1, direction: 'backward', from }, () => here),
      read({ ...range, from: here }, { limit: size, direction: 'forward', from: undefined }, () => here),
    ]);
    return { nodes: newer.nodes, moreBefore: older.nodes.length > 0, moreAfter: newer.more };
  }

  async function read(
    range: KeyRange,
    { limit, direction, from }: MessagePage,
    sortKey: (ts: Timestamp) => string,
  ) {
    const reverse = direction === 'backward';
    const request: PageRequest =
      from === undefined ? { limit, reverse } : { limit, reverse, after: sortKey(from) };
    const { items, more } = await dynamo.query(range, request);
    const nodes: Message[] = [];
    for (const item of items) {
      const message = messageFrom(item);
      if (message !== undefined) nodes.push(message);
    }
    return { nodes: reverse ? nodes.reverse() : nodes, more };
  }

  return { ...createSending(options), ...createChanges(options), roots, replies, around, since, viewerItems };
}

export interface MessagePage {
  readonly limit: number;
  readonly direction: 'forward' | 'backward';
  /** Start after this createdAt, in the direction of reading; absent: from the end. */
  readonly from: Timestamp | undefined;
}

export interface JumpPage {
  readonly nodes: readonly Message[];
  readonly moreBefore: boolean;
  readonly moreAfter: boolean;
}
