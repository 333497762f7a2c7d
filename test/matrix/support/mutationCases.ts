/** The mutations, each with the inputs for which its outcome differs by user. The oracle has a row for each case. */
import type { Services } from '../../../src/graphql/context.ts';
import { decodeId, encodeId } from '../../../src/graphql/ids.ts';
import { parseMessageId } from '../../../src/messages/message.ts';
import type { Variables } from './clients.ts';
import { newDevice, newDeviceInput } from './deliveries.ts';
import type { Fixture } from './fixture.ts';
import type { UserKind } from './oracle.ts';
import { REMIND_AT, remindAt } from './reminders.ts';
import { globalUserId, inviteId, messageId, stampId, type User } from './room.ts';
import { spareTag } from './savedJobs.ts';
import { failedMessage, sendAt } from './scheduled.ts';

export interface CaseContext {
  readonly services: Services;
  readonly fixture: Fixture;
  readonly kind: UserKind;
  readonly user: User;
  /** Creates a user who is in no room. */
  readonly createUser: () => Promise<User>;
}

export interface MutationCase {
  /** The key in the oracle: the field, or `field: input`. */
  readonly name: string;
  readonly field: string;
  /** The input as GraphQL, null for none. `$room`, `$message` … are variables of the fixture (`variablesOf`). */
  readonly input: string | null;
  /** Creates what the mutation uses up, by a user who may. Returns the variables that replace the fixture's. */
  readonly prepare?: (context: CaseContext) => Promise<Variables>;
  /** Restores the room for the next case. */
  readonly undo?: (context: CaseContext) => Promise<unknown>;
}

const mutation = (
  name: string,
  input: string | null,
  hooks: Pick<MutationCase, 'prepare' | 'undo'> = {},
): MutationCase => ({ name, field: name.split(':')[0] ?? name, input, ...hooks });

const newUser = async ({ createUser }: CaseContext): Promise<Variables> => ({
  stranger: globalUserId(await createUser()),
});

const spareMember = async ({ fixture }: CaseContext): Promise<Variables> => {
  const spare = fixture.spares.pop();
  if (spare === undefined) throw new Error('There are not enough spare members.');
  return { member: globalUserId(spare) };
};

const spareModerator = async (context: CaseContext): Promise<Variables> => {
  const { services, fixture } = context;
  const user = fixture.spares.at(-1)?.id ?? '';
  await services.rooms.setRole({ by: fixture.users.owner.id, room: fixture.room, user }, 'MODERATOR');
  const { member: partner } = await spareMember(context);
  return { partner };
};

/** One message by the user and one by another user. */
const newMessages = async ({ services, fixture, user }: CaseContext): Promise<Variables> => {
  const { owner, member } = fixture.users;
  const other = user.id === member.id ? owner : member;
  const send = (author: User) =>
    services.messages.send({ room: fixture.room, author: author.id, body: 'something' });
  return { ownMessage: messageId(await send(user)), othersMessage: messageId(await send(other)) };
};

const newStamp = async ({ services, fixture, user }: CaseContext): Promise<Variables> => {
  const message = await services.messages.send({ room: fixture.room, author: user.id, body: 'something' });
  const stamp = await services.stamps.add(user.id, message, 'heart');
  return { message: messageId(message), ownStamp: stampId(stamp) };
};

/** For users who may save it. */
const savedAgain = async ({ services, fixture, user }: CaseContext): Promise<Variables> => {
  const key = parseMessageId(decodeId(fixture.message).id);
  if (key === undefined) throw new Error('The message has no key.');
  const change = { note: 'note', tags: [{ shown: 'Later', folded: 'later' }], remindAt: REMIND_AT };
  await services.saved.save({ user: user.id, ...key }, change, { known: false }).catch(() => {});
  return {};
};

const newInvite = async ({ services, fixture: { room, users } }: CaseContext): Promise<Variables> => {
  const by = users.owner.id;
  const { invite } = await services.rooms.createInvite({ by, room, seconds: 60, maxUses: null });
  return { invite: inviteId(invite) };
};

/** Another room of the owner. The room of the fixture stays for the other cases. */
async function anotherRoom({ services, kind, user }: CaseContext): Promise<Variables> {
  if (kind !== 'owner') return {};
  const input = { name: 'Another', topic: null, visibility: 'PUBLIC', capacity: null } as const;
  return { room: encodeId('Room', (await services.rooms.create(user.id, input)).id) };
}

