import { counters } from '../../../src/app/features.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { likers } from '../../../src/dynamo/keys.ts';
import {
  isRoot,
  type Message,
  type MessageKey,
  messageId,
  NEWEST_REPLIES_MAX,
  PARTICIPANTS_MAX,
} from '../../../src/messages/message.ts';
import { type MessageStamp, stampCountsOf } from '../../../src/reactions/stamps/stamp.ts';
import { pendingReadsOf } from '../../../src/rooms/pendingReads.ts';
import { rootsNamed } from '../../../src/unread/readPosition.ts';
import { verify } from '../../../src/verify/verify.ts';
import { type Contents, readContents } from './contents.ts';

/**
 * Reads the whole table, counts everything again and compares it with the stored counts. Resolves to a line for each
 * difference. Every root must have its position before the call.
 */
export async function recount(dynamo: Dynamo): Promise<string[]> {
  const contents = await readContents(dynamo);
  const checks = [
    versions,
    people,
    memberCounts,
    waitlists,
    positions,
    readPositions,
    threads,
    stampCounts,
    likeCounts,
    logs,
  ];
  return [...checks.flatMap((check) => check(contents)), ...(await verified(dynamo))];
}

/** The differences that `npm run repair` would fix. */
async function verified(dynamo: Dynamo): Promise<string[]> {
  const { differences } = await verify({ dynamo, counters, fix: false });
  return differences.flatMap(({ what, key, stored, counted }) =>
    same(`verify: ${what} of ${key.pk} ${key.sk}`, stored, counted),
  );
}

/** A line if the two are different. */
const same = (what: string, stored: unknown, counted: unknown): string[] =>
  JSON.stringify(stored) === JSON.stringify(counted)
    ? []
    : [`${what}: stored ${JSON.stringify(stored)}, counted ${JSON.stringify(counted)}`];

function by<T>(list: readonly T[], name: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const group = groups.get(name(one));
    if (group === undefined) groups.set(name(one), [one]);
    else group.push(one);
  }
  return groups;
}

/** Every item has the version of its shape. */
const versions = ({ withoutVersion }: Contents): string[] =>
  withoutVersion.map((key) => `${key} has no version`);

/** Handles are unique and have an item, and users have the right number of rooms. */
function people({ users, handles, memberships }: Contents): string[] {
  const rooms = by(memberships, ({ user }) => user);
  const owned = new Map(users.flatMap(({ id, handle }) => (handle === null ? [] : [[handle, id] as const])));
  return [
    ...users.flatMap(({ id, handle, rooms: stored }) => [
      ...same(`rooms of ${id}`, stored, rooms.get(id)?.length ?? 0),
      ...(handle === null ? [] : same(`owner of @${handle}`, handles.get(handle), id)),
    ]),
    ...[...handles].flatMap(([handle, user]) => same(`handle @${handle}`, owned.get(handle), user)),
  ];
}

/** Seats, members and memberships have the same users with the same roles, and every room with members has an owner. */
function memberCounts({ rooms, seats, members, memberships }: Contents): string[] {
  const [byRoom, byUser] = [by(members, ({ room }) => room), by(memberships, ({ room }) => room)];
  const roles = (list: ReadonlyArray<{ user: string; role: string }> = []) =>
    list.map(({ user, role }) => `${user} ${role}`).sort();
  return [...new Set([...rooms, ...byRoom.keys(), ...byUser.keys(), ...seats.keys()])].flatMap((room) => {
    const list = byRoom.get(room) ?? [];
    const owners = list.filter(({ role }) => role === 'OWNER').length;
    const {
      taken,
      capacity,
      owners: storedOwners,
    } = seats.get(room) ?? { taken: 0, capacity: null, owners: 0 };
    return [
      ...same(`the room item of ${room}`, rooms.has(room), true),
      ...same(`memberCount of ${room}`, taken, list.length),
      ...same(`owners of ${room}`, storedOwners, owners),
      ...same(`memberships of ${room}`, roles(byUser.get(room)), roles(list)),
      ...(capacity !== null && list.length > capacity ? [`${room} has ${list.length} of ${capacity}`] : []),
      ...(list.length > 0 && owners === 0 ? [`${room} has no owner`] : []),
    ];
  });
}

/** Users in a waitlist are not members, they are counted, and no user waits if a seat is free. */
function waitlists({ rooms, seats, members, waitlists: { ofRooms, ofUsers } }: Contents): string[] {
  const waiting = by(ofRooms, (entry) => entry.split(' ')[0] ?? '');
  const inside = new Set(members.map(({ room, user }) => `${room} ${user}`));
  return [
    ...same('waitlist entries of users', [...ofUsers].sort(), [...ofRooms].sort()),
    ...ofRooms
      .filter((entry) => inside.has(entry.split(' ').slice(0, 2).join(' ')))
      .map((entry) => `${entry} waits and is a member`),
    ...[...rooms].flatMap((room) => {
      const { waiting: stored = 0, taken = 0, capacity = null } = seats.get(room) ?? {};
      const free = capacity === null || taken < capacity;
      return [
        ...same(`waiting for ${room}`, stored, waiting.get(room)?.length ?? 0),
        ...(stored > 0 && free ? [`${room} has a free seat and ${stored} waiting users`] : []),
      ];
    }),
  ];
}

