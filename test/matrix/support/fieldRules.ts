/**
 * A row for each field of the schema: the oracle's rule for it, and the arguments with which it is requested.
 * `schema.test.ts` names each field that has no row.
 */
import { mutationCases } from './mutationCases.ts';
import type { ReadRule } from './oracle.ts';

export interface Row {
  readonly rule: ReadRule;
  /** GraphQL arguments. `$room`, `$message` … are variables of the fixture (`variablesOf`). */
  readonly args?: string;
  /** The value may be null or an empty list for users who may see it. At least one user has to see a value. */
  readonly sparse?: true;
  /** The id of the object to request the field of, if the field is null for most objects. */
  readonly of?: string;
}

export type FieldRules = Readonly<Record<string, Readonly<Record<string, Row>>>>;

const row =
  (rule: ReadRule, more: Partial<Row> = {}) =>
  (args?: string): Row => ({ rule, ...(args === undefined ? {} : { args }), ...more });

const always = row('always')();
const sparse = row('always', { sparse: true })();
const members = row('members');
const membersOrNull = row('membersOrNull')();
const moderators = row('moderators');
const own = row('own')();

/** Fields that queries reach. */
export const QUERY_FIELDS: FieldRules = {
  Query: {
    // `NODES` has the ids to request.
    node: always,
    nodes: always,
    viewer: always,
    user: { rule: 'always', args: 'handle: $handle' },
    searchUsers: { rule: 'always', args: 'prefix: $handle, first: 2' },
    room: { rule: 'roomVisible', args: 'id: $room' },
    rooms: { rule: 'directory', args: 'first: $directoryCount, after: $directoryCursor' },
    stamps: always,
    errorCodes: always,
    webPushPublicKey: always,
  },
  ErrorDescription: { code: always, description: always, retryable: always, reasons: sparse },
  Viewer: {
    id: always,
    user: always,
    locale: always,
    memberships: { rule: 'always', args: 'first: 3', sparse: true },
    unread: always,
    notifications: { rule: 'always', args: 'first: 3', sparse: true },
    savedMessages: { rule: 'always', args: 'first: 3', sparse: true },
    savedTags: { rule: 'always', args: 'first: 3', sparse: true },
    savedCounts: always,
    reminders: { rule: 'always', args: 'first: 2', sparse: true },
    jobs: { rule: 'always', args: 'first: 2' },
    waitlists: { rule: 'always', args: 'first: 3', sparse: true },
    threads: { rule: 'always', args: 'first: 3', sparse: true },
    blockedUsers: { rule: 'always', args: 'first: 3', sparse: true },
    deliverySettings: always,
    pushSubscriptions: always,
    deliveries: { rule: 'always', args: 'first: 2' },
    scheduledMessages: { rule: 'always', args: 'first: 2' },
    likedMessages: { rule: 'always', args: 'first: 2', sparse: true },
  },
  DeliverySettings: {
    ...{ kinds: always, quietHours: sparse, pausedUntil: sparse, hideText: always },
    ...{ emailDigest: always, email: sparse, emailRefusedAt: sparse, sendsEmail: always },
  },
  DeliveryKindSetting: {
    kind: always,
    mode: always,
    delaySeconds: always,
    windowSeconds: always,
    channels: always,
  },
  QuietHours: { from: always, to: always, timeZone: always, days: always },
  User: {
    ...{ id: always, handle: always, displayName: always, avatarUrl: sparse, timeZone: sparse },
    ...{ isFormer: always, externalId: sparse },
    savedMessages: { rule: 'always', args: 'first: 3', sparse: true },
    savedTags: { rule: 'always', args: 'first: 3', sparse: true },
  },
  PublicSavedTag: { name: always, count: always },
  Room: {
    id: always,
    name: always,
    topic: sparse,
    externalId: sparse,
    visibility: always,
    capacity: sparse,
    memberCount: always,
    waitingCount: always,
    waitlistPosition: sparse,
    createdAt: always,
    viewerMembership: membersOrNull,
    eventsCursor: membersOrNull,
    people: sparse,
    members: members('first: 5'),
    searchMembers: members('prefix: "M", first: 2'),
    messages: members('last: 5'),
    threads: members('first: 2'),
    lastMessage: row('membersOrNull', { sparse: true })(),
    lastActivityAt: row('members')(),
    explainUnread: row('members', { sparse: true })(),
    bans: moderators('first: 2'),
    invites: moderators('first: 2'),
  },
  Membership: {
    id: always,
    room: always,
    user: always,
    role: always,
    joinedAt: always,
    muted: own,
    delivery: own,
    section: row('own', { sparse: true })(),
    starred: own,
    unreadCount: own,
    own: row('own', { of: '$ownMembership' })(),
  },
  ViewerMembership: { unreadCount: always, muted: always },
  Message: {
    id: always,
    room: always,
    author: always,
    body: sparse,
    createdAt: always,
    editedAt: sparse,
    deletedAt: sparse,
    version: always,
    position: sparse,
    root: { rule: 'always', sparse: true, of: '$reply' },
    replies: { rule: 'always', args: 'last: 2', sparse: true },
    url: always,
    inReplyTo: { rule: 'always', sparse: true, of: '$answer' },
    idempotencyKey: sparse,
    replyCount: always,
    lastReplyAt: sparse,
    participants: sparse,
    mentions: sparse,
    likeCount: always,
    viewerHasLiked: always,
    likers: { rule: 'always', args: 'first: 2', sparse: true },
    stamps: { rule: 'always', args: 'first: 2', sparse: true },
    stampCounts: sparse,
    viewerIsFollowing: always,
    viewerSaved: sparse,
    publicSaveCount: always,
    publicSaves: { rule: 'always', args: 'first: 2', sparse: true },
  },
  SavedMessage: {
    id: always,
    message: row('membersOrNull', { sparse: true })(),
    savedBy: always,
    visibility: always,
    note: sparse,
    tags: sparse,
    savedAt: always,
    remindAt: sparse,
    version: sparse,
  },
  SavedTag: { id: always, name: always, count: always, publicCount: always },
  Job: {
    ...{ id: always, kind: always, text: always, state: always, done: always, total: sparse },
    ...{ remainingSeconds: sparse, failure: sparse, failureReason: sparse },
    ...{ createdAt: always, finishedAt: sparse },
  },
  SavedCounts: { total: always, public: always, private: always, untagged: always },
  Thread: {
    root: always,
    replies: sparse,
    hasMoreReplies: always,
    stamps: sparse,
    viewerIsFollowing: always,
    hasUnread: always,
  },
  Stamp: {
    id: always,
    key: always,
    label: always,
    imageUrl: sparse,
    emoji: sparse,
  },
  MessageStamp: { id: always, message: always, stamp: always, user: always, createdAt: always },
  StampCount: { stamp: always, count: always, viewerHasStamped: always },
  Invite: {
    id: always,
    room: always,
    createdBy: always,
    createdAt: always,
    expiresAt: always,
    maxUses: sparse,
    uses: always,
  },
  Ban: { user: always, bannedBy: always, createdAt: always },
  Notification: {
    id: always,
    kind: always,
    room: membersOrNull,
    message: membersOrNull,
    latestReply: row('membersOrNull', { sparse: true })(),
    actors: membersOrNull,
    actorCount: always,
    stamps: row('membersOrNull', { sparse: true })(),
    text: always,
    updatedAt: always,
    readAt: sparse,
  },
  PushSubscription: { id: always, label: always, createdAt: always, lastUsedAt: sparse },
  Delivery: {
    id: always,
    kinds: sparse,
    rooms: sparse,
    text: sparse,
    outcome: always,
    attempts: sparse,
    dueAt: always,
    decidedAt: always,
  },
  ScheduledMessage: {
    id: always,
    room: row('roomVisible')(),
    body: always,
    replyTo: membersOrNull,
    sendAt: always,
    failure: sparse,
    failureReason: sparse,
    version: always,
  },
  DeliveryAttempt: { channel: always, outcome: always, at: always },
  Unread: { total: always, notifications: always, rooms: sparse },
  RoomUnread: { room: always, membership: always, unreadCount: always, readPosition: always },
};

