/**
 * What each kind of user may see and do, as plain tables. They are written from the design and are independent of the
 * product: the only import is the type of an error code. If anything of `src/rooms` were imported here, the matrix
 * would compare the policy with itself.
 */
import type { ErrorCode } from '../../../src/core/errors.ts';

export const ROOM_STATES = ['public', 'private', 'direct', 'full', 'fullPrivate'] as const;
/** `full` is a public room in which every seat is taken, with one user in the waitlist; `fullPrivate` a private one. */
export type RoomState = (typeof ROOM_STATES)[number];

/**
 * What a user is to a room. `hidden` and `visible` are outsiders: to the former the room must not seem to exist, the
 * latter can see it in the directory. `participant` is a member of a direct room, which has no other roles.
 */
export type Relation =
  | 'unauthenticated'
  | 'hidden'
  | 'visible'
  | 'member'
  | 'moderator'
  | 'owner'
  | 'participant';

/** Null: no such user. A direct room has no invites, removals, bans or moderators. */
// biome-ignore format: a table.
const RELATIONS = {
  //           public             private            direct             full               fullPrivate
  anonymous: ['unauthenticated', 'unauthenticated', 'unauthenticated', 'unauthenticated', 'unauthenticated'],
  expired:   ['unauthenticated', 'unauthenticated', 'unauthenticated', 'unauthenticated', 'unauthenticated'],
  stranger:  ['visible',         'hidden',          'hidden',          'visible',         'hidden'],
  /** Has an invite's code and has not used it. */
  invited:   ['visible',         'hidden',          null,              'visible',         'hidden'],
  member:    ['member',          'member',          'participant',     'member',          'member'],
  moderator: ['moderator',       'moderator',       null,              'moderator',       'moderator'],
  owner:     ['owner',           'owner',           'participant',     'owner',           'owner'],
  left:      ['visible',         'hidden',          'hidden',          'visible',         'hidden'],
  removed:   ['visible',         'hidden',          null,              'visible',         'hidden'],
  banned:    ['visible',         'hidden',          null,              'visible',         'hidden'],
  /** Owns another room. */
  elsewhere: ['visible',         'hidden',          'hidden',          'visible',         'hidden'],
  /** Is in the waitlist, and sees of a private room what everyone sees of a public one. */
  waiting:   [null,              null,              null,              'visible',         'visible'],
} as const satisfies Record<string, ReadonlyArray<Relation | null>>;

export type UserKind = keyof typeof RELATIONS;
export const USER_KINDS = Object.keys(RELATIONS) as UserKind[];

/** A user of this kind at a room in this state. */
export interface Cell {
  readonly kind: UserKind;
  readonly state: RoomState;
}

export const relationOf = ({ kind, state }: Cell): Relation | null =>
  RELATIONS[kind][ROOM_STATES.indexOf(state)] ?? null;

/** These users are or were in the room. They keep the notifications that they got there. */
const NOTIFIED: readonly UserKind[] = ['member', 'moderator', 'owner', 'left', 'removed', 'banned'];

/** `own`: a value for the viewer's own object, null for others. `unlisted`: the list does not contain the room. */
export type ReadResult = 'value' | 'null' | 'own' | 'unlisted' | ErrorCode;
type Columns<T> = readonly [hidden: T, visible: T, member: T, moderator: T, owner: T, participant: T];

const column = <T>(columns: Columns<T>, relation: Exclude<Relation, 'unauthenticated'>): T =>
  columns[['hidden', 'visible', 'member', 'moderator', 'owner', 'participant'].indexOf(relation)] as T;

const FORBIDDEN = 'FORBIDDEN';
const NOT_FOUND = 'NOT_FOUND';

