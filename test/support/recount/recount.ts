import { counters } from '../../../src/app/counters.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { likers } from '../../../src/dynamo/keys.ts';
import {
  isRoot,
  type Message,
  type MessageKey,
  messageId,
  PARTICIPANTS_MAX,
} from '../../../src/messages/message.ts';
import { type MessageStamp, stampCountsOf } from '../../../src/reactions/stamps/stamp.ts';
import { verify } from '../../../src/verify/verify.ts';
import { type Contents, readContents } from './contents.ts';

/**
 * Counts everything afresh and compares it with what the table says of itself. Resolves to a line for each
 * thing that is not so. Every root must have its position by then. Reads all of the table.
 */
export async function recount(dynamo: Dynamo): Promise<string[]> {
  const contents = await readContents(dynamo);
  const checks = [
    shapes,
    people,
    memberCounts,
    lines,
    positions,
    readPositions,
    threads,
    stampCounts,
    likeCounts,
    logs,
  ];
  return [...checks.flatMap((check) => check(contents)), ...(await repairs(dynamo))];
}

/** What `npm run repair` would have to fix. */
async function repairs(dynamo: Dynamo): Promise<string[]> {
  const { differences } = await verify({ dynamo, counters, fix: false });
  return differences.flatMap(({ what, key, stored, counted }) =>
    same(`the repair’s ${what} of ${key.pk} ${key.sk}`, stored, counted),
  );
}

/** A line where the two are not the same. */
const same = (what: string, said: unknown, counted: unknown): string[] =>
  JSON.stringify(said) === JSON.stringify(counted)
    ? []
    : [`${what}: said ${JSON.stringify(said)}, counted ${JSON.stringify(counted)}`];

function by<T>(list: readonly T[], name: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const group = groups.get(name(one));
    if (group === undefined) groups.set(name(one), [one]);
    else group.push(one);
  }
  return groups;
}

/** Every item says which version of its shape it has, so that a later one can tell. */
const shapes = ({ shapeless }: Contents): string[] => shapeless.map((key) => `${key} has no version`);

/** Handles are unique and reserved; a person's rooms are counted. */
function people({ users, handles, memberships }: Contents): string[] {
  const rooms = by(memberships, ({ user }) => user);
  const owned = new Map(users.flatMap(({ id, handle }) => (handle === null ? [] : [[handle, id] as const])));
  return [
    ...users.flatMap(({ id, handle, rooms: said }) => [
      ...same(`rooms of ${id}`, said, rooms.get(id)?.length ?? 0),
      ...(handle === null ? [] : same(`owner of @${handle}`, handles.get(handle), id)),
    ]),
    ...[...handles].flatMap(([handle, user]) => same(`handle @${handle}`, owned.get(handle), user)),
  ];
}

/** P5: seats, members and memberships are the same people in the same roles, and there is an owner. */
function memberCounts({ rooms, seats, members, memberships }: Contents): string[] {
  const [here, there] = [by(members, ({ room }) => room), by(memberships, ({ room }) => room)];
  const roles = (list: ReadonlyArray<{ user: string; role: string }> = []) =>
    list.map(({ user, role }) => `${user} ${role}`).sort();
  return [...new Set([...rooms, ...here.keys(), ...there.keys(), ...seats.keys()])].flatMap((room) => {
    const list = here.get(room) ?? [];
    const owners = list.filter(({ role }) => role === 'OWNER').length;
    const {
      taken,
      capacity,
      owners: ownersSaid,
    } = seats.get(room) ?? { taken: 0, capacity: null, owners: 0 };
    return [
      ...same(`the room ${room} itself`, rooms.has(room), true),
      ...same(`memberCount of ${room}`, taken, list.length),
      ...same(`owners of ${room}`, ownersSaid, owners),
      ...same(`both sides of ${room}`, roles(there.get(room)), roles(list)),
      ...(capacity !== null && list.length > capacity ? [`${room} has ${list.length} of ${capacity}`] : []),
      ...(list.length > 0 && owners === 0 ? [`${room} has no owner`] : []),
    ];
  });
}