/** The roots of a room have the positions 1, 2, 3 …, the counter has their number, and replies have no position. */
function positions({ rooms, counters, messages }: Contents): string[] {
  const roots = by(messages.filter(isRoot), ({ room }) => room);
  return [
    ...[...rooms].flatMap((room) => {
      const given = (roots.get(room) ?? []).map(({ position }) => position ?? 0).sort((a, b) => a - b);
      return [
        ...same(`messageCount of ${room}`, counters.get(room)?.lastPosition, given.length),
        ...same(
          `positions of ${room}`,
          given,
          Array.from(given, (_, i) => i + 1),
        ),
      ];
    }),
    ...messages
      .filter((one) => !isRoot(one) && one.position !== null)
      .map((one) => `${messageId(one)} has a position`),
  ];
}

/** No read position is after the room's last position, every root that is named exists, and no mark is left. */
function readPositions({ memberships, counters, messages }: Contents): string[] {
  const roots = new Set(messages.filter(isRoot).map(messageId));
  return memberships.flatMap(({ room, user, readPosition, ...pending }) => [
    ...(readPosition > (counters.get(room)?.lastPosition ?? 0)
      ? [`${user} has read more than all of ${room}`]
      : []),
    ...rootsNamed(pendingReadsOf(pending))
      .filter((root) => !roots.has(messageId({ room, threadTs: root, ts: root })))
      .map((root) => `${user} has read up to or from ${root} in ${room}, which does not exist`),
    ...pendingReadsOf(pending).flatMap((read) =>
      'mark' in read ? [`${user} has a mark in ${room} that has no position`] : [],
    ),
  ]);
}

/** Each root has the count, the last time, the first participants and the newest of its replies. */
function threads({ messages }: Contents): string[] {
  const replies = by(
    messages.filter((one) => !isRoot(one)),
    ({ room, threadTs }) => messageId({ room, threadTs, ts: threadTs }),
  );
  const roots = messages.filter(isRoot);
  const known = new Set(roots.map(messageId));
  return [
    ...[...replies.keys()]
      .filter((root) => !known.has(root))
      .map((root) => `${root} has replies and does not exist`),
    ...roots.flatMap((root) => {
      const list = (replies.get(messageId(root)) ?? []).sort((a, b) => (a.ts < b.ts ? -1 : 1));
      const first = [...new Set(list.map(({ author }) => author))].slice(0, PARTICIPANTS_MAX);
      return [
        ...same(`replyCount of ${messageId(root)}`, root.replyCount, list.length),
        ...same(`lastReplyAt of ${messageId(root)}`, root.lastReplyAt, list.at(-1)?.ts ?? null),
        ...same(
          `newestReplies of ${messageId(root)}`,
          root.newestReplies,
          list.slice(-NEWEST_REPLIES_MAX).map(({ ts }) => ts),
        ),
        ...same(`participants of ${messageId(root)}`, root.participants, first),
      ];
    }),
  ];
}

/** A message's counts equal its stamps, each stamp has its guard, and a deleted message has neither. */
function stampCounts({ messages, totals, stamps, guards }: Contents): string[] {
  const on = by(stamps, messageId);
  const known = new Set(messages.map(messageId));
  const name = (one: MessageStamp) =>
    `${messageId(one as MessageKey)} ${one.user} ${one.stampKey} ${one.stampedAt}`;
  return [
    ...[...on.keys()]
      .filter((message) => !known.has(message))
      .map((message) => `${message} has stamps and does not exist`),
    ...same('guards of stamps', guards.map(name).sort(), stamps.map(name).sort()),
    ...messages.flatMap((message) =>
      countsOf(message, on.get(messageId(message)) ?? [], totals.get(message) ?? 0),
    ),
  ];
}

function countsOf(message: Message, stamps: readonly MessageStamp[], total: number): string[] {
  const counts = [...by(stamps, ({ stampKey }) => stampKey)].map(([key, list]) => [key, list.length]).sort();
  return [
    ...same(`stamps of ${messageId(message)}`, Object.entries(stampCountsOf(message)).sort(), counts),
    ...same(`stampTotal of ${messageId(message)}`, total, stamps.length),
    ...(message.deletedAt !== null && message.body !== null
      ? [`${messageId(message)} is deleted and has a body`]
      : []),
  ];
}

/**
 * A message's count equals its likes, each like has the message's author and its keys in the index, and a deleted
 * message has no likes.
 */
function likeCounts({ messages, likes, likeCounts: stored }: Contents): string[] {
  const byMessage = by(likes, messageId);
  const known = new Map(messages.map((message) => [messageId(message), message]));
  return [
    ...likes.flatMap((like) => {
      const name = `the like of ${messageId(like)} by ${like.user}`;
      const message = known.get(messageId(like));
      if (message === undefined) return [`${name} has no message`];
      return [
        ...same(`author in ${name}`, like.author, message.author),
        ...same(
          `index of ${name}`,
          [like.gsi1pk, like.gsi1sk],
          [likers.pk(like), likers.sk(like.at, like.user)],
        ),
        ...(message.deletedAt === null ? [] : [`${name} is of a deleted message`]),
      ];
    }),
    ...messages.flatMap((message) =>
      same(
        `likeCount of ${messageId(message)}`,
        stored.get(message),
        byMessage.get(messageId(message))?.length ?? 0,
      ),
    ),
  ];
}

/** A log's items have no gap between them, and the last one has the counter's number. (The oldest ones expire.) */
function logs({ counters, logs: items }: Contents): string[] {
  return [...by(items, ({ room }) => room)].flatMap(([room, list]) => {
    const sorted = list.sort((a, b) => a.last - b.last);
    const gaps = sorted.filter((item, i) => i > 0 && item.last - item.entries.length !== sorted[i - 1]?.last);
    return [
      ...same(`changeCount of ${room}`, counters.get(room)?.lastSequence, sorted.at(-1)?.last),
      ...gaps.map(({ last }) => `the log of ${room} has a gap before ${last}`),
    ];
  });
}