/** What a field returns if the object that it belongs to was returned. */
// biome-ignore format: a table.
const READ_RULES = {
  //                 hidden     visible    member     moderator  owner      participant
  always:           ['value',   'value',   'value',   'value',   'value',   'value'],
  /** A room by its id. */
  roomVisible:      ['null',    'value',   'value',   'value',   'value',   'value'],
  /** A field of a room that the user can see. */
  members:          [FORBIDDEN, FORBIDDEN, 'value',   'value',   'value',   'value'],
  membersOrNull:    ['null',    'null',    'value',   'value',   'value',   'value'],
  moderators:       [FORBIDDEN, FORBIDDEN, FORBIDDEN, 'value',   'value',   FORBIDDEN],
  moderatorsOrNull: ['null',    'null',    'null',    'value',   'value',   'null'],
  own:              ['own',     'own',     'own',     'own',     'own',     'own'],
  never:            ['null',    'null',    'null',    'null',    'null',    'null'],
} as const satisfies Record<string, Columns<ReadResult>>;

/**
 * Two rules are not in the table: `directory` is the list of rooms, `recipient` what the user got or saved in the room.
 */
export type ReadRule = keyof typeof READ_RULES | 'directory' | 'recipient';

/** `relation`: the one after a mutation, if it differs from the cell's. */
export function expectedRead(
  rule: ReadRule,
  cell: Cell,
  relation: Relation | null = relationOf(cell),
): ReadResult {
  if (relation === null || relation === 'unauthenticated') return 'UNAUTHENTICATED';
  if (rule === 'directory') return cell.state === 'public' || cell.state === 'full' ? 'value' : 'unlisted';
  if (rule === 'recipient') return NOTIFIED.includes(cell.kind) ? 'value' : 'null';
  return column(READ_RULES[rule], relation);
}

const OK = 'ok';
type Outcome = typeof OK | ErrorCode;
const ALREADY = 'ALREADY_MEMBER';
const BAD_INPUT = 'BAD_USER_INPUT';

// biome-ignore format: a table.
const EVERYONE: Columns<Outcome> =   [OK,        OK,        OK,        OK,        OK,        OK];
// biome-ignore format: a table.
const MEMBERS: Columns<Outcome> =    [NOT_FOUND, FORBIDDEN, OK,        OK,        OK,        OK];
// biome-ignore format: a table.
const MODERATORS: Columns<Outcome> = [NOT_FOUND, FORBIDDEN, FORBIDDEN, OK,        OK,        FORBIDDEN];
// biome-ignore format: a table.
const OWNERS: Columns<Outcome> =     [NOT_FOUND, FORBIDDEN, FORBIDDEN, FORBIDDEN, OK,        FORBIDDEN];
// biome-ignore format: a table.
const NO_ONE: Columns<Outcome> =     [NOT_FOUND, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN, FORBIDDEN];
// biome-ignore format: a table.
const NEVER_FOUND: Columns<Outcome> = [NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND];

// biome-ignore format: a table.
const NOT_CONFIRMED: Columns<Outcome> = [BAD_INPUT, BAD_INPUT, BAD_INPUT, BAD_INPUT, BAD_INPUT, BAD_INPUT];

