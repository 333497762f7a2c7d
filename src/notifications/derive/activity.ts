import { defined } from '../../core/defined.ts';
import { mapAtMost } from '../../core/mapAtMost.ts';
import { type Timestamp, toTimestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { createItemLoader, type ItemLoader } from '../../dynamo/itemLoader.ts';
import { type KeyRange, keys, paddedSequence } from '../../dynamo/keys.ts';
import { messageId } from '../../messages/message.ts';
import type { ReactionKey } from '../../reactions/reactionKind.ts';
import { isReaction, type RegisteredReaction, reactionKindOf } from '../../reactions/registry.ts';
import { roomOf } from '../../rooms/room.ts';
import { remindedAtOf } from '../../saved/entry.ts';
import type { Change } from '../../stream/change.ts';
import { isOwn, roomSubject, type Subject } from '../notification.ts';

const READS_AT_ONCE = 16;

type KeyOf<T extends Change['key']['type']> = Extract<Change['key'], { readonly type: T }>;

/** An action by one user (or its reversal) that notifies another user. */
export interface Activity extends Subject {
  /** The user who is notified. */
  readonly user: string;
  /** The user who acts. */
  readonly actor: string;
  readonly op: 'added' | 'removed';
  readonly at: Timestamp;
  /**
   * Rises, as text, with each activity of this kind by this actor on this message in one stream. An activity is a
   * repetition if its sequence is not above the last one of its stream that was applied, and that is the last one of
   * all.
   */
  readonly sequence: string;
  /** Its notification is only shown in the bell, because something else about the same subject is delivered. */
  readonly isBellOnly?: true;
  /** Distinguishes a user's reactions to one message, if the kind allows several. */
  readonly variant?: Variant;
}

export interface Variant {
  readonly key: string;
  /** Whether any user has it on the message: true if it was added. */
  readonly isOnMessage: boolean;
  /** It was removed, and the user has no other reaction of the kind on the message. */
  readonly wasLast: boolean;
}

/**
 * Derives reactions, mentions, new rooms (others added the user, or a waiting user got a seat), and reminders that are
 * due, in the order of the stream's records. Replies need a read of the thread's followers: see `replies.ts`.
 */
export function createActivityReader({ dynamo }: { readonly dynamo: Dynamo }) {
  /**
   * One batch of reads: the rooms that users were added to, and the messages of reactions that do not name the author.
   * If a reaction was added, its message is not read if the message's own record is in this batch. In parallel, a query
   * for each reaction that was removed and may not be its user's only one.
   */
  async function activitiesOf(changes: readonly Change[]): Promise<Activity[]> {
    const items = createItemLoader(dynamo);
    const authors = authorsIn(changes);
    const activities = await mapAtMost(READS_AT_ONCE, changes, (change) => {
      const { key, expired } = change;
      if (expired) return [];
      const reaction = reactionKindOf(key);
      if (reaction !== undefined && isReaction(key))
        return reactions(change, key, reaction, { items, authors });
      if (key.type === 'membership') return newRooms(change, key, items);
      if (key.type === 'saved') return reminders(change, key);
      return key.type === 'root' || key.type === 'reply' ? mentions(change, key) : [];
    });
    return activities.flat().filter(({ kind, user, actor }) => user !== actor || isOwn(kind));
  }

  async function reactions(
    change: Change,
    key: ReactionKey,
    { notification }: RegisteredReaction,
    { items, authors }: { readonly items: ItemLoader; readonly authors: ReadonlyMap<string, string> },
  ): Promise<Activity[]> {
    const reaction = change.new ?? change.old;
    const op = opOf(change);
    if (reaction === undefined || op === null) return [];
    const { kind, reactedAt, authorOf, several } = notification;
    const { room, threadTs, ts, user: actor } = key;
    const removesOne = op === 'removed' && several !== undefined;
    // What is left on the message decides only about a removal.
    const author = authorOf?.(reaction) ?? (removesOne ? undefined : authors.get(messageId(key)));
    const [message, isAnyLeft] = await Promise.all([
      author === undefined ? items.load(keys.message(room, threadTs, ts)) : undefined,
      removesOne ? hasAny(several.ofUser(key)) : true,
    ]);
    const user = author ?? (message?.author as string | undefined);
    if (user === undefined) return [];
    const activity = { user, kind, room, threadTs, ts, actor, op, at: reactedAt(reaction) };
    if (several === undefined) return [{ ...activity, sequence: sequenceOf(change) }];
    const variantKey = several.variantOf(key);
    const isOnMessage = !removesOne || (message !== undefined && several.isOn(message, variantKey));
    const variant = { key: variantKey, isOnMessage, wasLast: !isAnyLeft };
    return [{ ...activity, sequence: sequenceOf(change), variant }];
  }

  const hasAny = async (range: KeyRange): Promise<boolean> =>
    (await dynamo.query(range, { limit: 1 })).items.length > 0;

  return { activitiesOf };
}

/**
 * A user was added to a private or direct room by another user, or got the seat that they had waited for, which no one
 * else did: the actor is the user.
 */
async function newRooms(
  { kind, new: membership }: Change,
  { user, room }: KeyOf<'membership'>,
  items: ItemLoader,
): Promise<Activity[]> {
  if (kind !== 'INSERT' || membership === undefined) return [];
  const { addedBy, waitedSince, joinedAt, rev } = membership;
  // Versions of memberships rise from one membership of the user to the next.
  const common = {
    user,
    op: 'added',
    at: joinedAt as Timestamp,
    sequence: toTimestamp(rev as number),
  } as const;
  if (waitedSince !== undefined) return [{ ...roomSubject('SEAT', room), ...common, actor: user }];
  if (typeof addedBy !== 'string') return [];
  const found = await items.load(keys.room(room));
  if (found === undefined) return [];
  const { visibility } = roomOf(room, found);
  if (visibility === 'PUBLIC') return [];
  // What is written in a direct room is delivered.
  const isBellOnly = visibility === 'DIRECT' || undefined;
  return [{ ...roomSubject('INVITED', room), ...common, actor: addedBy, ...defined({ isBellOnly }) }];
}

/** A saved message has the time of its last reminder that was due. The times rise. */
function reminders({ old, new: saved }: Change, key: KeyOf<'saved'>): Activity[] {
  const remindedAt = remindedAtOf(saved);
  if (remindedAt === undefined || remindedAt === remindedAtOf(old)) return [];
  const { user, room, threadTs, ts } = key;
  const at = toTimestamp(remindedAt * 1_000);
  return [{ kind: 'REMINDER', user, room, threadTs, ts, actor: user, op: 'added', at, sequence: at }];
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

/** The authors of the messages that these changes are of: an author never changes. */
function authorsIn(changes: readonly Change[]): Map<string, string> {
  const authors = new Map<string, string>();
  for (const { key, new: now } of changes) {
    if ((key.type === 'root' || key.type === 'reply') && now !== undefined)
      authors.set(messageId(key), now.author as string);
  }
  return authors;
}

const mentionedIn = (message: Change['old']): readonly string[] =>
  (message?.mentions as string[] | undefined) ?? [];

const opOf = ({ kind }: Change): Activity['op'] | null =>
  kind === 'INSERT' ? 'added' : kind === 'REMOVE' ? 'removed' : null;

/**
 * A like that is removed and added again is the same item, and the servers' clocks may differ, so only the stream knows
 * the order. Records of one user's reactions to one message are in one shard and its children, whose sequence numbers
 * rise.
 */
const sequenceOf = ({ stream, sequence }: Change): string => `${stream}#${paddedSequence(sequence)}`;

/**
 * The label of the stream that a sequence is of. Empty if it is of none: it is a version or a time, or a backfill's.
 */
export const streamIn = (sequence: string): string => sequence.slice(0, Math.max(0, sequence.indexOf('#')));
