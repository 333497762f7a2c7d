import { defined } from '../../core/defined.ts';
import { groupBy } from '../../core/groupBy.ts';
import { idFrom } from '../../core/ids.ts';
import { mapAtMost } from '../../core/mapAtMost.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import type { JobKind, Jobs } from '../../jobs/jobs.ts';
import {
  messageId,
  messageKeyFrom,
  type StoredMessageKey,
  storedMessageKey,
} from '../../messages/message.ts';
import type { Change } from '../../stream/change.ts';
import type { ThreadEntries } from '../threads/entries.ts';
import type { Activity } from './activity.ts';
import { createFollowers, type Recipients, type Reply } from './followers.ts';
import type { Notifier } from './notifier.ts';

const THREADS_AT_ONCE = 8;

export interface RepliesOptions {
  readonly dynamo: Dynamo;
  readonly notifier: Notifier;
  readonly jobs: Jobs;
  /** Moves the reply's thread in the lists of these followers. */
  readonly moveThread: ThreadEntries['move'];
}

export interface ReplyActivities {
  readonly activities: readonly Activity[];
  /** Moves the threads in the lists of their first followers. */
  readonly moveThreads: () => Promise<void>;
  /** Starts the jobs for the remaining followers. To be called after `activities` were written. */
  readonly enqueueRest: () => Promise<void>;
}

export type Replies = ReturnType<typeof createReplies>;

/** A reply as its job stores it. */
interface StoredReply extends StoredMessageKey {
  readonly author: string;
  readonly mentions: readonly string[];
  readonly edited?: boolean;
}

const storedReply = (reply: Reply): StoredReply & Item => ({
  ...storedMessageKey(reply),
  author: reply.author,
  mentions: reply.mentions,
  ...defined({ edited: reply.edited }),
});

/**
 * Derives from replies the notifications, and the places of their threads in the lists of the followers: for the first
 * followers of a thread at once, for the others by a job.
 */
export function createReplies({ dynamo, notifier, jobs, moveThread }: RepliesOptions) {
  const followers = createFollowers({ dynamo });

  /** Its name is stored with each job. */
  const remainingFollowersJob: JobKind<StoredReply & Item> = {
    name: 'followers',
    async step(about, cursor) {
      const { author, mentions, edited } = about;
      const reply: Reply = { ...messageKeyFrom(about), author, mentions, ...defined({ edited }) };
      const found =
        cursor === null ? await followers.followersOf(reply) : await followers.nextFollowersOf(reply, cursor);
      await Promise.all([notifier.notify(found.activities), moveThread(reply, found.followers)]);
      return found.next;
    },
  };

  /** The activities of new replies for the first followers of their threads. */
  async function activitiesOf(changes: readonly Change[]): Promise<ReplyActivities> {
    const threads = groupBy(changes.flatMap(replyOf), ({ room, threadTs }) => `${room} ${threadTs}`);
    const byThread = await mapAtMost(THREADS_AT_ONCE, threads.values(), async (replies) => {
      const found: Array<{ reply: Reply } & Recipients> = [];
      // One after another, because the author of a reply is notified of the next one.
      for (const reply of replies) found.push({ reply, ...(await followers.followersOf(reply)) });
      return found;
    });
    const all = byThread.flat();
    return {
      activities: all.flatMap(({ activities }) => activities),
      async moveThreads() {
        // The followers of an earlier reply are among those of the last one.
        const last = byThread.flatMap((ofThread) => ofThread.slice(-1));
        await mapAtMost(THREADS_AT_ONCE, last, (one) => moveThread(one.reply, one.followers));
      },
      async enqueueRest() {
        for (const { reply, next } of all) {
          if (next === null) continue;
          const id = idFrom(`followers:${messageId(reply)}`);
          await jobs.add({ id, kind: remainingFollowersJob.name, about: storedReply(reply), cursor: next });
        }
      },
    };
  }

  return { activitiesOf, remainingFollowersJob };
}

function replyOf({ key, kind, new: item }: Change): Reply[] {
  if (key.type !== 'reply' || kind !== 'INSERT' || item === undefined) return [];
  const {
    author,
    mentions = [],
    inReplyTo,
    edits,
  } = item as {
    author: string;
    mentions?: string[];
    inReplyTo?: Timestamp;
    edits?: number;
  };
  const { room, threadTs, ts } = key;
  // The record of a new reply in the stream is older than all edits. A rebuild reads the item after them.
  const edited = edits !== undefined || undefined;
  return [{ room, threadTs, ts, author, mentions, ...defined({ inReplyTo, edited }) }];
}
