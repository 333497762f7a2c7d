/**
 * What everybody may see and do, as the design promises it: written from that, as plain tables, and apart from
 * the product. Nothing of `src/rooms` is imported here, or this would only say that the policy is the policy.
 */
import type { ErrorCode } from '../../src/core/errors.ts';

export const STATES = ['public', 'private', 'direct', 'full'] as const;
/** How the room is; `full`: public, with every seat taken, and somebody who waits for one. */
export type State = (typeof STATES)[number];

/** What somebody is to a room. `unseen`, `seen`: an outsider who does not know of it, or does. */
export type Position = 'nobody' | 'unseen' | 'seen' | 'member' | 'moderator' | 'owner' | 'equal';

/** Null: there is no such person. Nobody can be invited to, removed or banned from a direct room, nor moderate it. */
// biome-ignore format: a table.
const POSITIONS = {
  //           public       private      direct    full
  anonymous: ['nobody',    'nobody',    'nobody', 'nobody'],
  expired:   ['nobody',    'nobody',    'nobody', 'nobody'],
  stranger:  ['seen',      'unseen',    'unseen', 'seen'],
  /** Has an invite's code, and has not used it. */
  invited:   ['seen',      'unseen',    null,     'seen'],
  member:    ['member',    'member',    'equal',  'member'],
  moderator: ['moderator', 'moderator', null,     'moderator'],
  owner:     ['owner',     'owner',     'equal',  'owner'],
  left:      ['seen',      'unseen',    'unseen', 'seen'],
  removed:   ['seen',      'unseen',    null,     'seen'],
  banned:    ['seen',      'unseen',    null,     'seen'],
  /** Owns another room. */
  elsewhere: ['seen',      'unseen',    'unseen', 'seen'],
  /** In line for a seat. */
  waiting:   [null,        null,        null,     'seen'],
} as const satisfies Record<string, ReadonlyArray<Position | null>>;

export type Who = keyof typeof POSITIONS;
export const WHO = Object.keys(POSITIONS) as Who[];

/** One row of one column of the matrix: what is asked is told apart. */
export interface Cell {
  readonly who: Who;
  readonly state: State;
}

export const positionOf = ({ who, state }: Cell): Position | null =>
  POSITIONS[who][STATES.indexOf(state)] ?? null;

/** Who is or was in the room: they keep the notifications that they got there. */
const BEEN_THERE: readonly Who[] = ['member', 'moderator', 'owner', 'left', 'removed', 'banned'];

/** `own`: of oneself a value, of others null. `unlisted`: the list is there, and the room is not in it. */
export type Verdict = 'value' | 'null' | 'own' | 'unlisted' | ErrorCode;
type Columns<T> = readonly [unseen: T, seen: T, member: T, moderator: T, owner: T, equal: T];

const column = <T>(columns: Columns<T>, position: Exclude<Position, 'nobody'>): T =>
  columns[['unseen', 'seen', 'member', 'moderator', 'owner', 'equal'].indexOf(position)] as T;

const FORBIDDEN = 'FORBIDDEN';
const NOT_FOUND = 'NOT_FOUND';

/** What a field gives to who has come as far as to ask for it. */
// biome-ignore format: a table.
const READING = {
  //              unseen     seen       member     moderator  owner      equal
  shown:         ['value',   'value',   'value',   'value',   'value',   'value'],
  /** A room by its id. */
  sight:         ['null',    'value',   'value',   'value',   'value',   'value'],
  /** A field of a room that one sees. */
  inside:        [FORBIDDEN, FORBIDDEN, 'value',   'value',   'value',   'value'],
  insideOrNull:  ['null',    'null',    'value',   'value',   'value',   'value'],
  keepers:       [FORBIDDEN, FORBIDDEN, FORBIDDEN, 'value',   'value',   FORBIDDEN],
  keepersOrNull: ['null',    'null',    'null',    'value',   'value',   'null'],
  own:           ['own',     'own',     'own',     'own',     'own',     'own'],
  never:         ['null',    'null',    'null',    'null',    'null',    'null'],
} as const satisfies Record<string, Columns<Verdict>>;

/** Besides: `listed` is the directory, `kept` a notification that one got in the room. */
export type Rule = keyof typeof READING | 'listed' | 'kept';

/** `as`: where a mutation has changed what they are to the room. */
export function reading(rule: Rule, cell: Cell, as: Position | null = positionOf(cell)): Verdict {
  if (as === null || as === 'nobody') return 'UNAUTHENTICATED';
  if (rule === 'listed') return cell.state === 'public' || cell.state === 'full' ? 'value' : 'unlisted';
  if (rule === 'kept') return BEEN_THERE.includes(cell.who) ? 'value' : 'null';
  return column(READING[rule], as);
}

const OK = 'ok';
type Outcome = typeof OK | ErrorCode;
const ALREADY = 'ALREADY_MEMBER';

// biome-ignore format: a table.
const ANYBODY: Columns<Outcome> = [OK,        OK,        OK,        OK,        OK,        OK];
// biome-ignore format: a table.
const MEMBERS: Columns<Outcome> = [NOT_FOUND, FORBIDDEN, OK,        OK,        OK,        OK];
// biome-ignore format: a table.
const KEEPERS: Columns<Outcome> = [NOT_FOUND, FORBIDDEN, FORBIDDEN, OK,        OK,        FORBIDDEN];
// biome-ignore format: a table.
const OWNERS: Columns<Outcome> =  [NOT_FOUND, FORBIDDEN, FORBIDDEN, FORBIDDEN, OK,        FORBIDDEN];
// biome-ignore format: a table.
const NOBODY: Columns<Outcome> =  [NOT_FOUND, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN];
// biome-ignore format: a table.
const NOWHERE: Columns<Outcome> = [NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND];

