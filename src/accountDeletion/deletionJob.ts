import type { Publisher } from '../bus/publisher.ts';
import { TsudoiError } from '../core/errors.ts';
import { idFrom } from '../core/ids.ts';
import { createKeyedMutex } from '../core/keyedMutex.ts';
import { mapAtMost } from '../core/mapAtMost.ts';
import type { Timestamp, Timestamps } from '../core/timestamps.ts';
import { createPushSubscriptions } from '../delivery/channels/webPush/pushSubscriptions.ts';
import { type GatheringKey, gatheringOf, gatheringTimer } from '../delivery/gathering.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, keyOf, keys, MAX_SUFFIX, type ParsedKey, parseKey, ranges } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Expression, Write } from '../dynamo/write.ts';
import { areImportsOver, mayBeImporting } from '../import/lock.ts';
import type { JobKind } from '../jobs/jobs.ts';
import type { TableReader } from '../jobs/tableReader.ts';
import { versionRaisedBy } from '../messages/lastChange.ts';
import { itemRemoved, sameBodyPlace } from '../messages/longBodies/body.ts';
import { type MessageKey, messageOf, removedOnDeletion } from '../messages/message.ts';
import { REACTIONS } from '../reactions/registry.ts';
import { endMembershipOfDeletedRoom } from '../rooms/membership/deletedRoom.ts';
import { createLeaving } from '../rooms/membership/leave.ts';
import { VISIBILITIES } from '../saved/entry.ts';
import { createSaving } from '../saved/saving.ts';
import { scheduledOf, timerOfScheduled } from '../scheduled/scheduledMessage.ts';
import type { Timer } from '../timers/timer.ts';
import { kindOf, naming } from './itemsOfUser.ts';
import { createSuccession } from './succession.ts';

/** Items of one step. */
const STEP_ITEMS = 25;
const WRITES_AT_ONCE = 8;
/** When the last phases run: long after every server refuses the user's tokens, and their last requests have ended. */
const LATE_MS = 3_600_000;
/** Between two looks whether an import is over. */
const IMPORT_MS = 30_000;

const PHASES = [
  'devices',
  'rooms',
  'waiting',
  'saved',
  'own',
  'table',
  'imports',
  'tableAgain',
  'lateDevices',
  'lateRooms',
  'lateWaiting',
  'lateSaved',
  'lateOwn',
] as const;
type Phase = (typeof PHASES)[number];

/** In the cursor of `table`: an import may have been running when the phase began. */
const IMPORTING = 'importing';

/** The first cursor. */
export const FIRST_PHASE: Phase = 'devices';

export type AboutAccount = { readonly user: string; readonly eraseMessages: boolean };

/** A user who comes back may delete their account again: that is another job. */
export const accountJobId = (user: string, deletedAt: Timestamp): string =>
  idFrom(`deleteAccount:${user}:${deletedAt}`);

/** Whether a cursor is in one of the phases before the table is read. They do what others see. */
export const isBrief = (cursor: string): boolean =>
  PHASES.slice(0, PHASES.indexOf('table')).some((phase) => phase === cursor);

