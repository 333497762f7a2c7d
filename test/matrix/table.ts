/**
 * A row for each field of the schema: which of the oracle's rules covers it, and with which arguments it is asked
 * for. `schema.test.ts` names the fields that have none.
 */
import { acts } from './acts.ts';
import type { Rule } from './oracle.ts';

export interface Row {
  readonly rule: Rule;
  /** As GraphQL has them; `$room`, `$message` … are the ids of the world (`world.ts`). */
  readonly args?: string;
  /** May be null, or an empty list, for who may see it, too. Somebody has to see a value all the same. */
  readonly sparse?: true;
  /** The id of what it is asked of, where it is of no use to ask any. */
  readonly of?: string;
}

export type Table = Readonly<Record<string, Readonly<Record<string, Row>>>>;

const row =
  (rule: Rule, more: Partial<Row> = {}) =>
  (args?: string): Row => ({ rule, ...(args === undefined ? {} : { args }), ...more });

const shown = row('shown')();
/** Shown, where there is something. */
const sparse = row('shown', { sparse: true })();
const inside = row('inside');
const insideOrNull = row('insideOrNull')();
const keepers = row('keepers');
const own = row('own')();

/** What is told of rooms, people and messages. */
export const READING: Table = {
  Query: {
    // Where they lead is in `NODES`.
    node: shown,
    nodes: shown,
    viewer: shown,
    user: { rule: 'shown', args: 'handle: $handle' },
    room: { rule: 'sight', args: 'id: $room' },
    rooms: { rule: 'listed', args: 'first: $listed, after: $place' },
    stamps: shown,
  },
  Viewer: {
    id: shown,
    user: shown,
    locale: shown,
    memberships: { rule: 'shown', args: 'first: 3', sparse: true },
    unread: shown,
    notifications: { rule: 'shown', args: 'first: 3', sparse: true },
  },
  User: { id: shown, handle: shown, displayName: shown, avatarUrl: sparse },
  Room: {
    id: shown,
    name: shown,
    topic: sparse,
    visibility: shown,
    capacity: sparse,
    memberCount: shown,
    waitingCount: shown,
    waitlistPosition: sparse,
    createdAt: shown,
    viewerMembership: insideOrNull,
    eventsCursor: insideOrNull,
    people: sparse,
    members: inside('first: 5'),
    messages: inside('last: 5'),
    explainUnread: row('inside', { sparse: true })(),
    bans: keepers('first: 2'),
    invites: keepers('first: 2'),
  },
  Membership: {
    id: shown,
    room: shown,
    user: shown,
    role: shown,
    joinedAt: shown,
    muted: own,
    unreadCount: own,
  },
  Message: {
    id: shown,
    room: shown,
    author: shown,
    body: sparse,
    createdAt: shown,
    editedAt: sparse,
    deletedAt: sparse,
    version: shown,
    position: sparse,
    root: { rule: 'shown', sparse: true, of: '$reply' },
    replies: { rule: 'shown', args: 'last: 2', sparse: true },
    replyCount: shown,
    lastReplyAt: sparse,
    participants: sparse,
    mentions: sparse,
    likeCount: shown,
    viewerHasLiked: shown,
    likers: { rule: 'shown', args: 'first: 2', sparse: true },
    stamps: { rule: 'shown', args: 'first: 2', sparse: true },
    stampCounts: sparse,
    viewerIsFollowing: shown,
  },
  Stamp: { key: shown, label: shown, imageUrl: shown },
  MessageStamp: { id: shown, message: shown, stamp: shown, user: shown, createdAt: shown },
  StampCount: { stamp: shown, count: shown, viewerHasStamped: shown },
  Invite: {
    id: shown,
    room: shown,
    createdBy: shown,
    createdAt: shown,
    expiresAt: shown,
    maxUses: sparse,
    uses: shown,
  },
  Ban: { user: shown, bannedBy: shown, createdAt: shown },
  Notification: {
    id: shown,
    kind: shown,
    message: insideOrNull,
    latestReply: row('insideOrNull', { sparse: true })(),
    actors: insideOrNull,
    actorCount: shown,
    text: shown,
    updatedAt: shown,
    readAt: sparse,
  },
  Unread: { total: shown, notifications: shown, rooms: sparse },
  RoomUnread: { room: shown, membership: shown, unreadCount: shown, readPosition: shown },
};

