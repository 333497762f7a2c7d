import pLimit from 'p-limit';
import { groupBy } from '../../core/groupBy.ts';
import { idFrom } from '../../core/ids.ts';
import type { Timestamp, Timestamps } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { keyOf, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import type { JobKind, Jobs } from '../../jobs/jobs.ts';
import type { Visitor } from '../../rebuild/rebuild.ts';
import { pendingReadsFrom, pendingReadsOf } from '../../rooms/pendingReads.ts';
import { type Membership, membershipOf } from '../../rooms/room.ts';
import type { Change } from '../../stream/change.ts';
import { badgeOf } from '../../unread/badge/badge.ts';
import { type KnownPositions, readPositionOf, readPositions, rootsNamed } from '../../unread/readPosition.ts';
import { asRead } from '../derive/store.ts';
import { applyReadAll, isRootMention, notificationOf, type Retention } from '../notification.ts';
import { AT_ONCE, writeRead } from './writeRead.ts';

/** How many unread notifications of a room one step of a job reads. */
const STEP = 100;
const ROOMS_AT_ONCE = 8;
/** How many roots are remembered up to which a user has read. With more in one batch, the newest count. */
const TO_MAX = 16;

/**
 * What a user has read at some time: up to a position, and up to these roots. It stays read, also if they mark it as
 * unread.
 */
interface Said {
  readonly position: number;
  readonly to: readonly Timestamp[];
}

const NOTHING: Said = { position: 0, to: [] };

/** As a job stores it. */
interface ReadOn extends Said {
  readonly user: string;
  readonly room: string;
}

interface Mention {
  readonly user: string;
  readonly room: string;
  /** The root that mentions the user. */
  readonly root: Timestamp;
}

const roomOfUser = ({ user, room }: { readonly user: string; readonly room: string }) => `${user} ${room}`;

export interface RootMentionsOptions {
  readonly dynamo: Dynamo;
  readonly jobs: Jobs;
  readonly timestamps: Timestamps;
  readonly retention: Retention;
}

export type RootMentions = ReturnType<typeof createRootMentions>;

/**
 * A user who has read a root has read that it mentions them: marks its MENTION notification as read. What can come
 * last:
 *
 *   the user reads on, enters or leaves     the membership changes: all unread mentions in the room are compared
 *   the notification arrives                it is compared
 *   the root gets its position              its mentions are compared
 *
 * Idempotent: each comparison reads the table, and a transaction decides.
 */
export function createRootMentions({ dynamo, jobs, timestamps, retention }: RootMentionsOptions) {
  const limit = pLimit(ROOMS_AT_ONCE);

  /** One round trip if none of these roots has both a position and an unread mention. At most AT_ONCE roots. */
  async function readThose(
    user: string,
    room: string,
    roots: readonly Timestamp[],
    said: Said,
  ): Promise<void> {
    const subjectOf = (root: Timestamp) => ({ kind: 'MENTION', room, threadTs: root, ts: root });
    await dynamo.optimistic<void>(async () => {
      const found = await dynamo.batchGet([
        ...roots.map((root) => keys.root(room, root)),
        ...roots.map((root) => keys.pointer(user, subjectOf(root))),
      ]);
      const unread = roots.flatMap((_, i) => {
        const position = found[i]?.position;
        const id = found[roots.length + i]?.id;
        return typeof position === 'number' && typeof id === 'string' ? [{ position, id }] : [];
      });
      if (unread.length === 0) return;
      // Not before the positions: while a mark is pending, only roots that have one already are before it.
      const membership = await dynamo.get(keys.membership(user, room));
      const isRead = await readBy(room, membership && membershipOf(user, room, membership), said);
      const ids = unread.filter(({ position }) => isRead(position)).map(({ id }) => id);
      return ids.length === 0 || (await markRead(user, ids)) ? undefined : AGAIN;
    });
  }

  /**
   * Which positions count as read. To be called after these positions were read: see `readPositions`. `membership`:
   * absent if the user has left the room. What they had read before is read.
   */
  async function readBy(
    room: string,
    membership: Membership | undefined,
    said: Said,
  ): Promise<(position: number) => boolean> {
    const pending = membership === undefined ? [] : rootsNamed(pendingReadsOf(membership));
    const named = [...new Set([...pending, ...said.to])];
    const known: KnownPositions =
      named.length === 0 ? new Map() : await readPositions(room, named, { source: dynamo });
    const now = membership === undefined ? { position: 0, pending: [] } : readPositionOf(membership, known);
    // What has no position yet will have a higher one than all that have one.
    if (now.pending.length > 0 || said.to.some((root) => !known.has(root))) return () => true;
    const upTo = Math.max(now.position, said.position, ...said.to.map((root) => known.get(root) ?? 0));
    return (position) => position <= upTo;
  }

  async function markRead(user: string, ids: readonly string[]): Promise<boolean> {
    const [badgeItem, ...items] = await dynamo.batchGet([
      keys.badge(user),
      ...ids.map((id) => keys.notification(user, id)),
    ]);
    const badge = badgeOf(badgeItem);
    const readAt = timestamps.next();
    const read = ids.flatMap((id, i) => {
      const item = items[i];
      const one = item === undefined ? undefined : notificationOf(user, id, item);
      const isUnread = one !== undefined && applyReadAll(one, badge, retention).readAt === null;
      return isUnread ? [asRead(one, readAt, retention)] : [];
    });
    return read.length === 0 || writeRead(dynamo, { user, epoch: badge.epoch, read });
  }

  /** Its name and fields are stored with each job. */
  const readOnJob: JobKind<ReadOn & Item> = {
    name: 'rootMentions',
    async step({ user, room, position, to }, cursor) {
      const after = cursor === null ? {} : { after: cursor };
      const range = ranges.roomPointers(user, room);
      const { items, more } = await dynamo.query(range, { limit: STEP, ...after });
      const roots = items.flatMap((item) => {
        const key = parseKey(keyOf(item));
        return key.type === 'pointer' && isRootPointer(key) ? [key.threadTs] : [];
      });
      for (let i = 0; i < roots.length; i += AT_ONCE)
        await readThose(user, room, roots.slice(i, i + AT_ONCE), { position, to });
      return more ? ((items.at(-1)?.sk as string | undefined) ?? null) : null;
    },
  };

  /** Mentions whose notifications arrived, or whose roots got their positions. */
  async function compare(mentions: readonly Mention[]): Promise<void> {
    await limit.map(groupBy(mentions, roomOfUser).values(), async (ofRoom) => {
      const [{ user, room } = { user: '', room: '' }] = ofRoom;
      const roots = [...new Set(ofRoom.map(({ root }) => root))];
      for (let i = 0; i < roots.length; i += AT_ONCE)
        await readThose(user, room, roots.slice(i, i + AT_ONCE), NOTHING);
    });
  }

  async function onReadOn(changes: readonly Change[]): Promise<void> {
    const read = groupBy(changes.flatMap(readOnOf), ({ of }) => roomOfUser(of));
    await limit.map(read.values(), async (ofRoom) => {
      const last = ofRoom.at(-1);
      if (last === undefined) return;
      const { user, room, version } = last.of;
      const about = {
        user,
        room,
        position: Math.max(...ofRoom.map(({ said }) => said.position)),
        to: [...new Set(ofRoom.flatMap(({ said }) => said.to))].slice(-TO_MAX),
      };
      await jobs.begin(readOnJob, idFrom(`rootMentions:${user}:${room}:${version}`), about);
    });
  }

  return {
    readOnJob,

    async handle(changes: readonly Change[]): Promise<void> {
      await onReadOn(changes);
      await compare(changes.flatMap(mentionsOf));
    },

    /** Compares all unread mentions again: the record of a reading may have been trimmed. */
    createVisitor(): Visitor {
      let collected: Mention[] = [];
      const flush = async () => {
        await compare(collected);
        collected = [];
      };
      return {
        async visit(key) {
          if (key.type !== 'pointer' || !isRootPointer(key)) return;
          collected.push({ user: key.user, room: key.room, root: key.threadTs });
          if (collected.length >= STEP) await flush();
        },
        finish: flush,
      };
    },
  };
}

const isRootPointer = ({ kind, threadTs, ts }: { kind: string; threadTs: Timestamp; ts: Timestamp }) =>
  kind === 'MENTION' && threadTs === ts;

/** How far the user has read, if the change says so and there may be mentions. */
function readOnOf({ key, old, new: now }: Change): Array<{ readonly of: Membership; readonly said: Said }> {
  const item = now ?? old;
  if (key.type !== 'membership' || item === undefined) return [];
  const of = membershipOf(key.user, key.room, item);
  // The record of a leave says how far the user had read: nothing else does for a mention that was derived afterwards.
  const isSame =
    old !== undefined &&
    now !== undefined &&
    old.readPosition === now.readPosition &&
    JSON.stringify(pendingReadsFrom(old)) === JSON.stringify(pendingReadsFrom(now));
  if (isSame) return [];
  // A user who enters the room has read what was there, also what mentioned them before they left.
  const isPossible = old === undefined ? of.readPosition > 0 : (of.mentioned?.count ?? 0) > 0;
  if (!isPossible) return [];
  const to = pendingReadsOf(of).flatMap((read) => ('to' in read ? [read.to] : []));
  return [{ of, said: { position: of.readPosition, to } }];
}

function mentionsOf({ key, old, new: now }: Change): Mention[] {
  if (now === undefined) return [];
  if (key.type === 'root') {
    const isPlaced = now.position !== undefined && old !== undefined && old.position === undefined;
    const mentioned = isPlaced ? ((now.mentions as string[] | undefined) ?? []) : [];
    return mentioned.map((user) => ({ user, room: key.room, root: key.threadTs }));
  }
  if (key.type !== 'notification' || old !== undefined) return [];
  const one = notificationOf(key.user, key.id, now);
  return isRootMention(one) ? [{ user: one.user, room: one.room, root: one.threadTs }] : [];
}
