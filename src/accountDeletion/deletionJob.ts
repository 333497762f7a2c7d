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
import {
  type Key,
  type KeyRange,
  keyOf,
  keys,
  MAX_SUFFIX,
  type ParsedKey,
  parseKey,
  ranges,
} from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { areImportsOver, mayBeImporting } from '../import/lock.ts';
import type { JobKind, NextStep } from '../jobs/jobs.ts';
import type { TableReader } from '../jobs/tableReader.ts';
import { endMembershipOfDeletedRoom } from '../rooms/membership/deletedRoom.ts';
import { createLeaving } from '../rooms/membership/leave.ts';
import { VISIBILITIES } from '../saved/entry.ts';
import { createSaving } from '../saved/saving.ts';
import { scheduledOf, timerOfScheduled } from '../scheduled/scheduledMessage.ts';
import type { Timer } from '../timers/timer.ts';
import { type AboutAccount, createForgetting } from './forgetting.ts';
import { naming } from './itemsOfUser.ts';
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

/** The first cursor. */
export const FIRST_PHASE: Phase = 'devices';

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
 *   running when the phase began. If so, likes and stamps are left to `tableAgain`.
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
  const { forget } = createForgetting({ dynamo, timestamps, saving });

  async function devices({ user }: AboutAccount): Promise<boolean> {
    await removeWhere(user, () => true);
    return false;
  }

  const rooms = ({ user }: AboutAccount): Promise<boolean> => leaveIn(user, ranges.memberships(user));
  const waiting = ({ user }: AboutAccount): Promise<boolean> => leaveIn(user, ranges.waits(user));

  /** Leaves the next rooms of a range of the user's memberships or waits. Resolves to whether there are more. */
  async function leaveIn(user: string, range: KeyRange): Promise<boolean> {
    const { items, more } = await dynamo.query(range, { limit: STEP_ITEMS });
    const found = items.flatMap((item) => roomIn(parseKey(keyOf(item))));
    await mapAtMost(WRITES_AT_ONCE, found, (room) => leave(user, room));
    return more;
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

  async function saved({ user }: AboutAccount): Promise<boolean> {
    const lists = VISIBILITIES.map((visibility) => ranges.savedList({ user, visibility, list: 'ALL' }));
    const pages = await Promise.all(lists.map((list) => dynamo.query(list, { limit: STEP_ITEMS })));
    const found = pages.flatMap(({ items }) => items.map((item) => parseKey(keyOf(item))));
    for (const key of found) {
      if (key.type !== 'savedRow' || (await saving.erase(key)) !== null) continue;
      // The entry is gone: another process has removed it with this row, or the row was left, and would come again.
      await dynamo.remove(keys.savedRow(key, key));
    }
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

  /** One page of the table. */
  async function readTable(about: AboutAccount, cursor: TableCursor): Promise<NextStep> {
    const isFirst = cursor.phase === 'table' && cursor.after === undefined;
    // Before the first page: what an import writes behind it is found later.
    const imported = isFirst ? await mayBeImporting(dynamo) : cursor.imported;
    const { items, next } = await reader.read(naming(about.user), cursor.after);
    const isImporting = cursor.phase === 'table' && imported;
    await mapAtMost(WRITES_AT_ONCE, items, (item) =>
      forget(about, { key: parseKey(keyOf(item)), item, isImporting }),
    );
    if (next !== undefined) {
      return { cursor: formatCursor({ ...cursor, after: next, imported }), runAt: reader.nextAt() };
    }
    return imported ? 'imports' : { cursor: 'lateDevices', runAt: now() + LATE_MS };
  }

  const waitForImports = async (): Promise<NextStep> =>
    (await areImportsOver({ dynamo })) ? 'tableAgain' : { cursor: 'imports', runAt: now() + IMPORT_MS };

  /** One page of what the user has. Resolves to whether there is more. */
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
    async step(about, text) {
      const cursor = parseCursor(text ?? FIRST_PHASE);
      if (isOfTable(cursor)) return readTable(about, cursor);
      const { phase } = cursor;
      if (phase === 'imports') return waitForImports();
      const more = await PHASE_STEPS[phase](about);
      return more ? phase : (PHASES[PHASES.indexOf(phase) + 1] ?? null);
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

const roomIn = (key: ParsedKey): string[] =>
  key.type === 'membership' || key.type === 'waiting' ? [key.room] : [];

/** How far the job is. As text: the phase; while the table is read, `<phase> <key>` or `<phase> <key> importing`. */
type Cursor = TableCursor | { readonly phase: Exclude<Phase, TableCursor['phase']> };

interface TableCursor {
  readonly phase: 'table' | 'tableAgain';
  /** The key that the next page begins after. Undefined: the first page. */
  readonly after: Key | undefined;
  /** Whether an import may have been running when `table` began. */
  readonly imported: boolean;
}

const IMPORTING = 'importing';

const isOfTable = (cursor: Cursor): cursor is TableCursor =>
  cursor.phase === 'table' || cursor.phase === 'tableAgain';

/** A cursor of a phase that this release does not know begins again: every step can be repeated. */
function parseCursor(text: string): Cursor {
  const [name, key, mark] = text.split(' ');
  const phase = PHASES.find((one) => one === name) ?? FIRST_PHASE;
  if (phase !== 'table' && phase !== 'tableAgain') return { phase };
  return { phase, after: key === undefined ? undefined : decodeKey(key), imported: mark === IMPORTING };
}

const formatCursor = ({ phase, after, imported }: TableCursor & { readonly after: Key }): string =>
  [phase, encodeKey(after), ...(imported ? [IMPORTING] : [])].join(' ');

const encodeKey = (key: Key): string => Buffer.from(JSON.stringify(key)).toString('base64url');
const decodeKey = (text: string): Key => JSON.parse(Buffer.from(text, 'base64url').toString()) as Key;
