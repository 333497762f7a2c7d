import { createTimestamps, secondsOf, type Timestamp, toTimestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import type { ParsedKey } from '../../dynamo/keys.ts';
import { createJobs } from '../../jobs/jobs.ts';
import { reactionKindOf } from '../../reactions/registry.ts';
import { rebuild, type Visitor } from '../../rebuild/rebuild.ts';
import { remindedAtOf } from '../../saved/entry.ts';
import type { Change } from '../../stream/change.ts';
import type { Retention } from '../notification.ts';
import { createRootMentions } from '../read/rootMentions.ts';
import { createFollowedThreads } from '../threads/derive.ts';
import { createActivityReader } from './activity.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import { createReplies, type Replies } from './replies.ts';

/** How many items are collected before their notifications are derived. */
const CHUNK = 200;

export interface BackfillOptions {
  readonly dynamo: Dynamo;
  /** How long read notifications are kept. */
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with every item that was read. */
  readonly onItem?: () => void;
}

/**
 * Derives only the missing notifications and entries of the lists of followed threads, and marks mentions as read whose
 * roots were read. Reads the table once. Resolves to how many notifications were created or changed.
 */
export async function backfillNotifications(options: BackfillOptions): Promise<number> {
  const notifier = createNotifier(options);
  const jobs = createJobs(options);
  const followedThreads = createFollowedThreads({ ...options, jobs });
  const replies = createReplies({ ...options, notifier, jobs, moveThread: followedThreads.move });
  const rootMentions = createRootMentions({ ...options, jobs, timestamps: createTimestamps(options.now) });
  const visitors = [
    createBackfillVisitor({ ...options, notifier, replies }),
    rootMentions.createVisitor(),
    followedThreads.createVisitor(),
  ];
  const { notifications = 0 } = await rebuild({ ...options, visitors });
  return notifications;
}

export interface BackfillVisitorOptions extends Omit<BackfillOptions, 'onItem'> {
  readonly notifier: Notifier;
  readonly replies: Replies;
}

/**
 * Derives the notifications that are missing because the stream had trimmed their records or a handler could not
 * process them. Every reaction, reply, mention, reminder and addition to a room within the retention time is applied
 * again with the lowest sequence number. If an actor record exists, nothing changes. Actor records outlive the
 * retention time. Counts the notifications that were created or changed.
 *
 * Mentions in a message that was edited are left out: an edit that mentions a user does not notify that user. Users who
 * were notified of a mention in a reply before it was edited are not notified of the reply.
 */
export function createBackfillVisitor(options: BackfillVisitorOptions): Visitor {
  const { dynamo, notifier, replies, retention, now } = options;
  const { activitiesOf } = createActivityReader({ dynamo });
  const since: Timestamp = toTimestamp((secondsOf(now()) - retention) * 1_000_000);
  let collected: Change[] = [];
  let notifications = 0;

  async function derive(): Promise<void> {
    const [activities, ofReplies] = await Promise.all([
      activitiesOf(collected),
      replies.activitiesOf(collected),
    ]);
    notifications += await notifier.notify([...activities, ...ofReplies.activities]);
    await ofReplies.enqueueRest();
    collected = [];
  }

  return {
    async visit(key, item) {
      const at = doneAt(key, item);
      if (at === undefined || at < since || item.imported === true) return;
      collected.push(asFirst(key, item));
      if (collected.length >= CHUNK) await derive();
    },
    finish: derive,
    result: () => ({ notifications }),
  };
}

/** The time of the reaction, message, reminder or addition to a room. Undefined if the item notifies no one. */
function doneAt(key: ParsedKey, item: Item): Timestamp | undefined {
  const reaction = reactionKindOf(key);
  if (reaction !== undefined) return reaction.notification.reactedAt(item);
  if (key.type === 'membership') {
    return item.addedBy === undefined && item.waitedSince === undefined
      ? undefined
      : (item.joinedAt as Timestamp);
  }
  if (key.type === 'saved') {
    const remindedAt = remindedAtOf(item);
    return remindedAt === undefined ? undefined : toTimestamp(remindedAt * 1_000);
  }
  return (key.type === 'root' || key.type === 'reply') && item.deletedAt === undefined ? key.ts : undefined;
}

/** The item's creation as a change. It is older than every change in a stream. */
function asFirst(key: ParsedKey, item: Item): Change {
  const { mentions, ...others } = item;
  const created = mentions === undefined || item.edits !== undefined ? others : { ...others, mentions };
  return { stream: '', sequence: '0', kind: 'INSERT', key, new: { ...created, rev: 0 }, expired: false };
}