/** What `node` and `nodes` lead to: the id that is asked for, and who gets something for it. */
export const NODES: ReadonlyArray<{ readonly type: string; readonly id: string; readonly rule: Rule }> = [
  { type: 'Room', id: '$room', rule: 'sight' },
  { type: 'Message', id: '$message', rule: 'insideOrNull' },
  { type: 'Message', id: '$reply', rule: 'insideOrNull' },
  { type: 'Membership', id: '$membership', rule: 'insideOrNull' },
  { type: 'Membership', id: '$ownMembership', rule: 'insideOrNull' },
  { type: 'MessageStamp', id: '$stamp', rule: 'insideOrNull' },
  { type: 'Invite', id: '$invite', rule: 'keepersOrNull' },
  { type: 'Notification', id: '$notification', rule: 'kept' },
  { type: 'Notification', id: '$anothersNotification', rule: 'never' },
  { type: 'User', id: '$stranger', rule: 'shown' },
  { type: 'Viewer', id: '$viewer', rule: 'shown' },
  { type: 'Viewer', id: '$anothersViewer', rule: 'never' },
];

/** What mutations answer: the mutations themselves are in `acts.ts`. */
export const ACTING: Table = {
  Mutation: Object.fromEntries(acts.map(({ field }) => [field, shown])),
  UpdateProfilePayload: { user: shown },
  CreateRoomPayload: { room: shown },
  OpenDirectRoomPayload: { room: shown },
  UpdateRoomPayload: { room: shown },
  JoinRoomPayload: { membership: sparse, room: shown },
  JoinWithInvitePayload: { membership: shown },
  LeaveRoomPayload: { room: sparse, deletedMembershipId: shown },
  AddMemberPayload: { membership: shown },
  RemoveMemberPayload: { room: shown, deletedMembershipId: shown },
  BanMemberPayload: { room: shown, user: shown, deletedMembershipId: sparse },
  UnbanMemberPayload: { room: shown, user: shown },
  SetMemberRolePayload: { membership: shown },
  CreateInvitePayload: { invite: shown, code: shown },
  RevokeInvitePayload: { room: shown, deletedInviteId: shown },
  SendMessagePayload: { message: shown },
  EditMessagePayload: { message: shown },
  DeleteMessagePayload: { message: shown },
  LikeMessagePayload: { message: shown },
  UnlikeMessagePayload: { message: shown },
  AddStampPayload: { messageStamp: shown },
  RemoveStampPayload: { message: shown, deletedMessageStampId: shown },
  FollowThreadPayload: { message: shown },
  UnfollowThreadPayload: { message: shown },
  MarkRoomReadPayload: { membership: shown },
  MarkRoomUnreadPayload: { membership: shown },
  MuteRoomPayload: { membership: shown },
  SetTypingPayload: { room: shown },
  MarkNotificationsReadPayload: { notifications: sparse, unread: shown },
};

/** What subscriptions tell. */
export const TELLING: Table = {
  Subscription: {
    roomEvents: { rule: 'shown', args: 'roomId: $room' },
    unread: shown,
    notificationChanged: shown,
  },
  Synced: { room: shown, cursor: shown },
  MessageAdded: { room: shown, cursor: shown, message: shown },
  MessageChanged: { room: shown, cursor: shown, message: shown },
  MembershipChanged: { room: shown, cursor: shown, user: shown, membership: sparse },
  RoomChanged: { room: shown, cursor: shown },
  TypingChanged: { room: shown, cursor: shown, users: sparse },
  ResyncRequired: { room: shown, cursor: shown },
  UnreadChange: { total: shown, notifications: shown, rooms: sparse, removedRoomIds: sparse },
  NotificationChange: { notification: sparse, removedId: sparse, unread: shown },
};

export const TABLE: Table = { ...READING, ...ACTING, ...TELLING };

/** What only gives another thing its form is asked for wherever that thing is, and has no row of its own. */
export const FORM: ReadonlyArray<{ readonly types: RegExp; readonly fields: readonly string[] }> = [
  { types: /Connection$/, fields: ['edges', 'pageInfo'] },
  { types: /Edge$/, fields: ['cursor', 'node'] },
  { types: /^PageInfo$/, fields: ['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor'] },
];
