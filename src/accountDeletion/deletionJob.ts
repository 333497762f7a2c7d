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
import { type MessageChange, versionRaisedBy } from '../messages/lastChange.ts';
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
    else if (key.type === 'like' && kind === 'like') await unlike(key);
    else if (key.type === 'stamp' && kind === 'stamp') await unstamp(key, item);
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

  /** The reactions to a message that is deleted are left to the job that clears it. */
  const withoutReaction = (
    message: MessageKey,
    reaction: readonly Write[],
    count: CountDown,
  ): Promise<void> =>
    dynamo.optimistic(async () => {
      const { room, threadTs, ts } = message;
      const failed = await dynamo.tryTransact({
        reaction,
        count: { key: keys.message(room, threadTs, ts), ...count },
      });
      if (failed === undefined || failed.reaction !== undefined) return undefined;
      const stored = failed.count?.item;
      return stored === undefined || stored.deletedAt !== undefined ? undefined : AGAIN;
    });

  const unlike = (key: Extract<ParsedKey, { type: 'like' }>): Promise<void> =>
    withoutReaction(
      key,
      [{ delete: keys.like(key.user, key), condition: 'attribute_exists(pk)' }],
      countDown({ kind: 'UNLIKED', actor: key.user }, { attribute: 'likeCount' }),
    );

  const unstamp = (key: Extract<ParsedKey, { type: 'stamp' }>, item: Item): Promise<void> => {
    const [user, stamp] = [item.user as string, item.stampKey as string];
    return dynamo.optimistic(async () => {
      const message = await dynamo.get(keys.message(key.room, key.threadTs, key.ts));
      if (message === undefined || message.deletedAt !== undefined) return;
      const { [stamp]: counted = 0 } = (message.stamps ?? {}) as Record<string, number>;
      await withoutReaction(
        key,
        [
          {
            delete: keys.stamp(key.room, key.threadTs, key.ts, key.stampedAt),
            condition: 'attribute_exists(pk)',
          },
          { delete: keys.stampGuard(user, key, stamp) },
        ],
        countDown({ kind: 'UNSTAMPED', actor: user, detail: stamp }, { stamp, isLast: counted === 1 }),
      );
    });
  };

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

type CountDown = Expression & { readonly update: string; readonly condition: string };

function countDown(
  change: MessageChange,
  of: { readonly attribute: string } | { readonly stamp: string; readonly isLast: boolean },
): CountDown {
  const raised = versionRaisedBy(change);
  if ('attribute' in of) {
    return {
      update: `SET #count = #count - :one, ${raised.set}`,
      condition: 'attribute_not_exists(deletedAt) AND #count >= :one',
      names: { '#count': of.attribute },
      values: raised.values,
    };
  }
  const { isLast } = of;
  return {
    update: isLast
      ? `SET stampTotal = stampTotal - :one, ${raised.set} REMOVE stamps.#key`
      : `SET stamps.#key = stamps.#key - :one, stampTotal = stampTotal - :one, ${raised.set}`,
    condition: `attribute_not_exists(deletedAt) AND stamps.#key ${isLast ? '=' : '>'} :one`,
    names: { '#key': of.stamp },
    values: raised.values,
  };
}

const roomIn = (key: ParsedKey): string[] =>
  key.type === 'membership' || key.type === 'waiting' ? [key.room] : [];

const cursorOf = (key: Key): string => Buffer.from(JSON.stringify(key)).toString('base64url');
const keyFrom = (text: string): Key => JSON.parse(Buffer.from(text, 'base64url').toString()) as Key;