/** Who waits is in no room that they wait for, and is counted; nobody waits where a seat is free. */
function lines({ rooms, seats, members, lines: { rooms: here, people: there } }: Contents): string[] {
  const waiting = by(here, (place) => place.split(' ')[0] ?? '');
  const inside = new Set(members.map(({ room, user }) => `${room} ${user}`));
  return [
    ...same('both sides of all lines', [...there].sort(), [...here].sort()),
    ...here
      .filter((place) => inside.has(place.split(' ').slice(0, 2).join(' ')))
      .map((place) => `${place} waits inside`),
    ...[...rooms].flatMap((room) => {
      const { waiting: said = 0, taken = 0, capacity = null } = seats.get(room) ?? {};
      const free = capacity === null || taken < capacity;
      return [
        ...same(`waiting for ${room}`, said, waiting.get(room)?.length ?? 0),
        ...(said > 0 && free ? [`${room} has a seat for ${said} who wait`] : []),
      ];
    }),
  ];
}

/** 1, 2, 3 … among a room's roots, and as many as its counter says; none on a reply. */
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

/** P2 is a difference of two numbers: neither may be beyond the other, and what is pending must be a root. */
function readPositions({ memberships, counters, messages }: Contents): string[] {
  const roots = new Set(messages.filter(isRoot).map(messageId));
  return memberships.flatMap(({ room, user, readPosition, pendingReadRoot }) => [
    ...(readPosition > (counters.get(room)?.lastPosition ?? 0) ? [`${user} has read beyond ${room}`] : []),
    ...(pendingReadRoot !== null &&
    !roots.has(messageId({ room, threadTs: pendingReadRoot, ts: pendingReadRoot }))
      ? [`${user} has read up to nothing in ${room}`]
      : []),
  ]);
}

/** What a root says of its replies. */
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
      .map((root) => `${root} has replies and is not there`),
    ...roots.flatMap((root) => {
      const list = (replies.get(messageId(root)) ?? []).sort((a, b) => (a.ts < b.ts ? -1 : 1));
      const first = [...new Set(list.map(({ author }) => author))].slice(0, PARTICIPANTS_MAX);
      return [
        ...same(`replyCount of ${messageId(root)}`, root.replyCount, list.length),
        ...same(`lastReplyAt of ${messageId(root)}`, root.lastReplyAt, list.at(-1)?.ts ?? null),
        ...same(`participants of ${messageId(root)}`, root.participants, first),
      ];
    }),
  ];
}

/** P3's kin: a message's counts are its stamps', each of them has its guard, and a deleted one has neither. */
function stampCounts({ messages, totals, stamps, guards }: Contents): string[] {
  const on = by(stamps, messageId);
  const known = new Set(messages.map(messageId));
  const name = (one: MessageStamp) =>
    `${messageId(one as MessageKey)} ${one.user} ${one.stampKey} ${one.stampedAt}`;
  return [
    ...[...on.keys()]
      .filter((message) => !known.has(message))
      .map((message) => `${message} is stamped and not there`),
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
      ? [`${messageId(message)} is deleted and still speaks`]
      : []),
  ];
}

/** P3: a message's count is its likes', which are its author's to hear of and in the index; a deleted one has none. */
function likeCounts({ messages, likes, likeCounts: said }: Contents): string[] {
  const of = by(likes, messageId);
  const known = new Map(messages.map((message) => [messageId(message), message]));
  return [
    ...likes.flatMap((like) => {
      const name = `the like of ${messageId(like)} by ${like.user}`;
      const message = known.get(messageId(like));
      if (message === undefined) return [`${name} is of nothing`];
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
      same(`likeCount of ${messageId(message)}`, said.get(message), of.get(messageId(message))?.length ?? 0),
    ),
  ];
}

/** A log's items follow each other without a hole, and end with the counter. (The oldest ones expire.) */
function logs({ counters, logs: items }: Contents): string[] {
  return [...by(items, ({ room }) => room)].flatMap(([room, list]) => {
    const sorted = list.sort((a, b) => a.last - b.last);
    const holes = sorted.filter(
      (item, i) => i > 0 && item.last - item.entries.length !== sorted[i - 1]?.last,
    );
    return [
      ...same(`changeCount of ${room}`, counters.get(room)?.lastSequence, sorted.at(-1)?.last),
      ...holes.map(({ last }) => `the log of ${room} has a hole before ${last}`),
    ];
  });
}
