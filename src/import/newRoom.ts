/**
 * A room that the table does not have yet.
 *
 *   messages, reactions ── … ──▶ the room, its counter ──▶ members, 23 at a time ──▶ complete
 *   IMPORT: messages 0 … n                                  IMPORT: members 0 … m     IMPORT is deleted
 *
 * Nothing can be seen before the room's item exists, which is written together with its numbers. Every message and its
 * reactions have keys that follow from the input, so after a crash the last thousand are written again as they were.
 * Members are counted in the same transaction that notes how many of them are in.
 */
import { type Timestamp, toTimestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ifConditionHolds } from '../dynamo/errors.ts';
import { IMPORTED, type Item } from '../dynamo/item.ts';
import { type Key, keys } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Write } from '../dynamo/write.ts';
import { historyItems, type MessageWithReactions } from '../reactions/historyItems.ts';
import { deletionJobId } from '../roomDeletion/deletionJob.ts';
import { membershipWrites } from '../rooms/membership/membership.ts';
import { isFull } from '../rooms/membership/seats.ts';
import { counterItem, newMembership, newRoomWrites, type Room, type Seats, seatsOf } from '../rooms/room.ts';
import { MAX_ROOMS, userOf } from '../users/user.ts';
import { type Former, leftByRunBefore, removeLeft, withoutFormer } from './former.ts';
import type { Pace } from './pace.ts';
import { ImportStopped } from './problems.ts';
import type { Row, Spool, SpooledRoom } from './spool.ts';
import { wholeMessage } from './threads.ts';
import type { ImportedMember } from './types.ts';

/** How far an import of a room is, as its item says. */
export interface RoomState {
  readonly digest: string;
  /** How many messages are written. */
  readonly messages: number;
  /** How many members are in; absent: the room does not exist yet. */
  readonly members?: number;
}

export const roomStateOf = ({ digest, messages, members }: Item): RoomState => ({
  digest: digest as string,
  messages: messages as number,
  ...(members === undefined ? {} : { members: members as number }),
});

