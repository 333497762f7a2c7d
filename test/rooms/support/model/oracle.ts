/**
 * A room's rules as a plain model, independent of the product: its members with their roles, its waitlist, its bans
 * and its invites. Each operation returns the code that the product has to return.
 */
export type Role = 'OWNER' | 'MODERATOR' | 'MEMBER';
export type Code =
  | 'ok'
  | 'waits'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'ROOM_FULL'
  | 'ALREADY_MEMBER'
  | 'BAD_USER_INPUT';

export interface Oracle {
  readonly isPublic: boolean;
  capacity: number | null;
  readonly members: Map<number, Role>;
  waiting: number[];
  /** The person who added a member. Members who joined themselves are not in it. */
  readonly addedBy: Map<number, number>;
  /** For people who left: who may not add them again. */
  readonly left: Map<number, number[]>;
  readonly banned: Set<number>;
  readonly invites: Array<{ uses: number; readonly maxUses: number; readonly by: number }>;
}

export const newOracle = (isPublic: boolean, capacity: number | null): Oracle => ({
  isPublic,
  capacity,
  members: new Map([[0, 'OWNER']]),
  waiting: [],
  addedBy: new Map(),
  left: new Map(),
  banned: new Set(),
  invites: [],
});

const free = ({ members, capacity }: Oracle) => capacity === null || members.size < capacity;
const full = (room: Oracle) => room.waiting.length > 0 || !free(room);
const owners = ({ members }: Oracle) => [...members.values()].filter((role) => role === 'OWNER').length;
const addMember = ({ members }: Oracle, person: number) =>
  members.set(person, members.size === 0 ? 'OWNER' : 'MEMBER');

/** What is forgotten and remembered when someone's membership ends. */
function endMembership({ members, addedBy, left }: Oracle, person: number, isOwnWish: boolean): boolean {
  if (!members.delete(person)) return false;
  const by = addedBy.get(person);
  addedBy.delete(person);
  if (by === undefined) left.delete(person);
  else if (isOwnWish) left.set(person, [...(left.get(person) ?? []), by]);
  return true;
}

/** The role of a member, or the error for a person who is not a member. */
const roleOrRefusal = (
  { members, isPublic, waiting }: Oracle,
  person: number,
): Role | 'FORBIDDEN' | 'NOT_FOUND' =>
  members.get(person) ?? (isPublic || waiting.includes(person) ? 'FORBIDDEN' : 'NOT_FOUND');

/** The error if the person is neither an owner nor a moderator. */
function onlyOwnersAndModerators(room: Oracle, person: number): Code | undefined {
  const role = roleOrRefusal(room, person);
  if (role === 'MEMBER') return 'FORBIDDEN';
  return role === 'OWNER' || role === 'MODERATOR' ? undefined : role;
}

/** The error if the person is not an owner. */
function onlyOwners(room: Oracle, person: number): Code | undefined {
  const role = roleOrRefusal(room, person);
  if (role === 'OWNER') return undefined;
  return role === 'NOT_FOUND' ? role : 'FORBIDDEN';
}

export function join(room: Oracle, person: number, wait: boolean): Code {
  if (room.members.has(person)) return 'ALREADY_MEMBER';
  if (!room.isPublic) return room.waiting.includes(person) ? 'FORBIDDEN' : 'NOT_FOUND';
  if (room.banned.has(person)) return 'FORBIDDEN';
  if (full(room)) {
    if (!wait) return 'ROOM_FULL';
    if (!room.waiting.includes(person)) room.waiting.push(person);
    return 'waits';
  }
  addMember(room, person);
  return 'ok';
}

export function leave(room: Oracle, person: number): Code {
  const role = room.members.get(person);
  if (role === undefined) {
    if (!room.waiting.includes(person)) return room.isPublic ? 'FORBIDDEN' : 'NOT_FOUND';
    room.waiting = room.waiting.filter((one) => one !== person);
    return 'ok';
  }
  if (role === 'OWNER' && owners(room) === 1 && room.members.size > 1) return 'CONFLICT';
  endMembership(room, person, true);
  return 'ok';
}