/** The outcome of each mutation case. A mutation has several cases if its outcome depends on the input. */
const MUTATIONS: Readonly<Record<string, Columns<Outcome>>> = {
  updateProfile: EVERYONE,
  signOutEverywhere: EVERYONE,
  blockUser: EVERYONE,
  unblockUser: EVERYONE,
  createRoom: EVERYONE,
  'createRoom: a public one': EVERYONE,
  deleteRoom: OWNERS,
  deleteAccount: NOT_CONFIRMED,
  openDirectRoom: EVERYONE,
  joinRoom: [NOT_FOUND, OK, ALREADY, ALREADY, ALREADY, ALREADY],
  'joinRoom: or the waitlist': [NOT_FOUND, OK, ALREADY, ALREADY, ALREADY, ALREADY],
  'joinWithInvite: or the waitlist': [OK, OK, ALREADY, ALREADY, ALREADY, NOT_FOUND],
  joinWithInvite: [OK, OK, ALREADY, ALREADY, ALREADY, NOT_FOUND],
  leaveRoom: [NOT_FOUND, FORBIDDEN, OK, OK, 'CONFLICT', OK],
  updateRoom: MODERATORS,
  'updateRoom: capacity': OWNERS,
  addMember: MODERATORS,
  removeMember: MODERATORS,
  'removeMember: a moderator': OWNERS,
  banMember: MODERATORS,
  'banMember: a member': MODERATORS,
  unbanMember: MODERATORS,
  setMemberRole: OWNERS,
  createInvite: MODERATORS,
  revokeInvite: MODERATORS,
  sendMessage: MEMBERS,
  'sendMessage: a reply': MEMBERS,
  scheduleMessage: MEMBERS,
  'scheduleMessage: a reply': MEMBERS,
  updateScheduledMessage: EVERYONE,
  "updateScheduledMessage: another user's": NEVER_FOUND,
  cancelScheduledMessage: EVERYONE,
  "cancelScheduledMessage: another user's": NEVER_FOUND,
  editMessage: MEMBERS,
  "editMessage: another user's": NO_ONE,
  deleteMessage: MEMBERS,
  "deleteMessage: another user's": MODERATORS,
  likeMessage: MEMBERS,
  unlikeMessage: MEMBERS,
  saveMessage: MEMBERS,
  'saveMessage: publicly': MEMBERS,
  "saveMessage: another user's": NEVER_FOUND,
  snoozeReminder: EVERYONE,
  "snoozeReminder: another user's": NEVER_FOUND,
  removeSavedMessage: EVERYONE,
  "removeSavedMessage: another user's": NEVER_FOUND,
  cancelJob: EVERYONE,
  "cancelJob: another user's": NEVER_FOUND,
  renameSavedTag: EVERYONE,
  'renameSavedTag: to a name in use': EVERYONE,
  "renameSavedTag: another user's": NEVER_FOUND,
  mergeSavedTags: EVERYONE,
  "mergeSavedTags: another user's": NEVER_FOUND,
  deleteSavedTag: EVERYONE,
  "deleteSavedTag: another user's": NEVER_FOUND,
  setVisibilityOfTagged: EVERYONE,
  "setVisibilityOfTagged: another user's": NEVER_FOUND,
  addStamp: MEMBERS,
  removeStamp: MEMBERS,
  "removeStamp: another user's": NO_ONE,
  markThreadRead: MEMBERS,
  followThread: MEMBERS,
  unfollowThread: MEMBERS,
  markRoomRead: MEMBERS,
  'markRoomRead: up to a message': MEMBERS,
  markAllRoomsRead: EVERYONE,
  markRoomUnread: MEMBERS,
  muteRoom: MEMBERS,
  arrangeRoom: MEMBERS,
  updateDeliverySettings: EVERYONE,
  pauseDeliveries: EVERYONE,
  setRoomDelivery: MEMBERS,
  setTyping: MEMBERS,
  markNotificationsRead: NEVER_FOUND,
  "markNotificationsRead: another user's": NEVER_FOUND,
  'markNotificationsRead: all': EVERYONE,
  registerPushSubscription: EVERYONE,
  removePushSubscription: EVERYONE,
  "removePushSubscription: another user's": NEVER_FOUND,
  testDelivery: EVERYONE,
};

interface Exception {
  readonly mutations: readonly string[];
  readonly kinds?: readonly UserKind[];
  readonly states?: readonly RoomState[];
  readonly outcome: Outcome;
}

/** These users have no invite. They send a code that they made up. */
const WITHOUT_CODE: readonly UserKind[] = ['stranger', 'elsewhere', 'waiting'];
const BY_INVITE: readonly string[] = ['joinWithInvite', 'joinWithInvite: or the waitlist'];
const FULL: readonly RoomState[] = ['full', 'fullPrivate'];
const IN_DIRECTORY: readonly RoomState[] = ['public', 'full'];
const OUTSIDE: readonly UserKind[] = ['stranger', 'invited', 'left', 'removed', 'elsewhere', 'waiting'];