export interface RoomWriterOptions {
  readonly dynamo: Dynamo;
  /** Names this run: a room's import belongs to the run that continued it last. */
  readonly run: string;
  readonly pace: Pace;
  readonly spool: Pick<Spool, 'read'>;
  readonly former: Former;
  /** Called with the number of messages that were written, or were there already. */
  readonly onMessages: (count: number) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Items after which is noted how far the import is. */
const NOTED_AFTER = 1_000;
/** A member is four writes, and a transaction has at most 100. */
const MEMBERS_AT_ONCE = 23;
/** Write units, about. */
const UNITS_OF_MEMBER = 8;
const UNITS_OF_ROOM = 12;

export async function writeNewRoom(
  options: RoomWriterOptions,
  spooled: SpooledRoom,
  found: RoomState | undefined,
): Promise<void> {
  const begun: RoomState = found ?? { digest: spooled.digest, messages: 0 };
  await begin(options, spooled, found);
  if (begun.members === undefined) {
    await writeMessages(options, spooled, found);
    await createRoom(options, spooled);
  } else options.onMessages(spooled.messages);
  await addMembers(options, spooled, begun.members ?? MEMBERS_AT_ONCE);
}

/** From here on, the import of the room belongs to this run. */
async function begin(
  { dynamo, run }: RoomWriterOptions,
  { room, digest }: SpooledRoom,
  found: RoomState | undefined,
): Promise<void> {
  const key = keys.roomImport(room.id);
  const failed = await dynamo.tryTransact(
    found === undefined
      ? {
          state: {
            put: { ...key, v: FIRST_SHAPE, digest, messages: 0, run },
            condition: 'attribute_not_exists(pk)',
          },
          room: { check: keys.room(room.id), condition: 'attribute_not_exists(pk)' },
          deletion: notBeingDeleted(room.id),
        }
      : {
          state: {
            key,
            update: 'SET #run = :run',
            condition: 'digest = :digest',
            names: { '#run': 'run' },
            values: { ':run': run, ':digest': digest },
          },
        },
  );
  if (failed !== undefined) throw changedMeanwhile(room);
}

/** While a deleted room is being emptied, everything that is written in it is lost. */
const notBeingDeleted = (room: string): Write => ({
  check: keys.job(deletionJobId(room)),
  condition: 'attribute_not_exists(pk)',
});

export const changedMeanwhile = ({ name }: Pick<Room, 'name'>) =>
  new ImportStopped(
    `The room ${JSON.stringify(name)} was created, deleted or imported by something else in the meantime. If it is still wanted, run the same command again.`,
  );

/** Roots and replies in the order of the threads, always the same. */
function* rowsOf({ roots }: SpooledRoom): Generator<Row> {
  for (const root of roots) {
    yield root;
    yield* root.replies;
  }
}

/** The rows by their keys, for the replies that answer replies. */
export const answeredIn = (root: Row): ((row: Row) => Row | undefined) => {
  let byKey: Map<string, Row> | undefined;
  return ({ replyTo }) => {
    if (replyTo === null || replyTo === root.key) return undefined;
    byKey ??= new Map(root.replies.map((reply) => [reply.key, reply]));
    return byKey.get(replyTo);
  };
};

async function writeMessages(
  { dynamo, run, pace, spool, former, onMessages }: RoomWriterOptions,
  spooled: SpooledRoom,
  found: RoomState | undefined,
): Promise<void> {
  const room = spooled.room.id;
  const done = found?.messages ?? 0;
  let wholes: MessageWithReactions[] = [];
  /** Of the first part, which a run before may have written without noting it. */
  let left: Key[] | undefined = found === undefined ? undefined : [];
  let items = 0;
  let count = 0;
  let noted = done;
  let answered: (row: Row) => Row | undefined = () => undefined;

  async function flush(): Promise<void> {
    await removeLeft({ dynamo, pace }, left ?? []);
    left = undefined;
    await pace.write(wholes, historyItems);
    wholes = [];
    items = 0;
    const noting = dynamo.update(keys.roomImport(room), {
      update: 'SET messages = :messages',
      ...isOf(run, { ':messages': count }),
    });
    if ((await ifConditionHolds(noting)) === undefined) throw changedMeanwhile(spooled.room);
    onMessages(count - noted);
    noted = count;
  }

  onMessages(done);
  for (const row of rowsOf(spooled)) {
    if (row.root === row) answered = answeredIn(row);
    count++;
    if (count <= done) continue;
    const record = await spool.read(row);
    const kept = withoutFormer(record, former);
    const placing = { room, answered: answered(row), positioned: true };
    const whole = wholeMessage(row, kept, placing);
    if (kept !== record) left?.push(...leftByRunBefore(wholeMessage(row, record, placing), whole));
    wholes.push(whole);
    items += 2 * (1 + whole.stamps.length + whole.likes.length);
    if (items >= NOTED_AFTER) await flush();
  }
  if (count > noted) await flush();
}

/** The room with its numbers and its first members, so that no one else can become its owner. */
async function createRoom(
  { dynamo, run, pace, now }: RoomWriterOptions,
  spooled: SpooledRoom,
): Promise<void> {
  const { room, roots } = spooled;
  const newest = roots.at(-1);
  const first = membersOf(spooled).slice(0, MEMBERS_AT_ONCE);
  await pace.write(room.bans, ({ user, by, at }) => [{ ...keys.ban(room.id, user), v: FIRST_SHAPE, by, at }]);
  await pace.pay(first.length * UNITS_OF_MEMBER + UNITS_OF_ROOM);
  await dynamo.optimistic(async () => {
    const empty: Seats = { taken: 0, capacity: room.capacity, owners: 0, waiting: 0, version: 1 };
    const { writes, owners } = await membershipsOf(dynamo, spooled, { members: first, seats: empty });
    const created = newRoomWrites(roomOf(spooled, now()), { ...empty, taken: writes.length, owners });
    const counter: Write = {
      ...created.counter,
      put: {
        ...counterItem(room.id, room.visibility === 'DIRECT'),
        messageCount: roots.length,
        ...(newest === undefined ? {} : { newestRoot: toTimestamp(newest.at), newestRootOf: roots.length }),
      },
    };
    const failed = await dynamo.tryTransact({
      ...created,
      counter,
      state: {
        key: keys.roomImport(room.id),
        update: 'SET members = :members',
        ...isOf(run, { ':members': first.length }),
      },
      deletion: notBeingDeleted(room.id),
      members: writes.flat(),
    });
    if (failed === undefined) return undefined;
    if (failed.room ?? failed.state ?? failed.deletion) throw changedMeanwhile(room);
    return AGAIN;
  });
}

/** The condition that the import of a room still belongs to this run. */
const isOf = (run: string, values: Readonly<Record<string, unknown>>, more = '') => ({
  condition: `#run = :run${more}`,
  names: { '#run': 'run' },
  values: { ':run': run, ...values },
});

/**
 * `now`: in milliseconds since 1970. If nothing says when the room was created, it is as old as what it begins with.
 */
function roomOf(spooled: SpooledRoom, now: number): Room {
  const { members: _, bans: __, capacity: ___, createdAt, ...own } = spooled.room;
  const [first] = spooled.roots;
  const begin = first === undefined ? firstJoinOf(spooled) : toTimestamp(first.at);
  return { ...own, createdAt: createdAt ?? begin ?? toTimestamp(now * 1_000) };
}

const firstJoinOf = (spooled: SpooledRoom): Timestamp | undefined =>
  membersOf(spooled)
    .map(({ joinedAt }) => joinedAt)
    .sort()[0];

async function addMembers(options: RoomWriterOptions, spooled: SpooledRoom, done: number): Promise<void> {
  const members = membersOf(spooled);
  for (let from = done; from < members.length; from += MEMBERS_AT_ONCE) {
    await addSome(options, spooled, members.slice(from, from + MEMBERS_AT_ONCE), from);
  }
  // Another run that continued it removes it itself.
  await ifConditionHolds(options.dynamo.remove(keys.roomImport(spooled.room.id), isOf(options.run, {})));
}

/**
 * As the input says; otherwise the authors: the first one is the owner. Owners first, always in the same order. Each
 * user once: an operator may say that two people of the other system are the same.
 */
export function membersOf({ room, roots }: SpooledRoom): readonly ImportedMember[] {
  if (room.members !== null) {
    const ownersFirst = [...room.members].sort(
      (a, b) => Number(b.role === 'OWNER') - Number(a.role === 'OWNER'),
    );
    const firsts = new Map<string, ImportedMember>();
    for (const member of ownersFirst) if (!firsts.has(member.user)) firsts.set(member.user, member);
    return [...firsts.values()];
  }
  const joined = new Map<string, number>();
  for (const root of roots) {
    for (const { author, at } of [root, ...root.replies]) {
      joined.set(author, Math.min(at, joined.get(author) ?? at));
    }
  }
  const { bans } = room;
  return [...joined]
    .filter(([user]) => !bans.some((ban) => ban.user === user))
    .sort(([, a], [, b]) => a - b)
    .map(([user, at], i) => ({ user, role: i === 0 ? 'OWNER' : 'MEMBER', joinedAt: toTimestamp(at) }));
}

/**
 * The room is there, so others join, leave and are banned meanwhile: its seats decide, on the condition that they are
 * as read.
 */
async function addSome(
  { dynamo, run, pace }: RoomWriterOptions,
  spooled: SpooledRoom,
  members: readonly ImportedMember[],
  from: number,
): Promise<void> {
  const room = spooled.room.id;
  await pace.pay(members.length * UNITS_OF_MEMBER + UNITS_OF_ROOM);
  await dynamo.optimistic(async () => {
    const item = await dynamo.get(keys.seats(room));
    if (item === undefined) throw changedMeanwhile(spooled.room);
    const seats = seatsOf(item);
    const { writes, owners } = await membershipsOf(dynamo, spooled, { members, seats });
    const failed = await dynamo.tryTransact({
      state: {
        key: keys.roomImport(room),
        update: 'SET members = :after',
        ...isOf(run, { ':after': from + members.length, ':before': from }, ' AND members = :before'),
      },
      seats: {
        key: keys.seats(room),
        update: 'SET taken = taken + :taken, owners = owners + :owners, rev = rev + :one',
        condition: 'rev = :rev',
        values: { ':taken': writes.length, ':owners': owners, ':one': 1, ':rev': seats.version },
      },
      members: writes.flat(),
    });
    if (failed === undefined) return undefined;
    if (failed.state === undefined) return AGAIN;
    // They are in: the response of an earlier attempt was lost.
    if (failed.state.item?.run === run) return undefined;
    throw changedMeanwhile(spooled.room);
  });
}

interface Joining {
  readonly members: readonly ImportedMember[];
  readonly seats: Seats;
}

/**
 * Everything in the room counts as read. Left out are users who cannot be in a room any more, are members or banned by
 * now, or find no free seat.
 */
async function membershipsOf(
  dynamo: Dynamo,
  { room, roots }: SpooledRoom,
  { members, seats }: Joining,
): Promise<{ readonly writes: Write[][]; readonly owners: number }> {
  const found = await dynamo.batchGet(
    members.flatMap(({ user }) => [keys.user(user), keys.membership(user, room.id), keys.ban(room.id, user)]),
  );
  const able = members.flatMap((member, i) => {
    const [item, membership, ban] = found.slice(3 * i, 3 * i + 3);
    const user = item === undefined ? undefined : userOf(member.user, item);
    const canJoin = user !== undefined && user.deletedAt === undefined && user.rooms < MAX_ROOMS;
    return canJoin && membership === undefined && ban === undefined ? [{ member, user }] : [];
  });
  const joining = able.slice(0, freeSeats(seats));
  // A room with members has an owner.
  const firstOwns = seats.owners === 0 && !joining.some(({ member }) => member.role === 'OWNER');
  const newest = roots.at(-1);
  let owners = 0;
  const writes = joining.map(({ member, user }, i): Write[] => {
    const role = firstOwns && i === 0 ? 'OWNER' : member.role;
    if (role === 'OWNER') owners++;
    const place = { room: room.id, user: member.user, role, joinCount: user.joinCount };
    const joined = membershipWrites(
      {
        ...newMembership({ ...place, readPosition: roots.length }, member.joinedAt),
        ...(newest === undefined ? {} : { lastReadTs: toTimestamp(newest.at) }),
      },
      user,
    );
    // No one is notified that they, or others, are in the room.
    return [
      { ...joined.member, put: { ...joined.member.put, ...IMPORTED } },
      { ...joined.membership, put: { ...joined.membership.put, ...IMPORTED } },
      joined.profile,
      joined.ban,
    ];
  });
  return { writes, owners };
}

const freeSeats = (seats: Seats): number =>
  isFull(seats) ? 0 : (seats.capacity ?? Number.POSITIVE_INFINITY) - seats.taken;
