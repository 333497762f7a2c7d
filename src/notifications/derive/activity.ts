import pLimit from 'p-limit';
import { type Timestamp, toTimestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { createItemLoader, type ItemLoader } from '../../dynamo/itemLoader.ts';
import { type KeyRange, keys } from '../../dynamo/keys.ts';
import type { MessageKey } from '../../messages/message.ts';
import type { ReactionKey, ReactionKind } from '../../reactions/reactionKind.ts';
import { isReaction, reactionKindOf } from '../../reactions/registry.ts';
import type { Change } from '../../stream/change.ts';
import type { Subject } from '../notification.ts';

const READS_AT_ONCE = 16;
/** Digits of a stream's sequence number, so that sequences sort as text. */
const DIGITS = 40;

type KeyOf<T extends Change['key']['type']> = Extract<Change['key'], { readonly type: T }>;

/** One thing that a user did, or undid, and of which another user is notified. */
export interface Activity extends Subject {
  /** The user who is notified. */
  readonly user: string;
  /** The user who did it. */
  readonly actor: string;
  readonly op: 'added' | 'removed';
  readonly at: Timestamp;
  /**
   * Rises, as text, with each activity of this kind by this actor on this message. An activity is a repetition if
   * its sequence is not above the last one that was applied.
   */
  readonly sequence: string;
}

/**
 * Derives reactions and mentions from the stream's records, in the order of the records. Replies, whose readers
 * have to be looked up, are in `replies.ts`.
 */
export function createActivityReader({ dynamo }: { readonly dynamo: Dynamo }) {
  /**
   * One batch of reads, for the authors of messages whose reactions do not name them, and a query for each reaction that
   * was removed and may not be its user's only one.
   */
  async function activitiesOf(changes: readonly Change[]): Promise<Activity[]> {
    const items = createItemLoader(dynamo);
    const activities = await pLimit(READS_AT_ONCE).map(changes, (change) => {
      const { key, expired } = change;
      if (expired) return [];
      const reaction = reactionKindOf(key);
      if (reaction !== undefined && isReaction(key)) return reactions(change, key, reaction, items);
      return key.type === 'root' || key.type === 'reply' ? mentions(change, key) : [];
    });
    return activities.flat().filter(({ user, actor }) => user !== actor);
  }

  async function reactions(
    change: Change,
    key: ReactionKey,
    { notification }: ReactionKind,
    items: ItemLoader,
  ): Promise<Activity[]> {
    const reaction = change.new ?? change.old;
    const op = opOf(change);
    if (reaction === undefined || op === null) return [];
    const { kind, reactedAt, authorOf, ofUser } = notification;
    if (op === 'removed' && ofUser !== undefined && (await hasAny(ofUser(key)))) return [];
    const { room, threadTs, ts, user: actor } = key;
    const user = authorOf?.(reaction) ?? (await messageAuthor(key, items));
    if (user === undefined) return [];
    const at = reactedAt(reaction);
    return [{ user, kind, room, threadTs, ts, actor, op, at, sequence: sequenceOf(change) }];
  }

  const hasAny = async (range: KeyRange): Promise<boolean> =>
    (await dynamo.query(range, { limit: 1 })).items.length > 0;

  return { activitiesOf };
}

async function messageAuthor(
  { room, threadTs, ts }: MessageKey,
  items: ItemLoader,
): Promise<string | undefined> {
  const message = await items.load(keys.message(room, threadTs, ts));
  return message?.author as string | undefined;
}

/**
 * A new message adds the users that it mentions. After it was edited or deleted, it removes the users that it no longer
 * mentions. An edit adds no one, so that no user is notified twice.
 */
function mentions(
  { kind, old, new: message }: Change,
  { room, threadTs, ts }: KeyOf<'root' | 'reply'>,
): Activity[] {
  if (message === undefined) return [];
  const [before, now] = [mentionedIn(old), mentionedIn(message)];
  const mention = {
    ...({ kind: 'MENTION', room, threadTs, ts, at: ts } as const),
    actor: message.author as string,
    sequence: toTimestamp(message.rev as number),
  };
  if (kind === 'INSERT') return now.map((user) => ({ ...mention, user, op: 'added' }));
  return before.filter((user) => !now.includes(user)).map((user) => ({ ...mention, user, op: 'removed' }));
}

const mentionedIn = (message: Change['old']): readonly string[] =>
  (message?.mentions as string[] | undefined) ?? [];

const opOf = ({ kind }: Change): Activity['op'] | null =>
  kind === 'INSERT' ? 'added' : kind === 'REMOVE' ? 'removed' : null;

/**
 * A like that is removed and added again is the same item, and the servers' clocks may differ, so only the stream
 * knows the order. Records of one user's reactions to one message are in one shard and its children, and streams'
 * labels are points in time, so a label and a sequence number sort in that order.
 */
const sequenceOf = ({ stream, sequence }: Change): string => `${stream}#${sequence.padStart(DIGITS, '0')}`;
