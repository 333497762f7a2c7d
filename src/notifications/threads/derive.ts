import { idFrom } from '../../core/ids.ts';
import { mapAtMost } from '../../core/mapAtMost.ts';
import type { Timestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { type KeyRange, keyOf, type ParsedKey, parseKey, ranges } from '../../dynamo/keys.ts';
import type { JobKind, Jobs } from '../../jobs/jobs.ts';
import type { Visitor } from '../../rebuild/rebuild.ts';
import type { Change, StreamHandler } from '../../stream/change.ts';
import { createThreadEntries } from './entries.ts';
import { type FollowedThread, listedSince } from './followedThread.ts';

/** Entries of one step of a job, and of a rebuild. */
const STEP = 25;
const CHANGES_AT_ONCE = 8;

/** A user has left a room, as a job stores it. */
type Left = { readonly user: string; readonly room: string };
/** A thread is closed, as a job stores it. */
type Closed = { readonly room: string; readonly t: Timestamp; readonly author: string };

export interface FollowedThreadsOptions {
  readonly dynamo: Dynamo;
  readonly jobs: Jobs;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Keeps the lists of followed threads: who begins or ends to follow a thread, leaves a room, or closes a thread by
 * deleting its root. New replies are in `derive/replies.ts`, which reads the followers anyway.
 */
export function createFollowedThreads({ dynamo, jobs, now }: FollowedThreadsOptions) {
  const entries = createThreadEntries({ dynamo, now });

  async function settleRange(range: KeyRange, cursor: string | null): Promise<string | null> {
    const after = cursor === null ? {} : { after: cursor };
    const { items, more } = await dynamo.query(range, { limit: STEP, ...after });
    await entries.settleAll(items.flatMap((item) => threadOf(parseKey(keyOf(item)))));
    return more ? ((items.at(-1)?.sk as string | undefined) ?? null) : null;
  }

  /** The names of the kinds, and what they are about, are stored with each job. */
  const leftRoom: JobKind<Left & Item> = {
    name: 'threadsOfLeftRoom',
    step: ({ user, room }, cursor) => settleRange(ranges.followedThreads(user, room), cursor),
  };
  const closedThread: JobKind<Closed & Item> = {
    name: 'closedThread',
    async step({ room, t: threadTs, author }, cursor) {
      // The author may follow without an item.
      if (cursor === null) await entries.settleAll([{ user: author, room, threadTs }]);
      return settleRange(ranges.follows(room, threadTs), cursor);
    },
  };

  async function handleChange({ key, old, new: item }: Change): Promise<void> {
    if (key.type === 'follow' && item !== undefined) await entries.settleAll(threadOf(key));
    if (key.type === 'membership' && old !== undefined && item === undefined) {
      const { user, room } = key;
      await jobs.begin(leftRoom, idFrom(`threadsOfLeftRoom:${user}:${room}:${old.rev}`), { user, room });
    }
    if (key.type === 'root' && item?.deletedAt !== undefined && old?.deletedAt === undefined) {
      if (item.lastReplyAt === undefined) return;
      const about = { room: key.room, t: key.threadTs, author: item.author as string };
      await jobs.begin(closedThread, idFrom(`closedThread:${about.room}:${about.t}`), about);
    }
  }

  const handler: StreamHandler = {
    // The name is stored in dead letters.
    name: 'followedThreads',
    itemTypes: ['follow', 'membership', 'root'],
    async handle(changes) {
      await mapAtMost(CHANGES_AT_ONCE, changes, handleChange);
    },
  };

  /** For a rebuild: adds the entries that are missing, and removes those that should not be there. */
  function createVisitor(): Visitor {
    const since = listedSince(now());
    let collected: FollowedThread[] = [];
    let changed = 0;
    const flush = async () => {
      changed += await entries.settleAll(collected);
      collected = [];
    };
    return {
      async visit(key, item) {
        if (key.type === 'root') {
          const { author, lastReplyAt = '' } = item as { author: string; lastReplyAt?: Timestamp };
          if (lastReplyAt > since) collected.push({ user: author, room: key.room, threadTs: key.threadTs });
        } else collected.push(...threadOf(key));
        if (collected.length >= STEP) await flush();
      },
      finish: flush,
      result: () => ({ followedThreads: changed }),
    };
  }

  return { move: entries.move, handler, jobKinds: [leftRoom, closedThread] as const, createVisitor };
}

/** The thread, and the user who follows it or has it in their list. */
const threadOf = (key: ParsedKey): FollowedThread[] =>
  key.type === 'follow' || key.type === 'followedThread'
    ? [{ user: key.user, room: key.room, threadTs: key.threadTs }]
    : [];