/** What each act comes to. An act is a mutation, or one of its forms. */
const ACTING: Readonly<Record<string, Columns<Outcome>>> = {
  updateProfile: ANYBODY,
  createRoom: ANYBODY,
  openDirectRoom: ANYBODY,
  joinRoom: [NOT_FOUND, OK, ALREADY, ALREADY, ALREADY, ALREADY],
  'joinRoom, or wait': [NOT_FOUND, OK, ALREADY, ALREADY, ALREADY, ALREADY],
  joinWithInvite: [OK, OK, ALREADY, ALREADY, ALREADY, NOT_FOUND],
  leaveRoom: [NOT_FOUND, FORBIDDEN, OK, OK, 'CONFLICT', OK],
  updateRoom: KEEPERS,
  'updateRoom, its capacity': OWNERS,
  addMember: KEEPERS,
  removeMember: KEEPERS,
  'removeMember, a moderator': OWNERS,
  banMember: KEEPERS,
  'banMember, a member': KEEPERS,
  unbanMember: KEEPERS,
  setMemberRole: OWNERS,
  createInvite: KEEPERS,
  revokeInvite: KEEPERS,
  sendMessage: MEMBERS,
  'sendMessage, a reply': MEMBERS,
  editMessage: MEMBERS,
  "editMessage, another's": NOBODY,
  deleteMessage: MEMBERS,
  "deleteMessage, another's": KEEPERS,
  likeMessage: MEMBERS,
  unlikeMessage: MEMBERS,
  addStamp: MEMBERS,
  removeStamp: MEMBERS,
  "removeStamp, another's": NOBODY,
  followThread: MEMBERS,
  unfollowThread: MEMBERS,
  markRoomRead: MEMBERS,
  'markRoomRead, up to a message': MEMBERS,
  markRoomUnread: MEMBERS,
  muteRoom: MEMBERS,
  setTyping: MEMBERS,
  markNotificationsRead: NOWHERE,
  "markNotificationsRead, another's": NOWHERE,
  'markNotificationsRead, all': ANYBODY,
};

interface Exception {
  readonly acts: readonly string[];
  readonly who?: readonly Who[];
  readonly states?: readonly State[];
  readonly outcome: Outcome;
}

/** Who has no code sends one that they made up. */
const WITHOUT_CODE: readonly Who[] = ['stranger', 'elsewhere', 'waiting'];
const OPEN: readonly State[] = ['public', 'full'];
const OUTSIDE: readonly Who[] = ['stranger', 'invited', 'left', 'removed', 'elsewhere', 'waiting'];

/** The first that fits goes before the table. */
const EXCEPTIONS: readonly Exception[] = [
  // A code is worth nothing to who is banned, and says no more of the room than they knew.
  { acts: ['joinWithInvite'], who: ['banned'], states: OPEN, outcome: FORBIDDEN },
  { acts: ['joinWithInvite'], who: ['banned'], states: ['private'], outcome: NOT_FOUND },
  { acts: ['joinWithInvite'], who: WITHOUT_CODE, outcome: NOT_FOUND },
  { acts: ['joinWithInvite'], states: ['direct'], outcome: NOT_FOUND },
  { acts: ['joinRoom', 'joinRoom, or wait'], who: ['banned'], states: OPEN, outcome: FORBIDDEN },
  { acts: ['joinRoom, or wait'], who: OUTSIDE, states: ['full'], outcome: OK },
  { acts: ['joinRoom', 'joinWithInvite'], who: OUTSIDE, states: ['full'], outcome: 'ROOM_FULL' },
  { acts: ['addMember'], who: ['moderator', 'owner'], states: ['full'], outcome: 'ROOM_FULL' },
  // Out of the line.
  { acts: ['leaveRoom'], who: ['waiting'], outcome: OK },
  { acts: ['markNotificationsRead'], who: BEEN_THERE, outcome: OK },
];

export const ACTS = Object.keys(ACTING);

export function acting(act: string, cell: Cell): Outcome {
  const position = positionOf(cell);
  const columns = ACTING[act];
  if (columns === undefined) throw new Error(`The oracle says nothing of ${act}.`);
  if (position === null || position === 'nobody') return 'UNAUTHENTICATED';
  const exception = EXCEPTIONS.find(
    ({ acts, who, states }) =>
      acts.includes(act) && (who?.includes(cell.who) ?? true) && (states?.includes(cell.state) ?? true),
  );
  return exception?.outcome ?? column(columns, position);
}

/** What they are to the room that the act answers with, once it is done. */
export function positionAfter(act: string, cell: Cell): Position {
  const outside = OPEN.includes(cell.state) ? 'seen' : 'unseen';
  if (act === 'createRoom') return 'owner';
  if (act === 'openDirectRoom') return 'equal';
  if (act === 'leaveRoom') return outside;
  if (act === 'joinWithInvite' || act.startsWith('joinRoom'))
    return cell.state === 'full' ? outside : 'member';
  return positionOf(cell) ?? 'nobody';
}

const OPENING: Readonly<Record<string, Columns<Outcome>>> = {
  roomEvents: MEMBERS,
  unread: ANYBODY,
  notificationChanged: ANYBODY,
};

export const SUBSCRIPTIONS = Object.keys(OPENING);

export function opening(subscription: string, cell: Cell): Outcome {
  const position = positionOf(cell);
  const columns = OPENING[subscription];
  if (columns === undefined) throw new Error(`The oracle says nothing of ${subscription}.`);
  return position === null || position === 'nobody' ? 'UNAUTHENTICATED' : column(columns, position);
}
