/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** The arguments of `addMember`. */
export type AddMemberInput = {
  /** A room that the viewer is in. */
  roomId: string;
  /** A user who is not in the room. */
  userId: string;
};

/** The arguments of `arrangeRoom`. An omitted field keeps its value; null removes the value. */
export type ArrangeRoomInput = {
  /** A room that the viewer is in. */
  roomId: string;
  /** The name of a section: 1 to 40 characters. Rooms with the same name are together. */
  section?: string | null | undefined;
  /** Whether the room is among the first. Null is the same as false. */
  starred?: boolean | null | undefined;
};

/** The arguments of `banMember`. */
export type BanMemberInput = {
  /** A room that the viewer is in. */
  roomId: string;
  /** Another user, who need not be in the room. */
  userId: string;
};

/** The arguments of `blockUser` and `unblockUser`. */
export type BlockUserInput = {
  /** A user other than the viewer. */
  userId: string;
};

/** The arguments of `cancelJob`. */
export type CancelJobInput = {
  /** A job of the viewer. */
  jobId: string;
};

/** The values of `extensions.reason` in an error with the code `CONFLICT`. */
export type ConflictReason =
  /** The viewer has put this stamp on the message before. */
  | 'ALREADY_STAMPED'
  /** The other user is banned from the room. */
  | 'BANNED'
  /** The viewer has blocked the other user. */
  | 'BLOCKED'
  /** The room has more members than the new capacity. */
  | 'CAPACITY_BELOW_MEMBERS'
  /** The number of messages with this tag has changed. */
  | 'COUNT_CHANGED'
  /** The message is deleted. */
  | 'DELETED'
  /** Another edit replaced the text that this one is based on. */
  | 'EDITED_MEANWHILE'
  /** The idempotency key was used for another message. */
  | 'KEY_REUSED'
  /** The user is the last owner of the room. Another member has to become an owner first. */
  | 'LAST_OWNER'
  /** The maximum number is reached, for example of stamps on a message. */
  | 'LIMIT_REACHED'
  /** The thread accepts no replies, because its root is deleted. */
  | 'THREAD_CLOSED'
  /** The viewer is in the maximum number of rooms. */
  | 'TOO_MANY_ROOMS'
  /** Another user of the request is in the maximum number of rooms. */
  | 'USER_IN_TOO_MANY_ROOMS'
  /** Another request changed it first: it has another version by now. */
  | 'VERSION_CHANGED';

/** The arguments of `createInvite`. */
export type CreateInviteInput = {
  /** The lifetime of the invite in hours: 1 to 720. The default is 168, which is a week. */
  expiresInHours?: number | null | undefined;
  /** The most users who may join with the invite: 1 to 10000. Without it there is no limit. */
  maxUses?: number | null | undefined;
  /** A room that the viewer is in. */
  roomId: string;
};

/** The arguments of `createRoom`. */
export type CreateRoomInput = {
  /** The most members that the room may have, including the owner: 1 to 1000000. Without it there is no limit. */
  capacity?: number | null | undefined;
  /** The name of the room: 1 to 80 characters on one line. Outer white space is removed. */
  name: string;
  /** What the room is about: at most 250 characters on one line. Outer white space is removed. */
  topic?: string | null | undefined;
  /** PUBLIC or PRIVATE. Use `openDirectRoom` for a direct room. */
  visibility: RoomVisibility;
};

/** The arguments of `deleteAccount`. */
export type DeleteAccountInput = {
  /** The viewer's own handle or id, typed as a confirmation. */
  confirm: string;
  /** Whether the viewer's messages lose their text in the background, as deleted ones do. Otherwise they stay, by a former member. */
  eraseMessages: boolean;
};

/** The arguments of `deleteSavedTag`. */
export type DeleteSavedTagInput = {
  /** A tag of the viewer. */
  tagId: string;
};

/** A way in which something is delivered. */
export type DeliveryChannel =
  /** A digest by e-mail. */
  | 'EMAIL'
  /** A request to the operator's own systems. */
  | 'WEBHOOK'
  /** A notification of the viewer's browsers. */
  | 'WEB_PUSH';

/** What is delivered outside the page. */
export type DeliveryKind =
  /** A user wrote in a direct room of the viewer. */
  | 'DIRECT_MESSAGE'
  /** A user added the viewer to a room. */
  | 'INVITED'
  /** A user entered a room of which the viewer is an owner or a moderator. It is off by default. */
  | 'JOIN'
  /** A user likes a message of the viewer. */
  | 'LIKE'
  /** A user mentioned the viewer. */
  | 'MENTION'
  /** A user wrote in a room of which the viewer chose to get all messages (`setRoomDelivery`). */
  | 'MESSAGE'
  /** The viewer wanted to be reminded of a message. It passes quiet hours, and is sent in muted rooms too. */
  | 'REMINDER'
  /** A user replied in a thread that the viewer follows. A reply that mentions the viewer is a MENTION only, also if that kind is off. */
  | 'REPLY'
  /** The viewer got the seat that they waited for. */
  | 'SEAT'
  /** A user put a stamp on a message of the viewer. */
  | 'STAMP';

/** What to change about one kind. An omitted field keeps its value; null restores the default. */
export type DeliveryKindInput = {
  /** How it is delivered: at most 3, each once. */
  channels?: Array<DeliveryChannel> | null | undefined;
  /** How long the first delivery waits: 0 to 604800 seconds. */
  delaySeconds?: number | null | undefined;
  /** The kind to change. */
  kind: DeliveryKind;
  /** Whether it is delivered. */
  mode?: DeliveryMode | null | undefined;
  /** The least time between two deliveries for one room: 0 to 604800 seconds. */
  windowSeconds?: number | null | undefined;
};

/** Whether something is delivered outside the page. */
export type DeliveryMode =
  /** It is not delivered. What the bell shows stays in the bell. */
  | 'OFF'
  /** It is delivered. */
  | 'ON';

/** Why something was or was not sent. */
export type DeliveryOutcome =
  /** No receiver accepted it for a day, or one refused it. */
  | 'FAILED'
  /** The viewer has muted the room. */
  | 'MUTED'
  /** Everything that it was about has been read, deleted or undone. */
  | 'NOTHING_LEFT'
  /** The viewer may not see it any more. */
  | 'NOT_ENTITLED'
  /** A pause held back further attempts until the time to send it was over. */
  | 'PAUSED'
  /** It will be sent. At least one send has not ended. */
  | 'PENDING'
  /** Quiet hours held back further attempts until the time to send it was over. */
  | 'QUIET_HOURS'
  /** The viewer had read it. */
  | 'READ_BEFORE'
  /** At least one receiver accepted it. */
  | 'SENT'
  /** It was too old. */
  | 'STALE'
  /** The viewer or the operator switched this off, or the browser has ended its subscription. */
  | 'SWITCHED_OFF';

/** How often what the viewer has not read is sent to them by e-mail. */
export type EmailDigest =
  /** What is unread for a day, at most every day. */
  | 'DAILY'
  /** What is unread for an hour, at most every hour. */
  | 'HOURLY'
  /** What is unread for 15 minutes, at most every 15 minutes. */
  | 'MINUTES_15'
  /** It is not sent. */
  | 'NEVER';

/** The values of `extensions.code` in an error. */
export type ErrorCode =
  /** The account was deleted. Tokens of its subject are refused, also new ones, until an operator opens the account again. */
  | 'ACCOUNT_DELETED'
  /** The user is already a member of the room. */
  | 'ALREADY_MEMBER'
  /** Values of the request are not valid. `extensions.fields` lists each of them: the `field`, which is the path of the argument, the `min` and `max` that it may have, if there are such bounds, and a `message`. `extensions.field` and `extensions.limit` are those of the first. */
  | 'BAD_USER_INPUT'
  /** The current state does not allow this, or another request changed it first. `extensions.reason` says why: a `ConflictReason`. */
  | 'CONFLICT'
  /** The viewer can see the object, but may not do this. */
  | 'FORBIDDEN'
  /** The program that sent the request made a mistake, not its user: the request is malformed, or the document is not GraphQL, does not fit the schema, or exceeds a limit (`extensions.limit`). */
  | 'GRAPHQL_VALIDATION_FAILED'
  /** Another user has this handle, or it is still reserved for them. */
  | 'HANDLE_TAKEN'
  /** The server has a bug or a fault. Its log has the details under `extensions.errorId`. */
  | 'INTERNAL'
  /** The object does not exist or the viewer may not see it. The error does not say which. */
  | 'NOT_FOUND'
  /** The request names a persisted query. Send the text of the query instead. Clients that use persisted queries do so by themselves. */
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  /** The viewer sends requests too fast. Try again after `extensions.retryAfterMs` milliseconds. */
  | 'RATE_LIMITED'
  /** Every seat of the room is taken, or its waitlist is full. */
  | 'ROOM_FULL'
  /** The request has no token, or the token is invalid, expired or revoked. */
  | 'UNAUTHENTICATED'
  /** A service that the server depends on does not respond, or the server is too busy. Try again after `extensions.retryAfterMs` milliseconds. */
  | 'UNAVAILABLE';

/** What a job does. */
export type JobKind =
  /** Removes a tag from all messages that have it. */
  | 'DELETE_SAVED_TAG'
  /** Gives all messages of one tag another one instead. */
  | 'MERGE_SAVED_TAGS'
  /** Makes all messages with a tag public or private. */
  | 'SET_VISIBILITY_OF_TAGGED';

/** How far a job is. */
export type JobState =
  /** It was cancelled. What it did until then stays. */
  | 'CANCELLED'
  /** It has done everything. */
  | 'DONE'
  /** It could not go on: see `failure`. What it did until then stays. */
  | 'FAILED'
  /** An operator has paused it. */
  | 'PAUSED'
  /** Another job of the viewer is before it, or it has not begun yet. */
  | 'QUEUED'
  /** It is running. */
  | 'RUNNING';

/** The arguments of `joinRoom`. */
export type JoinRoomInput = {
  /** A public room. */
  roomId: string;
  /** Whether to wait for a seat if the room is full. The default is false. */
  waitlist?: boolean | null | undefined;
};

/** The arguments of `markRoomRead`. */
export type MarkRoomReadInput = {
  /** A room that the viewer is in. */
  roomId: string;
  /** The last message that was read; for a reply, it is its root. Without it the whole room is read. `NOT_FOUND` if it is not a message of the room. */
  upTo?: string | null | undefined;
};

/** The order of a user's memberships. */
export type MembershipOrder =
  /** By `Membership.joinedAt`, the latest first. */
  | 'JOINED'
  /** By `Room.lastActivityAt`, the latest first. A room that becomes active while pages are read moves to the front: to read all pages, use JOINED. */
  | 'LAST_ACTIVITY';

/** The arguments of `mergeSavedTags`. */
export type MergeSavedTagsInput = {
  /** The tag that goes away. */
  fromTagId: string;
  /** The tag that remains. `BAD_USER_INPUT` if it is the same. */
  intoTagId: string;
};

/** What a user did to a message. */
export type MessageChangeKind =
  /** The author, an owner or a moderator deleted the message. */
  | 'DELETED'
  /** The author edited the message. */
  | 'EDITED'
  /** A user liked the message. */
  | 'LIKED'
  /** A user replied in the thread of the message. */
  | 'REPLIED'
  /** A user put a stamp on the message. */
  | 'STAMPED'
  /** A user removed their like from the message. */
  | 'UNLIKED'
  /** A user removed their stamp from the message. */
  | 'UNSTAMPED';

/** What a notification is about. */
export type NotificationKind =
  /** A user added the viewer to a private or direct room. */
  | 'INVITED'
  /** Users liked a message of the viewer. */
  | 'LIKE'
  /** A user mentioned the viewer in a message. */
  | 'MENTION'
  /** The viewer wanted to be reminded of a message that they have saved. */
  | 'REMINDER'
  /** Users replied in a thread that the viewer follows, or to a reply of the viewer in any thread. */
  | 'REPLY'
  /** The viewer got a seat in a room whose waitlist they were on. */
  | 'SEAT'
  /** Users put stamps on a message of the viewer. */
  | 'STAMP';

/** Local times in which nothing is delivered. */
export type QuietHoursInput = {
  /** The days on which they begin: 1 to 7, each once. Without it, every day. */
  days?: Array<Weekday> | null | undefined;
  /** When they begin, as HH:MM. */
  from: string;
  /** The IANA name of the time zone, e.g. `Asia/Tokyo`. */
  timeZone: string;
  /** When they end, as HH:MM; not the same as `from`. Earlier than `from`: on the next day. */
  to: string;
};

/** The arguments of `registerPushSubscription`. */
export type RegisterPushSubscriptionInput = {
  /** The secret of the subscription: 16 bytes in base64url. */
  auth: string;
  /** The address of the browser at its push service: at most 1024 characters. */
  endpoint: string;
  /** A name of the device that its user recognizes: at most 80 characters on one line. */
  label?: string | null | undefined;
  /** The browser's public key on P-256: 65 bytes in base64url. */
  p256dh: string;
};

/** The arguments of `removeSavedMessage`. */
export type RemoveSavedMessageInput = {
  /** The message that was saved. */
  messageId?: string | null | undefined;
  /** What the viewer has saved. */
  savedMessageId?: string | null | undefined;
};

/** The arguments of `renameSavedTag`. */
export type RenameSavedTagInput = {
  /** Its new name: at most 40 characters, as in `saveMessage`. Only other upper and lower case letters are a new name, too. */
  name: string;
  /** A tag of the viewer. */
  tagId: string;
};

/** What a member may do in a room. */
export type Role =
  /** A member may read and write. */
  | 'MEMBER'
  /** May also change name and topic, add members, create invites, remove and ban members, and delete messages. */
  | 'MODERATOR'
  /** May do everything. A room with members always has at least one owner. */
  | 'OWNER';

/** What of a room is delivered outside the page. */
export type RoomDelivery =
  /** Everything that the bell shows, and all messages (`MESSAGE`), even if the room is muted. Of a muted room, the bell shows mentions only. */
  | 'ALL'
  /** Everything, or nothing if the room is muted. */
  | 'DEFAULT'
  /** Only mentions, even if the room is muted. */
  | 'MENTIONS'
  /** Nothing of the room. */
  | 'NOTHING';

/** The users who can find a room and join it. */
export type RoomVisibility =
  /** A conversation between a fixed set of at most 8 users. Each set of users has one such room. */
  | 'DIRECT'
  /** Only members see the room. Others join by an invite or are added. */
  | 'PRIVATE'
  /** The room is in the directory. Every signed-in user sees its name, topic and counts, and may join. */
  | 'PUBLIC';

/** The arguments of `saveMessage`. What is omitted stays as it is. A message that was not saved is saved privately, without a note, tags and a reminder. */
export type SaveMessageInput = {
  /** Tags that it gets; at most 20, together with those that it has. Cannot be combined with `tags`. */
  addTags?: Array<string> | null | undefined;
  /** A message of a room that the viewer is in: a root or a reply. */
  messageId?: string | null | undefined;
  /** A note: 1 to 250 characters, and line breaks are allowed. Null removes it. */
  note?: string | null | undefined;
  /** When the viewer is reminded of it, by a notification and a delivery: from one minute to five years ahead, `BAD_USER_INPUT` otherwise, unless it is the time that it has, or had when it was removed: if that has passed, the viewer is reminded at once. Null removes the reminder. `CONFLICT` (`LIMIT_REACHED`) above 1000 reminders. */
  remindAt?: string | null | undefined;
  /** Tags that it loses. Cannot be combined with `tags`. */
  removeTags?: Array<string> | null | undefined;
  /** What the viewer has saved. */
  savedMessageId?: string | null | undefined;
  /** The tags that it has afterwards: at most 20. Each has at most 40 characters, no number sign, and no control or format characters. Upper and lower case, and different forms of the same characters, are the same tag, which is shown as it was first written. */
  tags?: Array<string> | null | undefined;
  /** The version that it must have. `CONFLICT` (`VERSION_CHANGED`) if it has another one or is not saved. */
  version?: number | null | undefined;
  /** Whether others see it. */
  visibility?: SavedVisibility | null | undefined;
};

/** The order of saved messages. */
export type SavedOrder =
  /** The newest message comes first. What was saved or changed a moment ago may be missing. */
  | 'MESSAGE_NEWEST'
  /** The oldest message comes first. What was saved or changed a moment ago may be missing. */
  | 'MESSAGE_OLDEST'
  /** The last that was saved comes first. */
  | 'SAVED_NEWEST'
  /** The first that was saved comes first. */
  | 'SAVED_OLDEST';

/** The order of tags. */
export type SavedTagOrder =
  /** Those that most saved messages have come first. A change of a moment ago may be missing from the order; the counts are exact. */
  | 'COUNT'
  /** By their names, without a difference between upper and lower case. */
  | 'NAME';

/** Whether others see that a user has saved a message. */
export type SavedVisibility =
  /** Only the user sees it. */
  | 'PRIVATE'
  /** Everyone who may see the message sees it, with its note and tags. */
  | 'PUBLIC';

/** The arguments of `scheduleMessage`. */
export type ScheduleMessageInput = {
  /** The text: 1 to 4000 characters and at most 16384 bytes in UTF-8. Mentions are as in `sendMessage`. */
  body: string;
  /** A text of 1 to 64 characters on one line that the client makes up. The same request with it schedules one message, and the message that is sent has it as its `idempotencyKey`. Once the message was sent, the same request is a `CONFLICT`. */
  idempotencyKey?: string | null | undefined;
  /** The message that is answered, as in `sendMessage`. */
  replyTo?: string | null | undefined;
  /** A room that the viewer is in. */
  roomId: string;
  /** When it is sent: from one minute to five years ahead, `BAD_USER_INPUT` otherwise. */
  sendAt: string;
};

/** The arguments of `sendMessage`. */
export type SendMessageInput = {
  /** The text: 1 to 4000 characters and at most 16384 bytes in UTF-8. It is stored unchanged. `@handle` mentions a member of the room; at most 50 different handles. It stays text right beside a letter with case (Latin, Greek, Cyrillic …), a digit, `_` or `@`, as in an e-mail address; kana, kanji, Hangul and other letters without case may be beside it. */
  body: string;
  /** A text of 1 to 64 characters on one line that the client makes up. If the same message is sent again with it within 90 days, the first message is returned. Another message with the same key is a `CONFLICT`. */
  idempotencyKey?: string | null | undefined;
  /** The message that is answered: the root of a thread, or any reply in it (see `inReplyTo`). Without it the message is a root. */
  replyTo?: string | null | undefined;
  /** A room that the viewer is in. */
  roomId: string;
};

/** The arguments of `setRoomDelivery`. */
export type SetRoomDeliveryInput = {
  /** What is delivered. */
  delivery: RoomDelivery;
  /** A room that the viewer is in. */
  roomId: string;
};

/** The arguments of `setVisibilityOfTagged`. */
export type SetVisibilityOfTaggedInput = {
  /** The `count` of the tag that the user has confirmed. `CONFLICT` (`COUNT_CHANGED`) if it is another one by now. If it is another one when the job begins, the job ends as FAILED for the same reason, and changes nothing. */
  expectedCount: number;
  /** A tag of the viewer. */
  tagId: string;
  /** Whether others see them then. */
  visibility: SavedVisibility;
};

/** The arguments of `snoozeReminder`. */
export type SnoozeReminderInput = {
  /** The new time: from one minute to five years ahead, `BAD_USER_INPUT` otherwise. */
  remindAt: string;
  /** What the viewer has saved. */
  savedMessageId: string;
};

/** The arguments of `updateDeliverySettings`. An omitted field keeps its value. */
export type UpdateDeliverySettingsInput = {
  /** How often what the viewer has not read is sent to them by e-mail: to the address of the request's token, if the token says that it is verified (`email`, `email_verified`). `BAD_USER_INPUT` if the operator has not set up e-mail. */
  emailDigest?: EmailDigest | null | undefined;
  /** Whether deliveries say only that something happened. */
  hideText?: boolean | null | undefined;
  /** The kinds to change: at most 10, each once. */
  kinds?: Array<DeliveryKindInput> | null | undefined;
  /** When nothing is delivered. Null removes them. */
  quietHours?: QuietHoursInput | null | undefined;
};

/** The arguments of `updateProfile`. An omitted field keeps its value; null removes the value. */
export type UpdateProfileInput = {
  /** The http or https address of a picture, without a user name or password: at most 2048 characters. It is stored in its normal form. */
  avatarUrl?: string | null | undefined;
  /** The name that other users see: 1 to 80 characters. Outer white space is removed. It cannot be removed: null is refused with `BAD_USER_INPUT`. */
  displayName?: string | null | undefined;
  /** The new handle: 3 to 20 of the characters a–z, 0–9 and _; upper case becomes lower case. Some words, such as `everyone` and `admin`, are refused. The old handle stays reserved for the viewer for 14 days, or until two more are released. It can be changed three times a day; then `RATE_LIMITED`. */
  handle?: string | null | undefined;
  /** The language of texts for the viewer, as a BCP 47 tag, e.g. `en` or `ja`: at most 35 characters. */
  locale?: string | null | undefined;
  /** The IANA name of the time zone that the user lives in, e.g. `Asia/Tokyo`. Everyone who is signed in can see it. */
  timeZone?: string | null | undefined;
};

/** The arguments of `updateRoom`. An omitted field keeps its value; null removes the value. */
export type UpdateRoomInput = {
  /** The most members that the room may have: 1 to 1000000, and not below the current number of members. Null removes the limit. */
  capacity?: number | null | undefined;
  /** The new name: 1 to 80 characters on one line. Outer white space is removed. It cannot be removed: null is refused with `BAD_USER_INPUT`. */
  name?: string | null | undefined;
  /** A room that the viewer is in. */
  roomId: string;
  /** The new topic: at most 250 characters on one line. Outer white space is removed. Null and blank text remove it. */
  topic?: string | null | undefined;
};

/** The arguments of `updateScheduledMessage`. */
export type UpdateScheduledMessageInput = {
  /** The new text: 1 to 4000 characters and at most 16384 bytes in UTF-8. Absent: it stays. */
  body?: string | null | undefined;
  /** A scheduled message of the viewer. */
  scheduledMessageId: string;
  /** The new time: from one minute to five years ahead, `BAD_USER_INPUT` otherwise. Absent: it stays. */
  sendAt?: string | null | undefined;
  /** The version that may be changed: `CONFLICT` if the message has another one. Without it, the current version is changed. */
  version?: number | null | undefined;
};

/** A day of the week. */
export type Weekday =
  /** Quiet hours that begin on Friday. */
  | 'FRIDAY'
  /** Quiet hours that begin on Monday. */
  | 'MONDAY'
  /** Quiet hours that begin on Saturday. */
  | 'SATURDAY'
  /** Quiet hours that begin on Sunday. */
  | 'SUNDAY'
  /** Quiet hours that begin on Thursday. */
  | 'THURSDAY'
  /** Quiet hours that begin on Tuesday. */
  | 'TUESDAY'
  /** Quiet hours that begin on Wednesday. */
  | 'WEDNESDAY';

export type DeleteAccountMutationVariables = Exact<{
  input: DeleteAccountInput;
}>;


export type DeleteAccountMutation = { deleteAccount: { deletedUserId: string } | null };

export type ProfileOfQueryVariables = Exact<{
  id: string;
}>;


export type ProfileOfQuery = { node:
    | { id: string, handle: string | null, displayName: string, avatarUrl: string | null, isFormer: boolean }
    | Record<PropertyKey, never>
   | null };

export type AuthorsOfQueryVariables = Exact<{
  roomId: string;
}>;


export type AuthorsOfQuery = { room: { memberCount: number, messages: { edges: Array<{ node: { body: string | null, likeCount: number, author: { id: string, isFormer: boolean, displayName: string } } }> }, members: { edges: Array<{ node: { role: Role, user: { id: string } } }> } } | null };

export type BellTextsQueryVariables = Exact<{ [key: string]: never; }>;


export type BellTextsQuery = { viewer: { notifications: { edges: Array<{ node: { kind: NotificationKind, text: string } }> } } };

export type ExemplarEventsSubscriptionVariables = Exact<{
  roomId: string;
}>;


export type ExemplarEventsSubscription = { roomEvents:
    | { __typename: 'MembershipChanged' }
    | { __typename: 'MessageAdded', message: { body: string | null } }
    | { __typename: 'MessageChanged' }
    | { __typename: 'ResyncRequired' }
    | { __typename: 'RoomChanged' }
    | { __typename: 'Synced' }
    | { __typename: 'TypingChanged' }
   };

export type LateEventsSubscriptionVariables = Exact<{
  roomId: string;
}>;


export type LateEventsSubscription = { roomEvents:
    | { __typename: 'MembershipChanged' }
    | { __typename: 'MessageAdded', message: { body: string | null } }
    | { __typename: 'MessageChanged' }
    | { __typename: 'ResyncRequired' }
    | { __typename: 'RoomChanged' }
    | { __typename: 'Synced' }
    | { __typename: 'TypingChanged' }
   };

export type MetricsEventsSubscriptionVariables = Exact<{
  roomId: string;
}>;


export type MetricsEventsSubscription = { roomEvents:
    | { __typename: 'MembershipChanged' }
    | { __typename: 'MessageAdded', message: { body: string | null } }
    | { __typename: 'MessageChanged' }
    | { __typename: 'ResyncRequired' }
    | { __typename: 'RoomChanged' }
    | { __typename: 'Synced' }
    | { __typename: 'TypingChanged' }
   };

export type TracedEventsSubscriptionVariables = Exact<{
  roomId: string;
}>;


export type TracedEventsSubscription = { roomEvents:
    | { __typename: 'MembershipChanged' }
    | { __typename: 'MessageAdded', message: { body: string | null } }
    | { __typename: 'MessageChanged' }
    | { __typename: 'ResyncRequired' }
    | { __typename: 'RoomChanged' }
    | { __typename: 'Synced' }
    | { __typename: 'TypingChanged' }
   };

export type DecidedDeliveriesQueryVariables = Exact<{ [key: string]: never; }>;


export type DecidedDeliveriesQuery = { viewer: { id: string, deliveries: { edges: Array<{ node: { id: string, kinds: Array<DeliveryKind>, outcome: DeliveryOutcome, decidedAt: string | null } }> } } };

export type WaitForRepliesMutationVariables = Exact<{
  seconds: number;
}>;


export type WaitForRepliesMutation = { updateDeliverySettings: { settings: { hideText: boolean } } | null };

export type DeliverySettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type DeliverySettingsQuery = { viewer: { deliverySettings: { pausedUntil: string | null, hideText: boolean, kinds: Array<{ kind: DeliveryKind, mode: DeliveryMode, delaySeconds: number, windowSeconds: number, channels: Array<DeliveryChannel> }>, quietHours: { from: string, to: string, timeZone: string, days: Array<Weekday> } | null } } };

export type UpdateDeliverySettingsMutationVariables = Exact<{
  input: UpdateDeliverySettingsInput;
}>;