/** The ids that `node` and `nodes` are requested with, and the rule for each. */
export const NODES: ReadonlyArray<{ readonly type: string; readonly id: string; readonly rule: ReadRule }> = [
  { type: 'Room', id: '$room', rule: 'roomVisible' },
  { type: 'Message', id: '$message', rule: 'membersOrNull' },
  { type: 'Message', id: '$reply', rule: 'membersOrNull' },
  { type: 'Membership', id: '$membership', rule: 'membersOrNull' },
  { type: 'Membership', id: '$ownMembership', rule: 'membersOrNull' },
  { type: 'MessageStamp', id: '$stamp', rule: 'membersOrNull' },
  { type: 'Invite', id: '$invite', rule: 'moderatorsOrNull' },
  { type: 'Notification', id: '$notification', rule: 'recipient' },
  { type: 'Notification', id: '$othersNotification', rule: 'never' },
  { type: 'SavedMessage', id: '$publicSaved', rule: 'membersOrNull' },
  { type: 'SavedMessage', id: '$othersSaved', rule: 'never' },
  { type: 'SavedTag', id: '$ownTag', rule: 'recipient' },
  { type: 'SavedTag', id: '$othersTag', rule: 'never' },
  { type: 'Job', id: '$job', rule: 'always' },
  { type: 'Job', id: '$othersJob', rule: 'never' },
  { type: 'PushSubscription', id: '$device', rule: 'always' },
  { type: 'PushSubscription', id: '$othersDevice', rule: 'never' },
  { type: 'Delivery', id: '$delivery', rule: 'always' },
  { type: 'ScheduledMessage', id: '$scheduled', rule: 'always' },
  { type: 'ScheduledMessage', id: '$othersScheduled', rule: 'never' },
  { type: 'User', id: '$stranger', rule: 'always' },
  { type: 'Stamp', id: '$teaStamp', rule: 'always' },
  { type: 'Stamp', id: '$emojiStamp', rule: 'always' },
  { type: 'Viewer', id: '$viewer', rule: 'always' },
  { type: 'Viewer', id: '$othersViewer', rule: 'never' },
];

