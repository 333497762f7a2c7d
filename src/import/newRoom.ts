/**
 * A room that the table does not have yet.
 *
 *   messages, reactions ── … ──▶ the room, its counter ──▶ members, 30 at a time ──▶ complete
 *   IMPORT: messages 0 … n                                  IMPORT: members 0 … m     IMPORT is deleted
 *
 * Nothing can be seen before the room's item exists, which is written together with its numbers. Every message and
 * its reactions have keys that follow from the input, so after a crash the last thousand are written again as they were.
 * Members are counted in the same transaction that notes how many of them are in.
 */
import { toTimestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { IMPORTED, type Item } from '../dynamo/item.ts';
import { keys } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { SCHEMA_VERSION } from '../dynamo/table.ts';
import type { Write } from '../dynamo/write.ts';
import { historyItems, type MessageWithReactions } from '../reactions/historyItems.ts';
import { newMembershipWrites } from '../rooms/membership/membership.ts';
import { counterItem, newMembership, newRoomWrites, type Room } from '../rooms/room.ts';
import { MAX_ROOMS, userOf } from '../users/user.ts';
import type { Pace } from './pace.ts';
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
  readonly pace: Pace;
  readonly spool: Spool;
  /** Called with the number of messages that were written, or were there already. */
  readonly onMessages: (count: number) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Items after which is noted how far the import is. */
const NOTED_AFTER = 1_000;
/** A member is three writes, and a transaction has at most 100. */
const MEMBERS_AT_ONCE = 30;
/** Write units, about. */
const UNITS_OF_MEMBER = 8;
const UNITS_OF_ROOM = 12;

export async function writeNewRoom(
  options: RoomWriterOptions,
  spooled: SpooledRoom,
  found: RoomState | undefined,
): Promise<void> {
  const { dynamo } = options;
  const { digest, room } = spooled;
  const begun: RoomState = found ?? { digest, messages: 0 };
  if (found === undefined) {
    await dynamo.put({ ...keys.roomImport(room.id), v: SCHEMA_VERSION, ...begun });
  }
  if (begun.members === undefined) {
    await writeMessages(options, spooled, begun.messages);
    await createRoom(options, spooled);
  } else options.onMessages(spooled.messages);
  await addMembers(options, spooled, begun.members ?? MEMBERS_AT_ONCE);
}

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
  { dynamo, pace, spool, onMessages }: RoomWriterOptions,
  spooled: SpooledRoom,
  done: number,
): Promise<void> {
  const room = spooled.room.id;
  let wholes: MessageWithReactions[] = [];
  let items = 0;
  let count = 0;
  let noted = done;
  let answered: (row: Row) => Row | undefined = () => undefined;

  async function flush(): Promise<void> {
    await pace.write(wholes, historyItems);
    wholes = [];
    items = 0;
    await dynamo.update(keys.roomImport(room), {
      update: 'SET messages = :messages',
      values: { ':messages': count },
    });
    onMessages(count - noted);
    noted = count;
  }

  onMessages(done);
  for (const row of rowsOf(spooled)) {
    if (row.root === row) answered = answeredIn(row);
    count++;
    if (count <= done) continue;
    const record = await spool.read(row);
    const whole = wholeMessage(row, record, { room, answered: answered(row), positioned: true });
    wholes.push(whole);
    items += 2 * (1 + whole.stamps.length + whole.likes.length);
    if (items >= NOTED_AFTER) await flush();
  }
  if (count > noted) await flush();
}