/** Leaves the room or its waitlist, unless the user is meant to be in the waitlist. */
const leaveAgain = async ({ services, fixture, kind, user }: CaseContext): Promise<void> => {
  if (kind !== 'waiting') await services.rooms.leave(user.id, fixture.room);
};

/** Joins the room again with the same role, or its waitlist. A user who left is not added again by the same user. */
async function joinAgain({ services, fixture, kind, user }: CaseContext): Promise<void> {
  const { rooms } = services;
  const { room, state, users, firstMembers } = fixture;
  const { id: by } = users.owner;
  const inviteCode = async () => (await rooms.createInvite({ by, room, seconds: 60, maxUses: 1 })).code;
  if (kind === 'waiting') await rooms.joinWithInviteOrWait(user.id, await inviteCode());
  else if (state === 'direct')
    await rooms.openDirect(
      user.id,
      firstMembers.map((name) => users[name]?.id ?? ''),
    );
  else {
    // The user in the waitlist would get the free seat.
    if (state === 'full' || state === 'fullPrivate')
      await rooms.leave(users.waiting.id, room).catch(() => {});
    await rooms.update(by, room, { capacity: null });
    await rooms.joinWithInvite(user.id, await inviteCode());
    if (kind === 'moderator') await rooms.setRole({ by, room, user: user.id }, 'MODERATOR');
  }
}

const room = 'roomId: $room';