/** The payloads of the mutations. The mutations themselves are in `mutationCases.ts`. */
export const MUTATION_FIELDS: FieldRules = {
  Mutation: Object.fromEntries(mutationCases.map(({ field }) => [field, always])),
  UpdateProfilePayload: { user: always },
  SignOutEverywherePayload: { user: always },
  BlockUserPayload: { user: always, userEdge: sparse },
  CreateRoomPayload: { room: always, roomEdge: sparse, membershipEdge: always },
  OpenDirectRoomPayload: { room: always, membershipEdge: always },
  UpdateRoomPayload: { room: always },
  JoinRoomPayload: { membership: sparse, membershipEdge: sparse, waitlistEdge: sparse, room: always },
  JoinWithInvitePayload: { membership: sparse, membershipEdge: sparse, waitlistEdge: sparse, room: always },
  DeleteRoomPayload: { deletedRoomId: always },
  DeleteAccountPayload: { deletedUserId: always },
  LeaveRoomPayload: { room: sparse, deletedMembershipId: always },
  AddMemberPayload: { membership: always, membershipEdge: always },
  RemoveMemberPayload: { room: always, deletedMembershipId: always },
  BanMemberPayload: { room: always, user: always, banEdge: always, deletedMembershipId: sparse },
  UnbanMemberPayload: { room: always, user: always },
  SetMemberRolePayload: { membership: always },
  CreateInvitePayload: { invite: always, inviteEdge: always, code: always },
  RevokeInvitePayload: { room: always, deletedInviteId: always },
  SendMessagePayload: { message: always, messageEdge: always, threadEdge: sparse },
  ScheduleMessagePayload: { scheduledMessage: always, scheduledMessageEdge: always },
  UpdateScheduledMessagePayload: { scheduledMessage: always },
  CancelScheduledMessagePayload: { cancelled: always },
  EditMessagePayload: { message: always },
  DeleteMessagePayload: { message: always },
  LikeMessagePayload: { message: always, likerEdge: always, likedMessageEdge: always },
  UnlikeMessagePayload: { message: always },
  SaveMessagePayload: { savedMessage: always, savedMessageEdge: always, reminderEdge: sparse },
  RemoveSavedMessagePayload: { removed: sparse, message: row('membersOrNull', { sparse: true })() },
  RemovedSavedMessage: { id: always, visibility: always, note: sparse, tags: sparse, remindAt: sparse },
  SnoozeReminderPayload: { savedMessage: always, reminderEdge: sparse },
  RenameSavedTagPayload: { tag: always, job: sparse, jobEdge: sparse },
  MergeSavedTagsPayload: { job: always, jobEdge: always },
  DeleteSavedTagPayload: { job: always, jobEdge: always },
  SetVisibilityOfTaggedPayload: { job: always, jobEdge: always },
  CancelJobPayload: { job: always },
  AddStampPayload: { messageStamp: always, messageStampEdge: always },
  RemoveStampPayload: { message: always, deletedMessageStampId: always },
  MarkThreadReadPayload: { message: always, unread: always },
  FollowThreadPayload: { message: always, threadEdge: sparse },
  UnfollowThreadPayload: { message: always },
  MarkRoomReadPayload: { membership: always },
  MarkAllRoomsReadPayload: { unread: always },
  MarkRoomUnreadPayload: { membership: always },
  MuteRoomPayload: { membership: always },
  ArrangeRoomPayload: { membership: always },
  UpdateDeliverySettingsPayload: { settings: always },
  PauseDeliveriesPayload: { settings: always },
  SetRoomDeliveryPayload: { membership: always },
  SetTypingPayload: { room: always },
  RegisterPushSubscriptionPayload: { pushSubscription: always },
  RemovePushSubscriptionPayload: { deletedPushSubscriptionId: always },
  TestDeliveryPayload: { delivery: always, deliveryEdge: always },
  MarkNotificationsReadPayload: { notifications: sparse, unread: always },
};