export function add(room: Oracle, by: number, person: number): Code {
  const refusal = onlyOwnersAndModerators(room, by);
  if (refusal !== undefined) return refusal;
  if (room.members.has(person)) return 'ALREADY_MEMBER';
  if (room.banned.has(person)) return 'CONFLICT';
  if (room.left.get(person)?.includes(by)) return 'FORBIDDEN';
  if (full(room)) return 'ROOM_FULL';
  addMember(room, person);
  room.addedBy.set(person, by);
  return 'ok';
}

/** The error if `by` may not remove, ban or unban `person`. */
function moderating(room: Oracle, by: number, person: number): Code | undefined {
  const refusal = onlyOwnersAndModerators(room, by);
  if (refusal !== undefined) return refusal;
  if (by === person) return 'BAD_USER_INPUT';
  const theirs = room.members.get(person) ?? 'MEMBER';
  return theirs === 'MEMBER' || room.members.get(by) === 'OWNER' ? undefined : 'FORBIDDEN';
}

export function remove(room: Oracle, by: number, person: number): Code {
  const refusal = moderating(room, by, person);
  if (refusal !== undefined) return refusal;
  return endMembership(room, person, false) ? 'ok' : 'NOT_FOUND';
}

export function ban(room: Oracle, by: number, person: number): Code {
  const refusal = moderating(room, by, person);
  if (refusal !== undefined) return refusal;
  endMembership(room, person, false);
  room.waiting = room.waiting.filter((one) => one !== person);
  room.banned.add(person);
  return 'ok';
}

export function unban(room: Oracle, by: number, person: number): Code {
  const refusal = moderating(room, by, person);
  if (refusal !== undefined) return refusal;
  room.banned.delete(person);
  return 'ok';
}

export function setRole(room: Oracle, by: number, person: number, role: Role): Code {
  const refusal = onlyOwners(room, by);
  if (refusal !== undefined) return refusal;
  const before = room.members.get(person);
  if (before === undefined) return 'NOT_FOUND';
  if (before === 'OWNER' && role !== 'OWNER' && owners(room) === 1) return 'CONFLICT';
  room.members.set(person, role);
  return 'ok';
}

export function resize(room: Oracle, by: number, capacity: number | null): Code {
  const refusal = onlyOwners(room, by);
  if (refusal !== undefined) return refusal;
  if (capacity !== null && capacity < room.members.size) return 'CONFLICT';
  room.capacity = capacity;
  return 'ok';
}

export function invite(room: Oracle, by: number, maxUses: number): Code {
  const refusal = onlyOwnersAndModerators(room, by);
  if (refusal !== undefined) return refusal;
  room.invites.push({ uses: 0, maxUses, by });
  return 'ok';
}

/** An invite ends when its creator is banned, is a plain member again, or has left a room that is not public. */
function isCreatorTrusted({ members, banned, isPublic }: Oracle, by: number): boolean {
  const role = members.get(by);
  return role === undefined ? isPublic && !banned.has(by) : role !== 'MEMBER';
}

export function useInvite(room: Oracle, person: number, number: number, wait: boolean): Code {
  if (wait && room.waiting.includes(person)) return 'waits';
  const used = room.invites[number];
  if (used === undefined || used.uses >= used.maxUses) return 'NOT_FOUND';
  if (!room.isPublic && room.members.size === 0) return 'NOT_FOUND';
  if (room.members.has(person)) return 'ALREADY_MEMBER';
  if (!isCreatorTrusted(room, used.by)) return 'NOT_FOUND';
  if (room.banned.has(person)) return room.isPublic ? 'FORBIDDEN' : 'NOT_FOUND';
  if (full(room) && !wait) return 'ROOM_FULL';
  used.uses++;
  if (full(room)) {
    room.waiting.push(person);
    return 'waits';
  }
  addMember(room, person);
  return 'ok';
}

/** What the stream consumer does after each operation: people on the waitlist get free seats. */
export function assignFreeSeats(room: Oracle): void {
  while (room.waiting.length > 0 && free(room)) {
    const [first, ...rest] = room.waiting;
    room.waiting = rest;
    // No one gets a seat of a private room that all members have left.
    const isAbandoned = !room.isPublic && room.members.size === 0;
    if (first !== undefined && !isAbandoned) addMember(room, first);
  }
}