export const mutationCases: readonly MutationCase[] = [
  mutation('updateProfile', 'locale: "en"'),
  mutation('signOutEverywhere', null),
  mutation('blockUser', 'userId: $stranger', { prepare: newUser }),
  mutation('unblockUser', 'userId: $stranger', { prepare: newUser }),
  mutation('createRoom', 'name: "Another", visibility: PRIVATE'),
  mutation('createRoom: a public one', 'name: "Another", visibility: PUBLIC'),
  mutation('joinRoom', room, { undo: leaveAgain }),
  mutation('joinRoom: or the waitlist', `${room}, waitlist: true`, { undo: leaveAgain }),
  mutation('joinWithInvite', 'code: $code', { undo: leaveAgain }),
  mutation('joinWithInvite: or the waitlist', 'code: $code, waitlist: true', { undo: leaveAgain }),
  mutation('updateRoom', `${room}, name: $name`),
  mutation('updateRoom: capacity', `${room}, capacity: 500`),
  mutation('addMember', `${room}, userId: $stranger`, { prepare: newUser }),
  mutation('removeMember', `${room}, userId: $member`, { prepare: spareMember }),
  mutation('removeMember: a moderator', `${room}, userId: $partner`, { prepare: spareModerator }),
  mutation('banMember', `${room}, userId: $stranger`, { prepare: newUser }),
  mutation('banMember: a member', `${room}, userId: $member`, { prepare: spareMember }),
  mutation('unbanMember', `${room}, userId: $stranger`),
  mutation('setMemberRole', `${room}, userId: $member, role: MODERATOR`, { prepare: spareMember }),
  mutation('createInvite', room),
  mutation('revokeInvite', 'inviteId: $invite', { prepare: newInvite }),
  mutation('sendMessage', `${room}, body: "something"`),
  mutation('sendMessage: a reply', `${room}, body: "something", replyTo: $message`),
  mutation('scheduleMessage', `${room}, body: "later", ${sendAt}`),
  mutation('scheduleMessage: a reply', `${room}, body: "later", replyTo: $message, ${sendAt}`),
  mutation('updateScheduledMessage', 'scheduledMessageId: $scheduled, body: "changed"'),
  mutation("updateScheduledMessage: another user's", 'scheduledMessageId: $othersScheduled, body: "changed"'),
  mutation('cancelScheduledMessage', 'scheduledMessageId: $failed', { prepare: failedMessage }),
  mutation("cancelScheduledMessage: another user's", 'scheduledMessageId: $othersScheduled'),
  mutation('editMessage', 'messageId: $ownMessage, body: $body'),
  mutation("editMessage: another user's", 'messageId: $othersMessage, body: "something else"'),
  mutation('deleteMessage', 'messageId: $ownMessage', { prepare: newMessages }),
  mutation("deleteMessage: another user's", 'messageId: $othersMessage', { prepare: newMessages }),
  mutation('likeMessage', 'messageId: $message'),
  mutation('unlikeMessage', 'messageId: $message'),
  // Not a message that former members have saved: they may change that.
  mutation('saveMessage', `messageId: $answer, note: "something", tags: ["something"], ${remindAt}`),
  mutation('saveMessage: publicly', 'messageId: $answer, visibility: PUBLIC'),
  mutation("saveMessage: another user's", 'savedMessageId: $othersSaved'),
  mutation('snoozeReminder', `savedMessageId: $reminded, ${remindAt}`),
  mutation("snoozeReminder: another user's", `savedMessageId: $othersReminded, ${remindAt}`),
  mutation('removeSavedMessage', 'messageId: $message', { prepare: savedAgain }),
  mutation("removeSavedMessage: another user's", 'savedMessageId: $othersSaved'),
  // First, so that the jobs of the following ones do not wait for it.
  mutation('cancelJob', 'jobId: $job'),
  mutation("cancelJob: another user's", 'jobId: $othersJob'),
  mutation('renameSavedTag', 'tagId: $renamedTag, name: "another name"'),
  mutation('renameSavedTag: to a name in use', 'tagId: $spareTag, name: "kept"', { prepare: spareTag }),
  mutation("renameSavedTag: another user's", 'tagId: $othersTag, name: "another name"'),
  mutation('mergeSavedTags', 'fromTagId: $spareTag, intoTagId: $keptTag', { prepare: spareTag }),
  mutation("mergeSavedTags: another user's", 'fromTagId: $keptTag, intoTagId: $othersTag'),
  mutation('deleteSavedTag', 'tagId: $spareTag', { prepare: spareTag }),
  mutation("deleteSavedTag: another user's", 'tagId: $othersTag'),
  mutation('setVisibilityOfTagged', 'tagId: $keptTag, visibility: PRIVATE, expectedCount: 1'),
  mutation(
    "setVisibilityOfTagged: another user's",
    'tagId: $othersTag, visibility: PUBLIC, expectedCount: 1',
  ),
  mutation('addStamp', 'messageId: $message, stamp: "tea"', { prepare: newStamp }),
  mutation('removeStamp', 'messageStampId: $ownStamp', { prepare: newStamp }),
  mutation("removeStamp: another user's", 'messageStampId: $othersStamp'),
  mutation('markThreadRead', 'messageId: $reply'),
  mutation('followThread', 'messageId: $reply'),
  mutation('unfollowThread', 'messageId: $reply'),
  mutation('markRoomRead', room),
  mutation('markRoomRead: up to a message', `${room}, upTo: $message`),
  mutation('markAllRoomsRead', null),
  mutation('markRoomUnread', 'messageId: $message'),
  mutation('muteRoom', `${room}, muted: false`),
  mutation('arrangeRoom', `${room}, section: "Work", starred: true`),
  mutation(
    'updateDeliverySettings',
    'quietHours: { from: "22:00", to: "07:00", timeZone: "Asia/Tokyo" }, emailDigest: NEVER',
  ),
  mutation('pauseDeliveries', 'until: null'),
  mutation('setRoomDelivery', `${room}, delivery: DEFAULT`),
  mutation('setTyping', `${room}, typing: true`),
  mutation('markNotificationsRead', 'ids: [$notification]'),
  mutation("markNotificationsRead: another user's", 'ids: [$othersNotification]'),
  mutation('markNotificationsRead: all', ''),
  mutation('registerPushSubscription', newDeviceInput()),
  mutation('removePushSubscription', 'pushSubscriptionId: $device', { prepare: newDevice }),
  mutation("removePushSubscription: another user's", 'pushSubscriptionId: $othersDevice'),
  mutation('testDelivery', 'channel: WEB_PUSH', { prepare: newDevice }),
  // These two are the last, because a full room is not full after a member leaves, and because `openDirectRoom` lets a
  // user who left a direct room join it again.
  mutation('leaveRoom', room, { undo: joinAgain }),
  mutation('openDirectRoom', 'userIds: $people'),
  mutation('deleteRoom', room, { prepare: anotherRoom }),
  // Confirmed by a handle that no one can have. `allowedMutations.test.ts` has a user who may.
  mutation('deleteAccount', 'confirm: "another user", eraseMessages: false'),
];