/** The events of the subscriptions. */
export const SUBSCRIPTION_FIELDS: FieldRules = {
  Subscription: {
    roomEvents: { rule: 'always', args: 'roomId: $room' },
    unread: always,
    notificationChanged: always,
    savedChanged: always,
    jobChanged: { rule: 'always', args: 'jobId: $job' },
  },
  Synced: { room: always, cursor: always },
  MessageAdded: { room: always, cursor: always, message: always },
  MessageChanged: { room: always, cursor: always, message: always, cause: sparse },
  MessageChangeCause: { kind: always, actor: always, stamp: sparse },
  MembershipChanged: { room: always, cursor: always, user: always, membership: sparse },
  RoomChanged: { room: always, cursor: always },
  TypingChanged: { room: always, cursor: always, users: sparse },
  ResyncRequired: { room: always, cursor: always },
  UnreadChange: { total: always, notifications: always, rooms: sparse, removedRoomIds: sparse },
  SavedChange: { savedMessage: sparse, removedId: sparse, version: always, counts: always },
  NotificationChange: { notification: sparse, removedId: sparse, unread: always },
};

export const FIELD_RULES: FieldRules = { ...QUERY_FIELDS, ...MUTATION_FIELDS, ...SUBSCRIPTION_FIELDS };

/** Fields that only give an answer its structure are requested everywhere and have no row. */
export const STRUCTURAL_FIELDS: ReadonlyArray<{
  readonly types: RegExp;
  readonly fields: readonly string[];
}> = [
  { types: /Connection$/, fields: ['edges', 'pageInfo'] },
  { types: /Edge$/, fields: ['cursor', 'node'] },
  { types: /^WaitlistEdge$/, fields: ['position', 'since'] },
  { types: /^PageInfo$/, fields: ['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor'] },
];