export type UpdateDeliverySettingsMutation = { updateDeliverySettings: { settings: { hideText: boolean, kinds: Array<{ kind: DeliveryKind, mode: DeliveryMode, delaySeconds: number, windowSeconds: number, channels: Array<DeliveryChannel> }>, quietHours: { from: string, to: string, timeZone: string, days: Array<Weekday> } | null } } | null };

export type PauseDeliveriesMutationVariables = Exact<{
  until?: string | null | undefined;
}>;


export type PauseDeliveriesMutation = { pauseDeliveries: { settings: { pausedUntil: string | null } } | null };

export type SetRoomDeliveryMutationVariables = Exact<{
  input: SetRoomDeliveryInput;
}>;


export type SetRoomDeliveryMutation = { setRoomDelivery: { membership: { delivery: RoomDelivery | null, muted: boolean | null } } | null };

export type DeliveryRoomMutationVariables = Exact<{ [key: string]: never; }>;


export type DeliveryRoomMutation = { createRoom: { room: { id: string } } | null };

export type EmailSettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type EmailSettingsQuery = { viewer: { deliverySettings: { emailDigest: EmailDigest, email: string | null, emailRefusedAt: string | null, sendsEmail: boolean } } };

export type ChooseDigestMutationVariables = Exact<{
  emailDigest?: EmailDigest | null | undefined;
  hideText?: boolean | null | undefined;
}>;


export type ChooseDigestMutation = { updateDeliverySettings: { settings: { emailDigest: EmailDigest, email: string | null } } | null };

export type EmailAttemptsQueryVariables = Exact<{ [key: string]: never; }>;


export type EmailAttemptsQuery = { viewer: { deliveries: { edges: Array<{ node: { kinds: Array<DeliveryKind>, outcome: DeliveryOutcome, attempts: Array<{ channel: DeliveryChannel, outcome: DeliveryOutcome }> } }> } } };

export type RegisterPushMutationVariables = Exact<{
  input: RegisterPushSubscriptionInput;
}>;


export type RegisterPushMutation = { registerPushSubscription: { pushSubscription: { id: string, label: string, createdAt: string, lastUsedAt: string | null } } | null };

export type RemovePushMutationVariables = Exact<{
  id: string;
}>;


export type RemovePushMutation = { removePushSubscription: { deletedPushSubscriptionId: string } | null };

export type TestDeliveryMutationVariables = Exact<{
  channel: DeliveryChannel;
}>;


export type TestDeliveryMutation = { testDelivery: { delivery: { id: string, kinds: Array<DeliveryKind>, outcome: DeliveryOutcome, attempts: Array<{ channel: DeliveryChannel }> } } | null };

export type PushSubscriptionsQueryVariables = Exact<{ [key: string]: never; }>;


export type PushSubscriptionsQuery = { viewer: { pushSubscriptions: Array<{ id: string }> } };

export type DeliveriesQueryVariables = Exact<{ [key: string]: never; }>;


export type DeliveriesQuery = { viewer: { deliveries: { edges: Array<{ node: { id: string, outcome: DeliveryOutcome } }> } } };

export type OwnDeliveriesQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnDeliveriesQuery = { webPushPublicKey: string | null, viewer: { pushSubscriptions: Array<{ id: string, label: string, lastUsedAt: string | null }>, deliveries: { edges: Array<{ node: { id: string, kinds: Array<DeliveryKind>, text: string | null, outcome: DeliveryOutcome, dueAt: string, decidedAt: string | null, rooms: Array<{ id: string }>, attempts: Array<{ channel: DeliveryChannel, outcome: DeliveryOutcome, at: string }> } }> } } };

export type CostMeQueryVariables = Exact<{ [key: string]: never; }>;


export type CostMeQuery = { viewer: { user: { id: string } } };

export type CostRenameMutationVariables = Exact<{
  input: UpdateProfileInput;
}>;


export type CostRenameMutation = { updateProfile: { user: { id: string } } | null };

export type CostSignOutMutationVariables = Exact<{ [key: string]: never; }>;


export type CostSignOutMutation = { signOutEverywhere: { user: { id: string } } | null };

export type CostByHandleQueryVariables = Exact<{
  handle: string;
}>;


export type CostByHandleQuery = { user: { id: string } | null };

export type CostSearchMembersQueryVariables = Exact<{
  roomId: string;
  prefix: string;
}>;


export type CostSearchMembersQuery = { room: { searchMembers: { edges: Array<{ node: { user: { handle: string | null } } }> } } | null };

export type CostNodeQueryVariables = Exact<{
  id: string;
}>;


export type CostNodeQuery = { node:
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
   | null };

export type CostNodesQueryVariables = Exact<{
  ids: Array<string> | string;
}>;


export type CostNodesQuery = { nodes: Array<
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
    | { id: string }
   | null> };

export type CostCreateRoomMutationVariables = Exact<{
  input: CreateRoomInput;
}>;


export type CostCreateRoomMutation = { createRoom: { room: { id: string } } | null };

export type CostJoinMutationVariables = Exact<{
  roomId: string;
}>;


export type CostJoinMutation = { joinRoom: { membership: { id: string } | null } | null };

export type CostLeaveMutationVariables = Exact<{
  roomId: string;
}>;


export type CostLeaveMutation = { leaveRoom: { deletedMembershipId: string } | null };

export type CostDeleteAccountMutationVariables = Exact<{
  confirm: string;
}>;


export type CostDeleteAccountMutation = { deleteAccount: { deletedUserId: string } | null };

export type CostDeleteRoomMutationVariables = Exact<{
  roomId: string;
}>;


export type CostDeleteRoomMutation = { deleteRoom: { deletedRoomId: string } | null };

export type CostUpdateRoomMutationVariables = Exact<{
  input: UpdateRoomInput;
}>;


export type CostUpdateRoomMutation = { updateRoom: { room: { id: string } } | null };

export type CostAddMutationVariables = Exact<{
  roomId: string;
  userId: string;
}>;


export type CostAddMutation = { addMember: { membership: { id: string } } | null };

export type CostRoleMutationVariables = Exact<{
  roomId: string;
  userId: string;
  role: Role;
}>;


export type CostRoleMutation = { setMemberRole: { membership: { id: string } } | null };

export type CostRemoveMutationVariables = Exact<{
  roomId: string;
  userId: string;
}>;


export type CostRemoveMutation = { removeMember: { deletedMembershipId: string } | null };

export type CostBanMutationVariables = Exact<{
  roomId: string;
  userId: string;
}>;


export type CostBanMutation = { banMember: { deletedMembershipId: string | null } | null };

export type CostUnbanMutationVariables = Exact<{
  roomId: string;
  userId: string;
}>;


export type CostUnbanMutation = { unbanMember: { room: { name: string } } | null };

export type CostWaitMutationVariables = Exact<{
  roomId: string;
}>;


export type CostWaitMutation = { joinRoom: { membership: { id: string } | null } | null };

export type CostWaitEdgeMutationVariables = Exact<{
  roomId: string;
}>;


export type CostWaitEdgeMutation = { joinRoom: { waitlistEdge: { cursor: string, since: string, node: { name: string } } | null } | null };

export type CostPositionQueryVariables = Exact<{
  roomId: string;
}>;


export type CostPositionQuery = { room: { waitlistPosition: number | null } | null };

export type CostInviteMutationVariables = Exact<{
  roomId: string;
}>;


export type CostInviteMutation = { createInvite: { code: string, invite: { id: string } } | null };

export type CostComeInMutationVariables = Exact<{
  code: string;
}>;


export type CostComeInMutation = { joinWithInvite: { membership: { id: string } | null } | null };

export type CostRevokeMutationVariables = Exact<{
  inviteId: string;
}>;


export type CostRevokeMutation = { revokeInvite: { deletedInviteId: string } | null };

export type CostDirectMutationVariables = Exact<{
  userIds: Array<string> | string;
}>;


export type CostDirectMutation = { openDirectRoom: { room: { id: string } } | null };

export type CostRoomQueryVariables = Exact<{
  roomId: string;
}>;


export type CostRoomQuery = { room: { name: string, memberCount: number, viewerMembership: { unreadCount: number | null } | null } | null };

export type CostDirectoryQueryVariables = Exact<{ [key: string]: never; }>;


export type CostDirectoryQuery = { rooms: { edges: Array<{ node: { name: string, memberCount: number } }> } };

export type CostPeopleQueryVariables = Exact<{
  roomId: string;
}>;


export type CostPeopleQuery = { room: { people: Array<{ displayName: string }> | null } | null };

export type CostMembersQueryVariables = Exact<{
  roomId: string;
}>;


export type CostMembersQuery = { room: { members: { edges: Array<{ node: { user: { displayName: string } } }> } } | null };

export type CostMembershipsQueryVariables = Exact<{ [key: string]: never; }>;


export type CostMembershipsQuery = { viewer: { memberships: { edges: Array<{ node: { role: Role } }> } } };

export type CostJoinedQueryVariables = Exact<{ [key: string]: never; }>;


export type CostJoinedQuery = { viewer: { memberships: { edges: Array<{ node: { role: Role } }> } } };

export type CostLastMessageQueryVariables = Exact<{
  roomId: string;
}>;


export type CostLastMessageQuery = { room: { lastActivityAt: string, lastMessage: { body: string | null } | null } | null };

export type CostSendMutationVariables = Exact<{
  input: SendMessageInput;
}>;


export type CostSendMutation = { sendMessage: { message: { id: string } } | null };

export type CostEditMutationVariables = Exact<{
  messageId: string;
  body: string;
}>;


export type CostEditMutation = { editMessage: { message: { id: string } } | null };

export type CostDeleteMutationVariables = Exact<{
  messageId: string;
}>;


export type CostDeleteMutation = { deleteMessage: { message: { id: string } } | null };

