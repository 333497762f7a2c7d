import type { Dynamo } from '../dynamo/dynamo.ts';
import { parseKey, ranges } from '../dynamo/keys.ts';
import { type MessageKey, messageId } from '../messages/message.ts';

/** What one person did to one message. */
export interface Marks {
  readonly liked: boolean;
  /** The keys of the stamps they put on it. */
  readonly stamps: ReadonlySet<string>;
}

/** What one person did to the messages of a page: one query for all of them, and only when it is asked for. */
export interface PageMarks {
  of(message: MessageKey): Promise<Marks>;
}

/** A like and 50 different stamps, for each of 100 messages. */
const MARKS_MAX = 5_100;
const NONE: Marks = { liked: false, stamps: new Set() };

/** `page`: roots, or replies of one thread, in order. */
export function createPageMarks(dynamo: Dynamo, user: string, page: readonly MessageKey[]): PageMarks {
  let marks: Promise<Map<string, Marks>> | undefined;

  async function load(): Promise<Map<string, Marks>> {
    const [first, last] = [page[0], page.at(-1)];
    if (first === undefined || last === undefined) return new Map();
    const { items } = await dynamo.query(ranges.viewerReactions(user, first, last), { limit: MARKS_MAX });
    const found = new Map<string, { liked: boolean; stamps: Set<string> }>();
    for (const item of items) {
      const key = parseKey(item as { pk: string; sk: string });
      if (key.type !== 'like' && key.type !== 'stampGuard') continue;
      const id = messageId(key);
      const mine = found.get(id) ?? { liked: false, stamps: new Set() };
      if (key.type === 'like') mine.liked = true;
      else mine.stamps.add(key.stampKey);
      found.set(id, mine);
    }
    return found;
  }

  return {
    async of(message) {
      marks ??= load();
      return (await marks).get(messageId(message)) ?? NONE;
    },
  };
}