export interface AccountJobOptions {
  readonly dynamo: Dynamo;
  readonly publisher: Publisher;
  readonly table: TableReader;
  readonly timestamps: Timestamps;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Deletes what a deleted account held. Every step can be repeated, and run twice at the same time.
 *
 * - `devices`: the push subscriptions, with the items that name their owner.
 * - `rooms`: the memberships, one after another, as if the user left. A room whose last owner they are gets another
 *   one.
 * - `waiting`: the places on waitlists.
 * - `saved`: the messages that they have saved, with their tags, as if they removed them.
 * - `own`: the items of the user's partition, except for the profile, which stays as that of a former member, for
 *   memberships and places on waitlists (they are halves: the room has the other one), and for the counts of who has
 *   added them (they end with the memberships).
 * - `table`: what is elsewhere: likes, stamps, follows, what the user was notified of, and if they want it, the text of
 *   their messages. No index has an author's messages, so a step reads 1 MB of the table and handles at most 200 items,
 *   in turns with other jobs that read it. The cursor is a key of the table, and says whether an import may have been
 *   running when the phase began.
 * - `imports`, only if so: waits until that import is over. It may have begun before the account was deleted, so it can
 *   write what is the user's where the table was read already.
 * - `tableAgain`: then the table is read once more. Imports that have begun since know that the account is deleted:
 *   they look after they have taken their lock.
 * - `lateDevices`, `lateRooms`, `lateWaiting`, `lateSaved`, `lateOwn`: an hour later, what requests and stream handlers
 *   have written that began before. No such request can write what the other phases delete, because that requires a
 *   membership, and no one joins a room or its waitlist after their account was deleted.
 */
export function createAccountJob({
  dynamo,
  publisher,
  timestamps,
  now,
  table: reader,
}: AccountJobOptions): JobKind<AboutAccount> {
  const leaving = createLeaving({
    dynamo,
    timestamps,
    publisher,
    userMutex: createKeyedMutex(),
    seatsMutex: createKeyedMutex(),
  });
  const { appoint } = createSuccession({ dynamo });
  const { removeWhere } = createPushSubscriptions({ dynamo, now });
  const saving = createSaving({ dynamo, timestamps });

  async function devices({ user }: AboutAccount): Promise<boolean> {
    await removeWhere(user, () => true);
    return false;
  }

  async function page(user: string) {
    const { items, more } = await dynamo.query(ranges.memberships(user), { limit: STEP_ITEMS });
    return { more, rooms: items.flatMap((item) => roomIn(parseKey(keyOf(item)))) };
  }

  async function rooms({ user }: AboutAccount): Promise<boolean> {
    const found = await page(user);
    await mapAtMost(WRITES_AT_ONCE, found.rooms, (room) => leave(user, room));
    return found.more;
  }

  const leave = (user: string, room: string): Promise<void> =>
    dynamo.optimistic(async () => {
      try {
        await leaving.leave(user, room);
        return undefined;
      } catch (error) {
        if (!(error instanceof TsudoiError)) throw error;
        // Another process of this job has ended the membership.
        if (error.code === 'FORBIDDEN') return undefined;
        // The room was deleted.
        if (error.code === 'NOT_FOUND') {
          await dynamo.remove(keys.waiting(user, room));
          return endMembershipOfDeletedRoom(dynamo, room, user);
        }
        if (error.details.reason !== 'LAST_OWNER') throw error;
      }
      await appoint(room, user);
      return AGAIN;
    });

  async function waiting({ user }: AboutAccount): Promise<boolean> {
    const { items, more } = await dynamo.query(ranges.waits(user), { limit: STEP_ITEMS });
    const found = items.flatMap((item) => roomIn(parseKey(keyOf(item))));
    await mapAtMost(WRITES_AT_ONCE, found, (room) => leave(user, room));
    return more;
  }

  async function saved({ user }: AboutAccount): Promise<boolean> {
    const lists = VISIBILITIES.map((visibility) => ranges.savedList({ user, visibility, list: 'ALL' }));
    const pages = await Promise.all(lists.map((list) => dynamo.query(list, { limit: STEP_ITEMS })));
    const found = pages.flatMap(({ items }) => items.map((item) => parseKey(keyOf(item))));
    for (const key of found) if (key.type === 'savedRow') await saving.erase(key);
    return pages.some(({ more }) => more);
  }

  async function own({ user }: AboutAccount): Promise<boolean> {
    const { pk, sk: profile } = keys.user(user);
    const { items, more } = await dynamo.query({ pk, from: '0', to: MAX_SUFFIX }, { limit: STEP_ITEMS + 1 });
    const isRest = (key: Key) => key.sk !== profile && roomIn(parseKey(key)).length === 0;
    const rest = items.filter((item) => isRest(keyOf(item)));
    // First what counts the others.
    for (const count of [
      keys.badge(user),
      keys.blockCount(user),
      keys.openJobs(user),
      keys.scheduledCount(user),
    ]) {
      if (rest.some(({ sk }) => sk === count.sk) || more) await dynamo.remove(count);
    }
    await mapAtMost(WRITES_AT_ONCE, rest, (item) => removeOwn(parseKey(keyOf(item)), item));
    // A page of nothing but halves would come again.
    return more && rest.length > 0;
  }

  async function removeOwn(key: ParsedKey, item: Item): Promise<void> {
    const timer = timerIn(key, item);
    if (timer === undefined) return dynamo.remove(keyOf(item));
    await dynamo.transact([{ delete: keyOf(item) }, { delete: keys.timer(timer.due, timer.id) }]);
  }

  /** Resolves to the key after which the next step begins; undefined at the end of the table. */
  async function table(about: AboutAccount, after: Key | undefined): Promise<Key | undefined> {
    const { items, next } = await reader.read(naming(about.user), after);
    await mapAtMost(WRITES_AT_ONCE, items, (item) => forget(about, parseKey(keyOf(item)), item));
    return next;
  }

  async function forget({ user, eraseMessages }: AboutAccount, key: ParsedKey, item: Item): Promise<void> {
    const kind = kindOf(user, key, item);
    if (kind === 'text' && eraseMessages && (key.type === 'root' || key.type === 'reply'))
      await erase(key, user);
    else if (key.type === 'like' && kind === 'like') await removeReaction(key, likeOf(key));
    else if (key.type === 'stamp' && kind === 'stamp') await removeReaction(key, stampOf(key, item));
    else if (key.type === 'saved' && kind === 'saved') await saving.erase(key);
    else if (kind === 'follow' || kind === 'record') await dynamo.remove(keyOf(item));
  }

  /** As its author would delete it, except that the room is not asked whether they are in it. */
  const erase = ({ room, threadTs, ts }: MessageKey, user: string): Promise<void> =>
    dynamo.optimistic(async () => {
      const key = keys.message(room, threadTs, ts);
      const item = await dynamo.get(key);
      const message = item === undefined ? undefined : messageOf({ room, threadTs, ts }, item);
      if (message === undefined || message.author !== user || message.deletedAt !== null) return;
      const change = versionRaisedBy({ kind: 'DELETED', actor: user });
      const failed = await dynamo.tryTransact({
        erased: {
          key,
          update: `SET deletedAt = :at, v = :shape, ${change.set} REMOVE ${REMOVED.join(', ')}`,
          condition: `attribute_not_exists(deletedAt) AND ${sameBodyPlace(message)}`,
          values: { ...change.values, ':at': timestamps.next(), ':shape': FIRST_SHAPE },
        },
        body: itemRemoved(message),
      });
      return failed === undefined ? undefined : AGAIN;
    });

  /**
   * Removes a reaction of the user, and counts it down. If the message does not count it (its numbers are wrong, and
   * only `verify` can correct them), the numbers stay as they are. The reactions to a message that is deleted are left
   * to the job that clears it.
   */
  const removeReaction = ({ room, threadTs, ts }: MessageKey, reaction: CountedReaction): Promise<void> =>
    dynamo.optimistic(async () => {
      const key = keys.message(room, threadTs, ts);
      const message = await dynamo.get(key);
      if (message === undefined || message.deletedAt !== undefined) return undefined;
      const failed = await dynamo.tryTransact({
        reaction: reaction.deletion,
        message:
          reaction.countedBy(message) > 0 ? { key, ...reaction.countDown(message) } : unchanged(key, message),
      });
      // If its own condition fails, the user or another process has removed it.
      return failed === undefined || failed.reaction !== undefined ? undefined : AGAIN;
    });

  const PHASE_STEPS = {
    devices,
    rooms,
    waiting,
    saved,
    own,
    lateDevices: devices,
    lateRooms: rooms,
    lateWaiting: waiting,
    lateSaved: saved,
    lateOwn: own,
  } as const;

  return {
    name: 'deleteAccount',
    async step(about, cursor) {
      const [name, position, mark] = (cursor ?? FIRST_PHASE).split(' ');
      const phase = PHASES.find((one) => one === name) ?? FIRST_PHASE;
      if (phase === 'imports') {
        return (await areImportsOver({ dynamo }))
          ? 'tableAgain'
          : { cursor: 'imports', runAt: now() + IMPORT_MS };
      }
      if (phase !== 'table' && phase !== 'tableAgain') {
        const more = await PHASE_STEPS[phase](about);
        return more ? phase : (PHASES[PHASES.indexOf(phase) + 1] ?? null);
      }
      const isFirst = phase === 'table' && position === undefined;
      // Before the first page: what an import writes behind it is found later.
      const imported = isFirst ? await mayBeImporting(dynamo) : mark === IMPORTING;
      const next = await table(about, position === undefined ? undefined : keyFrom(position));
      if (next !== undefined) {
        const at = [phase, cursorOf(next), ...(imported ? [IMPORTING] : [])].join(' ');
        return { cursor: at, runAt: reader.nextAt() };
      }
      return imported ? 'imports' : { cursor: 'lateDevices', runAt: now() + LATE_MS };
    },
  };
}

/**
 * A scheduled message, and what waits to be delivered, has a timer. It may be due years later, or when a pause ends.
 */
function timerIn(key: ParsedKey, item: Item): Pick<Timer, 'id' | 'due'> | undefined {
  if (key.type === 'scheduledMessage') return timerOfScheduled(scheduledOf(key.user, key.id, item));
  if (key.type !== 'gathering') return undefined;
  const about = { ...key, kind: key.kind as GatheringKey['kind'] };
  const { dueAt } = gatheringOf(about, item);
  return dueAt === null ? undefined : gatheringTimer(about, dueAt);
}

const REMOVED = removedOnDeletion(REACTIONS);

/** How a reaction is removed. `message`: the item of the message that it belongs to. */
interface CountedReaction {
  /** On the condition that the reaction exists. */
  readonly deletion: readonly Write[];
  /** How many reactions of this kind (and with the same stamp) the message counts. */
  countedBy(message: Item): number;
  /** For a message that counts at least one. */
  countDown(message: Item): Expression & { readonly update: string };
}

function likeOf(key: Extract<ParsedKey, { type: 'like' }>): CountedReaction {
  const raised = versionRaisedBy({ kind: 'UNLIKED', actor: key.user });
  return {
    deletion: [{ delete: keys.like(key.user, key), condition: 'attribute_exists(pk)' }],
    countedBy: ({ likeCount = 0 }) => Number(likeCount),
    countDown: () => ({
      update: `SET likeCount = likeCount - :one, ${raised.set}`,
      condition: 'attribute_not_exists(deletedAt) AND likeCount >= :one',
      values: raised.values,
    }),
  };
}

function stampOf(key: Extract<ParsedKey, { type: 'stamp' }>, item: Item): CountedReaction {
  const [user, stamp] = [item.user as string, item.stampKey as string];
  const raised = versionRaisedBy({ kind: 'UNSTAMPED', actor: user, detail: stamp });
  const countedBy = ({ stamps = {} }: Item) => (stamps as Readonly<Record<string, number>>)[stamp] ?? 0;
  return {
    deletion: [
      {
        delete: keys.stamp(key.room, key.threadTs, key.ts, key.stampedAt),
        condition: 'attribute_exists(pk)',
      },
      { delete: keys.stampGuard(user, key, stamp) },
    ],
    countedBy,
    countDown(message) {
      const isLast = countedBy(message) === 1;
      return {
        update: isLast
          ? `SET stampTotal = stampTotal - :one, ${raised.set} REMOVE stamps.#key`
          : `SET stamps.#key = stamps.#key - :one, stampTotal = stampTotal - :one, ${raised.set}`,
        condition: `attribute_not_exists(deletedAt) AND stamps.#key ${isLast ? '=' : '>'} :one`,
        names: { '#key': stamp },
        values: raised.values,
      };
    },
  };
}

/** Fails if the message has changed since it was read. */
const unchanged = (key: Key, { rev }: Item): Write => ({
  check: key,
  condition: 'rev = :rev',
  values: { ':rev': rev },
});

const roomIn = (key: ParsedKey): string[] =>
  key.type === 'membership' || key.type === 'waiting' ? [key.room] : [];

const cursorOf = (key: Key): string => Buffer.from(JSON.stringify(key)).toString('base64url');
const keyFrom = (text: string): Key => JSON.parse(Buffer.from(text, 'base64url').toString()) as Key;