/** The room with its numbers and its first members, so that no one else can become its owner. */
async function createRoom({ dynamo, pace }: RoomWriterOptions, spooled: SpooledRoom): Promise<void> {
  const { room, roots } = spooled;
  const newest = roots.at(-1);
  const first = membersOf(spooled).slice(0, MEMBERS_AT_ONCE);
  await pace.write(room.bans, ({ user, by, at }) => [
    { ...keys.ban(room.id, user), v: SCHEMA_VERSION, by, at },
  ]);
  await pace.pay(first.length * UNITS_OF_MEMBER + UNITS_OF_ROOM);
  await dynamo.optimistic(async () => {
    const { writes, owners } = await membershipsOf(dynamo, spooled, first, true);
    const taken = writes.length;
    const created = newRoomWrites(roomOf(spooled), {
      ...{ taken, capacity: room.capacity, owners, waiting: 0, version: 1 },
    });
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
        values: { ':members': first.length },
      },
      members: writes.flat(),
    });
    if (failed?.room !== undefined) throw new Error(`The room ${room.id} was created meanwhile.`);
    return failed === undefined ? undefined : AGAIN;
  });
}

function roomOf({ room, roots }: SpooledRoom): Room {
  const { members: _, bans: __, capacity: ___, createdAt, ...own } = room;
  return { ...own, createdAt: createdAt ?? toTimestamp(roots[0]?.at ?? 0) };
}

async function addMembers(options: RoomWriterOptions, spooled: SpooledRoom, done: number): Promise<void> {
  const members = membersOf(spooled);
  for (let from = done; from < members.length; from += MEMBERS_AT_ONCE) {
    await addSome(options, spooled, members.slice(from, from + MEMBERS_AT_ONCE), from);
  }
  await options.dynamo.remove(keys.roomImport(spooled.room.id));
}

/** As the input says; otherwise the authors: the first one is the owner. Owners first, always in the same order. */
export function membersOf({ room, roots }: SpooledRoom): readonly ImportedMember[] {
  if (room.members !== null) {
    return [...room.members].sort((a, b) => Number(b.role === 'OWNER') - Number(a.role === 'OWNER'));
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

async function addSome(
  { dynamo, pace }: RoomWriterOptions,
  spooled: SpooledRoom,
  members: readonly ImportedMember[],
  from: number,
): Promise<void> {
  const room = spooled.room.id;
  await pace.pay(members.length * UNITS_OF_MEMBER + UNITS_OF_ROOM);
  await dynamo.optimistic(async () => {
    const { writes, owners } = await membershipsOf(dynamo, spooled, members, false);
    const failed = await dynamo.tryTransact({
      state: {
        key: keys.roomImport(room),
        update: 'SET members = :after',
        condition: 'members = :before',
        values: { ':after': from + members.length, ':before': from },
      },
      seats: {
        key: keys.seats(room),
        update: 'SET taken = taken + :taken, owners = owners + :owners, rev = rev + :one',
        values: { ':taken': writes.length, ':owners': owners, ':one': 1 },
      },
      members: writes.flat(),
    });
    return failed === undefined || failed.state !== undefined ? undefined : AGAIN;
  });
}

/** Everything in the room counts as read. Users who cannot be in a room any more are left out. */
async function membershipsOf(
  dynamo: Dynamo,
  { room, roots }: SpooledRoom,
  members: readonly ImportedMember[],
  needsOwner: boolean,
): Promise<{ readonly writes: Write[][]; readonly owners: number }> {
  const profiles = await dynamo.batchGet(members.map(({ user }) => keys.user(user)));
  const joining = members.flatMap((member, i) => {
    const item = profiles[i];
    const user = item === undefined ? undefined : userOf(member.user, item);
    const canJoin = user !== undefined && user.deletedAt === undefined && user.rooms < MAX_ROOMS;
    return canJoin ? [{ member, user }] : [];
  });
  // A room with members has an owner.
  const firstOwns = needsOwner && !joining.some(({ member }) => member.role === 'OWNER');
  const newest = roots.at(-1);
  let owners = 0;
  const writes = joining.map(({ member, user }, i): Write[] => {
    const role = firstOwns && i === 0 ? 'OWNER' : member.role;
    if (role === 'OWNER') owners++;
    const place = { room: room.id, user: member.user, role, joinCount: user.joinCount };
    const joined = newMembershipWrites(
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
    ];
  });
  return { writes, owners };
}