export type CostTimelineQueryVariables = Exact<{
  roomId: string;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type CostTimelineQuery = { room: { messages: { edges: Array<{ node: { body: string | null } }>, pageInfo: { startCursor: string | null } } } | null };

export type CostAuthorsQueryVariables = Exact<{
  roomId: string;
}>;


export type CostAuthorsQuery = { room: { messages: { edges: Array<{ node: { body: string | null, author: { displayName: string } } }> } } | null };

export type CostAroundQueryVariables = Exact<{
  roomId: string;
  around: string;
}>;


export type CostAroundQuery = { room: { messages: { edges: Array<{ node: { body: string | null } }> } } | null };

export type CostFromQueryVariables = Exact<{
  roomId: string;
  from: string;
}>;


export type CostFromQuery = { room: { messages: { edges: Array<{ node: { body: string | null } }> } } | null };

export type CostThreadsQueryVariables = Exact<{
  roomId: string;
}>;


export type CostThreadsQuery = { room: { threads: { edges: Array<{ node: { hasMoreReplies: boolean, root: { body: string | null }, replies: Array<{ body: string | null }>, stamps: Array<{ stamp: { key: string } }> } }> } } | null };

export type CostThreadQueryVariables = Exact<{
  id: string;
}>;


export type CostThreadQuery = { node:
    | { body: string | null, replies: { edges: Array<{ node: { body: string | null } }> } }
    | Record<PropertyKey, never>
   | null };

export type CostUnreadQueryVariables = Exact<{ [key: string]: never; }>;


export type CostUnreadQuery = { viewer: { unread: { total: number, rooms: Array<{ unreadCount: number, room: { name: string } }> } } };

export type CostExplainQueryVariables = Exact<{
  roomId: string;
}>;


export type CostExplainQuery = { room: { explainUnread: Array<{ body: string | null }> } | null };

export type CostReadMutationVariables = Exact<{
  input: MarkRoomReadInput;
}>;


export type CostReadMutation = { markRoomRead: { membership: { id: string } } | null };

export type CostReadAllMutationVariables = Exact<{ [key: string]: never; }>;


export type CostReadAllMutation = { markAllRoomsRead: { unread: { total: number } } | null };

export type CostReadBackMutationVariables = Exact<{
  messageId: string;
}>;


export type CostReadBackMutation = { markRoomUnread: { membership: { id: string } } | null };

export type CostMuteMutationVariables = Exact<{
  roomId: string;
  muted: boolean;
}>;


export type CostMuteMutation = { muteRoom: { membership: { id: string } } | null };

export type CostArrangeMutationVariables = Exact<{
  roomId: string;
}>;


export type CostArrangeMutation = { arrangeRoom: { membership: { id: string } } | null };

export type CostRoomDeliveryMutationVariables = Exact<{
  roomId: string;
  delivery: RoomDelivery;
}>;


export type CostRoomDeliveryMutation = { setRoomDelivery: { membership: { id: string } } | null };

export type CostDeliverySettingsMutationVariables = Exact<{
  hideText: boolean;
}>;


export type CostDeliverySettingsMutation = { updateDeliverySettings: { settings: { hideText: boolean } } | null };

export type CostPauseMutationVariables = Exact<{
  until: string;
}>;


export type CostPauseMutation = { pauseDeliveries: { settings: { hideText: boolean } } | null };

export type CostReadDeliverySettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type CostReadDeliverySettingsQuery = { viewer: { deliverySettings: { hideText: boolean, kinds: Array<{ kind: DeliveryKind }> } } };

export type CostStampMutationVariables = Exact<{
  messageId: string;
  stamp: string;
}>;


export type CostStampMutation = { addStamp: { messageStamp: { id: string } } | null };

export type CostUnstampMutationVariables = Exact<{
  messageStampId: string;
}>;


export type CostUnstampMutation = { removeStamp: { deletedMessageStampId: string } | null };

export type CostCatalogueQueryVariables = Exact<{ [key: string]: never; }>;


export type CostCatalogueQuery = { stamps: Array<{ key: string, label: string }> };

export type CostStampsQueryVariables = Exact<{
  id: string;
}>;


export type CostStampsQuery = { node:
    | { stamps: { edges: Array<{ node: { createdAt: string } }> } }
    | Record<PropertyKey, never>
   | null };

export type CostCountsQueryVariables = Exact<{
  roomId: string;
}>;


export type CostCountsQuery = { room: { messages: { edges: Array<{ node: { stampCounts: Array<{ count: number, viewerHasStamped: boolean }> } }> } } | null };

export type CostLikeMutationVariables = Exact<{
  messageId: string;
}>;


export type CostLikeMutation = { likeMessage: { message: { likeCount: number, viewerHasLiked: boolean } } | null };

export type CostLikeEdgesMutationVariables = Exact<{
  messageId: string;
}>;


export type CostLikeEdgesMutation = { likeMessage: { message: { likeCount: number, viewerHasLiked: boolean }, likedMessageEdge: { cursor: string } | null, likerEdge: { cursor: string } | null } | null };

export type CostUnlikeMutationVariables = Exact<{
  messageId: string;
}>;


export type CostUnlikeMutation = { unlikeMessage: { message: { likeCount: number, viewerHasLiked: boolean } } | null };

export type CostLikersQueryVariables = Exact<{
  id: string;
}>;


export type CostLikersQuery = { node:
    | { likers: { edges: Array<{ node: { displayName: string } }> } }
    | Record<PropertyKey, never>
   | null };

export type CostWholeQueryVariables = Exact<{
  roomId: string;
}>;


export type CostWholeQuery = { room: { messages: { edges: Array<{ node: { body: string | null, replyCount: number, lastReplyAt: string | null, likeCount: number, viewerHasLiked: boolean, author: { displayName: string }, participants: Array<{ displayName: string }>, stampCounts: Array<{ count: number, viewerHasStamped: boolean }> } }> } } | null };

export type CostTypingMutationVariables = Exact<{
  roomId: string;
}>;


export type CostTypingMutation = { setTyping: { room: { name: string } } | null };

export type CostBadgeSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type CostBadgeSubscription = { unread: { total: number, rooms: Array<{ unreadCount: number, room: { name: string } }> } };

export type CostEventsSubscriptionVariables = Exact<{
  roomId: string;
  after?: string | null | undefined;
}>;


export type CostEventsSubscription = { roomEvents:
    | { __typename: 'MembershipChanged', cursor: string }
    | { __typename: 'MessageAdded', cursor: string }
    | { __typename: 'MessageChanged', cursor: string }
    | { __typename: 'ResyncRequired', cursor: string }
    | { __typename: 'RoomChanged', cursor: string }
    | { __typename: 'Synced', cursor: string }
    | { __typename: 'TypingChanged', cursor: string }
   };

export type CostCursorQueryVariables = Exact<{
  roomId: string;
}>;


export type CostCursorQuery = { room: { eventsCursor: string | null } | null };

export type CostNotificationsQueryVariables = Exact<{
  unreadOnly?: boolean | null | undefined;
}>;


export type CostNotificationsQuery = { viewer: { notifications: { edges: Array<{ node: { kind: NotificationKind, actorCount: number, readAt: string | null } }> } } };

export type CostNotificationTextsQueryVariables = Exact<{ [key: string]: never; }>;


export type CostNotificationTextsQuery = { viewer: { notifications: { edges: Array<{ node: { text: string, message: { body: string | null } | null } }> } } };

export type CostNotificationQueryVariables = Exact<{
  id: string;
}>;


export type CostNotificationQuery = { node:
    | { actorCount: number, readAt: string | null }
    | Record<PropertyKey, never>
   | null };

export type CostNotificationChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type CostNotificationChangedSubscription = { notificationChanged: { notification: { actorCount: number, readAt: string | null } | null } };

export type CostMarkNotificationsMutationVariables = Exact<{
  ids?: Array<string> | string | null | undefined;
}>;


export type CostMarkNotificationsMutation = { markNotificationsRead: { notifications: Array<{ readAt: string | null }> } | null };

export type CostReadThreadMutationVariables = Exact<{
  messageId: string;
}>;


export type CostReadThreadMutation = { markThreadRead: { message: { body: string | null } } | null };

export type CostFollowedThreadsQueryVariables = Exact<{
  unreadOnly?: boolean | null | undefined;
}>;


export type CostFollowedThreadsQuery = { viewer: { threads: { edges: Array<{ node: { viewerIsFollowing: boolean, hasUnread: boolean, root: { body: string | null } } }> } } };

export type CostUnfollowMutationVariables = Exact<{
  messageId: string;
}>;


export type CostUnfollowMutation = { unfollowThread: { message: { body: string | null } } | null };

export type CostFollowMutationVariables = Exact<{
  messageId: string;
}>;


export type CostFollowMutation = { followThread: { message: { body: string | null } } | null };

export type CostFollowEdgeMutationVariables = Exact<{
  messageId: string;
}>;


export type CostFollowEdgeMutation = { followThread: { message: { body: string | null }, threadEdge: { cursor: string, node: { root: { body: string | null } } } | null } | null };

export type CostFollowingQueryVariables = Exact<{
  roomId: string;
}>;


export type CostFollowingQuery = { room: { messages: { edges: Array<{ node: { viewerIsFollowing: boolean } }> } } | null };

export type CostSavedQueryVariables = Exact<{
  visibility?: SavedVisibility | null | undefined;
  tags?: Array<string> | string | null | undefined;
  tagIds?: Array<string> | string | null | undefined;
  untagged?: boolean | null | undefined;
  orderBy?: SavedOrder | null | undefined;
  from?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type CostSavedQuery = { viewer: { savedMessages: { edges: Array<{ node: { note: string | null, tags: Array<string>, savedAt: string, message: { body: string | null, createdAt: string } | null } }>, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean } } } };

export type CostSavedMessageQueryVariables = Exact<{
  id: string;
}>;


export type CostSavedMessageQuery = { node:
    | { note: string | null, tags: Array<string>, message: { body: string | null } | null }
    | Record<PropertyKey, never>
   | null };

export type CostSavedTagsQueryVariables = Exact<{
  prefix?: string | null | undefined;
  orderBy?: SavedTagOrder | null | undefined;
}>;


export type CostSavedTagsQuery = { viewer: { savedTags: { edges: Array<{ node: { name: string, count: number } }> } } };

export type CostLastSavedTagsQueryVariables = Exact<{ [key: string]: never; }>;


export type CostLastSavedTagsQuery = { viewer: { savedTags: { edges: Array<{ node: { name: string, count: number } }> } } };

export type CostPublicSavedQueryVariables = Exact<{
  id: string;
  tag?: string | null | undefined;
  orderBy?: SavedOrder | null | undefined;
}>;


export type CostPublicSavedQuery = { node:
    | { savedMessages: { edges: Array<{ node: { note: string | null, tags: Array<string>, message: { body: string | null } | null } }> } }
    | Record<PropertyKey, never>
   | null };

export type CostPublicTagsQueryVariables = Exact<{
  id: string;
}>;


export type CostPublicTagsQuery = { node:
    | { savedTags: { edges: Array<{ node: { name: string, count: number } }> } }
    | Record<PropertyKey, never>
   | null };

export type CostPublicSavesQueryVariables = Exact<{
  id: string;
}>;


export type CostPublicSavesQuery = { node:
    | { publicSaves: { edges: Array<{ node: { note: string | null, savedBy: { handle: string | null } } }> } }
    | Record<PropertyKey, never>
   | null };

export type CostPublicSaveCountsQueryVariables = Exact<{
  roomId: string;
}>;


export type CostPublicSaveCountsQuery = { room: { messages: { edges: Array<{ node: { publicSaveCount: number } }> } } | null };

export type CostSavedCountsQueryVariables = Exact<{ [key: string]: never; }>;


export type CostSavedCountsQuery = { viewer: { savedCounts: { total: number, untagged: number } } };

export type CostRemindersQueryVariables = Exact<{ [key: string]: never; }>;


export type CostRemindersQuery = { viewer: { reminders: { edges: Array<{ node: { remindAt: string | null, tags: Array<string>, message: { body: string | null } | null } }> } } };

export type CostSavedMarksQueryVariables = Exact<{
  roomId: string;
}>;


export type CostSavedMarksQuery = { room: { messages: { edges: Array<{ node: { viewerHasLiked: boolean, viewerSaved: { note: string | null } | null } }> } } | null };

export type CostSavedMarksWithTagsQueryVariables = Exact<{
  roomId: string;
}>;


export type CostSavedMarksWithTagsQuery = { room: { messages: { edges: Array<{ node: { viewerHasLiked: boolean, viewerSaved: { note: string | null, tags: Array<string> } | null } }> } } | null };

export type CostSaveMutationVariables = Exact<{
  input: SaveMessageInput;
}>;


export type CostSaveMutation = { saveMessage: { savedMessage: { note: string | null } } | null };

export type CostUnsaveMutationVariables = Exact<{
  messageId: string;
}>;


export type CostUnsaveMutation = { removeSavedMessage: { removed: { note: string | null, tags: Array<string> } | null } | null };

export type CostJobsQueryVariables = Exact<{ [key: string]: never; }>;


export type CostJobsQuery = { viewer: { jobs: { edges: Array<{ node: { state: JobState, done: number, text: string, remainingSeconds: number | null } }> } } };

export type CostSavedChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type CostSavedChangedSubscription = { savedChanged: { counts: { total: number } } };

export type CostWaitlistsQueryVariables = Exact<{ [key: string]: never; }>;


export type CostWaitlistsQuery = { viewer: { waitlists: { edges: Array<{ position: number, node: { name: string } }> } } };

export type CostWaitWithInviteMutationVariables = Exact<{
  code: string;
}>;


export type CostWaitWithInviteMutation = { joinWithInvite: { membership: { id: string } | null } | null };

export type OwnEdgeSavedMutationVariables = Exact<{
  input: SaveMessageInput;
}>;


export type OwnEdgeSavedMutation = { saveMessage: { savedMessageEdge: { cursor: string, node: { id: string } }, reminderEdge: { cursor: string, node: { id: string, remindAt: string | null } } | null } | null };

export type OwnEdgeSnoozedMutationVariables = Exact<{
  input: SnoozeReminderInput;
}>;


export type OwnEdgeSnoozedMutation = { snoozeReminder: { reminderEdge: { cursor: string, node: { id: string, remindAt: string | null } } | null } | null };

export type OwnEdgeScheduledMutationVariables = Exact<{
  input: ScheduleMessageInput;
}>;


export type OwnEdgeScheduledMutation = { scheduleMessage: { scheduledMessageEdge: { cursor: string, node: { id: string } } } | null };

export type OwnEdgeLikedMutationVariables = Exact<{
  messageId: string;
}>;


export type OwnEdgeLikedMutation = { likeMessage: { likedMessageEdge: { cursor: string, node: { id: string } } | null } | null };

export type OwnEdgeFollowedMutationVariables = Exact<{
  messageId: string;
}>;


export type OwnEdgeFollowedMutation = { followThread: { threadEdge: { cursor: string, node: { viewerIsFollowing: boolean, root: { id: string }, replies: Array<{ id: string }> } } | null } | null };

export type OwnEdgeJoinedMutationVariables = Exact<{
  input: JoinRoomInput;
}>;


export type OwnEdgeJoinedMutation = { joinRoom: { membershipEdge: { cursor: string } | null, waitlistEdge: { cursor: string, position: number, since: string, node: { id: string } } | null } | null };

export type OwnEdgeInviteMutationVariables = Exact<{
  roomId: string;
}>;


export type OwnEdgeInviteMutation = { createInvite: { code: string } | null };

export type OwnEdgeAcceptedMutationVariables = Exact<{
  code: string;
}>;


export type OwnEdgeAcceptedMutation = { joinWithInvite: { waitlistEdge: { cursor: string, position: number, since: string, node: { id: string } } | null } | null };

export type OwnEdgePublishedMutationVariables = Exact<{
  input: SetVisibilityOfTaggedInput;
}>;


export type OwnEdgePublishedMutation = { setVisibilityOfTagged: { jobEdge: { cursor: string, node: { id: string, kind: JobKind } } } | null };

export type OwnEdgeRenamedMutationVariables = Exact<{
  input: RenameSavedTagInput;
}>;


export type OwnEdgeRenamedMutation = { renameSavedTag: { tag: { id: string }, jobEdge: { cursor: string, node: { id: string, kind: JobKind } } | null } | null };

export type OwnEdgeMergedMutationVariables = Exact<{
  input: MergeSavedTagsInput;
}>;


export type OwnEdgeMergedMutation = { mergeSavedTags: { jobEdge: { cursor: string, node: { id: string, kind: JobKind } } } | null };

export type OwnEdgeDeletedMutationVariables = Exact<{
  input: DeleteSavedTagInput;
}>;


export type OwnEdgeDeletedMutation = { deleteSavedTag: { jobEdge: { cursor: string, node: { id: string, kind: JobKind } } } | null };

export type OwnEdgeBrowserMutationVariables = Exact<{
  input: RegisterPushSubscriptionInput;
}>;


export type OwnEdgeBrowserMutation = { registerPushSubscription: { pushSubscription: { id: string } } | null };

export type OwnEdgeDeliveryMutationVariables = Exact<{ [key: string]: never; }>;


export type OwnEdgeDeliveryMutation = { testDelivery: { deliveryEdge: { cursor: string, node: { id: string } } } | null };

export type OwnEdgeListsQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnEdgeListsQuery = { viewer: { savedMessages: { edges: Array<{ cursor: string, node: { id: string } }> }, reminders: { edges: Array<{ cursor: string, node: { id: string, remindAt: string | null } }> }, scheduledMessages: { edges: Array<{ cursor: string, node: { id: string } }> }, likedMessages: { edges: Array<{ cursor: string, node: { id: string } }> }, threads: { edges: Array<{ cursor: string, node: { viewerIsFollowing: boolean, root: { id: string }, replies: Array<{ id: string }> } }> }, waitlists: { edges: Array<{ cursor: string, position: number, since: string, node: { id: string } }> }, jobs: { edges: Array<{ cursor: string, node: { id: string, kind: JobKind } }> }, deliveries: { edges: Array<{ cursor: string, node: { id: string } }> }, savedTags: { edges: Array<{ node: { id: string, name: string } }> } } };

export type EdgeSentMutationVariables = Exact<{
  input: SendMessageInput;
}>;


export type EdgeSentMutation = { sendMessage: { messageEdge: { cursor: string, node: { id: string } }, threadEdge: { cursor: string, node: { hasMoreReplies: boolean, root: { id: string }, replies: Array<{ id: string }>, stamps: Array<{ id: string }> } } | null } | null };

export type EdgeStampedMutationVariables = Exact<{
  messageId: string;
}>;


export type EdgeStampedMutation = { addStamp: { messageStampEdge: { cursor: string, node: { id: string } } } | null };

export type EdgeAddedMutationVariables = Exact<{
  input: AddMemberInput;
}>;


export type EdgeAddedMutation = { addMember: { membershipEdge: { cursor: string, node: { id: string } } } | null };

export type EdgeInvitedMutationVariables = Exact<{
  roomId: string;
}>;


export type EdgeInvitedMutation = { createInvite: { inviteEdge: { cursor: string, node: { id: string } } } | null };

export type EdgeBannedMutationVariables = Exact<{
  input: BanMemberInput;
}>;


export type EdgeBannedMutation = { banMember: { banEdge: { cursor: string, node: { user: { id: string } } } | null } | null };

export type EdgeLikedMutationVariables = Exact<{
  messageId: string;
}>;


export type EdgeLikedMutation = { likeMessage: { likerEdge: { cursor: string, node: { id: string } } | null } | null };

export type EdgeBlockedMutationVariables = Exact<{
  userId: string;
}>;


export type EdgeBlockedMutation = { blockUser: { userEdge: { cursor: string, node: { id: string } } | null } | null };

export type EdgeUnblockedMutationVariables = Exact<{
  userId: string;
}>;


export type EdgeUnblockedMutation = { unblockUser: { userEdge: { cursor: string, node: { id: string } } | null } | null };

export type EdgeCreatedMutationVariables = Exact<{
  visibility: RoomVisibility;
}>;


export type EdgeCreatedMutation = { createRoom: { roomEdge: { cursor: string, node: { id: string } } | null, membershipEdge: { cursor: string, node: { id: string } } } | null };

export type EdgeOpenedMutationVariables = Exact<{
  userIds: Array<string> | string;
}>;


export type EdgeOpenedMutation = { openDirectRoom: { membershipEdge: { cursor: string, node: { id: string } } } | null };

export type EdgeJoinedMutationVariables = Exact<{
  input: JoinRoomInput;
}>;


export type EdgeJoinedMutation = { joinRoom: { membershipEdge: { cursor: string, node: { id: string } } | null } | null };

export type EdgeAcceptedMutationVariables = Exact<{
  code: string;
}>;


export type EdgeAcceptedMutation = { joinWithInvite: { membershipEdge: { cursor: string, node: { id: string } } | null } | null };

export type EdgeCodeMutationVariables = Exact<{
  roomId: string;
}>;


export type EdgeCodeMutation = { createInvite: { code: string } | null };

export type EdgesOfRoomsQueryVariables = Exact<{ [key: string]: never; }>;


export type EdgesOfRoomsQuery = { rooms: { edges: Array<{ cursor: string, node: { id: string } }> } };

export type EdgesOfThreadsQueryVariables = Exact<{
  roomId: string;
}>;


export type EdgesOfThreadsQuery = { room: { threads: { edges: Array<{ cursor: string, node: { hasMoreReplies: boolean, root: { id: string }, replies: Array<{ id: string }>, stamps: Array<{ id: string }> } }> } } | null };

export type EdgesOfViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type EdgesOfViewerQuery = { viewer: { memberships: { edges: Array<{ cursor: string, node: { id: string, unreadCount: number | null, muted: boolean | null, own: { unreadCount: number, muted: boolean } | null } }> }, blockedUsers: { edges: Array<{ cursor: string, node: { id: string } }> } } };

export type MoreEdgesListedQueryVariables = Exact<{
  roomId: string;
}>;


export type MoreEdgesListedQuery = { room: { bans: { edges: Array<{ cursor: string, node: { user: { id: string } } }> }, members: { edges: Array<{ node: { user: { id: string }, own: { unreadCount: number, muted: boolean } | null } }> }, messages: { edges: Array<{ node: { likers: { edges: Array<{ cursor: string, node: { id: string } }> } } }> } } | null };

export type EdgesListedQueryVariables = Exact<{
  roomId: string;
}>;


export type EdgesListedQuery = { room: { members: { edges: Array<{ cursor: string, node: { id: string } }> }, invites: { edges: Array<{ cursor: string, node: { id: string } }> }, messages: { edges: Array<{ cursor: string, node: { id: string, stamps: { edges: Array<{ cursor: string, node: { id: string } }> }, replies: { edges: Array<{ cursor: string, node: { id: string } }> } } }> } } | null };

export type SendWithKeyMutationVariables = Exact<{
  input: SendMessageInput;
}>;


export type SendWithKeyMutation = { sendMessage: { message: { id: string, idempotencyKey: string | null } } | null };

export type ReadKeyQueryVariables = Exact<{
  id: string;
}>;


export type ReadKeyQuery = { node:
    | { idempotencyKey: string | null }
    | Record<PropertyKey, never>
   | null };

export type KeysInEventsSubscriptionVariables = Exact<{
  roomId: string;
}>;


export type KeysInEventsSubscription = { roomEvents:
    | { __typename: 'MembershipChanged' }
    | { __typename: 'MessageAdded', message: { id: string, body: string | null, idempotencyKey: string | null, viewerHasLiked: boolean } }
    | { __typename: 'MessageChanged' }
    | { __typename: 'ResyncRequired' }
    | { __typename: 'RoomChanged' }
    | { __typename: 'Synced' }
    | { __typename: 'TypingChanged' }
   };

export type AnsweredQueryVariables = Exact<{
  id: string;
}>;


export type AnsweredQuery = { node:
    | { id: string, inReplyTo: { id: string, body: string | null, author: { handle: string | null } } | null, root: { id: string } | null }
    | Record<PropertyKey, never>
   | null };

export type ThreadsQueryVariables = Exact<{
  roomId: string;
}>;


export type ThreadsQuery = { room: { messages: { edges: Array<{ node: { replies: { edges: Array<{ node: { body: string | null } }> } } }> } } | null };

export type MessageByIdQueryVariables = Exact<{
  id: string;
}>;


export type MessageByIdQuery = { node:
    | { id: string, body: string | null, version: number, editedAt: string | null, deletedAt: string | null, position: number | null, replyCount: number, mentions: Array<{ id: string, handle: string | null }> }
    | Record<PropertyKey, never>
   | null };

export type EditMessageMutationVariables = Exact<{
  messageId: string;
  body: string;
}>;


export type EditMessageMutation = { editMessage: { message: { id: string, body: string | null, editedAt: string | null, version: number, mentions: Array<{ handle: string | null }> } } | null };

export type DeleteMessageMutationVariables = Exact<{
  messageId: string;
}>;


export type DeleteMessageMutation = { deleteMessage: { message: { id: string, body: string | null, deletedAt: string | null, version: number, replyCount: number } } | null };

export type AroundQueryVariables = Exact<{
  roomId: string;
  around: string;
  first?: number | null | undefined;
}>;


export type AroundQuery = { room: { messages: { edges: Array<{ cursor: string, node: { id: string, body: string | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type FromQueryVariables = Exact<{
  roomId: string;
  from: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
  around?: string | null | undefined;
}>;


export type FromQuery = { room: { messages: { edges: Array<{ cursor: string, node: { id: string, createdAt: string } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type WrittenPageQueryVariables = Exact<{
  roomId: string;
}>;


export type WrittenPageQuery = { room: { messages: { edges: Array<{ cursor: string, node: { id: string, version: number, position: number | null, body: string | null, createdAt: string, editedAt: string | null, deletedAt: string | null, url: string, idempotencyKey: string | null, replyCount: number, lastReplyAt: string | null, likeCount: number, viewerHasLiked: boolean, root: { id: string } | null, inReplyTo: { id: string } | null, author: { id: string, handle: string | null, displayName: string, avatarUrl: string | null }, participants: Array<{ id: string, handle: string | null, displayName: string, avatarUrl: string | null }>, mentions: Array<{ id: string, handle: string | null, displayName: string, avatarUrl: string | null }>, stampCounts: Array<{ count: number, viewerHasStamped: boolean, stamp: { key: string, label: string, imageUrl: string | null } }>, replies: { edges: Array<{ node: { id: string, body: string | null, viewerHasLiked: boolean, author: { id: string, handle: string | null, displayName: string, avatarUrl: string | null } } }> } } }>, pageInfo: { hasNextPage: boolean } } } | null };

export type PageMessageFragment = { id: string, version: number, position: number | null, body: string | null, createdAt: string, editedAt: string | null, deletedAt: string | null, url: string, idempotencyKey: string | null, replyCount: number, lastReplyAt: string | null, likeCount: number, viewerHasLiked: boolean, root: { id: string } | null, inReplyTo: { id: string } | null, author: { id: string, handle: string | null, displayName: string, avatarUrl: string | null }, participants: Array<{ id: string, handle: string | null, displayName: string, avatarUrl: string | null }>, mentions: Array<{ id: string, handle: string | null, displayName: string, avatarUrl: string | null }>, stampCounts: Array<{ count: number, viewerHasStamped: boolean, stamp: { key: string, label: string, imageUrl: string | null } }>, replies: { edges: Array<{ node: { id: string, body: string | null, viewerHasLiked: boolean, author: { id: string, handle: string | null, displayName: string, avatarUrl: string | null } } }> } };

export type PageUserFragment = { id: string, handle: string | null, displayName: string, avatarUrl: string | null };

export type ExecutedPageQueryVariables = Exact<{
  roomId: string;
  yes: boolean;
}>;


export type ExecutedPageQuery = { room?: { messages: { edges: Array<{ cursor: string, node: { id: string, version: number, position: number | null, body: string | null, createdAt: string, editedAt: string | null, deletedAt: string | null, url: string, idempotencyKey: string | null, replyCount: number, lastReplyAt: string | null, likeCount: number, viewerHasLiked: boolean, root: { id: string } | null, inReplyTo: { id: string } | null, author: { id: string, handle: string | null, displayName: string, avatarUrl: string | null }, participants: Array<{ id: string, handle: string | null, displayName: string, avatarUrl: string | null }>, mentions: Array<{ id: string, handle: string | null, displayName: string, avatarUrl: string | null }>, stampCounts: Array<{ count: number, viewerHasStamped: boolean, stamp: { key: string, label: string, imageUrl: string | null } }>, replies: { edges: Array<{ node: { id: string, body: string | null, viewerHasLiked: boolean, author: { id: string, handle: string | null, displayName: string, avatarUrl: string | null } } }> } } }>, pageInfo: { hasNextPage: boolean } } } | null };

export type MessageUrlQueryVariables = Exact<{
  id: string;
}>;


export type MessageUrlQuery = { node:
    | { url: string }
    | Record<PropertyKey, never>
   | null };

export type FollowedQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  replies?: number | null | undefined;
  unreadOnly?: boolean | null | undefined;
}>;


export type FollowedQuery = { viewer: { unread: { total: number }, threads: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ cursor: string, node: { hasMoreReplies: boolean, viewerIsFollowing: boolean, hasUnread: boolean, root: { body: string | null, room: { name: string } }, replies: Array<{ body: string | null }>, stamps: Array<{ stamp: { key: string } }> } }> } } };

export type ReadFollowedMutationVariables = Exact<{
  messageId: string;
}>;


export type ReadFollowedMutation = { markThreadRead: { unread: { total: number } } | null };

export type ReadAllFollowedMutationVariables = Exact<{ [key: string]: never; }>;


export type ReadAllFollowedMutation = { markNotificationsRead: { unread: { total: number } } | null };

export type NotificationListQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  unreadOnly?: boolean | null | undefined;
}>;


export type NotificationListQuery = { viewer: { notifications: { edges: Array<{ cursor: string, node: { id: string, kind: NotificationKind, text: string, actorCount: number, updatedAt: string, readAt: string | null, actors: Array<{ handle: string | null }>, stamps: Array<{ key: string }>, message: { id: string, body: string | null } | null, latestReply: { id: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } };

export type NotificationByIdQueryVariables = Exact<{
  id: string;
}>;


export type NotificationByIdQuery = { node:
    | { id: string, kind: NotificationKind, text: string, actorCount: number, readAt: string | null, actors: Array<{ handle: string | null }>, message: { id: string } | null }
    | Record<PropertyKey, never>
   | null };

export type MarkNotificationsReadMutationVariables = Exact<{
  ids?: Array<string> | string | null | undefined;
}>;


export type MarkNotificationsReadMutation = { markNotificationsRead: { notifications: Array<{ id: string, text: string, readAt: string | null }>, unread: { total: number, notifications: number } } | null };

export type NotificationsLiveSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type NotificationsLiveSubscription = { notificationChanged: { removedId: string | null, notification: { id: string, kind: NotificationKind, text: string, actorCount: number, readAt: string | null, actors: Array<{ handle: string | null }>, message: { id: string } | null } | null, unread: { notifications: number } } };

export type MarkThreadReadMutationVariables = Exact<{
  messageId: string;
}>;


export type MarkThreadReadMutation = { markThreadRead: { message: { id: string }, unread: { total: number, notifications: number } } | null };

export type FollowThreadMutationVariables = Exact<{
  messageId: string;
}>;


export type FollowThreadMutation = { followThread: { message: { id: string, viewerIsFollowing: boolean } } | null };

export type UnfollowThreadMutationVariables = Exact<{
  messageId: string;
}>;


export type UnfollowThreadMutation = { unfollowThread: { message: { id: string, viewerIsFollowing: boolean } } | null };

export type FollowingQueryVariables = Exact<{
  id: string;
}>;


export type FollowingQuery = { node:
    | { id: string, viewerIsFollowing: boolean }
    | Record<PropertyKey, never>
   | null };

export type AlertEventsSubscriptionVariables = Exact<{
  roomId: string;
}>;


export type AlertEventsSubscription = { roomEvents:
    | { __typename: 'MembershipChanged' }
    | { __typename: 'MessageAdded', message: { body: string | null } }
    | { __typename: 'MessageChanged' }
    | { __typename: 'ResyncRequired' }
    | { __typename: 'RoomChanged' }
    | { __typename: 'Synced' }
    | { __typename: 'TypingChanged' }
   };

export type DashboardEventsSubscriptionVariables = Exact<{
  roomId: string;
}>;


export type DashboardEventsSubscription = { roomEvents:
    | { __typename: 'MembershipChanged' }
    | { __typename: 'MessageAdded', message: { body: string | null } }
    | { __typename: 'MessageChanged' }
    | { __typename: 'ResyncRequired' }
    | { __typename: 'RoomChanged' }
    | { __typename: 'Synced' }
    | { __typename: 'TypingChanged' }
   };

export type ArrivalQueryVariables = Exact<{ [key: string]: never; }>;


export type ArrivalQuery = { viewer: { user: { handle: string | null, displayName: string }, unread: { total: number } }, rooms: { edges: Array<{ node: { id: string, name: string } }> } };

export type TwoMutationsMutationVariables = Exact<{
  roomId: string;
}>;


export type TwoMutationsMutation = { failed: { message: { id: string } } | null, sent: { message: { body: string | null } } | null };

export type LikesLiveSubscriptionVariables = Exact<{
  roomId: string;
}>;


export type LikesLiveSubscription = { roomEvents:
    | { __typename: 'MembershipChanged' }
    | { __typename: 'MessageAdded' }
    | { __typename: 'MessageChanged', message: { likeCount: number, viewerHasLiked: boolean, stampCounts: Array<{ viewerHasStamped: boolean, stamp: { key: string } }> } }
    | { __typename: 'ResyncRequired' }
    | { __typename: 'RoomChanged' }
    | { __typename: 'Synced' }
    | { __typename: 'TypingChanged' }
   };

export type LikesByCauseSubscriptionVariables = Exact<{
  roomId: string;
}>;


export type LikesByCauseSubscription = { roomEvents:
    | { __typename: 'MembershipChanged' }
    | { __typename: 'MessageAdded' }
    | { __typename: 'MessageChanged', message: { likeCount: number, stampCounts: Array<{ count: number }> }, cause: { kind: MessageChangeKind, actor: { id: string } } | null }
    | { __typename: 'ResyncRequired' }
    | { __typename: 'RoomChanged' }
    | { __typename: 'Synced' }
    | { __typename: 'TypingChanged' }
   };

export type LikedQueryVariables = Exact<{
  roomId?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type LikedQuery = { viewer: { likedMessages: { edges: Array<{ cursor: string, node: { id: string, body: string | null, viewerHasLiked: boolean } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } };

export type CostLikedQueryVariables = Exact<{
  roomId?: string | null | undefined;
}>;


export type CostLikedQuery = { viewer: { likedMessages: { edges: Array<{ node: { id: string, body: string | null } }> } } };

export type LikeMessageMutationVariables = Exact<{
  messageId: string;
}>;


export type LikeMessageMutation = { likeMessage: { message: { id: string, version: number, likeCount: number, viewerHasLiked: boolean, deletedAt: string | null, likers: { edges: Array<{ node: { handle: string | null } }> } } } | null };

export type UnlikeMessageMutationVariables = Exact<{
  messageId: string;
}>;


export type UnlikeMessageMutation = { unlikeMessage: { message: { id: string, version: number, likeCount: number, viewerHasLiked: boolean, deletedAt: string | null, likers: { edges: Array<{ node: { handle: string | null } }> } } } | null };

export type LikesOfQueryVariables = Exact<{
  id: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type LikesOfQuery = { node:
    | { id: string, version: number, likeCount: number, viewerHasLiked: boolean, likers: { edges: Array<{ cursor: string, node: { id: string, handle: string | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } }
    | Record<PropertyKey, never>
   | null };

export type LikedPageQueryVariables = Exact<{
  roomId: string;
  last: number;
}>;


export type LikedPageQuery = { room: { messages: { edges: Array<{ node: { id: string, likeCount: number, viewerHasLiked: boolean, replyCount: number, lastReplyAt: string | null, author: { handle: string | null, displayName: string, avatarUrl: string | null }, participants: Array<{ handle: string | null }>, stampCounts: Array<{ count: number, viewerHasStamped: boolean, stamp: { key: string } }> } }> } } | null };

export type LikedOneQueryVariables = Exact<{
  id: string;
}>;


export type LikedOneQuery = { node:
    | { likeCount: number, viewerHasLiked: boolean, author: { handle: string | null } }
    | Record<PropertyKey, never>
   | null };

export type LikedThreadQueryVariables = Exact<{
  id: string;
}>;


export type LikedThreadQuery = { node:
    | { id: string, likeCount: number, viewerHasLiked: boolean, replies: { edges: Array<{ node: { id: string, likeCount: number, viewerHasLiked: boolean } }> } }
    | Record<PropertyKey, never>
   | null };

export type StampByIdQueryVariables = Exact<{
  id: string;
}>;


export type StampByIdQuery = { node:
    | { id: string, key: string, label: string, imageUrl: string | null, emoji: string | null }
    | Record<PropertyKey, never>
   | null };

export type CatalogueQueryVariables = Exact<{ [key: string]: never; }>;


export type CatalogueQuery = { stamps: Array<{ key: string, label: string, imageUrl: string | null, emoji: string | null }> };

export type AddStampMutationVariables = Exact<{
  messageId: string;
  stamp: string;
}>;


export type AddStampMutation = { addStamp: { messageStamp: { id: string, createdAt: string, stamp: { key: string, label: string, imageUrl: string | null, emoji: string | null }, user: { id: string, handle: string | null }, message: { id: string, version: number, stampCounts: Array<{ count: number, viewerHasStamped: boolean, stamp: { key: string } }> } } } | null };

export type RemoveStampMutationVariables = Exact<{
  messageStampId: string;
}>;


export type RemoveStampMutation = { removeStamp: { deletedMessageStampId: string, message: { id: string, version: number, stampCounts: Array<{ count: number, viewerHasStamped: boolean, stamp: { key: string } }> } } | null };

export type DeleteStampedMutationVariables = Exact<{
  messageId: string;
}>;


export type DeleteStampedMutation = { deleteMessage: { message: { id: string, deletedAt: string | null, stampCounts: Array<{ count: number }>, stamps: { edges: Array<{ node: { id: string } }> } } } | null };

export type StampsOfQueryVariables = Exact<{
  id: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type StampsOfQuery = { node:
    | { id: string, stampCounts: Array<{ count: number, viewerHasStamped: boolean, stamp: { key: string } }>, stamps: { edges: Array<{ cursor: string, node: { id: string, createdAt: string, stamp: { key: string }, user: { handle: string | null } } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } }
    | Record<PropertyKey, never>
   | null };

export type StampNodeQueryVariables = Exact<{
  id: string;
}>;


export type StampNodeQuery = { node:
    | { __typename: 'Delivery' }
    | { __typename: 'Invite' }
    | { __typename: 'Job' }
    | { __typename: 'Membership' }
    | { __typename: 'Message' }
    | { __typename: 'MessageStamp', id: string, createdAt: string, stamp: { key: string }, user: { handle: string | null }, message: { id: string } }
    | { __typename: 'Notification' }
    | { __typename: 'PushSubscription' }
    | { __typename: 'Room' }
    | { __typename: 'SavedMessage' }
    | { __typename: 'SavedTag' }
    | { __typename: 'ScheduledMessage' }
    | { __typename: 'Stamp' }
    | { __typename: 'User' }
    | { __typename: 'Viewer' }
   | null };

export type StampedPageQueryVariables = Exact<{
  roomId: string;
  last: number;
  before?: string | null | undefined;
}>;


export type StampedPageQuery = { room: { messages: { edges: Array<{ node: { id: string, stampCounts: Array<{ count: number, viewerHasStamped: boolean, stamp: { key: string } }> } }>, pageInfo: { startCursor: string | null } } } | null };

export type StampedThreadQueryVariables = Exact<{
  id: string;
}>;


export type StampedThreadQuery = { node:
    | { id: string, stampCounts: Array<{ count: number, viewerHasStamped: boolean, stamp: { key: string } }>, replies: { edges: Array<{ node: { id: string, stampCounts: Array<{ count: number, viewerHasStamped: boolean, stamp: { key: string } }> } }> } }
    | Record<PropertyKey, never>
   | null };

export type MineBeforeQueryVariables = Exact<{ [key: string]: never; }>;


export type MineBeforeQuery = { viewer: { id: string, user: { handle: string | null, displayName: string }, unread: { total: number, notifications: number, rooms: Array<{ unreadCount: number, readPosition: number, room: { id: string, name: string } }> }, memberships: { edges: Array<{ node: { id: string, role: Role, unreadCount: number | null, room: { id: string, name: string, topic: string | null, memberCount: number } } }> }, notifications: { edges: Array<{ node: { id: string, kind: NotificationKind, actorCount: number, readAt: string | null, message: { id: string, body: string | null } | null } }> }, savedMessages: { edges: Array<{ node: { id: string, visibility: SavedVisibility, note: string | null, tags: Array<string>, message: { id: string, body: string | null } | null } }> }, likedMessages: { edges: Array<{ node: { id: string, body: string | null } }> } } };

export type RoomBeforeQueryVariables = Exact<{
  roomId: string;
}>;


export type RoomBeforeQuery = { room: { id: string, members: { edges: Array<{ node: { role: Role, unreadCount: number | null, user: { handle: string | null } } }> }, messages: { edges: Array<{ cursor: string, node: { id: string, body: string | null, createdAt: string, editedAt: string | null, deletedAt: string | null, version: number, position: number | null, replyCount: number, lastReplyAt: string | null, viewerIsFollowing: boolean, likeCount: number, viewerHasLiked: boolean, author: { handle: string | null }, mentions: Array<{ handle: string | null }>, participants: Array<{ handle: string | null }>, stampCounts: Array<{ count: number, viewerHasStamped: boolean, stamp: { key: string } }> } }>, pageInfo: { hasPreviousPage: boolean, hasNextPage: boolean } } } | null };

export type ThreadBeforeQueryVariables = Exact<{
  id: string;
}>;


export type ThreadBeforeQuery = { node:
    | { id: string, likers: { edges: Array<{ node: { handle: string | null } }> }, stamps: { edges: Array<{ node: { id: string, createdAt: string, stamp: { key: string }, user: { handle: string | null } } }> }, replies: { edges: Array<{ cursor: string, node: { id: string, body: string | null, version: number, editedAt: string | null, likeCount: number, author: { handle: string | null }, inReplyTo: { id: string } | null } }> } }
    | Record<PropertyKey, never>
   | null };

export type FirstOwnRoomQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type FirstOwnRoomQuery = { viewer: { memberships: { edges: Array<{ node: { id: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } };

export type DeleteRoomMutationVariables = Exact<{
  roomId: string;
}>;


export type DeleteRoomMutation = { deleteRoom: { deletedRoomId: string } | null };

export type CausesSubscriptionVariables = Exact<{
  roomId: string;
}>;


export type CausesSubscription = { roomEvents:
    | { __typename: 'MembershipChanged' }
    | { __typename: 'MessageAdded' }
    | { __typename: 'MessageChanged', message: { id: string, version: number }, cause: { kind: MessageChangeKind, actor: { handle: string | null }, stamp: { key: string } | null } | null }
    | { __typename: 'ResyncRequired' }
    | { __typename: 'RoomChanged' }
    | { __typename: 'Synced' }
    | { __typename: 'TypingChanged' }
   };

export type WholeMessageFragment = { id: string, version: number, body: string | null, editedAt: string | null, deletedAt: string | null, position: number | null, replyCount: number, lastReplyAt: string | null, likeCount: number, viewerHasLiked: boolean, author: { handle: string | null }, root: { id: string } | null, participants: Array<{ handle: string | null }>, mentions: Array<{ handle: string | null }>, stampCounts: Array<{ count: number, viewerHasStamped: boolean, stamp: { key: string } }> };

export type WholeRoomQueryVariables = Exact<{
  roomId: string;
  after?: string | null | undefined;
}>;


export type WholeRoomQuery = { room: { eventsCursor: string | null, name: string, memberCount: number, viewerMembership: { user: { handle: string | null } } | null, members: { edges: Array<{ node: { role: Role, user: { handle: string | null } } }> }, messages: { edges: Array<{ node: { id: string, version: number, body: string | null, editedAt: string | null, deletedAt: string | null, position: number | null, replyCount: number, lastReplyAt: string | null, likeCount: number, viewerHasLiked: boolean, replies: { edges: Array<{ node: { id: string, version: number, body: string | null, editedAt: string | null, deletedAt: string | null, position: number | null, replyCount: number, lastReplyAt: string | null, likeCount: number, viewerHasLiked: boolean, author: { handle: string | null }, root: { id: string } | null, participants: Array<{ handle: string | null }>, mentions: Array<{ handle: string | null }>, stampCounts: Array<{ count: number, viewerHasStamped: boolean, stamp: { key: string } }> } }> }, author: { handle: string | null }, root: { id: string } | null, participants: Array<{ handle: string | null }>, mentions: Array<{ handle: string | null }>, stampCounts: Array<{ count: number, viewerHasStamped: boolean, stamp: { key: string } }> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type WholeEventsSubscriptionVariables = Exact<{
  roomId: string;
  after?: string | null | undefined;
}>;


export type WholeEventsSubscription = { roomEvents:
    | { __typename: 'MembershipChanged', cursor: string, user: { handle: string | null }, membership: { role: Role } | null, room: { name: string, memberCount: number } }
    | { __typename: 'MessageAdded', cursor: string, message: { id: string, version: number, body: string | null, editedAt: string | null, deletedAt: string | null, position: number | null, replyCount: number, lastReplyAt: string | null, likeCount: number, viewerHasLiked: boolean, author: { handle: string | null }, root: { id: string } | null, participants: Array<{ handle: string | null }>, mentions: Array<{ handle: string | null }>, stampCounts: Array<{ count: number, viewerHasStamped: boolean, stamp: { key: string } }> }, room: { name: string, memberCount: number } }
    | { __typename: 'MessageChanged', cursor: string, message: { id: string, version: number, body: string | null, editedAt: string | null, deletedAt: string | null, position: number | null, replyCount: number, lastReplyAt: string | null, likeCount: number, viewerHasLiked: boolean, author: { handle: string | null }, root: { id: string } | null, participants: Array<{ handle: string | null }>, mentions: Array<{ handle: string | null }>, stampCounts: Array<{ count: number, viewerHasStamped: boolean, stamp: { key: string } }> }, cause: { kind: MessageChangeKind, actor: { handle: string | null }, stamp: { key: string } | null } | null, room: { name: string, memberCount: number } }
    | { __typename: 'ResyncRequired', cursor: string, room: { name: string, memberCount: number } }
    | { __typename: 'RoomChanged', cursor: string, room: { name: string, memberCount: number } }
    | { __typename: 'Synced', cursor: string, room: { name: string, memberCount: number } }
    | { __typename: 'TypingChanged', cursor: string, room: { name: string, memberCount: number } }
   };

export type RoomEventsSubscriptionVariables = Exact<{
  roomId: string;
  after?: string | null | undefined;
}>;


export type RoomEventsSubscription = { roomEvents:
    | { __typename: 'MembershipChanged', cursor: string, user: { handle: string | null }, membership: { role: Role } | null, room: { id: string, name: string, memberCount: number, capacity: number | null } }
    | { __typename: 'MessageAdded', cursor: string, message: { id: string, body: string | null, version: number, position: number | null, deletedAt: string | null, root: { id: string } | null }, room: { id: string, name: string, memberCount: number, capacity: number | null } }
    | { __typename: 'MessageChanged', cursor: string, message: { id: string, body: string | null, version: number, position: number | null, deletedAt: string | null, replyCount: number }, room: { id: string, name: string, memberCount: number, capacity: number | null } }
    | { __typename: 'ResyncRequired', cursor: string, room: { id: string, name: string, memberCount: number, capacity: number | null } }
    | { __typename: 'RoomChanged', cursor: string, room: { id: string, name: string, memberCount: number, capacity: number | null } }
    | { __typename: 'Synced', cursor: string, room: { id: string, name: string, memberCount: number, capacity: number | null } }
    | { __typename: 'TypingChanged', cursor: string, users: Array<{ handle: string | null }>, room: { id: string, name: string, memberCount: number, capacity: number | null } }
   };

export type MembershipEventsSubscriptionVariables = Exact<{
  roomId: string;
  after?: string | null | undefined;
}>;


export type MembershipEventsSubscription = { roomEvents:
    | { __typename: 'MembershipChanged', user: { handle: string | null }, membership: { muted: boolean | null, unreadCount: number | null } | null }
    | { __typename: 'MessageAdded' }
    | { __typename: 'MessageChanged' }
    | { __typename: 'ResyncRequired' }
    | { __typename: 'RoomChanged' }
    | { __typename: 'Synced' }
    | { __typename: 'TypingChanged' }
   };

export type EventsCursorQueryVariables = Exact<{
  roomId: string;
}>;


export type EventsCursorQuery = { room: { eventsCursor: string | null, messages: { edges: Array<{ node: { id: string, body: string | null, version: number, position: number | null, deletedAt: string | null, replyCount: number } }> } } | null };

export type CursorOnlyQueryVariables = Exact<{
  roomId: string;
}>;


export type CursorOnlyQuery = { room: { id: string, eventsCursor: string | null } | null };

export type SetTypingMutationVariables = Exact<{
  roomId: string;
  typing: boolean;
}>;


export type SetTypingMutation = { setTyping: { room: { id: string } } | null };

export type OpenedRoomSubscriptionVariables = Exact<{
  roomId: string;
}>;


export type OpenedRoomSubscription = { roomEvents:
    | { __typename: 'MembershipChanged', cursor: string, room: { name: string, viewerMembership: { role: Role, user: { handle: string | null } } | null } }
    | { __typename: 'MessageAdded', cursor: string, room: { name: string, viewerMembership: { role: Role, user: { handle: string | null } } | null } }
    | { __typename: 'MessageChanged', cursor: string, room: { name: string, viewerMembership: { role: Role, user: { handle: string | null } } | null } }
    | { __typename: 'ResyncRequired', cursor: string, room: { name: string, viewerMembership: { role: Role, user: { handle: string | null } } | null } }
    | { __typename: 'RoomChanged', cursor: string, room: { name: string, viewerMembership: { role: Role, user: { handle: string | null } } | null } }
    | { __typename: 'Synced', cursor: string, room: { name: string, viewerMembership: { role: Role, user: { handle: string | null } } | null } }
    | { __typename: 'TypingChanged', cursor: string, room: { name: string, viewerMembership: { role: Role, user: { handle: string | null } } | null } }
   };

export type ArrangeMutationVariables = Exact<{
  input: ArrangeRoomInput;
}>;


export type ArrangeMutation = { arrangeRoom: { membership: { id: string, section: string | null, starred: boolean | null } } | null };

export type ArrangementQueryVariables = Exact<{
  roomId: string;
}>;


export type ArrangementQuery = { viewer: { memberships: { edges: Array<{ node: { section: string | null, starred: boolean | null, room: { id: string } } }> } }, room: { viewerMembership: { section: string | null, starred: boolean | null } | null, members: { edges: Array<{ node: { section: string | null, starred: boolean | null, user: { id: string } } }> } } | null };

export type WaitWithInviteMutationVariables = Exact<{
  code: string;
}>;


export type WaitWithInviteMutation = { joinWithInvite: { membership: { id: string } | null, room: { id: string, name: string, topic: string | null, visibility: RoomVisibility, capacity: number | null, memberCount: number, waitingCount: number, waitlistPosition: number | null, viewerMembership: { id: string } | null } } | null };

export type WaitsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type WaitsQuery = { viewer: { waitlists: { edges: Array<{ cursor: string, position: number, since: string, node: { id: string, name: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } };

export type SeenRoomQueryVariables = Exact<{
  id: string;
}>;


export type SeenRoomQuery = { room: { name: string, topic: string | null, memberCount: number, waitlistPosition: number | null } | null };

export type BansQueryVariables = Exact<{
  roomId: string;
}>;


export type BansQuery = { room: { bans: { edges: Array<{ node: { createdAt: string, user: { id: string }, bannedBy: { id: string } } }> } } | null };

export type CreateInviteMutationVariables = Exact<{
  input: CreateInviteInput;
}>;


export type CreateInviteMutation = { createInvite: { code: string, invite: { id: string, createdAt: string, expiresAt: string, maxUses: number | null, uses: number, room: { id: string }, createdBy: { handle: string | null } } } | null };

export type JoinWithInviteMutationVariables = Exact<{
  code: string;
}>;


export type JoinWithInviteMutation = { joinWithInvite: { membership: { id: string, role: Role, room: { id: string, name: string } } | null } | null };

export type RevokeInviteMutationVariables = Exact<{
  inviteId: string;
}>;


export type RevokeInviteMutation = { revokeInvite: { deletedInviteId: string, room: { id: string } } | null };

export type InvitesQueryVariables = Exact<{
  roomId: string;
}>;


export type InvitesQuery = { room: { invites: { edges: Array<{ node: { id: string, uses: number, maxUses: number | null } }> } } | null };

export type OpenDirectRoomMutationVariables = Exact<{
  userIds: Array<string> | string;
}>;


export type OpenDirectRoomMutation = { openDirectRoom: { room: { id: string, name: string, visibility: RoomVisibility, memberCount: number, capacity: number | null, viewerMembership: { role: Role } | null } } | null };

export type PeopleOfQueryVariables = Exact<{
  id: string;
}>;


export type PeopleOfQuery = { room: { people: Array<{ handle: string | null }> | null } | null };

export type JoinOrWaitMutationVariables = Exact<{
  roomId: string;
}>;


export type JoinOrWaitMutation = { joinRoom: { membership: { id: string, role: Role } | null, room: { memberCount: number, waitingCount: number, waitlistPosition: number | null } } | null };

export type WaitlistQueryVariables = Exact<{
  id: string;
}>;


export type WaitlistQuery = { room: { memberCount: number, capacity: number | null, waitingCount: number, waitlistPosition: number | null, viewerMembership: { role: Role } | null } | null };

export type OwnRoomsQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnRoomsQuery = { viewer: { memberships: { edges: Array<{ node: { room: { id: string } } }> } } };

export type NotificationRoomsQueryVariables = Exact<{ [key: string]: never; }>;


export type NotificationRoomsQuery = { viewer: { notifications: { edges: Array<{ node: { id: string, kind: NotificationKind, text: string, actorCount: number, readAt: string | null, actors: Array<{ handle: string | null }>, room: { id: string, name: string } | null, message: { id: string } | null } }> } } };

export type OwnIdOfSaverQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnIdOfSaverQuery = { viewer: { id: string } };

export type SaveMessageMutationVariables = Exact<{
  input: SaveMessageInput;
}>;


export type SaveMessageMutation = { saveMessage: { savedMessage: { id: string, visibility: SavedVisibility, note: string | null, tags: Array<string>, remindAt: string | null, version: number | null, savedAt: string, savedBy: { id: string }, message: { id: string, body: string | null } | null } } | null };

export type RemoveSavedMessageMutationVariables = Exact<{
  input: RemoveSavedMessageInput;
}>;


export type RemoveSavedMessageMutation = { removeSavedMessage: { removed: { id: string, visibility: SavedVisibility, note: string | null, tags: Array<string>, remindAt: string | null } | null, message: { id: string } | null } | null };

export type SavedMessagesQueryVariables = Exact<{
  visibility?: SavedVisibility | null | undefined;
  tags?: Array<string> | string | null | undefined;
  tagIds?: Array<string> | string | null | undefined;
  untagged?: boolean | null | undefined;
  orderBy?: SavedOrder | null | undefined;
  from?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type SavedMessagesQuery = { viewer: { savedMessages: { edges: Array<{ cursor: string, node: { id: string, visibility: SavedVisibility, note: string | null, tags: Array<string>, version: number | null, savedAt: string, message: { id: string, body: string | null } | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } };

export type SavedCountsQueryVariables = Exact<{ [key: string]: never; }>;


export type SavedCountsQuery = { viewer: { savedCounts: { total: number, public: number, private: number, untagged: number } } };

export type SavedMarksQueryVariables = Exact<{
  roomId: string;
}>;


export type SavedMarksQuery = { room: { messages: { edges: Array<{ node: { id: string, viewerHasLiked: boolean, viewerSaved: { id: string, tags: Array<string>, visibility: SavedVisibility } | null } }> } } | null };

export type SavedNodeQueryVariables = Exact<{
  id: string;
}>;


export type SavedNodeQuery = { node:
    | { id: string, version: number | null, visibility: SavedVisibility, note: string | null, tags: Array<string>, remindAt: string | null, savedBy: { id: string }, message: { id: string } | null }
    | Record<PropertyKey, never>
   | null };

export type SnoozeReminderMutationVariables = Exact<{
  id: string;
  remindAt: string;
}>;


export type SnoozeReminderMutation = { snoozeReminder: { savedMessage: { id: string, remindAt: string | null, version: number | null } } | null };

export type RemindersQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type RemindersQuery = { viewer: { reminders: { edges: Array<{ node: { id: string, remindAt: string | null, tags: Array<string>, message: { id: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } };

export type SavedTagsQueryVariables = Exact<{
  prefix?: string | null | undefined;
  orderBy?: SavedTagOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type SavedTagsQuery = { viewer: { savedTags: { edges: Array<{ cursor: string, node: { id: string, name: string, count: number, publicCount: number } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } };

export type SavedTagNodeQueryVariables = Exact<{
  id: string;
}>;


export type SavedTagNodeQuery = { node:
    | { id: string, name: string, count: number, publicCount: number }
    | Record<PropertyKey, never>
   | null };

export type SavedChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type SavedChangedSubscription = { savedChanged: { removedId: string | null, version: number, savedMessage: { id: string, note: string | null, tags: Array<string>, version: number | null, visibility: SavedVisibility, message: { id: string, body: string | null } | null } | null, counts: { total: number, public: number, private: number, untagged: number } } };

export type RenameSavedTagMutationVariables = Exact<{
  input: RenameSavedTagInput;
}>;


export type RenameSavedTagMutation = { renameSavedTag: { tag: { id: string, name: string, count: number, publicCount: number }, job: { id: string, kind: JobKind, state: JobState, text: string } | null } | null };

export type MergeSavedTagsMutationVariables = Exact<{
  input: MergeSavedTagsInput;
}>;


export type MergeSavedTagsMutation = { mergeSavedTags: { job: { id: string, kind: JobKind, state: JobState, done: number, total: number | null, text: string, failure: ErrorCode | null, finishedAt: string | null } } | null };

export type DeleteSavedTagMutationVariables = Exact<{
  input: DeleteSavedTagInput;
}>;


export type DeleteSavedTagMutation = { deleteSavedTag: { job: { id: string, kind: JobKind, state: JobState, done: number, total: number | null, text: string } } | null };

export type SetVisibilityOfTaggedMutationVariables = Exact<{
  input: SetVisibilityOfTaggedInput;
}>;


export type SetVisibilityOfTaggedMutation = { setVisibilityOfTagged: { job: { id: string, kind: JobKind, state: JobState, done: number, total: number | null, text: string } } | null };

export type CancelJobMutationVariables = Exact<{
  input: CancelJobInput;
}>;


export type CancelJobMutation = { cancelJob: { job: { id: string, state: JobState } } | null };

export type JobsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type JobsQuery = { viewer: { jobs: { edges: Array<{ node: { id: string, kind: JobKind, state: JobState, done: number, total: number | null, remainingSeconds: number | null, failure: ErrorCode | null, failureReason: ConflictReason | null, createdAt: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } };

export type JobChangedSubscriptionVariables = Exact<{
  jobId: string;
}>;


export type JobChangedSubscription = { jobChanged: { id: string, state: JobState, done: number, total: number | null } };

export type JobNodeQueryVariables = Exact<{
  id: string;
}>;


export type JobNodeQuery = { node:
    | { id: string, state: JobState, done: number }
    | Record<PropertyKey, never>
   | null };

export type PublicSavedQueryVariables = Exact<{
  id: string;
  tag?: string | null | undefined;
  orderBy?: SavedOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type PublicSavedQuery = { node:
    | { savedMessages: { edges: Array<{ cursor: string, node: { id: string, note: string | null, tags: Array<string>, visibility: SavedVisibility, remindAt: string | null, version: number | null, savedBy: { id: string }, message: { id: string, body: string | null } | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } }
    | Record<PropertyKey, never>
   | null };

export type PublicSavedTagsQueryVariables = Exact<{
  id: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type PublicSavedTagsQuery = { node:
    | { savedTags: { edges: Array<{ cursor: string, node: { name: string, count: number } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } }
    | Record<PropertyKey, never>
   | null };

export type PublicSavesQueryVariables = Exact<{
  id: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type PublicSavesQuery = { node:
    | { version: number, publicSaveCount: number, publicSaves: { edges: Array<{ cursor: string, node: { id: string, note: string | null, tags: Array<string>, remindAt: string | null, version: number | null, savedBy: { id: string } } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } }
    | Record<PropertyKey, never>
   | null };

export type ScheduleMutationVariables = Exact<{
  input: ScheduleMessageInput;
}>;


export type ScheduleMutation = { scheduleMessage: { scheduledMessage: { id: string, body: string, sendAt: string, failure: ErrorCode | null, failureReason: ConflictReason | null, version: number, room: { id: string } | null, replyTo: { id: string } | null } } | null };

export type UpdateScheduledMutationVariables = Exact<{
  input: UpdateScheduledMessageInput;
}>;


export type UpdateScheduledMutation = { updateScheduledMessage: { scheduledMessage: { id: string, body: string, sendAt: string, failure: ErrorCode | null, version: number } } | null };

export type CancelScheduledMutationVariables = Exact<{
  id: string;
}>;


export type CancelScheduledMutation = { cancelScheduledMessage: { cancelled: { id: string, body: string } | null } | null };

export type ScheduledMessagesQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ScheduledMessagesQuery = { viewer: { scheduledMessages: { edges: Array<{ cursor: string, node: { id: string, body: string, sendAt: string, failure: ErrorCode | null, failureReason: ConflictReason | null, version: number, room: { id: string } | null, replyTo: { id: string } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } };

export type ScheduledNodeQueryVariables = Exact<{
  id: string;
}>;


export type ScheduledNodeQuery = { node:
    | { id: string, body: string }
    | Record<PropertyKey, never>
   | null };

export type SentToQueryVariables = Exact<{
  roomId: string;
}>;


export type SentToQuery = { room: { messages: { edges: Array<{ node: { id: string, body: string | null, idempotencyKey: string | null, replyCount: number, author: { id: string }, mentions: Array<{ id: string }>, replies: { edges: Array<{ node: { body: string | null } }> } } }> } } | null };

export type CostScheduledQueryVariables = Exact<{ [key: string]: never; }>;


export type CostScheduledQuery = { viewer: { scheduledMessages: { edges: Array<{ node: { id: string, sendAt: string, body: string } }> } } };

export type CostScheduleMutationVariables = Exact<{
  input: ScheduleMessageInput;
}>;


export type CostScheduleMutation = { scheduleMessage: { scheduledMessage: { id: string } } | null };

export type CreateRoomMutationVariables = Exact<{
  input: CreateRoomInput;
}>;


export type CreateRoomMutation = { createRoom: { room: { id: string, name: string, topic: string | null, visibility: RoomVisibility, capacity: number | null, memberCount: number, viewerMembership: { id: string, role: Role } | null } } | null };

export type JoinRoomMutationVariables = Exact<{
  roomId: string;
}>;


export type JoinRoomMutation = { joinRoom: { membership: { id: string, role: Role, unreadCount: number | null, user: { id: string, handle: string | null } } | null } | null };

export type LeaveRoomMutationVariables = Exact<{
  roomId: string;
}>;


export type LeaveRoomMutation = { leaveRoom: { deletedMembershipId: string, room: { id: string, memberCount: number } | null } | null };

export type UpdateRoomMutationVariables = Exact<{
  input: UpdateRoomInput;
}>;


export type UpdateRoomMutation = { updateRoom: { room: { id: string, name: string, topic: string | null, capacity: number | null, memberCount: number } } | null };

export type AddMemberMutationVariables = Exact<{
  roomId: string;
  userId: string;
}>;


export type AddMemberMutation = { addMember: { membership: { id: string, role: Role, muted: boolean | null, user: { id: string } } } | null };

export type RemoveMemberMutationVariables = Exact<{
  roomId: string;
  userId: string;
}>;


export type RemoveMemberMutation = { removeMember: { deletedMembershipId: string, room: { id: string, memberCount: number } } | null };

export type SetMemberRoleMutationVariables = Exact<{
  roomId: string;
  userId: string;
  role: Role;
}>;


export type SetMemberRoleMutation = { setMemberRole: { membership: { id: string, role: Role, muted: boolean | null } } | null };

export type BanMemberMutationVariables = Exact<{
  roomId: string;
  userId: string;
}>;


export type BanMemberMutation = { banMember: { deletedMembershipId: string | null, room: { id: string, memberCount: number }, user: { id: string } } | null };

export type UnbanMemberMutationVariables = Exact<{
  roomId: string;
  userId: string;
}>;


export type UnbanMemberMutation = { unbanMember: { room: { id: string }, user: { id: string } } | null };

export type SendMessageMutationVariables = Exact<{
  input: SendMessageInput;
}>;


export type SendMessageMutation = { sendMessage: { message: { id: string, body: string | null, createdAt: string, version: number, position: number | null, replyCount: number, author: { id: string, handle: string | null }, root: { id: string } | null } } | null };

export type MarkRoomReadMutationVariables = Exact<{
  input: MarkRoomReadInput;
}>;


export type MarkRoomReadMutation = { markRoomRead: { membership: { id: string, unreadCount: number | null } } | null };

export type TimelineQueryVariables = Exact<{
  roomId: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type TimelineQuery = { room: { id: string, messages: { edges: Array<{ cursor: string, node: { id: string, body: string | null, position: number | null, version: number, replyCount: number, author: { handle: string | null } } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type ThreadQueryVariables = Exact<{
  id: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ThreadQuery = { node:
    | { id: string, replyCount: number, lastReplyAt: string | null, participants: Array<{ handle: string | null }>, replies: { edges: Array<{ cursor: string, node: { id: string, body: string | null, createdAt: string, root: { id: string } | null, author: { handle: string | null } } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } }
    | Record<PropertyKey, never>
   | null };

export type UnreadNowQueryVariables = Exact<{ [key: string]: never; }>;


export type UnreadNowQuery = { viewer: { id: string, unread: { total: number, notifications: number, rooms: Array<{ unreadCount: number, room: { id: string, name: string } }> } } };

export type UnreadLiveSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type UnreadLiveSubscription = { unread: { total: number, notifications: number, removedRoomIds: Array<string>, rooms: Array<{ unreadCount: number, readPosition: number, room: { id: string, name: string }, membership: { role: Role } }> } };

export type DirectoryQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type DirectoryQuery = { rooms: { edges: Array<{ cursor: string, node: { id: string, name: string, topic: string | null, visibility: RoomVisibility, memberCount: number, capacity: number | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } };

export type RoomByIdQueryVariables = Exact<{
  id: string;
}>;


export type RoomByIdQuery = { room: { id: string, name: string, topic: string | null, visibility: RoomVisibility, memberCount: number, capacity: number | null, viewerMembership: { id: string, role: Role, unreadCount: number | null } | null } | null };

export type MembersQueryVariables = Exact<{
  roomId: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type MembersQuery = { room: { members: { edges: Array<{ cursor: string, node: { id: string, role: Role, unreadCount: number | null, muted: boolean | null, user: { handle: string | null } } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type NodeByIdQueryVariables = Exact<{
  id: string;
}>;


export type NodeByIdQuery = { node:
    | { __typename: 'Delivery', id: string }
    | { __typename: 'Invite', id: string }
    | { __typename: 'Job', id: string }
    | { __typename: 'Membership', id: string }
    | { __typename: 'Message', id: string }
    | { __typename: 'MessageStamp', id: string }
    | { __typename: 'Notification', id: string }
    | { __typename: 'PushSubscription', id: string }
    | { __typename: 'Room', id: string }
    | { __typename: 'SavedMessage', id: string }
    | { __typename: 'SavedTag', id: string }
    | { __typename: 'ScheduledMessage', id: string }
    | { __typename: 'Stamp', id: string }
    | { __typename: 'User', id: string }
    | { __typename: 'Viewer', id: string }
   | null };

export type NodesByIdQueryVariables = Exact<{
  ids: Array<string> | string;
}>;


export type NodesByIdQuery = { nodes: Array<
    | { __typename: 'Delivery', id: string }
    | { __typename: 'Invite', id: string }
    | { __typename: 'Job', id: string }
    | { __typename: 'Membership', id: string }
    | { __typename: 'Message', id: string }
    | { __typename: 'MessageStamp', id: string }
    | { __typename: 'Notification', id: string }
    | { __typename: 'PushSubscription', id: string }
    | { __typename: 'Room', id: string }
    | { __typename: 'SavedMessage', id: string }
    | { __typename: 'SavedTag', id: string }
    | { __typename: 'ScheduledMessage', id: string }
    | { __typename: 'Stamp', id: string }
    | { __typename: 'User', id: string }
    | { __typename: 'Viewer', id: string }
   | null> };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { viewer: { id: string, locale: string, user: { id: string, handle: string | null, displayName: string, avatarUrl: string | null } } };

export type MembershipsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type MembershipsQuery = { viewer: { memberships: { edges: Array<{ cursor: string, node: { id: string, role: Role, room: { id: string } } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } };

export type UserByHandleQueryVariables = Exact<{
  handle: string;
}>;


export type UserByHandleQuery = { user: { id: string, handle: string | null, displayName: string, avatarUrl: string | null } | null };

export type UpdateProfileMutationVariables = Exact<{
  input: UpdateProfileInput;
}>;


export type UpdateProfileMutation = { updateProfile: { user: { id: string, handle: string | null, displayName: string, avatarUrl: string | null } } | null };

export type RoomThreadsQueryVariables = Exact<{
  roomId: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  replies?: number | null | undefined;
}>;


export type RoomThreadsQuery = { room: { threads: { pageInfo: { hasPreviousPage: boolean, hasNextPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ node: { hasMoreReplies: boolean, root: { id: string, body: string | null, replyCount: number }, replies: Array<{ id: string, body: string | null }>, stamps: Array<{ stamp: { key: string }, message: { body: string | null } }> } }> } } | null };

export type UnreadEverywhereQueryVariables = Exact<{ [key: string]: never; }>;


export type UnreadEverywhereQuery = { viewer: { unread: { total: number, rooms: Array<{ unreadCount: number }> } } };

export type RoomsInOrderQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  orderBy?: MembershipOrder | null | undefined;
  unreadOnly?: boolean | null | undefined;
}>;


export type RoomsInOrderQuery = { viewer: { memberships: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { room: { name: string, lastActivityAt: string, lastMessage: { id: string, body: string | null, createdAt: string, deletedAt: string | null } | null } } }> } } };

export type LastOutsideQueryVariables = Exact<{
  id: string;
}>;


export type LastOutsideQuery = { room: { name: string, lastMessage: { id: string } | null } | null };

export type ActivityOutsideQueryVariables = Exact<{
  id: string;
}>;


export type ActivityOutsideQuery = { room: { lastActivityAt: string } | null };

export type MuteInOrderMutationVariables = Exact<{
  roomId: string;
}>;


export type MuteInOrderMutation = { muteRoom: { membership: { id: string } } | null };

export type MarkAllRoomsReadMutationVariables = Exact<{ [key: string]: never; }>;


export type MarkAllRoomsReadMutation = { markAllRoomsRead: { unread: { total: number, rooms: Array<{ unreadCount: number }> } } | null };

export type MarkRoomUnreadMutationVariables = Exact<{
  messageId: string;
}>;


export type MarkRoomUnreadMutation = { markRoomUnread: { membership: { unreadCount: number | null } } | null };

export type MuteRoomMutationVariables = Exact<{
  roomId: string;
  muted: boolean;
}>;


export type MuteRoomMutation = { muteRoom: { membership: { muted: boolean | null, unreadCount: number | null } } | null };

export type ExplainUnreadQueryVariables = Exact<{
  roomId: string;
}>;


export type ExplainUnreadQuery = { room: { explainUnread: Array<{ id: string, position: number | null, body: string | null }>, viewerMembership: { unreadCount: number | null } | null } | null };

export type BlockSearchedMutationVariables = Exact<{
  userId: string;
}>;


export type BlockSearchedMutation = { blockUser: { user: { id: string } } | null };

export type BlockUserMutationVariables = Exact<{
  input: BlockUserInput;
}>;


export type BlockUserMutation = { blockUser: { user: { id: string, handle: string | null } } | null };

export type UnblockUserMutationVariables = Exact<{
  input: BlockUserInput;
}>;


export type UnblockUserMutation = { unblockUser: { user: { id: string, handle: string | null } } | null };

export type BlockedUsersQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type BlockedUsersQuery = { viewer: { blockedUsers: { edges: Array<{ node: { id: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } };

export type MentionsOfMutationVariables = Exact<{
  input: SendMessageInput;
}>;


export type MentionsOfMutation = { sendMessage: { message: { id: string, body: string | null, mentions: Array<{ handle: string | null }> } } | null };

export type SearchUsersQueryVariables = Exact<{
  prefix: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type SearchUsersQuery = { searchUsers: { edges: Array<{ cursor: string, node: { id: string, handle: string | null } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } };

export type SearchMembersQueryVariables = Exact<{
  roomId: string;
  prefix: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type SearchMembersQuery = { room: { searchMembers: { edges: Array<{ cursor: string, node: { id: string, role: Role, unreadCount: number | null, user: { handle: string | null } } }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } } | null };

export type SetZoneMutationVariables = Exact<{
  timeZone?: string | null | undefined;
}>;


export type SetZoneMutation = { updateProfile: { user: { id: string, timeZone: string | null } } | null };

export type ZoneOfQueryVariables = Exact<{
  handle: string;
}>;


export type ZoneOfQuery = { user: { timeZone: string | null } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, unknown> | undefined;

  constructor(value: string, __meta__?: Record<string, unknown> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const PageUserFragmentDoc = new TypedDocumentString(`
    fragment PageUser on User {
  id
  handle
  displayName
  avatarUrl
}
    `, {"fragmentName":"PageUser"}) as unknown as TypedDocumentString<PageUserFragment, unknown>;
export const PageMessageFragmentDoc = new TypedDocumentString(`
    fragment PageMessage on Message {
  id
  version
  position
  body
  createdAt
  editedAt
  deletedAt
  url
  idempotencyKey
  replyCount
  lastReplyAt
  likeCount
  viewerHasLiked
  root {
    id
  }
  inReplyTo {
    id
  }
  author {
    ...PageUser
  }
  participants {
    ...PageUser
  }
  mentions {
    ...PageUser
  }
  stampCounts {
    count
    viewerHasStamped
    stamp {
      key
      label
      imageUrl
    }
  }
  replies(last: 5) {
    edges {
      node {
        id
        body
        viewerHasLiked
        author {
          ...PageUser
        }
      }
    }
  }
}
    fragment PageUser on User {
  id
  handle
  displayName
  avatarUrl
}`, {"fragmentName":"PageMessage"}) as unknown as TypedDocumentString<PageMessageFragment, unknown>;
export const WholeMessageFragmentDoc = new TypedDocumentString(`
    fragment WholeMessage on Message {
  id
  version
  body
  editedAt
  deletedAt
  position
  replyCount
  lastReplyAt
  author {
    handle
  }
  root {
    id
  }
  participants {
    handle
  }
  mentions {
    handle
  }
  likeCount
  viewerHasLiked
  stampCounts {
    count
    viewerHasStamped
    stamp {
      key
    }
  }
}
    `, {"fragmentName":"WholeMessage"}) as unknown as TypedDocumentString<WholeMessageFragment, unknown>;
export const DeleteAccountDocument = new TypedDocumentString(`
    mutation DeleteAccount($input: DeleteAccountInput!) {
  deleteAccount(input: $input) {
    deletedUserId
  }
}
    `) as unknown as TypedDocumentString<DeleteAccountMutation, DeleteAccountMutationVariables>;
export const ProfileOfDocument = new TypedDocumentString(`
    query ProfileOf($id: ID!) {
  node(id: $id) {
    ... on User {
      id
      handle
      displayName
      avatarUrl
      isFormer
    }
  }
}
    `) as unknown as TypedDocumentString<ProfileOfQuery, ProfileOfQueryVariables>;
export const AuthorsOfDocument = new TypedDocumentString(`
    query AuthorsOf($roomId: ID!) {
  room(id: $roomId) {
    memberCount
    messages(last: 10) {
      edges {
        node {
          body
          likeCount
          author {
            id
            isFormer
            displayName
          }
        }
      }
    }
    members(first: 10) {
      edges {
        node {
          role
          user {
            id
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AuthorsOfQuery, AuthorsOfQueryVariables>;
export const BellTextsDocument = new TypedDocumentString(`
    query BellTexts {
  viewer {
    notifications(first: 10) {
      edges {
        node {
          kind
          text
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<BellTextsQuery, BellTextsQueryVariables>;
export const ExemplarEventsDocument = new TypedDocumentString(`
    subscription ExemplarEvents($roomId: ID!) {
  roomEvents(roomId: $roomId) {
    __typename
    ... on MessageAdded {
      message {
        body
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ExemplarEventsSubscription, ExemplarEventsSubscriptionVariables>;
export const LateEventsDocument = new TypedDocumentString(`
    subscription LateEvents($roomId: ID!) {
  roomEvents(roomId: $roomId) {
    __typename
    ... on MessageAdded {
      message {
        body
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LateEventsSubscription, LateEventsSubscriptionVariables>;
export const MetricsEventsDocument = new TypedDocumentString(`
    subscription MetricsEvents($roomId: ID!) {
  roomEvents(roomId: $roomId) {
    __typename
    ... on MessageAdded {
      message {
        body
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MetricsEventsSubscription, MetricsEventsSubscriptionVariables>;
export const TracedEventsDocument = new TypedDocumentString(`
    subscription TracedEvents($roomId: ID!) {
  roomEvents(roomId: $roomId) {
    __typename
    ... on MessageAdded {
      message {
        body
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TracedEventsSubscription, TracedEventsSubscriptionVariables>;
export const DecidedDeliveriesDocument = new TypedDocumentString(`
    query DecidedDeliveries {
  viewer {
    id
    deliveries(first: 50) {
      edges {
        node {
          id
          kinds
          outcome
          decidedAt
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<DecidedDeliveriesQuery, DecidedDeliveriesQueryVariables>;
export const WaitForRepliesDocument = new TypedDocumentString(`
    mutation WaitForReplies($seconds: Int!) {
  updateDeliverySettings(input: {kinds: [{kind: REPLY, delaySeconds: $seconds}]}) {
    settings {
      hideText
    }
  }
}
    `) as unknown as TypedDocumentString<WaitForRepliesMutation, WaitForRepliesMutationVariables>;
export const DeliverySettingsDocument = new TypedDocumentString(`
    query DeliverySettings {
  viewer {
    deliverySettings {
      kinds {
        kind
        mode
        delaySeconds
        windowSeconds
        channels
      }
      quietHours {
        from
        to
        timeZone
        days
      }
      pausedUntil
      hideText
    }
  }
}
    `) as unknown as TypedDocumentString<DeliverySettingsQuery, DeliverySettingsQueryVariables>;
export const UpdateDeliverySettingsDocument = new TypedDocumentString(`
    mutation UpdateDeliverySettings($input: UpdateDeliverySettingsInput!) {
  updateDeliverySettings(input: $input) {
    settings {
      kinds {
        kind
        mode
        delaySeconds
        windowSeconds
        channels
      }
      quietHours {
        from
        to
        timeZone
        days
      }
      hideText
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateDeliverySettingsMutation, UpdateDeliverySettingsMutationVariables>;
export const PauseDeliveriesDocument = new TypedDocumentString(`
    mutation PauseDeliveries($until: DateTime) {
  pauseDeliveries(input: {until: $until}) {
    settings {
      pausedUntil
    }
  }
}
    `) as unknown as TypedDocumentString<PauseDeliveriesMutation, PauseDeliveriesMutationVariables>;
export const SetRoomDeliveryDocument = new TypedDocumentString(`
    mutation SetRoomDelivery($input: SetRoomDeliveryInput!) {
  setRoomDelivery(input: $input) {
    membership {
      delivery
      muted
    }
  }
}
    `) as unknown as TypedDocumentString<SetRoomDeliveryMutation, SetRoomDeliveryMutationVariables>;
export const DeliveryRoomDocument = new TypedDocumentString(`
    mutation DeliveryRoom {
  createRoom(input: {name: "Lunch", visibility: PUBLIC}) {
    room {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<DeliveryRoomMutation, DeliveryRoomMutationVariables>;
export const EmailSettingsDocument = new TypedDocumentString(`
    query EmailSettings {
  viewer {
    deliverySettings {
      emailDigest
      email
      emailRefusedAt
      sendsEmail
    }
  }
}
    `) as unknown as TypedDocumentString<EmailSettingsQuery, EmailSettingsQueryVariables>;
export const ChooseDigestDocument = new TypedDocumentString(`
    mutation ChooseDigest($emailDigest: EmailDigest, $hideText: Boolean) {
  updateDeliverySettings(input: {emailDigest: $emailDigest, hideText: $hideText}) {
    settings {
      emailDigest
      email
    }
  }
}
    `) as unknown as TypedDocumentString<ChooseDigestMutation, ChooseDigestMutationVariables>;
export const EmailAttemptsDocument = new TypedDocumentString(`
    query EmailAttempts {
  viewer {
    deliveries(first: 5) {
      edges {
        node {
          kinds
          outcome
          attempts {
            channel
            outcome
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EmailAttemptsQuery, EmailAttemptsQueryVariables>;
export const RegisterPushDocument = new TypedDocumentString(`
    mutation RegisterPush($input: RegisterPushSubscriptionInput!) {
  registerPushSubscription(input: $input) {
    pushSubscription {
      id
      label
      createdAt
      lastUsedAt
    }
  }
}
    `) as unknown as TypedDocumentString<RegisterPushMutation, RegisterPushMutationVariables>;
export const RemovePushDocument = new TypedDocumentString(`
    mutation RemovePush($id: ID!) {
  removePushSubscription(input: {pushSubscriptionId: $id}) {
    deletedPushSubscriptionId
  }
}
    `) as unknown as TypedDocumentString<RemovePushMutation, RemovePushMutationVariables>;
export const TestDeliveryDocument = new TypedDocumentString(`
    mutation TestDelivery($channel: DeliveryChannel!) {
  testDelivery(input: {channel: $channel}) {
    delivery {
      id
      kinds
      outcome
      attempts {
        channel
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TestDeliveryMutation, TestDeliveryMutationVariables>;
export const PushSubscriptionsDocument = new TypedDocumentString(`
    query PushSubscriptions {
  viewer {
    pushSubscriptions {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<PushSubscriptionsQuery, PushSubscriptionsQueryVariables>;
export const DeliveriesDocument = new TypedDocumentString(`
    query Deliveries {
  viewer {
    deliveries(first: 10) {
      edges {
        node {
          id
          outcome
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<DeliveriesQuery, DeliveriesQueryVariables>;
export const OwnDeliveriesDocument = new TypedDocumentString(`
    query OwnDeliveries {
  webPushPublicKey
  viewer {
    pushSubscriptions {
      id
      label
      lastUsedAt
    }
    deliveries(first: 5) {
      edges {
        node {
          id
          kinds
          rooms {
            id
          }
          text
          outcome
          attempts {
            channel
            outcome
            at
          }
          dueAt
          decidedAt
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OwnDeliveriesQuery, OwnDeliveriesQueryVariables>;
export const CostMeDocument = new TypedDocumentString(`
    query CostMe {
  viewer {
    user {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostMeQuery, CostMeQueryVariables>;
export const CostRenameDocument = new TypedDocumentString(`
    mutation CostRename($input: UpdateProfileInput!) {
  updateProfile(input: $input) {
    user {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostRenameMutation, CostRenameMutationVariables>;
export const CostSignOutDocument = new TypedDocumentString(`
    mutation CostSignOut {
  signOutEverywhere {
    user {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostSignOutMutation, CostSignOutMutationVariables>;
export const CostByHandleDocument = new TypedDocumentString(`
    query CostByHandle($handle: String!) {
  user(handle: $handle) {
    id
  }
}
    `) as unknown as TypedDocumentString<CostByHandleQuery, CostByHandleQueryVariables>;
export const CostSearchMembersDocument = new TypedDocumentString(`
    query CostSearchMembers($roomId: ID!, $prefix: String!) {
  room(id: $roomId) {
    searchMembers(prefix: $prefix, first: 10) {
      edges {
        node {
          user {
            handle
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostSearchMembersQuery, CostSearchMembersQueryVariables>;
export const CostNodeDocument = new TypedDocumentString(`
    query CostNode($id: ID!) {
  node(id: $id) {
    id
  }
}
    `) as unknown as TypedDocumentString<CostNodeQuery, CostNodeQueryVariables>;
export const CostNodesDocument = new TypedDocumentString(`
    query CostNodes($ids: [ID!]!) {
  nodes(ids: $ids) {
    id
  }
}
    `) as unknown as TypedDocumentString<CostNodesQuery, CostNodesQueryVariables>;
export const CostCreateRoomDocument = new TypedDocumentString(`
    mutation CostCreateRoom($input: CreateRoomInput!) {
  createRoom(input: $input) {
    room {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostCreateRoomMutation, CostCreateRoomMutationVariables>;
export const CostJoinDocument = new TypedDocumentString(`
    mutation CostJoin($roomId: ID!) {
  joinRoom(input: {roomId: $roomId}) {
    membership {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostJoinMutation, CostJoinMutationVariables>;
export const CostLeaveDocument = new TypedDocumentString(`
    mutation CostLeave($roomId: ID!) {
  leaveRoom(input: {roomId: $roomId}) {
    deletedMembershipId
  }
}
    `) as unknown as TypedDocumentString<CostLeaveMutation, CostLeaveMutationVariables>;
export const CostDeleteAccountDocument = new TypedDocumentString(`
    mutation CostDeleteAccount($confirm: String!) {
  deleteAccount(input: {confirm: $confirm, eraseMessages: false}) {
    deletedUserId
  }
}
    `) as unknown as TypedDocumentString<CostDeleteAccountMutation, CostDeleteAccountMutationVariables>;
export const CostDeleteRoomDocument = new TypedDocumentString(`
    mutation CostDeleteRoom($roomId: ID!) {
  deleteRoom(input: {roomId: $roomId}) {
    deletedRoomId
  }
}
    `) as unknown as TypedDocumentString<CostDeleteRoomMutation, CostDeleteRoomMutationVariables>;
export const CostUpdateRoomDocument = new TypedDocumentString(`
    mutation CostUpdateRoom($input: UpdateRoomInput!) {
  updateRoom(input: $input) {
    room {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostUpdateRoomMutation, CostUpdateRoomMutationVariables>;
export const CostAddDocument = new TypedDocumentString(`
    mutation CostAdd($roomId: ID!, $userId: ID!) {
  addMember(input: {roomId: $roomId, userId: $userId}) {
    membership {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostAddMutation, CostAddMutationVariables>;
export const CostRoleDocument = new TypedDocumentString(`
    mutation CostRole($roomId: ID!, $userId: ID!, $role: Role!) {
  setMemberRole(input: {roomId: $roomId, userId: $userId, role: $role}) {
    membership {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostRoleMutation, CostRoleMutationVariables>;
export const CostRemoveDocument = new TypedDocumentString(`
    mutation CostRemove($roomId: ID!, $userId: ID!) {
  removeMember(input: {roomId: $roomId, userId: $userId}) {
    deletedMembershipId
  }
}
    `) as unknown as TypedDocumentString<CostRemoveMutation, CostRemoveMutationVariables>;
export const CostBanDocument = new TypedDocumentString(`
    mutation CostBan($roomId: ID!, $userId: ID!) {
  banMember(input: {roomId: $roomId, userId: $userId}) {
    deletedMembershipId
  }
}
    `) as unknown as TypedDocumentString<CostBanMutation, CostBanMutationVariables>;
export const CostUnbanDocument = new TypedDocumentString(`
    mutation CostUnban($roomId: ID!, $userId: ID!) {
  unbanMember(input: {roomId: $roomId, userId: $userId}) {
    room {
      name
    }
  }
}
    `) as unknown as TypedDocumentString<CostUnbanMutation, CostUnbanMutationVariables>;
export const CostWaitDocument = new TypedDocumentString(`
    mutation CostWait($roomId: ID!) {
  joinRoom(input: {roomId: $roomId, waitlist: true}) {
    membership {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostWaitMutation, CostWaitMutationVariables>;
export const CostWaitEdgeDocument = new TypedDocumentString(`
    mutation CostWaitEdge($roomId: ID!) {
  joinRoom(input: {roomId: $roomId, waitlist: true}) {
    waitlistEdge {
      cursor
      since
      node {
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostWaitEdgeMutation, CostWaitEdgeMutationVariables>;
export const CostPositionDocument = new TypedDocumentString(`
    query CostPosition($roomId: ID!) {
  room(id: $roomId) {
    waitlistPosition
  }
}
    `) as unknown as TypedDocumentString<CostPositionQuery, CostPositionQueryVariables>;
export const CostInviteDocument = new TypedDocumentString(`
    mutation CostInvite($roomId: ID!) {
  createInvite(input: {roomId: $roomId}) {
    code
    invite {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostInviteMutation, CostInviteMutationVariables>;
export const CostComeInDocument = new TypedDocumentString(`
    mutation CostComeIn($code: String!) {
  joinWithInvite(input: {code: $code}) {
    membership {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostComeInMutation, CostComeInMutationVariables>;
export const CostRevokeDocument = new TypedDocumentString(`
    mutation CostRevoke($inviteId: ID!) {
  revokeInvite(input: {inviteId: $inviteId}) {
    deletedInviteId
  }
}
    `) as unknown as TypedDocumentString<CostRevokeMutation, CostRevokeMutationVariables>;
export const CostDirectDocument = new TypedDocumentString(`
    mutation CostDirect($userIds: [ID!]!) {
  openDirectRoom(input: {userIds: $userIds}) {
    room {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostDirectMutation, CostDirectMutationVariables>;
export const CostRoomDocument = new TypedDocumentString(`
    query CostRoom($roomId: ID!) {
  room(id: $roomId) {
    name
    memberCount
    viewerMembership {
      unreadCount
    }
  }
}
    `) as unknown as TypedDocumentString<CostRoomQuery, CostRoomQueryVariables>;
export const CostDirectoryDocument = new TypedDocumentString(`
    query CostDirectory {
  rooms(first: 10) {
    edges {
      node {
        name
        memberCount
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostDirectoryQuery, CostDirectoryQueryVariables>;
export const CostPeopleDocument = new TypedDocumentString(`
    query CostPeople($roomId: ID!) {
  room(id: $roomId) {
    people {
      displayName
    }
  }
}
    `) as unknown as TypedDocumentString<CostPeopleQuery, CostPeopleQueryVariables>;
export const CostMembersDocument = new TypedDocumentString(`
    query CostMembers($roomId: ID!) {
  room(id: $roomId) {
    members(first: 10) {
      edges {
        node {
          user {
            displayName
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostMembersQuery, CostMembersQueryVariables>;
export const CostMembershipsDocument = new TypedDocumentString(`
    query CostMemberships {
  viewer {
    memberships(first: 10) {
      edges {
        node {
          role
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostMembershipsQuery, CostMembershipsQueryVariables>;
export const CostJoinedDocument = new TypedDocumentString(`
    query CostJoined {
  viewer {
    memberships(first: 10, orderBy: JOINED) {
      edges {
        node {
          role
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostJoinedQuery, CostJoinedQueryVariables>;
export const CostLastMessageDocument = new TypedDocumentString(`
    query CostLastMessage($roomId: ID!) {
  room(id: $roomId) {
    lastActivityAt
    lastMessage {
      body
    }
  }
}
    `) as unknown as TypedDocumentString<CostLastMessageQuery, CostLastMessageQueryVariables>;
export const CostSendDocument = new TypedDocumentString(`
    mutation CostSend($input: SendMessageInput!) {
  sendMessage(input: $input) {
    message {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostSendMutation, CostSendMutationVariables>;
export const CostEditDocument = new TypedDocumentString(`
    mutation CostEdit($messageId: ID!, $body: String!) {
  editMessage(input: {messageId: $messageId, body: $body}) {
    message {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostEditMutation, CostEditMutationVariables>;
export const CostDeleteDocument = new TypedDocumentString(`
    mutation CostDelete($messageId: ID!) {
  deleteMessage(input: {messageId: $messageId}) {
    message {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostDeleteMutation, CostDeleteMutationVariables>;
export const CostTimelineDocument = new TypedDocumentString(`
    query CostTimeline($roomId: ID!, $last: Int, $before: String) {
  room(id: $roomId) {
    messages(last: $last, before: $before) {
      edges {
        node {
          body
        }
      }
      pageInfo {
        startCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostTimelineQuery, CostTimelineQueryVariables>;
export const CostAuthorsDocument = new TypedDocumentString(`
    query CostAuthors($roomId: ID!) {
  room(id: $roomId) {
    messages(last: 10) {
      edges {
        node {
          body
          author {
            displayName
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostAuthorsQuery, CostAuthorsQueryVariables>;
export const CostAroundDocument = new TypedDocumentString(`
    query CostAround($roomId: ID!, $around: ID!) {
  room(id: $roomId) {
    messages(first: 10, around: $around) {
      edges {
        node {
          body
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostAroundQuery, CostAroundQueryVariables>;
export const CostFromDocument = new TypedDocumentString(`
    query CostFrom($roomId: ID!, $from: DateTime!) {
  room(id: $roomId) {
    messages(first: 10, from: $from) {
      edges {
        node {
          body
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostFromQuery, CostFromQueryVariables>;
export const CostThreadsDocument = new TypedDocumentString(`
    query CostThreads($roomId: ID!) {
  room(id: $roomId) {
    threads(last: 10) {
      edges {
        node {
          root {
            body
          }
          replies {
            body
          }
          hasMoreReplies
          stamps {
            stamp {
              key
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostThreadsQuery, CostThreadsQueryVariables>;
export const CostThreadDocument = new TypedDocumentString(`
    query CostThread($id: ID!) {
  node(id: $id) {
    ... on Message {
      body
      replies(last: 10) {
        edges {
          node {
            body
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostThreadQuery, CostThreadQueryVariables>;
export const CostUnreadDocument = new TypedDocumentString(`
    query CostUnread {
  viewer {
    unread {
      total
      rooms {
        unreadCount
        room {
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostUnreadQuery, CostUnreadQueryVariables>;
export const CostExplainDocument = new TypedDocumentString(`
    query CostExplain($roomId: ID!) {
  room(id: $roomId) {
    explainUnread {
      body
    }
  }
}
    `) as unknown as TypedDocumentString<CostExplainQuery, CostExplainQueryVariables>;
export const CostReadDocument = new TypedDocumentString(`
    mutation CostRead($input: MarkRoomReadInput!) {
  markRoomRead(input: $input) {
    membership {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostReadMutation, CostReadMutationVariables>;
export const CostReadAllDocument = new TypedDocumentString(`
    mutation CostReadAll {
  markAllRoomsRead {
    unread {
      total
    }
  }
}
    `) as unknown as TypedDocumentString<CostReadAllMutation, CostReadAllMutationVariables>;
export const CostReadBackDocument = new TypedDocumentString(`
    mutation CostReadBack($messageId: ID!) {
  markRoomUnread(input: {messageId: $messageId}) {
    membership {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostReadBackMutation, CostReadBackMutationVariables>;
export const CostMuteDocument = new TypedDocumentString(`
    mutation CostMute($roomId: ID!, $muted: Boolean!) {
  muteRoom(input: {roomId: $roomId, muted: $muted}) {
    membership {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostMuteMutation, CostMuteMutationVariables>;
export const CostArrangeDocument = new TypedDocumentString(`
    mutation CostArrange($roomId: ID!) {
  arrangeRoom(input: {roomId: $roomId, section: "Work", starred: true}) {
    membership {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostArrangeMutation, CostArrangeMutationVariables>;
export const CostRoomDeliveryDocument = new TypedDocumentString(`
    mutation CostRoomDelivery($roomId: ID!, $delivery: RoomDelivery!) {
  setRoomDelivery(input: {roomId: $roomId, delivery: $delivery}) {
    membership {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostRoomDeliveryMutation, CostRoomDeliveryMutationVariables>;
export const CostDeliverySettingsDocument = new TypedDocumentString(`
    mutation CostDeliverySettings($hideText: Boolean!) {
  updateDeliverySettings(input: {hideText: $hideText}) {
    settings {
      hideText
    }
  }
}
    `) as unknown as TypedDocumentString<CostDeliverySettingsMutation, CostDeliverySettingsMutationVariables>;
export const CostPauseDocument = new TypedDocumentString(`
    mutation CostPause($until: DateTime!) {
  pauseDeliveries(input: {until: $until}) {
    settings {
      hideText
    }
  }
}
    `) as unknown as TypedDocumentString<CostPauseMutation, CostPauseMutationVariables>;
export const CostReadDeliverySettingsDocument = new TypedDocumentString(`
    query CostReadDeliverySettings {
  viewer {
    deliverySettings {
      hideText
      kinds {
        kind
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostReadDeliverySettingsQuery, CostReadDeliverySettingsQueryVariables>;
export const CostStampDocument = new TypedDocumentString(`
    mutation CostStamp($messageId: ID!, $stamp: String!) {
  addStamp(input: {messageId: $messageId, stamp: $stamp}) {
    messageStamp {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostStampMutation, CostStampMutationVariables>;
export const CostUnstampDocument = new TypedDocumentString(`
    mutation CostUnstamp($messageStampId: ID!) {
  removeStamp(input: {messageStampId: $messageStampId}) {
    deletedMessageStampId
  }
}
    `) as unknown as TypedDocumentString<CostUnstampMutation, CostUnstampMutationVariables>;
export const CostCatalogueDocument = new TypedDocumentString(`
    query CostCatalogue {
  stamps {
    key
    label
  }
}
    `) as unknown as TypedDocumentString<CostCatalogueQuery, CostCatalogueQueryVariables>;
export const CostStampsDocument = new TypedDocumentString(`
    query CostStamps($id: ID!) {
  node(id: $id) {
    ... on Message {
      stamps(first: 10) {
        edges {
          node {
            createdAt
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostStampsQuery, CostStampsQueryVariables>;
export const CostCountsDocument = new TypedDocumentString(`
    query CostCounts($roomId: ID!) {
  room(id: $roomId) {
    messages(last: 10) {
      edges {
        node {
          stampCounts {
            count
            viewerHasStamped
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostCountsQuery, CostCountsQueryVariables>;
export const CostLikeDocument = new TypedDocumentString(`
    mutation CostLike($messageId: ID!) {
  likeMessage(input: {messageId: $messageId}) {
    message {
      likeCount
      viewerHasLiked
    }
  }
}
    `) as unknown as TypedDocumentString<CostLikeMutation, CostLikeMutationVariables>;
export const CostLikeEdgesDocument = new TypedDocumentString(`
    mutation CostLikeEdges($messageId: ID!) {
  likeMessage(input: {messageId: $messageId}) {
    message {
      likeCount
      viewerHasLiked
    }
    likedMessageEdge {
      cursor
    }
    likerEdge {
      cursor
    }
  }
}
    `) as unknown as TypedDocumentString<CostLikeEdgesMutation, CostLikeEdgesMutationVariables>;
export const CostUnlikeDocument = new TypedDocumentString(`
    mutation CostUnlike($messageId: ID!) {
  unlikeMessage(input: {messageId: $messageId}) {
    message {
      likeCount
      viewerHasLiked
    }
  }
}
    `) as unknown as TypedDocumentString<CostUnlikeMutation, CostUnlikeMutationVariables>;
export const CostLikersDocument = new TypedDocumentString(`
    query CostLikers($id: ID!) {
  node(id: $id) {
    ... on Message {
      likers(first: 10) {
        edges {
          node {
            displayName
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostLikersQuery, CostLikersQueryVariables>;
export const CostWholeDocument = new TypedDocumentString(`
    query CostWhole($roomId: ID!) {
  room(id: $roomId) {
    messages(last: 10) {
      edges {
        node {
          body
          author {
            displayName
          }
          replyCount
          lastReplyAt
          participants {
            displayName
          }
          likeCount
          viewerHasLiked
          stampCounts {
            count
            viewerHasStamped
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostWholeQuery, CostWholeQueryVariables>;
export const CostTypingDocument = new TypedDocumentString(`
    mutation CostTyping($roomId: ID!) {
  setTyping(input: {roomId: $roomId, typing: true}) {
    room {
      name
    }
  }
}
    `) as unknown as TypedDocumentString<CostTypingMutation, CostTypingMutationVariables>;
export const CostBadgeDocument = new TypedDocumentString(`
    subscription CostBadge {
  unread {
    total
    rooms {
      unreadCount
      room {
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostBadgeSubscription, CostBadgeSubscriptionVariables>;
export const CostEventsDocument = new TypedDocumentString(`
    subscription CostEvents($roomId: ID!, $after: String) {
  roomEvents(roomId: $roomId, after: $after) {
    __typename
    cursor
  }
}
    `) as unknown as TypedDocumentString<CostEventsSubscription, CostEventsSubscriptionVariables>;
export const CostCursorDocument = new TypedDocumentString(`
    query CostCursor($roomId: ID!) {
  room(id: $roomId) {
    eventsCursor
  }
}
    `) as unknown as TypedDocumentString<CostCursorQuery, CostCursorQueryVariables>;
export const CostNotificationsDocument = new TypedDocumentString(`
    query CostNotifications($unreadOnly: Boolean) {
  viewer {
    notifications(first: 10, unreadOnly: $unreadOnly) {
      edges {
        node {
          kind
          actorCount
          readAt
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostNotificationsQuery, CostNotificationsQueryVariables>;
export const CostNotificationTextsDocument = new TypedDocumentString(`
    query CostNotificationTexts {
  viewer {
    notifications(first: 10) {
      edges {
        node {
          text
          message {
            body
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostNotificationTextsQuery, CostNotificationTextsQueryVariables>;
export const CostNotificationDocument = new TypedDocumentString(`
    query CostNotification($id: ID!) {
  node(id: $id) {
    ... on Notification {
      actorCount
      readAt
    }
  }
}
    `) as unknown as TypedDocumentString<CostNotificationQuery, CostNotificationQueryVariables>;
export const CostNotificationChangedDocument = new TypedDocumentString(`
    subscription CostNotificationChanged {
  notificationChanged {
    notification {
      actorCount
      readAt
    }
  }
}
    `) as unknown as TypedDocumentString<CostNotificationChangedSubscription, CostNotificationChangedSubscriptionVariables>;
export const CostMarkNotificationsDocument = new TypedDocumentString(`
    mutation CostMarkNotifications($ids: [ID!]) {
  markNotificationsRead(input: {ids: $ids}) {
    notifications {
      readAt
    }
  }
}
    `) as unknown as TypedDocumentString<CostMarkNotificationsMutation, CostMarkNotificationsMutationVariables>;
export const CostReadThreadDocument = new TypedDocumentString(`
    mutation CostReadThread($messageId: ID!) {
  markThreadRead(input: {messageId: $messageId}) {
    message {
      body
    }
  }
}
    `) as unknown as TypedDocumentString<CostReadThreadMutation, CostReadThreadMutationVariables>;
export const CostFollowedThreadsDocument = new TypedDocumentString(`
    query CostFollowedThreads($unreadOnly: Boolean) {
  viewer {
    threads(first: 10, unreadOnly: $unreadOnly) {
      edges {
        node {
          root {
            body
          }
          viewerIsFollowing
          hasUnread
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostFollowedThreadsQuery, CostFollowedThreadsQueryVariables>;
export const CostUnfollowDocument = new TypedDocumentString(`
    mutation CostUnfollow($messageId: ID!) {
  unfollowThread(input: {messageId: $messageId}) {
    message {
      body
    }
  }
}
    `) as unknown as TypedDocumentString<CostUnfollowMutation, CostUnfollowMutationVariables>;
export const CostFollowDocument = new TypedDocumentString(`
    mutation CostFollow($messageId: ID!) {
  followThread(input: {messageId: $messageId}) {
    message {
      body
    }
  }
}
    `) as unknown as TypedDocumentString<CostFollowMutation, CostFollowMutationVariables>;
export const CostFollowEdgeDocument = new TypedDocumentString(`
    mutation CostFollowEdge($messageId: ID!) {
  followThread(input: {messageId: $messageId}) {
    message {
      body
    }
    threadEdge {
      cursor
      node {
        root {
          body
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostFollowEdgeMutation, CostFollowEdgeMutationVariables>;
export const CostFollowingDocument = new TypedDocumentString(`
    query CostFollowing($roomId: ID!) {
  room(id: $roomId) {
    messages(last: 10) {
      edges {
        node {
          viewerIsFollowing
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostFollowingQuery, CostFollowingQueryVariables>;
export const CostSavedDocument = new TypedDocumentString(`
    query CostSaved($visibility: SavedVisibility, $tags: [String!], $tagIds: [ID!], $untagged: Boolean, $orderBy: SavedOrder, $from: DateTime, $first: Int, $after: String, $last: Int, $before: String) {
  viewer {
    savedMessages(
      visibility: $visibility
      tags: $tags
      tagIds: $tagIds
      untagged: $untagged
      orderBy: $orderBy
      from: $from
      first: $first
      after: $after
      last: $last
      before: $before
    ) {
      edges {
        node {
          note
          tags
          savedAt
          message {
            body
            createdAt
          }
        }
      }
      pageInfo {
        startCursor
        endCursor
        hasNextPage
        hasPreviousPage
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostSavedQuery, CostSavedQueryVariables>;
export const CostSavedMessageDocument = new TypedDocumentString(`
    query CostSavedMessage($id: ID!) {
  node(id: $id) {
    ... on SavedMessage {
      note
      tags
      message {
        body
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostSavedMessageQuery, CostSavedMessageQueryVariables>;
export const CostSavedTagsDocument = new TypedDocumentString(`
    query CostSavedTags($prefix: String, $orderBy: SavedTagOrder) {
  viewer {
    savedTags(prefix: $prefix, orderBy: $orderBy, first: 2) {
      edges {
        node {
          name
          count
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostSavedTagsQuery, CostSavedTagsQueryVariables>;
export const CostLastSavedTagsDocument = new TypedDocumentString(`
    query CostLastSavedTags {
  viewer {
    savedTags(last: 2) {
      edges {
        node {
          name
          count
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostLastSavedTagsQuery, CostLastSavedTagsQueryVariables>;
export const CostPublicSavedDocument = new TypedDocumentString(`
    query CostPublicSaved($id: ID!, $tag: String, $orderBy: SavedOrder) {
  node(id: $id) {
    ... on User {
      savedMessages(tag: $tag, orderBy: $orderBy, first: 10) {
        edges {
          node {
            note
            tags
            message {
              body
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostPublicSavedQuery, CostPublicSavedQueryVariables>;
export const CostPublicTagsDocument = new TypedDocumentString(`
    query CostPublicTags($id: ID!) {
  node(id: $id) {
    ... on User {
      savedTags(first: 2) {
        edges {
          node {
            name
            count
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostPublicTagsQuery, CostPublicTagsQueryVariables>;
export const CostPublicSavesDocument = new TypedDocumentString(`
    query CostPublicSaves($id: ID!) {
  node(id: $id) {
    ... on Message {
      publicSaves(first: 10) {
        edges {
          node {
            note
            savedBy {
              handle
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostPublicSavesQuery, CostPublicSavesQueryVariables>;
export const CostPublicSaveCountsDocument = new TypedDocumentString(`
    query CostPublicSaveCounts($roomId: ID!) {
  room(id: $roomId) {
    messages(last: 10) {
      edges {
        node {
          publicSaveCount
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostPublicSaveCountsQuery, CostPublicSaveCountsQueryVariables>;
export const CostSavedCountsDocument = new TypedDocumentString(`
    query CostSavedCounts {
  viewer {
    savedCounts {
      total
      untagged
    }
  }
}
    `) as unknown as TypedDocumentString<CostSavedCountsQuery, CostSavedCountsQueryVariables>;
export const CostRemindersDocument = new TypedDocumentString(`
    query CostReminders {
  viewer {
    reminders(first: 10) {
      edges {
        node {
          remindAt
          tags
          message {
            body
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostRemindersQuery, CostRemindersQueryVariables>;
export const CostSavedMarksDocument = new TypedDocumentString(`
    query CostSavedMarks($roomId: ID!) {
  room(id: $roomId) {
    messages(last: 10) {
      edges {
        node {
          viewerHasLiked
          viewerSaved {
            note
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostSavedMarksQuery, CostSavedMarksQueryVariables>;
export const CostSavedMarksWithTagsDocument = new TypedDocumentString(`
    query CostSavedMarksWithTags($roomId: ID!) {
  room(id: $roomId) {
    messages(last: 10) {
      edges {
        node {
          viewerHasLiked
          viewerSaved {
            note
            tags
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostSavedMarksWithTagsQuery, CostSavedMarksWithTagsQueryVariables>;
export const CostSaveDocument = new TypedDocumentString(`
    mutation CostSave($input: SaveMessageInput!) {
  saveMessage(input: $input) {
    savedMessage {
      note
    }
  }
}
    `) as unknown as TypedDocumentString<CostSaveMutation, CostSaveMutationVariables>;
export const CostUnsaveDocument = new TypedDocumentString(`
    mutation CostUnsave($messageId: ID!) {
  removeSavedMessage(input: {messageId: $messageId}) {
    removed {
      note
      tags
    }
  }
}
    `) as unknown as TypedDocumentString<CostUnsaveMutation, CostUnsaveMutationVariables>;
export const CostJobsDocument = new TypedDocumentString(`
    query CostJobs {
  viewer {
    jobs(first: 10) {
      edges {
        node {
          state
          done
          text
          remainingSeconds
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostJobsQuery, CostJobsQueryVariables>;
export const CostSavedChangedDocument = new TypedDocumentString(`
    subscription CostSavedChanged {
  savedChanged {
    counts {
      total
    }
  }
}
    `) as unknown as TypedDocumentString<CostSavedChangedSubscription, CostSavedChangedSubscriptionVariables>;
export const CostWaitlistsDocument = new TypedDocumentString(`
    query CostWaitlists {
  viewer {
    waitlists(first: 10) {
      edges {
        position
        node {
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostWaitlistsQuery, CostWaitlistsQueryVariables>;
export const CostWaitWithInviteDocument = new TypedDocumentString(`
    mutation CostWaitWithInvite($code: String!) {
  joinWithInvite(input: {code: $code, waitlist: true}) {
    membership {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostWaitWithInviteMutation, CostWaitWithInviteMutationVariables>;
export const OwnEdgeSavedDocument = new TypedDocumentString(`
    mutation OwnEdgeSaved($input: SaveMessageInput!) {
  saveMessage(input: $input) {
    savedMessageEdge {
      cursor
      node {
        id
      }
    }
    reminderEdge {
      cursor
      node {
        id
        remindAt
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OwnEdgeSavedMutation, OwnEdgeSavedMutationVariables>;
export const OwnEdgeSnoozedDocument = new TypedDocumentString(`
    mutation OwnEdgeSnoozed($input: SnoozeReminderInput!) {
  snoozeReminder(input: $input) {
    reminderEdge {
      cursor
      node {
        id
        remindAt
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OwnEdgeSnoozedMutation, OwnEdgeSnoozedMutationVariables>;
export const OwnEdgeScheduledDocument = new TypedDocumentString(`
    mutation OwnEdgeScheduled($input: ScheduleMessageInput!) {
  scheduleMessage(input: $input) {
    scheduledMessageEdge {
      cursor
      node {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OwnEdgeScheduledMutation, OwnEdgeScheduledMutationVariables>;
export const OwnEdgeLikedDocument = new TypedDocumentString(`
    mutation OwnEdgeLiked($messageId: ID!) {
  likeMessage(input: {messageId: $messageId}) {
    likedMessageEdge {
      cursor
      node {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OwnEdgeLikedMutation, OwnEdgeLikedMutationVariables>;
export const OwnEdgeFollowedDocument = new TypedDocumentString(`
    mutation OwnEdgeFollowed($messageId: ID!) {
  followThread(input: {messageId: $messageId}) {
    threadEdge {
      cursor
      node {
        root {
          id
        }
        replies {
          id
        }
        viewerIsFollowing
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OwnEdgeFollowedMutation, OwnEdgeFollowedMutationVariables>;
export const OwnEdgeJoinedDocument = new TypedDocumentString(`
    mutation OwnEdgeJoined($input: JoinRoomInput!) {
  joinRoom(input: $input) {
    membershipEdge {
      cursor
    }
    waitlistEdge {
      cursor
      position
      since
      node {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OwnEdgeJoinedMutation, OwnEdgeJoinedMutationVariables>;
export const OwnEdgeInviteDocument = new TypedDocumentString(`
    mutation OwnEdgeInvite($roomId: ID!) {
  createInvite(input: {roomId: $roomId}) {
    code
  }
}
    `) as unknown as TypedDocumentString<OwnEdgeInviteMutation, OwnEdgeInviteMutationVariables>;
export const OwnEdgeAcceptedDocument = new TypedDocumentString(`
    mutation OwnEdgeAccepted($code: String!) {
  joinWithInvite(input: {code: $code, waitlist: true}) {
    waitlistEdge {
      cursor
      position
      since
      node {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OwnEdgeAcceptedMutation, OwnEdgeAcceptedMutationVariables>;
export const OwnEdgePublishedDocument = new TypedDocumentString(`
    mutation OwnEdgePublished($input: SetVisibilityOfTaggedInput!) {
  setVisibilityOfTagged(input: $input) {
    jobEdge {
      cursor
      node {
        id
        kind
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OwnEdgePublishedMutation, OwnEdgePublishedMutationVariables>;
export const OwnEdgeRenamedDocument = new TypedDocumentString(`
    mutation OwnEdgeRenamed($input: RenameSavedTagInput!) {
  renameSavedTag(input: $input) {
    tag {
      id
    }
    jobEdge {
      cursor
      node {
        id
        kind
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OwnEdgeRenamedMutation, OwnEdgeRenamedMutationVariables>;
export const OwnEdgeMergedDocument = new TypedDocumentString(`
    mutation OwnEdgeMerged($input: MergeSavedTagsInput!) {
  mergeSavedTags(input: $input) {
    jobEdge {
      cursor
      node {
        id
        kind
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OwnEdgeMergedMutation, OwnEdgeMergedMutationVariables>;
export const OwnEdgeDeletedDocument = new TypedDocumentString(`
    mutation OwnEdgeDeleted($input: DeleteSavedTagInput!) {
  deleteSavedTag(input: $input) {
    jobEdge {
      cursor
      node {
        id
        kind
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OwnEdgeDeletedMutation, OwnEdgeDeletedMutationVariables>;
export const OwnEdgeBrowserDocument = new TypedDocumentString(`
    mutation OwnEdgeBrowser($input: RegisterPushSubscriptionInput!) {
  registerPushSubscription(input: $input) {
    pushSubscription {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<OwnEdgeBrowserMutation, OwnEdgeBrowserMutationVariables>;
export const OwnEdgeDeliveryDocument = new TypedDocumentString(`
    mutation OwnEdgeDelivery {
  testDelivery(input: {channel: WEB_PUSH}) {
    deliveryEdge {
      cursor
      node {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OwnEdgeDeliveryMutation, OwnEdgeDeliveryMutationVariables>;
export const OwnEdgeListsDocument = new TypedDocumentString(`
    query OwnEdgeLists {
  viewer {
    savedMessages {
      edges {
        cursor
        node {
          id
        }
      }
    }
    reminders {
      edges {
        cursor
        node {
          id
          remindAt
        }
      }
    }
    scheduledMessages {
      edges {
        cursor
        node {
          id
        }
      }
    }
    likedMessages {
      edges {
        cursor
        node {
          id
        }
      }
    }
    threads {
      edges {
        cursor
        node {
          root {
            id
          }
          replies {
            id
          }
          viewerIsFollowing
        }
      }
    }
    waitlists {
      edges {
        cursor
        position
        since
        node {
          id
        }
      }
    }
    jobs {
      edges {
        cursor
        node {
          id
          kind
        }
      }
    }
    deliveries {
      edges {
        cursor
        node {
          id
        }
      }
    }
    savedTags {
      edges {
        node {
          id
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OwnEdgeListsQuery, OwnEdgeListsQueryVariables>;
export const EdgeSentDocument = new TypedDocumentString(`
    mutation EdgeSent($input: SendMessageInput!) {
  sendMessage(input: $input) {
    messageEdge {
      cursor
      node {
        id
      }
    }
    threadEdge {
      cursor
      node {
        root {
          id
        }
        replies {
          id
        }
        hasMoreReplies
        stamps {
          id
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EdgeSentMutation, EdgeSentMutationVariables>;
export const EdgeStampedDocument = new TypedDocumentString(`
    mutation EdgeStamped($messageId: ID!) {
  addStamp(input: {messageId: $messageId, stamp: "tea"}) {
    messageStampEdge {
      cursor
      node {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EdgeStampedMutation, EdgeStampedMutationVariables>;
export const EdgeAddedDocument = new TypedDocumentString(`
    mutation EdgeAdded($input: AddMemberInput!) {
  addMember(input: $input) {
    membershipEdge {
      cursor
      node {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EdgeAddedMutation, EdgeAddedMutationVariables>;
export const EdgeInvitedDocument = new TypedDocumentString(`
    mutation EdgeInvited($roomId: ID!) {
  createInvite(input: {roomId: $roomId}) {
    inviteEdge {
      cursor
      node {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EdgeInvitedMutation, EdgeInvitedMutationVariables>;
export const EdgeBannedDocument = new TypedDocumentString(`
    mutation EdgeBanned($input: BanMemberInput!) {
  banMember(input: $input) {
    banEdge {
      cursor
      node {
        user {
          id
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EdgeBannedMutation, EdgeBannedMutationVariables>;
export const EdgeLikedDocument = new TypedDocumentString(`
    mutation EdgeLiked($messageId: ID!) {
  likeMessage(input: {messageId: $messageId}) {
    likerEdge {
      cursor
      node {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EdgeLikedMutation, EdgeLikedMutationVariables>;
export const EdgeBlockedDocument = new TypedDocumentString(`
    mutation EdgeBlocked($userId: ID!) {
  blockUser(input: {userId: $userId}) {
    userEdge {
      cursor
      node {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EdgeBlockedMutation, EdgeBlockedMutationVariables>;
export const EdgeUnblockedDocument = new TypedDocumentString(`
    mutation EdgeUnblocked($userId: ID!) {
  unblockUser(input: {userId: $userId}) {
    userEdge {
      cursor
      node {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EdgeUnblockedMutation, EdgeUnblockedMutationVariables>;
export const EdgeCreatedDocument = new TypedDocumentString(`
    mutation EdgeCreated($visibility: RoomVisibility!) {
  createRoom(input: {name: "Room", visibility: $visibility}) {
    roomEdge {
      cursor
      node {
        id
      }
    }
    membershipEdge {
      cursor
      node {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EdgeCreatedMutation, EdgeCreatedMutationVariables>;
export const EdgeOpenedDocument = new TypedDocumentString(`
    mutation EdgeOpened($userIds: [ID!]!) {
  openDirectRoom(input: {userIds: $userIds}) {
    membershipEdge {
      cursor
      node {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EdgeOpenedMutation, EdgeOpenedMutationVariables>;
export const EdgeJoinedDocument = new TypedDocumentString(`
    mutation EdgeJoined($input: JoinRoomInput!) {
  joinRoom(input: $input) {
    membershipEdge {
      cursor
      node {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EdgeJoinedMutation, EdgeJoinedMutationVariables>;
export const EdgeAcceptedDocument = new TypedDocumentString(`
    mutation EdgeAccepted($code: String!) {
  joinWithInvite(input: {code: $code}) {
    membershipEdge {
      cursor
      node {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EdgeAcceptedMutation, EdgeAcceptedMutationVariables>;
export const EdgeCodeDocument = new TypedDocumentString(`
    mutation EdgeCode($roomId: ID!) {
  createInvite(input: {roomId: $roomId}) {
    code
  }
}
    `) as unknown as TypedDocumentString<EdgeCodeMutation, EdgeCodeMutationVariables>;
export const EdgesOfRoomsDocument = new TypedDocumentString(`
    query EdgesOfRooms {
  rooms(first: 1) {
    edges {
      cursor
      node {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EdgesOfRoomsQuery, EdgesOfRoomsQueryVariables>;
export const EdgesOfThreadsDocument = new TypedDocumentString(`
    query EdgesOfThreads($roomId: ID!) {
  room(id: $roomId) {
    threads {
      edges {
        cursor
        node {
          root {
            id
          }
          replies {
            id
          }
          hasMoreReplies
          stamps {
            id
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EdgesOfThreadsQuery, EdgesOfThreadsQueryVariables>;
export const EdgesOfViewerDocument = new TypedDocumentString(`
    query EdgesOfViewer {
  viewer {
    memberships(orderBy: JOINED) {
      edges {
        cursor
        node {
          id
          own {
            unreadCount
            muted
          }
          unreadCount
          muted
        }
      }
    }
    blockedUsers {
      edges {
        cursor
        node {
          id
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EdgesOfViewerQuery, EdgesOfViewerQueryVariables>;
export const MoreEdgesListedDocument = new TypedDocumentString(`
    query MoreEdgesListed($roomId: ID!) {
  room(id: $roomId) {
    bans {
      edges {
        cursor
        node {
          user {
            id
          }
        }
      }
    }
    members {
      edges {
        node {
          user {
            id
          }
          own {
            unreadCount
            muted
          }
        }
      }
    }
    messages {
      edges {
        node {
          likers {
            edges {
              cursor
              node {
                id
              }
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MoreEdgesListedQuery, MoreEdgesListedQueryVariables>;
export const EdgesListedDocument = new TypedDocumentString(`
    query EdgesListed($roomId: ID!) {
  room(id: $roomId) {
    members {
      edges {
        cursor
        node {
          id
        }
      }
    }
    invites {
      edges {
        cursor
        node {
          id
        }
      }
    }
    messages {
      edges {
        cursor
        node {
          id
          stamps {
            edges {
              cursor
              node {
                id
              }
            }
          }
          replies {
            edges {
              cursor
              node {
                id
              }
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EdgesListedQuery, EdgesListedQueryVariables>;
export const SendWithKeyDocument = new TypedDocumentString(`
    mutation SendWithKey($input: SendMessageInput!) {
  sendMessage(input: $input) {
    message {
      id
      idempotencyKey
    }
  }
}
    `) as unknown as TypedDocumentString<SendWithKeyMutation, SendWithKeyMutationVariables>;
export const ReadKeyDocument = new TypedDocumentString(`
    query ReadKey($id: ID!) {
  node(id: $id) {
    ... on Message {
      idempotencyKey
    }
  }
}
    `) as unknown as TypedDocumentString<ReadKeyQuery, ReadKeyQueryVariables>;
export const KeysInEventsDocument = new TypedDocumentString(`
    subscription KeysInEvents($roomId: ID!) {
  roomEvents(roomId: $roomId) {
    __typename
    ... on MessageAdded {
      message {
        id
        body
        idempotencyKey
        viewerHasLiked
      }
    }
  }
}
    `) as unknown as TypedDocumentString<KeysInEventsSubscription, KeysInEventsSubscriptionVariables>;
export const AnsweredDocument = new TypedDocumentString(`
    query Answered($id: ID!) {
  node(id: $id) {
    ... on Message {
      id
      inReplyTo {
        id
        body
        author {
          handle
        }
      }
      root {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AnsweredQuery, AnsweredQueryVariables>;
export const ThreadsDocument = new TypedDocumentString(`
    query Threads($roomId: ID!) {
  room(id: $roomId) {
    messages(last: 10) {
      edges {
        node {
          replies(last: 10) {
            edges {
              node {
                body
              }
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ThreadsQuery, ThreadsQueryVariables>;
export const MessageByIdDocument = new TypedDocumentString(`
    query MessageById($id: ID!) {
  node(id: $id) {
    ... on Message {
      id
      body
      version
      editedAt
      deletedAt
      position
      replyCount
      mentions {
        id
        handle
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MessageByIdQuery, MessageByIdQueryVariables>;
export const EditMessageDocument = new TypedDocumentString(`
    mutation EditMessage($messageId: ID!, $body: String!) {
  editMessage(input: {messageId: $messageId, body: $body}) {
    message {
      id
      body
      editedAt
      version
      mentions {
        handle
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EditMessageMutation, EditMessageMutationVariables>;
export const DeleteMessageDocument = new TypedDocumentString(`
    mutation DeleteMessage($messageId: ID!) {
  deleteMessage(input: {messageId: $messageId}) {
    message {
      id
      body
      deletedAt
      version
      replyCount
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteMessageMutation, DeleteMessageMutationVariables>;
export const AroundDocument = new TypedDocumentString(`
    query Around($roomId: ID!, $around: ID!, $first: Int) {
  room(id: $roomId) {
    messages(around: $around, first: $first) {
      edges {
        cursor
        node {
          id
          body
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AroundQuery, AroundQueryVariables>;
export const FromDocument = new TypedDocumentString(`
    query From($roomId: ID!, $from: DateTime!, $first: Int, $after: String, $around: ID) {
  room(id: $roomId) {
    messages(from: $from, first: $first, after: $after, around: $around) {
      edges {
        cursor
        node {
          id
          createdAt
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<FromQuery, FromQueryVariables>;
export const WrittenPageDocument = new TypedDocumentString(`
    query WrittenPage($roomId: ID!) {
  room(id: $roomId) {
    messages(last: 50) {
      edges {
        cursor
        node {
          ...PageMessage
        }
      }
      pageInfo {
        hasNextPage
      }
    }
  }
}
    fragment PageMessage on Message {
  id
  version
  position
  body
  createdAt
  editedAt
  deletedAt
  url
  idempotencyKey
  replyCount
  lastReplyAt
  likeCount
  viewerHasLiked
  root {
    id
  }
  inReplyTo {
    id
  }
  author {
    ...PageUser
  }
  participants {
    ...PageUser
  }
  mentions {
    ...PageUser
  }
  stampCounts {
    count
    viewerHasStamped
    stamp {
      key
      label
      imageUrl
    }
  }
  replies(last: 5) {
    edges {
      node {
        id
        body
        viewerHasLiked
        author {
          ...PageUser
        }
      }
    }
  }
}
fragment PageUser on User {
  id
  handle
  displayName
  avatarUrl
}`) as unknown as TypedDocumentString<WrittenPageQuery, WrittenPageQueryVariables>;
export const ExecutedPageDocument = new TypedDocumentString(`
    query ExecutedPage($roomId: ID!, $yes: Boolean!) {
  room(id: $roomId) @include(if: $yes) {
    messages(last: 50) {
      edges {
        cursor
        node {
          ...PageMessage
        }
      }
      pageInfo {
        hasNextPage
      }
    }
  }
}
    fragment PageMessage on Message {
  id
  version
  position
  body
  createdAt
  editedAt
  deletedAt
  url
  idempotencyKey
  replyCount
  lastReplyAt
  likeCount
  viewerHasLiked
  root {
    id
  }
  inReplyTo {
    id
  }
  author {
    ...PageUser
  }
  participants {
    ...PageUser
  }
  mentions {
    ...PageUser
  }
  stampCounts {
    count
    viewerHasStamped
    stamp {
      key
      label
      imageUrl
    }
  }
  replies(last: 5) {
    edges {
      node {
        id
        body
        viewerHasLiked
        author {
          ...PageUser
        }
      }
    }
  }
}
fragment PageUser on User {
  id
  handle
  displayName
  avatarUrl
}`) as unknown as TypedDocumentString<ExecutedPageQuery, ExecutedPageQueryVariables>;
export const MessageUrlDocument = new TypedDocumentString(`
    query MessageUrl($id: ID!) {
  node(id: $id) {
    ... on Message {
      url
    }
  }
}
    `) as unknown as TypedDocumentString<MessageUrlQuery, MessageUrlQueryVariables>;
export const FollowedDocument = new TypedDocumentString(`
    query Followed($first: Int, $after: String, $replies: Int, $unreadOnly: Boolean) {
  viewer {
    unread {
      total
    }
    threads(
      first: $first
      after: $after
      replies: $replies
      unreadOnly: $unreadOnly
    ) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        cursor
        node {
          root {
            body
            room {
              name
            }
          }
          replies {
            body
          }
          hasMoreReplies
          stamps {
            stamp {
              key
            }
          }
          viewerIsFollowing
          hasUnread
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<FollowedQuery, FollowedQueryVariables>;
export const ReadFollowedDocument = new TypedDocumentString(`
    mutation ReadFollowed($messageId: ID!) {
  markThreadRead(input: {messageId: $messageId}) {
    unread {
      total
    }
  }
}
    `) as unknown as TypedDocumentString<ReadFollowedMutation, ReadFollowedMutationVariables>;
export const ReadAllFollowedDocument = new TypedDocumentString(`
    mutation ReadAllFollowed {
  markNotificationsRead(input: {}) {
    unread {
      total
    }
  }
}
    `) as unknown as TypedDocumentString<ReadAllFollowedMutation, ReadAllFollowedMutationVariables>;
export const NotificationListDocument = new TypedDocumentString(`
    query NotificationList($first: Int, $after: String, $unreadOnly: Boolean) {
  viewer {
    notifications(first: $first, after: $after, unreadOnly: $unreadOnly) {
      edges {
        cursor
        node {
          id
          kind
          text
          actorCount
          actors {
            handle
          }
          stamps {
            key
          }
          message {
            id
            body
          }
          latestReply {
            id
          }
          updatedAt
          readAt
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<NotificationListQuery, NotificationListQueryVariables>;
export const NotificationByIdDocument = new TypedDocumentString(`
    query NotificationById($id: ID!) {
  node(id: $id) {
    ... on Notification {
      id
      kind
      text
      actorCount
      actors {
        handle
      }
      message {
        id
      }
      readAt
    }
  }
}
    `) as unknown as TypedDocumentString<NotificationByIdQuery, NotificationByIdQueryVariables>;
export const MarkNotificationsReadDocument = new TypedDocumentString(`
    mutation MarkNotificationsRead($ids: [ID!]) {
  markNotificationsRead(input: {ids: $ids}) {
    notifications {
      id
      text
      readAt
    }
    unread {
      total
      notifications
    }
  }
}
    `) as unknown as TypedDocumentString<MarkNotificationsReadMutation, MarkNotificationsReadMutationVariables>;
export const NotificationsLiveDocument = new TypedDocumentString(`
    subscription NotificationsLive {
  notificationChanged {
    notification {
      id
      kind
      text
      actorCount
      actors {
        handle
      }
      message {
        id
      }
      readAt
    }
    removedId
    unread {
      notifications
    }
  }
}
    `) as unknown as TypedDocumentString<NotificationsLiveSubscription, NotificationsLiveSubscriptionVariables>;
export const MarkThreadReadDocument = new TypedDocumentString(`
    mutation MarkThreadRead($messageId: ID!) {
  markThreadRead(input: {messageId: $messageId}) {
    message {
      id
    }
    unread {
      total
      notifications
    }
  }
}
    `) as unknown as TypedDocumentString<MarkThreadReadMutation, MarkThreadReadMutationVariables>;
export const FollowThreadDocument = new TypedDocumentString(`
    mutation FollowThread($messageId: ID!) {
  followThread(input: {messageId: $messageId}) {
    message {
      id
      viewerIsFollowing
    }
  }
}
    `) as unknown as TypedDocumentString<FollowThreadMutation, FollowThreadMutationVariables>;
export const UnfollowThreadDocument = new TypedDocumentString(`
    mutation UnfollowThread($messageId: ID!) {
  unfollowThread(input: {messageId: $messageId}) {
    message {
      id
      viewerIsFollowing
    }
  }
}
    `) as unknown as TypedDocumentString<UnfollowThreadMutation, UnfollowThreadMutationVariables>;
export const FollowingDocument = new TypedDocumentString(`
    query Following($id: ID!) {
  node(id: $id) {
    ... on Message {
      id
      viewerIsFollowing
    }
  }
}
    `) as unknown as TypedDocumentString<FollowingQuery, FollowingQueryVariables>;
export const AlertEventsDocument = new TypedDocumentString(`
    subscription AlertEvents($roomId: ID!) {
  roomEvents(roomId: $roomId) {
    __typename
    ... on MessageAdded {
      message {
        body
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AlertEventsSubscription, AlertEventsSubscriptionVariables>;
export const DashboardEventsDocument = new TypedDocumentString(`
    subscription DashboardEvents($roomId: ID!) {
  roomEvents(roomId: $roomId) {
    __typename
    ... on MessageAdded {
      message {
        body
      }
    }
  }
}
    `) as unknown as TypedDocumentString<DashboardEventsSubscription, DashboardEventsSubscriptionVariables>;
export const ArrivalDocument = new TypedDocumentString(`
    query Arrival {
  viewer {
    user {
      handle
      displayName
    }
    unread {
      total
    }
  }
  rooms(first: 20) {
    edges {
      node {
        id
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ArrivalQuery, ArrivalQueryVariables>;
export const TwoMutationsDocument = new TypedDocumentString(`
    mutation TwoMutations($roomId: ID!) {
  failed: likeMessage(input: {messageId: "x"}) {
    message {
      id
    }
  }
  sent: sendMessage(input: {roomId: $roomId, body: "It is stored."}) {
    message {
      body
    }
  }
}
    `) as unknown as TypedDocumentString<TwoMutationsMutation, TwoMutationsMutationVariables>;
export const LikesLiveDocument = new TypedDocumentString(`
    subscription LikesLive($roomId: ID!) {
  roomEvents(roomId: $roomId) {
    __typename
    ... on MessageChanged {
      message {
        likeCount
        viewerHasLiked
        stampCounts {
          viewerHasStamped
          stamp {
            key
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LikesLiveSubscription, LikesLiveSubscriptionVariables>;
export const LikesByCauseDocument = new TypedDocumentString(`
    subscription LikesByCause($roomId: ID!) {
  roomEvents(roomId: $roomId) {
    __typename
    ... on MessageChanged {
      message {
        likeCount
        stampCounts {
          count
        }
      }
      cause {
        kind
        actor {
          id
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LikesByCauseSubscription, LikesByCauseSubscriptionVariables>;
export const LikedDocument = new TypedDocumentString(`
    query Liked($roomId: ID, $first: Int, $after: String, $last: Int, $before: String) {
  viewer {
    likedMessages(
      roomId: $roomId
      first: $first
      after: $after
      last: $last
      before: $before
    ) {
      edges {
        cursor
        node {
          id
          body
          viewerHasLiked
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LikedQuery, LikedQueryVariables>;
export const CostLikedDocument = new TypedDocumentString(`
    query CostLiked($roomId: ID) {
  viewer {
    likedMessages(roomId: $roomId, first: 10) {
      edges {
        node {
          id
          body
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostLikedQuery, CostLikedQueryVariables>;
export const LikeMessageDocument = new TypedDocumentString(`
    mutation LikeMessage($messageId: ID!) {
  likeMessage(input: {messageId: $messageId}) {
    message {
      id
      version
      likeCount
      viewerHasLiked
      deletedAt
      likers {
        edges {
          node {
            handle
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LikeMessageMutation, LikeMessageMutationVariables>;
export const UnlikeMessageDocument = new TypedDocumentString(`
    mutation UnlikeMessage($messageId: ID!) {
  unlikeMessage(input: {messageId: $messageId}) {
    message {
      id
      version
      likeCount
      viewerHasLiked
      deletedAt
      likers {
        edges {
          node {
            handle
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<UnlikeMessageMutation, UnlikeMessageMutationVariables>;
export const LikesOfDocument = new TypedDocumentString(`
    query LikesOf($id: ID!, $first: Int, $after: String) {
  node(id: $id) {
    ... on Message {
      id
      version
      likeCount
      viewerHasLiked
      likers(first: $first, after: $after) {
        edges {
          cursor
          node {
            id
            handle
          }
        }
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LikesOfQuery, LikesOfQueryVariables>;
export const LikedPageDocument = new TypedDocumentString(`
    query LikedPage($roomId: ID!, $last: Int!) {
  room(id: $roomId) {
    messages(last: $last) {
      edges {
        node {
          id
          likeCount
          viewerHasLiked
          replyCount
          lastReplyAt
          author {
            handle
            displayName
            avatarUrl
          }
          participants {
            handle
          }
          stampCounts {
            count
            viewerHasStamped
            stamp {
              key
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LikedPageQuery, LikedPageQueryVariables>;
export const LikedOneDocument = new TypedDocumentString(`
    query LikedOne($id: ID!) {
  node(id: $id) {
    ... on Message {
      likeCount
      viewerHasLiked
      author {
        handle
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LikedOneQuery, LikedOneQueryVariables>;
export const LikedThreadDocument = new TypedDocumentString(`
    query LikedThread($id: ID!) {
  node(id: $id) {
    ... on Message {
      id
      likeCount
      viewerHasLiked
      replies {
        edges {
          node {
            id
            likeCount
            viewerHasLiked
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LikedThreadQuery, LikedThreadQueryVariables>;
export const StampByIdDocument = new TypedDocumentString(`
    query StampById($id: ID!) {
  node(id: $id) {
    ... on Stamp {
      id
      key
      label
      imageUrl
      emoji
    }
  }
}
    `) as unknown as TypedDocumentString<StampByIdQuery, StampByIdQueryVariables>;
export const CatalogueDocument = new TypedDocumentString(`
    query Catalogue {
  stamps {
    key
    label
    imageUrl
    emoji
  }
}
    `) as unknown as TypedDocumentString<CatalogueQuery, CatalogueQueryVariables>;
export const AddStampDocument = new TypedDocumentString(`
    mutation AddStamp($messageId: ID!, $stamp: String!) {
  addStamp(input: {messageId: $messageId, stamp: $stamp}) {
    messageStamp {
      id
      createdAt
      stamp {
        key
        label
        imageUrl
        emoji
      }
      user {
        id
        handle
      }
      message {
        id
        version
        stampCounts {
          count
          viewerHasStamped
          stamp {
            key
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AddStampMutation, AddStampMutationVariables>;
export const RemoveStampDocument = new TypedDocumentString(`
    mutation RemoveStamp($messageStampId: ID!) {
  removeStamp(input: {messageStampId: $messageStampId}) {
    deletedMessageStampId
    message {
      id
      version
      stampCounts {
        count
        viewerHasStamped
        stamp {
          key
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RemoveStampMutation, RemoveStampMutationVariables>;
export const DeleteStampedDocument = new TypedDocumentString(`
    mutation DeleteStamped($messageId: ID!) {
  deleteMessage(input: {messageId: $messageId}) {
    message {
      id
      deletedAt
      stampCounts {
        count
      }
      stamps {
        edges {
          node {
            id
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteStampedMutation, DeleteStampedMutationVariables>;
export const StampsOfDocument = new TypedDocumentString(`
    query StampsOf($id: ID!, $first: Int, $after: String) {
  node(id: $id) {
    ... on Message {
      id
      stampCounts {
        count
        viewerHasStamped
        stamp {
          key
        }
      }
      stamps(first: $first, after: $after) {
        edges {
          cursor
          node {
            id
            createdAt
            stamp {
              key
            }
            user {
              handle
            }
          }
        }
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<StampsOfQuery, StampsOfQueryVariables>;
export const StampNodeDocument = new TypedDocumentString(`
    query StampNode($id: ID!) {
  node(id: $id) {
    __typename
    ... on MessageStamp {
      id
      createdAt
      stamp {
        key
      }
      user {
        handle
      }
      message {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<StampNodeQuery, StampNodeQueryVariables>;
export const StampedPageDocument = new TypedDocumentString(`
    query StampedPage($roomId: ID!, $last: Int!, $before: String) {
  room(id: $roomId) {
    messages(last: $last, before: $before) {
      edges {
        node {
          id
          stampCounts {
            count
            viewerHasStamped
            stamp {
              key
            }
          }
        }
      }
      pageInfo {
        startCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<StampedPageQuery, StampedPageQueryVariables>;
export const StampedThreadDocument = new TypedDocumentString(`
    query StampedThread($id: ID!) {
  node(id: $id) {
    ... on Message {
      id
      stampCounts {
        count
        viewerHasStamped
        stamp {
          key
        }
      }
      replies {
        edges {
          node {
            id
            stampCounts {
              count
              viewerHasStamped
              stamp {
                key
              }
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<StampedThreadQuery, StampedThreadQueryVariables>;
export const MineBeforeDocument = new TypedDocumentString(`
    query MineBefore {
  viewer {
    id
    user {
      handle
      displayName
    }
    unread {
      total
      notifications
      rooms {
        unreadCount
        readPosition
        room {
          id
          name
        }
      }
    }
    memberships(first: 20, orderBy: JOINED) {
      edges {
        node {
          id
          role
          unreadCount
          room {
            id
            name
            topic
            memberCount
          }
        }
      }
    }
    notifications(first: 50) {
      edges {
        node {
          id
          kind
          actorCount
          readAt
          message {
            id
            body
          }
        }
      }
    }
    savedMessages(first: 20) {
      edges {
        node {
          id
          visibility
          note
          tags
          message {
            id
            body
          }
        }
      }
    }
    likedMessages(first: 50) {
      edges {
        node {
          id
          body
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MineBeforeQuery, MineBeforeQueryVariables>;
export const RoomBeforeDocument = new TypedDocumentString(`
    query RoomBefore($roomId: ID!) {
  room(id: $roomId) {
    id
    members(first: 10) {
      edges {
        node {
          role
          unreadCount
          user {
            handle
          }
        }
      }
    }
    messages(last: 50) {
      edges {
        cursor
        node {
          id
          body
          createdAt
          editedAt
          deletedAt
          version
          position
          author {
            handle
          }
          mentions {
            handle
          }
          replyCount
          lastReplyAt
          participants {
            handle
          }
          viewerIsFollowing
          likeCount
          viewerHasLiked
          stampCounts {
            count
            viewerHasStamped
            stamp {
              key
            }
          }
        }
      }
      pageInfo {
        hasPreviousPage
        hasNextPage
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RoomBeforeQuery, RoomBeforeQueryVariables>;
export const ThreadBeforeDocument = new TypedDocumentString(`
    query ThreadBefore($id: ID!) {
  node(id: $id) {
    ... on Message {
      id
      likers(first: 10) {
        edges {
          node {
            handle
          }
        }
      }
      stamps(first: 10) {
        edges {
          node {
            id
            createdAt
            stamp {
              key
            }
            user {
              handle
            }
          }
        }
      }
      replies(first: 20) {
        edges {
          cursor
          node {
            id
            body
            version
            editedAt
            author {
              handle
            }
            likeCount
            inReplyTo {
              id
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ThreadBeforeQuery, ThreadBeforeQueryVariables>;
export const FirstOwnRoomDocument = new TypedDocumentString(`
    query FirstOwnRoom($after: String) {
  viewer {
    memberships(first: 1, after: $after) {
      edges {
        node {
          id
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<FirstOwnRoomQuery, FirstOwnRoomQueryVariables>;
export const DeleteRoomDocument = new TypedDocumentString(`
    mutation DeleteRoom($roomId: ID!) {
  deleteRoom(input: {roomId: $roomId}) {
    deletedRoomId
  }
}
    `) as unknown as TypedDocumentString<DeleteRoomMutation, DeleteRoomMutationVariables>;
export const CausesDocument = new TypedDocumentString(`
    subscription Causes($roomId: ID!) {
  roomEvents(roomId: $roomId) {
    __typename
    ... on MessageChanged {
      message {
        id
        version
      }
      cause {
        kind
        actor {
          handle
        }
        stamp {
          key
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CausesSubscription, CausesSubscriptionVariables>;
export const WholeRoomDocument = new TypedDocumentString(`
    query WholeRoom($roomId: ID!, $after: String) {
  room(id: $roomId) {
    eventsCursor
    name
    memberCount
    viewerMembership {
      user {
        handle
      }
    }
    members(first: 100) {
      edges {
        node {
          role
          user {
            handle
          }
        }
      }
    }
    messages(first: 100, after: $after) {
      edges {
        node {
          ...WholeMessage
          replies(first: 100) {
            edges {
              node {
                ...WholeMessage
              }
            }
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment WholeMessage on Message {
  id
  version
  body
  editedAt
  deletedAt
  position
  replyCount
  lastReplyAt
  author {
    handle
  }
  root {
    id
  }
  participants {
    handle
  }
  mentions {
    handle
  }
  likeCount
  viewerHasLiked
  stampCounts {
    count
    viewerHasStamped
    stamp {
      key
    }
  }
}`) as unknown as TypedDocumentString<WholeRoomQuery, WholeRoomQueryVariables>;
export const WholeEventsDocument = new TypedDocumentString(`
    subscription WholeEvents($roomId: ID!, $after: String) {
  roomEvents(roomId: $roomId, after: $after) {
    __typename
    cursor
    room {
      name
      memberCount
    }
    ... on MessageAdded {
      message {
        ...WholeMessage
      }
    }
    ... on MessageChanged {
      message {
        ...WholeMessage
      }
      cause {
        kind
        actor {
          handle
        }
        stamp {
          key
        }
      }
    }
    ... on MembershipChanged {
      user {
        handle
      }
      membership {
        role
      }
    }
  }
}
    fragment WholeMessage on Message {
  id
  version
  body
  editedAt
  deletedAt
  position
  replyCount
  lastReplyAt
  author {
    handle
  }
  root {
    id
  }
  participants {
    handle
  }
  mentions {
    handle
  }
  likeCount
  viewerHasLiked
  stampCounts {
    count
    viewerHasStamped
    stamp {
      key
    }
  }
}`) as unknown as TypedDocumentString<WholeEventsSubscription, WholeEventsSubscriptionVariables>;
export const RoomEventsDocument = new TypedDocumentString(`
    subscription RoomEvents($roomId: ID!, $after: String) {
  roomEvents(roomId: $roomId, after: $after) {
    __typename
    cursor
    room {
      id
      name
      memberCount
      capacity
    }
    ... on MessageAdded {
      message {
        id
        body
        version
        position
        deletedAt
        root {
          id
        }
      }
    }
    ... on MessageChanged {
      message {
        id
        body
        version
        position
        deletedAt
        replyCount
      }
    }
    ... on MembershipChanged {
      user {
        handle
      }
      membership {
        role
      }
    }
    ... on TypingChanged {
      users {
        handle
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RoomEventsSubscription, RoomEventsSubscriptionVariables>;
export const MembershipEventsDocument = new TypedDocumentString(`
    subscription MembershipEvents($roomId: ID!, $after: String) {
  roomEvents(roomId: $roomId, after: $after) {
    __typename
    ... on MembershipChanged {
      user {
        handle
      }
      membership {
        muted
        unreadCount
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MembershipEventsSubscription, MembershipEventsSubscriptionVariables>;
export const EventsCursorDocument = new TypedDocumentString(`
    query EventsCursor($roomId: ID!) {
  room(id: $roomId) {
    eventsCursor
    messages(last: 100) {
      edges {
        node {
          id
          body
          version
          position
          deletedAt
          replyCount
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EventsCursorQuery, EventsCursorQueryVariables>;
export const CursorOnlyDocument = new TypedDocumentString(`
    query CursorOnly($roomId: ID!) {
  room(id: $roomId) {
    id
    eventsCursor
  }
}
    `) as unknown as TypedDocumentString<CursorOnlyQuery, CursorOnlyQueryVariables>;
export const SetTypingDocument = new TypedDocumentString(`
    mutation SetTyping($roomId: ID!, $typing: Boolean!) {
  setTyping(input: {roomId: $roomId, typing: $typing}) {
    room {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<SetTypingMutation, SetTypingMutationVariables>;
export const OpenedRoomDocument = new TypedDocumentString(`
    subscription OpenedRoom($roomId: ID!) {
  roomEvents(roomId: $roomId) {
    __typename
    cursor
    room {
      name
      viewerMembership {
        role
        user {
          handle
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OpenedRoomSubscription, OpenedRoomSubscriptionVariables>;
export const ArrangeDocument = new TypedDocumentString(`
    mutation Arrange($input: ArrangeRoomInput!) {
  arrangeRoom(input: $input) {
    membership {
      id
      section
      starred
    }
  }
}
    `) as unknown as TypedDocumentString<ArrangeMutation, ArrangeMutationVariables>;
export const ArrangementDocument = new TypedDocumentString(`
    query Arrangement($roomId: ID!) {
  viewer {
    memberships(first: 10) {
      edges {
        node {
          section
          starred
          room {
            id
          }
        }
      }
    }
  }
  room(id: $roomId) {
    viewerMembership {
      section
      starred
    }
    members(first: 10) {
      edges {
        node {
          user {
            id
          }
          section
          starred
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ArrangementQuery, ArrangementQueryVariables>;
export const WaitWithInviteDocument = new TypedDocumentString(`
    mutation WaitWithInvite($code: String!) {
  joinWithInvite(input: {code: $code, waitlist: true}) {
    membership {
      id
    }
    room {
      id
      name
      topic
      visibility
      capacity
      memberCount
      waitingCount
      waitlistPosition
      viewerMembership {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WaitWithInviteMutation, WaitWithInviteMutationVariables>;
export const WaitsDocument = new TypedDocumentString(`
    query Waits($first: Int, $after: String) {
  viewer {
    waitlists(first: $first, after: $after) {
      edges {
        cursor
        position
        since
        node {
          id
          name
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WaitsQuery, WaitsQueryVariables>;
export const SeenRoomDocument = new TypedDocumentString(`
    query SeenRoom($id: ID!) {
  room(id: $id) {
    name
    topic
    memberCount
    waitlistPosition
  }
}
    `) as unknown as TypedDocumentString<SeenRoomQuery, SeenRoomQueryVariables>;
export const BansDocument = new TypedDocumentString(`
    query Bans($roomId: ID!) {
  room(id: $roomId) {
    bans(first: 10) {
      edges {
        node {
          user {
            id
          }
          bannedBy {
            id
          }
          createdAt
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<BansQuery, BansQueryVariables>;
export const CreateInviteDocument = new TypedDocumentString(`
    mutation CreateInvite($input: CreateInviteInput!) {
  createInvite(input: $input) {
    code
    invite {
      id
      room {
        id
      }
      createdBy {
        handle
      }
      createdAt
      expiresAt
      maxUses
      uses
    }
  }
}
    `) as unknown as TypedDocumentString<CreateInviteMutation, CreateInviteMutationVariables>;
export const JoinWithInviteDocument = new TypedDocumentString(`
    mutation JoinWithInvite($code: String!) {
  joinWithInvite(input: {code: $code}) {
    membership {
      id
      role
      room {
        id
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<JoinWithInviteMutation, JoinWithInviteMutationVariables>;
export const RevokeInviteDocument = new TypedDocumentString(`
    mutation RevokeInvite($inviteId: ID!) {
  revokeInvite(input: {inviteId: $inviteId}) {
    room {
      id
    }
    deletedInviteId
  }
}
    `) as unknown as TypedDocumentString<RevokeInviteMutation, RevokeInviteMutationVariables>;
export const InvitesDocument = new TypedDocumentString(`
    query Invites($roomId: ID!) {
  room(id: $roomId) {
    invites(first: 10) {
      edges {
        node {
          id
          uses
          maxUses
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<InvitesQuery, InvitesQueryVariables>;
export const OpenDirectRoomDocument = new TypedDocumentString(`
    mutation OpenDirectRoom($userIds: [ID!]!) {
  openDirectRoom(input: {userIds: $userIds}) {
    room {
      id
      name
      visibility
      memberCount
      capacity
      viewerMembership {
        role
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OpenDirectRoomMutation, OpenDirectRoomMutationVariables>;
export const PeopleOfDocument = new TypedDocumentString(`
    query PeopleOf($id: ID!) {
  room(id: $id) {
    people {
      handle
    }
  }
}
    `) as unknown as TypedDocumentString<PeopleOfQuery, PeopleOfQueryVariables>;
export const JoinOrWaitDocument = new TypedDocumentString(`
    mutation JoinOrWait($roomId: ID!) {
  joinRoom(input: {roomId: $roomId, waitlist: true}) {
    membership {
      id
      role
    }
    room {
      memberCount
      waitingCount
      waitlistPosition
    }
  }
}
    `) as unknown as TypedDocumentString<JoinOrWaitMutation, JoinOrWaitMutationVariables>;
export const WaitlistDocument = new TypedDocumentString(`
    query Waitlist($id: ID!) {
  room(id: $id) {
    memberCount
    capacity
    waitingCount
    waitlistPosition
    viewerMembership {
      role
    }
  }
}
    `) as unknown as TypedDocumentString<WaitlistQuery, WaitlistQueryVariables>;
export const OwnRoomsDocument = new TypedDocumentString(`
    query OwnRooms {
  viewer {
    memberships(first: 50) {
      edges {
        node {
          room {
            id
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OwnRoomsQuery, OwnRoomsQueryVariables>;
export const NotificationRoomsDocument = new TypedDocumentString(`
    query NotificationRooms {
  viewer {
    notifications(first: 20) {
      edges {
        node {
          id
          kind
          text
          actorCount
          actors {
            handle
          }
          room {
            id
            name
          }
          message {
            id
          }
          readAt
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<NotificationRoomsQuery, NotificationRoomsQueryVariables>;
export const OwnIdOfSaverDocument = new TypedDocumentString(`
    query OwnIdOfSaver {
  viewer {
    id
  }
}
    `) as unknown as TypedDocumentString<OwnIdOfSaverQuery, OwnIdOfSaverQueryVariables>;
export const SaveMessageDocument = new TypedDocumentString(`
    mutation SaveMessage($input: SaveMessageInput!) {
  saveMessage(input: $input) {
    savedMessage {
      id
      visibility
      note
      tags
      remindAt
      version
      savedAt
      savedBy {
        id
      }
      message {
        id
        body
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SaveMessageMutation, SaveMessageMutationVariables>;
export const RemoveSavedMessageDocument = new TypedDocumentString(`
    mutation RemoveSavedMessage($input: RemoveSavedMessageInput!) {
  removeSavedMessage(input: $input) {
    removed {
      id
      visibility
      note
      tags
      remindAt
    }
    message {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<RemoveSavedMessageMutation, RemoveSavedMessageMutationVariables>;
export const SavedMessagesDocument = new TypedDocumentString(`
    query SavedMessages($visibility: SavedVisibility, $tags: [String!], $tagIds: [ID!], $untagged: Boolean, $orderBy: SavedOrder, $from: DateTime, $first: Int, $after: String, $last: Int, $before: String) {
  viewer {
    savedMessages(
      visibility: $visibility
      tags: $tags
      tagIds: $tagIds
      untagged: $untagged
      orderBy: $orderBy
      from: $from
      first: $first
      after: $after
      last: $last
      before: $before
    ) {
      edges {
        cursor
        node {
          id
          visibility
          note
          tags
          version
          savedAt
          message {
            id
            body
          }
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SavedMessagesQuery, SavedMessagesQueryVariables>;
export const SavedCountsDocument = new TypedDocumentString(`
    query SavedCounts {
  viewer {
    savedCounts {
      total
      public
      private
      untagged
    }
  }
}
    `) as unknown as TypedDocumentString<SavedCountsQuery, SavedCountsQueryVariables>;
export const SavedMarksDocument = new TypedDocumentString(`
    query SavedMarks($roomId: ID!) {
  room(id: $roomId) {
    messages(last: 10) {
      edges {
        node {
          id
          viewerHasLiked
          viewerSaved {
            id
            tags
            visibility
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SavedMarksQuery, SavedMarksQueryVariables>;
export const SavedNodeDocument = new TypedDocumentString(`
    query SavedNode($id: ID!) {
  node(id: $id) {
    ... on SavedMessage {
      id
      version
      visibility
      note
      tags
      remindAt
      savedBy {
        id
      }
      message {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SavedNodeQuery, SavedNodeQueryVariables>;
export const SnoozeReminderDocument = new TypedDocumentString(`
    mutation SnoozeReminder($id: ID!, $remindAt: DateTime!) {
  snoozeReminder(input: {savedMessageId: $id, remindAt: $remindAt}) {
    savedMessage {
      id
      remindAt
      version
    }
  }
}
    `) as unknown as TypedDocumentString<SnoozeReminderMutation, SnoozeReminderMutationVariables>;
export const RemindersDocument = new TypedDocumentString(`
    query Reminders($first: Int, $after: String) {
  viewer {
    reminders(first: $first, after: $after) {
      edges {
        node {
          id
          remindAt
          tags
          message {
            id
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RemindersQuery, RemindersQueryVariables>;
export const SavedTagsDocument = new TypedDocumentString(`
    query SavedTags($prefix: String, $orderBy: SavedTagOrder, $first: Int, $after: String, $last: Int, $before: String) {
  viewer {
    savedTags(
      prefix: $prefix
      orderBy: $orderBy
      first: $first
      after: $after
      last: $last
      before: $before
    ) {
      edges {
        cursor
        node {
          id
          name
          count
          publicCount
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SavedTagsQuery, SavedTagsQueryVariables>;
export const SavedTagNodeDocument = new TypedDocumentString(`
    query SavedTagNode($id: ID!) {
  node(id: $id) {
    ... on SavedTag {
      id
      name
      count
      publicCount
    }
  }
}
    `) as unknown as TypedDocumentString<SavedTagNodeQuery, SavedTagNodeQueryVariables>;
export const SavedChangedDocument = new TypedDocumentString(`
    subscription SavedChanged {
  savedChanged {
    savedMessage {
      id
      note
      tags
      version
      visibility
      message {
        id
        body
      }
    }
    removedId
    version
    counts {
      total
      public
      private
      untagged
    }
  }
}
    `) as unknown as TypedDocumentString<SavedChangedSubscription, SavedChangedSubscriptionVariables>;
export const RenameSavedTagDocument = new TypedDocumentString(`
    mutation RenameSavedTag($input: RenameSavedTagInput!) {
  renameSavedTag(input: $input) {
    tag {
      id
      name
      count
      publicCount
    }
    job {
      id
      kind
      state
      text
    }
  }
}
    `) as unknown as TypedDocumentString<RenameSavedTagMutation, RenameSavedTagMutationVariables>;
export const MergeSavedTagsDocument = new TypedDocumentString(`
    mutation MergeSavedTags($input: MergeSavedTagsInput!) {
  mergeSavedTags(input: $input) {
    job {
      id
      kind
      state
      done
      total
      text
      failure
      finishedAt
    }
  }
}
    `) as unknown as TypedDocumentString<MergeSavedTagsMutation, MergeSavedTagsMutationVariables>;
export const DeleteSavedTagDocument = new TypedDocumentString(`
    mutation DeleteSavedTag($input: DeleteSavedTagInput!) {
  deleteSavedTag(input: $input) {
    job {
      id
      kind
      state
      done
      total
      text
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteSavedTagMutation, DeleteSavedTagMutationVariables>;
export const SetVisibilityOfTaggedDocument = new TypedDocumentString(`
    mutation SetVisibilityOfTagged($input: SetVisibilityOfTaggedInput!) {
  setVisibilityOfTagged(input: $input) {
    job {
      id
      kind
      state
      done
      total
      text
    }
  }
}
    `) as unknown as TypedDocumentString<SetVisibilityOfTaggedMutation, SetVisibilityOfTaggedMutationVariables>;
export const CancelJobDocument = new TypedDocumentString(`
    mutation CancelJob($input: CancelJobInput!) {
  cancelJob(input: $input) {
    job {
      id
      state
    }
  }
}
    `) as unknown as TypedDocumentString<CancelJobMutation, CancelJobMutationVariables>;
export const JobsDocument = new TypedDocumentString(`
    query Jobs($first: Int, $after: String) {
  viewer {
    jobs(first: $first, after: $after) {
      edges {
        node {
          id
          kind
          state
          done
          total
          remainingSeconds
          failure
          failureReason
          createdAt
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<JobsQuery, JobsQueryVariables>;
export const JobChangedDocument = new TypedDocumentString(`
    subscription JobChanged($jobId: ID!) {
  jobChanged(jobId: $jobId) {
    id
    state
    done
    total
  }
}
    `) as unknown as TypedDocumentString<JobChangedSubscription, JobChangedSubscriptionVariables>;
export const JobNodeDocument = new TypedDocumentString(`
    query JobNode($id: ID!) {
  node(id: $id) {
    ... on Job {
      id
      state
      done
    }
  }
}
    `) as unknown as TypedDocumentString<JobNodeQuery, JobNodeQueryVariables>;
export const PublicSavedDocument = new TypedDocumentString(`
    query PublicSaved($id: ID!, $tag: String, $orderBy: SavedOrder, $first: Int, $after: String) {
  node(id: $id) {
    ... on User {
      savedMessages(tag: $tag, orderBy: $orderBy, first: $first, after: $after) {
        edges {
          cursor
          node {
            id
            note
            tags
            visibility
            savedBy {
              id
            }
            remindAt
            version
            message {
              id
              body
            }
          }
        }
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PublicSavedQuery, PublicSavedQueryVariables>;
export const PublicSavedTagsDocument = new TypedDocumentString(`
    query PublicSavedTags($id: ID!, $first: Int, $after: String) {
  node(id: $id) {
    ... on User {
      savedTags(first: $first, after: $after) {
        edges {
          cursor
          node {
            name
            count
          }
        }
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PublicSavedTagsQuery, PublicSavedTagsQueryVariables>;
export const PublicSavesDocument = new TypedDocumentString(`
    query PublicSaves($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  node(id: $id) {
    ... on Message {
      version
      publicSaveCount
      publicSaves(first: $first, after: $after, last: $last, before: $before) {
        edges {
          cursor
          node {
            id
            note
            tags
            remindAt
            version
            savedBy {
              id
            }
          }
        }
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<PublicSavesQuery, PublicSavesQueryVariables>;
export const ScheduleDocument = new TypedDocumentString(`
    mutation Schedule($input: ScheduleMessageInput!) {
  scheduleMessage(input: $input) {
    scheduledMessage {
      id
      room {
        id
      }
      body
      replyTo {
        id
      }
      sendAt
      failure
      failureReason
      version
    }
  }
}
    `) as unknown as TypedDocumentString<ScheduleMutation, ScheduleMutationVariables>;
export const UpdateScheduledDocument = new TypedDocumentString(`
    mutation UpdateScheduled($input: UpdateScheduledMessageInput!) {
  updateScheduledMessage(input: $input) {
    scheduledMessage {
      id
      body
      sendAt
      failure
      version
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateScheduledMutation, UpdateScheduledMutationVariables>;
export const CancelScheduledDocument = new TypedDocumentString(`
    mutation CancelScheduled($id: ID!) {
  cancelScheduledMessage(input: {scheduledMessageId: $id}) {
    cancelled {
      id
      body
    }
  }
}
    `) as unknown as TypedDocumentString<CancelScheduledMutation, CancelScheduledMutationVariables>;
export const ScheduledMessagesDocument = new TypedDocumentString(`
    query ScheduledMessages($first: Int, $after: String) {
  viewer {
    scheduledMessages(first: $first, after: $after) {
      edges {
        cursor
        node {
          id
          room {
            id
          }
          body
          replyTo {
            id
          }
          sendAt
          failure
          failureReason
          version
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ScheduledMessagesQuery, ScheduledMessagesQueryVariables>;
export const ScheduledNodeDocument = new TypedDocumentString(`
    query ScheduledNode($id: ID!) {
  node(id: $id) {
    ... on ScheduledMessage {
      id
      body
    }
  }
}
    `) as unknown as TypedDocumentString<ScheduledNodeQuery, ScheduledNodeQueryVariables>;
export const SentToDocument = new TypedDocumentString(`
    query SentTo($roomId: ID!) {
  room(id: $roomId) {
    messages(last: 50) {
      edges {
        node {
          id
          body
          idempotencyKey
          author {
            id
          }
          mentions {
            id
          }
          replyCount
          replies {
            edges {
              node {
                body
              }
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SentToQuery, SentToQueryVariables>;
export const CostScheduledDocument = new TypedDocumentString(`
    query CostScheduled {
  viewer {
    scheduledMessages(first: 10) {
      edges {
        node {
          id
          sendAt
          body
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CostScheduledQuery, CostScheduledQueryVariables>;
export const CostScheduleDocument = new TypedDocumentString(`
    mutation CostSchedule($input: ScheduleMessageInput!) {
  scheduleMessage(input: $input) {
    scheduledMessage {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<CostScheduleMutation, CostScheduleMutationVariables>;
export const CreateRoomDocument = new TypedDocumentString(`
    mutation CreateRoom($input: CreateRoomInput!) {
  createRoom(input: $input) {
    room {
      id
      name
      topic
      visibility
      capacity
      memberCount
      viewerMembership {
        id
        role
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CreateRoomMutation, CreateRoomMutationVariables>;
export const JoinRoomDocument = new TypedDocumentString(`
    mutation JoinRoom($roomId: ID!) {
  joinRoom(input: {roomId: $roomId}) {
    membership {
      id
      role
      unreadCount
      user {
        id
        handle
      }
    }
  }
}
    `) as unknown as TypedDocumentString<JoinRoomMutation, JoinRoomMutationVariables>;
export const LeaveRoomDocument = new TypedDocumentString(`
    mutation LeaveRoom($roomId: ID!) {
  leaveRoom(input: {roomId: $roomId}) {
    room {
      id
      memberCount
    }
    deletedMembershipId
  }
}
    `) as unknown as TypedDocumentString<LeaveRoomMutation, LeaveRoomMutationVariables>;
export const UpdateRoomDocument = new TypedDocumentString(`
    mutation UpdateRoom($input: UpdateRoomInput!) {
  updateRoom(input: $input) {
    room {
      id
      name
      topic
      capacity
      memberCount
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateRoomMutation, UpdateRoomMutationVariables>;
export const AddMemberDocument = new TypedDocumentString(`
    mutation AddMember($roomId: ID!, $userId: ID!) {
  addMember(input: {roomId: $roomId, userId: $userId}) {
    membership {
      id
      role
      muted
      user {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AddMemberMutation, AddMemberMutationVariables>;
export const RemoveMemberDocument = new TypedDocumentString(`
    mutation RemoveMember($roomId: ID!, $userId: ID!) {
  removeMember(input: {roomId: $roomId, userId: $userId}) {
    room {
      id
      memberCount
    }
    deletedMembershipId
  }
}
    `) as unknown as TypedDocumentString<RemoveMemberMutation, RemoveMemberMutationVariables>;
export const SetMemberRoleDocument = new TypedDocumentString(`
    mutation SetMemberRole($roomId: ID!, $userId: ID!, $role: Role!) {
  setMemberRole(input: {roomId: $roomId, userId: $userId, role: $role}) {
    membership {
      id
      role
      muted
    }
  }
}
    `) as unknown as TypedDocumentString<SetMemberRoleMutation, SetMemberRoleMutationVariables>;
export const BanMemberDocument = new TypedDocumentString(`
    mutation BanMember($roomId: ID!, $userId: ID!) {
  banMember(input: {roomId: $roomId, userId: $userId}) {
    room {
      id
      memberCount
    }
    user {
      id
    }
    deletedMembershipId
  }
}
    `) as unknown as TypedDocumentString<BanMemberMutation, BanMemberMutationVariables>;
export const UnbanMemberDocument = new TypedDocumentString(`
    mutation UnbanMember($roomId: ID!, $userId: ID!) {
  unbanMember(input: {roomId: $roomId, userId: $userId}) {
    room {
      id
    }
    user {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<UnbanMemberMutation, UnbanMemberMutationVariables>;
export const SendMessageDocument = new TypedDocumentString(`
    mutation SendMessage($input: SendMessageInput!) {
  sendMessage(input: $input) {
    message {
      id
      body
      createdAt
      version
      position
      author {
        id
        handle
      }
      root {
        id
      }
      replyCount
    }
  }
}
    `) as unknown as TypedDocumentString<SendMessageMutation, SendMessageMutationVariables>;
export const MarkRoomReadDocument = new TypedDocumentString(`
    mutation MarkRoomRead($input: MarkRoomReadInput!) {
  markRoomRead(input: $input) {
    membership {
      id
      unreadCount
    }
  }
}
    `) as unknown as TypedDocumentString<MarkRoomReadMutation, MarkRoomReadMutationVariables>;
export const TimelineDocument = new TypedDocumentString(`
    query Timeline($roomId: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  room(id: $roomId) {
    id
    messages(first: $first, after: $after, last: $last, before: $before) {
      edges {
        cursor
        node {
          id
          body
          position
          version
          replyCount
          author {
            handle
          }
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TimelineQuery, TimelineQueryVariables>;
export const ThreadDocument = new TypedDocumentString(`
    query Thread($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  node(id: $id) {
    ... on Message {
      id
      replyCount
      lastReplyAt
      participants {
        handle
      }
      replies(first: $first, after: $after, last: $last, before: $before) {
        edges {
          cursor
          node {
            id
            body
            createdAt
            root {
              id
            }
            author {
              handle
            }
          }
        }
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ThreadQuery, ThreadQueryVariables>;
export const UnreadNowDocument = new TypedDocumentString(`
    query UnreadNow {
  viewer {
    id
    unread {
      total
      notifications
      rooms {
        unreadCount
        room {
          id
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<UnreadNowQuery, UnreadNowQueryVariables>;
export const UnreadLiveDocument = new TypedDocumentString(`
    subscription UnreadLive {
  unread {
    total
    notifications
    removedRoomIds
    rooms {
      unreadCount
      readPosition
      room {
        id
        name
      }
      membership {
        role
      }
    }
  }
}
    `) as unknown as TypedDocumentString<UnreadLiveSubscription, UnreadLiveSubscriptionVariables>;
export const DirectoryDocument = new TypedDocumentString(`
    query Directory($first: Int, $after: String) {
  rooms(first: $first, after: $after) {
    edges {
      cursor
      node {
        id
        name
        topic
        visibility
        memberCount
        capacity
      }
    }
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<DirectoryQuery, DirectoryQueryVariables>;
export const RoomByIdDocument = new TypedDocumentString(`
    query RoomById($id: ID!) {
  room(id: $id) {
    id
    name
    topic
    visibility
    memberCount
    capacity
    viewerMembership {
      id
      role
      unreadCount
    }
  }
}
    `) as unknown as TypedDocumentString<RoomByIdQuery, RoomByIdQueryVariables>;
export const MembersDocument = new TypedDocumentString(`
    query Members($roomId: ID!, $first: Int, $after: String) {
  room(id: $roomId) {
    members(first: $first, after: $after) {
      edges {
        cursor
        node {
          id
          role
          unreadCount
          muted
          user {
            handle
          }
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MembersQuery, MembersQueryVariables>;
export const NodeByIdDocument = new TypedDocumentString(`
    query NodeById($id: ID!) {
  node(id: $id) {
    __typename
    id
  }
}
    `) as unknown as TypedDocumentString<NodeByIdQuery, NodeByIdQueryVariables>;
export const NodesByIdDocument = new TypedDocumentString(`
    query NodesById($ids: [ID!]!) {
  nodes(ids: $ids) {
    __typename
    id
  }
}
    `) as unknown as TypedDocumentString<NodesByIdQuery, NodesByIdQueryVariables>;
export const MeDocument = new TypedDocumentString(`
    query Me {
  viewer {
    id
    locale
    user {
      id
      handle
      displayName
      avatarUrl
    }
  }
}
    `) as unknown as TypedDocumentString<MeQuery, MeQueryVariables>;
export const MembershipsDocument = new TypedDocumentString(`
    query Memberships($first: Int, $after: String) {
  viewer {
    memberships(first: $first, after: $after) {
      edges {
        cursor
        node {
          id
          role
          room {
            id
          }
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MembershipsQuery, MembershipsQueryVariables>;
export const UserByHandleDocument = new TypedDocumentString(`
    query UserByHandle($handle: String!) {
  user(handle: $handle) {
    id
    handle
    displayName
    avatarUrl
  }
}
    `) as unknown as TypedDocumentString<UserByHandleQuery, UserByHandleQueryVariables>;
export const UpdateProfileDocument = new TypedDocumentString(`
    mutation UpdateProfile($input: UpdateProfileInput!) {
  updateProfile(input: $input) {
    user {
      id
      handle
      displayName
      avatarUrl
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateProfileMutation, UpdateProfileMutationVariables>;
export const RoomThreadsDocument = new TypedDocumentString(`
    query RoomThreads($roomId: ID!, $first: Int, $after: String, $last: Int, $before: String, $replies: Int) {
  room(id: $roomId) {
    threads(
      first: $first
      after: $after
      last: $last
      before: $before
      replies: $replies
    ) {
      pageInfo {
        hasPreviousPage
        hasNextPage
        startCursor
        endCursor
      }
      edges {
        node {
          root {
            id
            body
            replyCount
          }
          replies {
            id
            body
          }
          hasMoreReplies
          stamps {
            stamp {
              key
            }
            message {
              body
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RoomThreadsQuery, RoomThreadsQueryVariables>;
export const UnreadEverywhereDocument = new TypedDocumentString(`
    query UnreadEverywhere {
  viewer {
    unread {
      total
      rooms {
        unreadCount
      }
    }
  }
}
    `) as unknown as TypedDocumentString<UnreadEverywhereQuery, UnreadEverywhereQueryVariables>;
export const RoomsInOrderDocument = new TypedDocumentString(`
    query RoomsInOrder($first: Int, $after: String, $orderBy: MembershipOrder, $unreadOnly: Boolean) {
  viewer {
    memberships(
      first: $first
      after: $after
      orderBy: $orderBy
      unreadOnly: $unreadOnly
    ) {
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          room {
            name
            lastActivityAt
            lastMessage {
              id
              body
              createdAt
              deletedAt
            }
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RoomsInOrderQuery, RoomsInOrderQueryVariables>;
export const LastOutsideDocument = new TypedDocumentString(`
    query LastOutside($id: ID!) {
  room(id: $id) {
    name
    lastMessage {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<LastOutsideQuery, LastOutsideQueryVariables>;
export const ActivityOutsideDocument = new TypedDocumentString(`
    query ActivityOutside($id: ID!) {
  room(id: $id) {
    lastActivityAt
  }
}
    `) as unknown as TypedDocumentString<ActivityOutsideQuery, ActivityOutsideQueryVariables>;
export const MuteInOrderDocument = new TypedDocumentString(`
    mutation MuteInOrder($roomId: ID!) {
  muteRoom(input: {roomId: $roomId, muted: true}) {
    membership {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<MuteInOrderMutation, MuteInOrderMutationVariables>;
export const MarkAllRoomsReadDocument = new TypedDocumentString(`
    mutation MarkAllRoomsRead {
  markAllRoomsRead {
    unread {
      total
      rooms {
        unreadCount
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MarkAllRoomsReadMutation, MarkAllRoomsReadMutationVariables>;
export const MarkRoomUnreadDocument = new TypedDocumentString(`
    mutation MarkRoomUnread($messageId: ID!) {
  markRoomUnread(input: {messageId: $messageId}) {
    membership {
      unreadCount
    }
  }
}
    `) as unknown as TypedDocumentString<MarkRoomUnreadMutation, MarkRoomUnreadMutationVariables>;
export const MuteRoomDocument = new TypedDocumentString(`
    mutation MuteRoom($roomId: ID!, $muted: Boolean!) {
  muteRoom(input: {roomId: $roomId, muted: $muted}) {
    membership {
      muted
      unreadCount
    }
  }
}
    `) as unknown as TypedDocumentString<MuteRoomMutation, MuteRoomMutationVariables>;
export const ExplainUnreadDocument = new TypedDocumentString(`
    query ExplainUnread($roomId: ID!) {
  room(id: $roomId) {
    explainUnread {
      id
      position
      body
    }
    viewerMembership {
      unreadCount
    }
  }
}
    `) as unknown as TypedDocumentString<ExplainUnreadQuery, ExplainUnreadQueryVariables>;
export const BlockSearchedDocument = new TypedDocumentString(`
    mutation BlockSearched($userId: ID!) {
  blockUser(input: {userId: $userId}) {
    user {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<BlockSearchedMutation, BlockSearchedMutationVariables>;
export const BlockUserDocument = new TypedDocumentString(`
    mutation BlockUser($input: BlockUserInput!) {
  blockUser(input: $input) {
    user {
      id
      handle
    }
  }
}
    `) as unknown as TypedDocumentString<BlockUserMutation, BlockUserMutationVariables>;
export const UnblockUserDocument = new TypedDocumentString(`
    mutation UnblockUser($input: BlockUserInput!) {
  unblockUser(input: $input) {
    user {
      id
      handle
    }
  }
}
    `) as unknown as TypedDocumentString<UnblockUserMutation, UnblockUserMutationVariables>;
export const BlockedUsersDocument = new TypedDocumentString(`
    query BlockedUsers($first: Int, $after: String) {
  viewer {
    blockedUsers(first: $first, after: $after) {
      edges {
        node {
          id
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<BlockedUsersQuery, BlockedUsersQueryVariables>;
export const MentionsOfDocument = new TypedDocumentString(`
    mutation MentionsOf($input: SendMessageInput!) {
  sendMessage(input: $input) {
    message {
      id
      body
      mentions {
        handle
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MentionsOfMutation, MentionsOfMutationVariables>;
export const SearchUsersDocument = new TypedDocumentString(`
    query SearchUsers($prefix: String!, $first: Int, $after: String) {
  searchUsers(prefix: $prefix, first: $first, after: $after) {
    edges {
      cursor
      node {
        id
        handle
      }
    }
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<SearchUsersQuery, SearchUsersQueryVariables>;
export const SearchMembersDocument = new TypedDocumentString(`
    query SearchMembers($roomId: ID!, $prefix: String!, $first: Int, $after: String) {
  room(id: $roomId) {
    searchMembers(prefix: $prefix, first: $first, after: $after) {
      edges {
        cursor
        node {
          id
          role
          user {
            handle
          }
          unreadCount
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SearchMembersQuery, SearchMembersQueryVariables>;
export const SetZoneDocument = new TypedDocumentString(`
    mutation SetZone($timeZone: String) {
  updateProfile(input: {timeZone: $timeZone}) {
    user {
      id
      timeZone
    }
  }
}
    `) as unknown as TypedDocumentString<SetZoneMutation, SetZoneMutationVariables>;
export const ZoneOfDocument = new TypedDocumentString(`
    query ZoneOf($handle: String!) {
  user(handle: $handle) {
    timeZone
  }
}
    `) as unknown as TypedDocumentString<ZoneOfQuery, ZoneOfQueryVariables>;