import pLimit from 'p-limit';
import { idFrom } from '../../core/ids.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import type { JobKind, Jobs } from '../../jobs/jobs.ts';
import type { Change } from '../../stream/change.ts';
import type { Activity } from './act.ts';
import { createFollowers, type Reply } from './followers.ts';
import { grouped } from './grouped.ts';
import type { Notifier } from './notifier.ts';

const THREADS_AT_ONCE = 8;

export interface RepliesOptions {
  readonly dynamo: Dynamo;
  readonly notifier: Notifier;
  readonly jobs: Jobs;
}

export type Replies = ReturnType<typeof createReplies>;

/** Those who follow a thread are told of its replies: the first ones at once, the others by a job. */
export function createReplies({ dynamo, notifier, jobs }: RepliesOptions) {
  const followers = createFollowers({ dynamo });

  const others: JobKind<Reply & Item> = {
    name: 'followers',
    async step(reply, cursor) {
      const { acts, next } =
        cursor === null ? await followers.hear(reply) : await followers.more(reply, cursor);
      await notifier.notify(acts);
      return next;
    },
  };

  /** The acts that new replies are to their first readers, and what is left to do when these were told. */
  async function actsOf(
    changes: readonly Change[],
  ): Promise<{ acts: Activity[]; rest: () => Promise<void> }> {
    const threads = grouped(changes.flatMap(replyOf), ({ room, t }) => `${room} ${t}`);
    const heard = await pLimit(THREADS_AT_ONCE).map(threads, async (replies) => {
      const ofThread: Array<{ reply: Reply; acts: readonly Activity[]; next: string | null }> = [];
      // One after another: who replies hears of the next reply.
      for (const reply of replies) ofThread.push({ reply, ...(await followers.hear(reply)) });
      return ofThread;
    });
    const all = heard.flat();
    return {
      acts: all.flatMap(({ acts }) => acts),
      async rest() {
        for (const { reply, next } of all) {
          if (next === null) continue;
          const id = idFrom(`followers:${reply.room}:${reply.t}:${reply.c}`);
          await jobs.add({ id, kind: others.name, about: { ...reply }, cursor: next });
        }
      },
    };
  }

  return { actsOf, others };
}

function replyOf({ key, kind, new: item }: Change): Reply[] {
  if (key.type !== 'reply' || kind !== 'INSERT' || item === undefined) return [];
  const { author, mentions = [] } = item as { author: string; mentions?: string[] };
  return [{ room: key.room, t: key.t, c: key.c, author, mentions }];
}
