import { groupBy } from '../core/groupBy.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import { type Message, messageId, messageOf } from '../messages/message.ts';
import type { Messages } from '../messages/messages.ts';
import type { MessageStamp } from '../reactions/stamps/stamp.ts';
import type { Stamps } from '../reactions/stamps/stamps.ts';

/** What a thread in a list has of its stamps: the first ones on its root and on the replies that it shows. */
export const STAMPS_MAX = 100;

export interface ThreadsOptions {
  readonly messages: Pick<Messages, 'replies'>;
  readonly stamps: Pick<Stamps, 'ofMessages'>;
}

export interface ThreadsPageOptions<Root extends Message> {
  readonly roots: readonly Root[];
  /** How many of each thread's replies are shown: 0 to NEWEST_REPLIES_MAX. */
  readonly shown: number;
  readonly items: Pick<ItemLoader, 'loadMany'>;
}

export interface Thread<Root extends Message = Message> {
  readonly root: Root;
  /** The newest replies, oldest first. The first call reads those of all threads of the page. */
  replies(): Promise<readonly Message[]>;
  readonly hasMoreReplies: boolean;
  /**
   * Of the root and of `replies`, in the order in which they were added. As `replies`, and then the stamps of the page.
   */
  stamps(): Promise<readonly MessageStamp[]>;
}

export type Threads = ReturnType<typeof createThreads>;

export function createThreads({ messages, stamps }: ThreadsOptions) {
  /**
   * The threads of a page of roots. It reads only what is asked for, and then for all threads at once, however many
   * there are: the replies in one round trip, by the keys that the roots have, and the stamps in one or two after it,
   * with a query for each room.
   */
  function page<Root extends Message>({ roots, shown, items }: ThreadsPageOptions<Root>): Thread<Root>[] {
    let replies: Promise<ReadonlyArray<readonly Message[]>> | undefined;
    let found: ReturnType<Stamps['ofMessages']> | undefined;

    const loadReplies = () => (replies ??= Promise.all(roots.map((root) => repliesOf(root, shown, items))));
    const loadStamps = async () => {
      const shownMessages = [...roots, ...(await loadReplies()).flat()];
      found ??= stampsOf(shownMessages);
      return found;
    };

    return roots.map((root, i) => {
      const ownReplies = async () => (await loadReplies())[i] ?? [];
      return {
        root,
        replies: ownReplies,
        hasMoreReplies: root.replyCount > shown,
        async stamps() {
          const [own, all] = await Promise.all([ownReplies(), loadStamps()]);
          return [root, ...own]
            .flatMap((message) => all.get(messageId(message)) ?? [])
            .sort(byTime)
            .slice(0, STAMPS_MAX);
        },
      };
    });
  }

  async function stampsOf(shownMessages: readonly Message[]): ReturnType<Stamps['ofMessages']> {
    const byRoom = [...groupBy(shownMessages, ({ room }) => room).values()];
    const found = await Promise.all(byRoom.map((ofRoom) => stamps.ofMessages(ofRoom, STAMPS_MAX)));
    return new Map(found.flatMap((ofRoom) => [...ofRoom]));
  }

  async function repliesOf(
    { room, threadTs, replyCount, newestReplies }: Message,
    shown: number,
    items: Pick<ItemLoader, 'loadMany'>,
  ): Promise<readonly Message[]> {
    const limit = Math.min(shown, replyCount);
    if (limit === 0) return [];
    // An earlier release wrote one of them: a query for this thread, at the same time as what is read for the others.
    if (newestReplies === null) {
      return (await messages.replies(room, threadTs, { limit, direction: 'backward', from: undefined }))
        .nodes;
    }
    const wanted = newestReplies.slice(-limit);
    const loaded = await items.loadMany(wanted.map((ts) => keys.reply(room, threadTs, ts)));
    return wanted.flatMap((ts, i): Message[] => {
      const item = loaded[i];
      return item === undefined ? [] : [messageOf({ room, threadTs, ts }, item)];
    });
  }

  return { page };
}

const byTime = (one: MessageStamp, other: MessageStamp): number =>
  one.stampedAt === other.stampedAt
    ? messageId(one).localeCompare(messageId(other))
    : one.stampedAt < other.stampedAt
      ? -1
      : 1;