/** The first that matches overrides the table. */
const EXCEPTIONS: readonly Exception[] = [
  // A code does not let a banned user in, and reveals nothing about the room that the user could not see without it.
  { mutations: BY_INVITE, kinds: ['banned'], states: IN_DIRECTORY, outcome: FORBIDDEN },
  { mutations: BY_INVITE, kinds: ['banned'], states: ['private', 'fullPrivate'], outcome: NOT_FOUND },
  // Idempotent for a user who waits.
  { mutations: ['joinWithInvite: or the waitlist'], kinds: ['waiting'], outcome: OK },
  { mutations: BY_INVITE, kinds: WITHOUT_CODE, outcome: NOT_FOUND },
  { mutations: BY_INVITE, states: ['direct'], outcome: NOT_FOUND },
  {
    mutations: ['joinRoom', 'joinRoom: or the waitlist'],
    kinds: ['banned'],
    states: IN_DIRECTORY,
    outcome: FORBIDDEN,
  },
  {
    mutations: ['joinRoom', 'joinRoom: or the waitlist'],
    kinds: ['waiting'],
    states: ['fullPrivate'],
    outcome: FORBIDDEN,
  },
  { mutations: ['joinRoom: or the waitlist'], kinds: OUTSIDE, states: ['full'], outcome: OK },
  { mutations: ['joinRoom'], kinds: OUTSIDE, states: ['full'], outcome: 'ROOM_FULL' },
  { mutations: ['joinWithInvite'], kinds: OUTSIDE, states: FULL, outcome: 'ROOM_FULL' },
  { mutations: ['addMember'], kinds: ['moderator', 'owner'], states: FULL, outcome: 'ROOM_FULL' },
  // Leaves the waitlist.
  { mutations: ['leaveRoom'], kinds: ['waiting'], outcome: OK },
  { mutations: ['markNotificationsRead'], kinds: NOTIFIED, outcome: OK },
];

/** The names of the mutation cases. */
export const MUTATION_NAMES = Object.keys(MUTATIONS);

export function expectedMutation(name: string, cell: Cell): Outcome {
  const relation = relationOf(cell);
  const columns = MUTATIONS[name];
  if (columns === undefined) throw new Error(`The oracle has no row for the mutation ${name}.`);
  if (relation === null || relation === 'unauthenticated') return 'UNAUTHENTICATED';
  const exception = EXCEPTIONS.find(
    ({ mutations, kinds, states }) =>
      mutations.includes(name) &&
      (kinds?.includes(cell.kind) ?? true) &&
      (states?.includes(cell.state) ?? true),
  );
  return exception?.outcome ?? column(columns, relation);
}

/** The user's relation, after the mutation, to the room in its payload. */
export function relationAfter(mutation: string, cell: Cell): Relation {
  const outside = IN_DIRECTORY.includes(cell.state) ? 'visible' : 'hidden';
  if (mutation.startsWith('createRoom')) return 'owner';
  if (mutation === 'openDirectRoom') return 'participant';
  if (mutation === 'leaveRoom') return outside;
  // From the waitlist of a private room the user sees it.
  if (mutation.startsWith('joinWithInvite') || mutation.startsWith('joinRoom'))
    return FULL.includes(cell.state) ? 'visible' : 'member';
  return relationOf(cell) ?? 'unauthenticated';
}

const SUBSCRIBING: Readonly<Record<string, Columns<Outcome>>> = {
  roomEvents: MEMBERS,
  unread: EVERYONE,
  notificationChanged: EVERYONE,
  savedChanged: EVERYONE,
  jobChanged: EVERYONE,
};

export const SUBSCRIPTIONS = Object.keys(SUBSCRIBING);

export function expectedSubscribe(subscription: string, cell: Cell): Outcome {
  const relation = relationOf(cell);
  const columns = SUBSCRIBING[subscription];
  if (columns === undefined) throw new Error(`The oracle has no row for the subscription ${subscription}.`);
  return relation === null || relation === 'unauthenticated' ? 'UNAUTHENTICATED' : column(columns, relation);
}
