/** The mutations, each in the forms whose answers differ by who asks. The oracle has a line for each. */
import type { Services } from '../../src/graphql/context.ts';
import type { Who } from './oracle.ts';
import { globalUser, inviteId, messageId, type Player, stampId } from './scene.ts';
import type { Variables } from './transports.ts';
import type { World } from './world.ts';

export interface Setting {
  readonly services: Services;
  readonly world: World;
  readonly who: Who;
  readonly asker: Player;
  /** Somebody new, in no room. */
  readonly newcomer: () => Promise<Player>;
}

export interface Act {
  /** As the oracle calls it. */
  readonly name: string;
  readonly field: string;
  /** The input; `$room`, `$message` … are the ids of the world (`world.ts`). */
  readonly input: string;
  /** What it takes to do it where it cannot be done twice: made anew each time, by who may. */
  readonly given?: (setting: Setting) => Promise<Variables>;
  /** Makes it as it was, where others would find it different. */
  readonly undo?: (setting: Setting) => Promise<unknown>;
}

const act = (name: string, input: string, more: Pick<Act, 'given' | 'undo'> = {}): Act => ({
  ...{ name, field: name.split(',')[0] ?? name, input },
  ...more,
});

/** For whom it is done: nobody who is in the room. */
const newcomer = async ({ newcomer: come }: Setting): Promise<Variables> => ({
  stranger: globalUser(await come()),
});

/** One of the members who are there for this. */
const member = async ({ world }: Setting): Promise<Variables> => {
  const spare = world.spares.pop();
  if (spare === undefined) throw new Error('All members are gone.');
  return { member: globalUser(spare) };
};

const moderator = async (setting: Setting): Promise<Variables> => {
  const { services, world } = setting;
  const spare = world.spares.at(-1)?.id ?? '';
  await services.rooms.setRole({ by: world.players.owner.id, room: world.room, user: spare }, 'MODERATOR');
  const { member: partner } = await member(setting);
  return { partner };
};

/** A message of their own, and one of somebody else. */
const said = async ({ services, world, asker }: Setting): Promise<Variables> => {
  const { room, players } = world;
  const { owner, member: other } = players;
  const another = asker.id === other.id ? owner : other;
  const say = (author: Player) => services.messages.send({ room, author: author.id, body: 'something' });
  return { ownMessage: messageId(await say(asker)), anothersMessage: messageId(await say(another)) };
};

const stamped = async ({ services, world, asker }: Setting): Promise<Variables> => {
  const message = await services.messages.send({ room: world.room, author: asker.id, body: 'something' });
  const stamp = await services.stamps.add(asker.id, message, 'heart');
  return { message: messageId(message), ownStamp: stampId(stamp) };
};

const invited = async ({ services, world: { room, players } }: Setting): Promise<Variables> => {
  const by = players.owner.id;
  return {
    invite: inviteId((await services.rooms.createInvite({ by, room, seconds: 60, maxUses: null })).invite),
  };
};

/** Out of the room again, or out of the line, unless that is where they are to be. */
const out = async ({ services, world, who, asker }: Setting): Promise<void> => {
  if (who !== 'waiting') await services.rooms.leave(asker.id, world.room);
};

/** Into the room again, with the power that they had; who waited, into the line. */
async function backIn({ services, world, who, asker }: Setting): Promise<void> {
  const { rooms } = services;
  const { room, state, players, insiders } = world;
  const { id: by } = players.owner;
  if (who === 'waiting') await rooms.joinOrWait(asker.id, room);
  else if (state === 'direct')
    await rooms.openDirect(
      by,
      insiders.map((name) => players[name]?.id ?? ''),
    );
  else {
    // Who waits would come first.
    if (state === 'full') await rooms.leave(players.waiting.id, room).catch(() => {});
    await rooms.update(by, room, { capacity: null });
    await rooms.add({ by, room, user: asker.id });
    if (who === 'moderator') await rooms.setRole({ by, room, user: asker.id }, 'MODERATOR');
  }
}

const room = 'roomId: $room';

export const acts: readonly Act[] = [
  act('updateProfile', 'locale: "en"'),
  act('createRoom', 'name: "Another", visibility: PRIVATE'),
  act('joinRoom', room, { undo: out }),
  act('joinRoom, or wait', `${room}, waitlist: true`, { undo: out }),
  act('joinWithInvite', 'code: $code', { undo: out }),
  act('updateRoom', `${room}, name: $name`),
  act('updateRoom, its capacity', `${room}, capacity: 500`),
  act('addMember', `${room}, userId: $stranger`, { given: newcomer }),
  act('removeMember', `${room}, userId: $member`, { given: member }),
  act('removeMember, a moderator', `${room}, userId: $partner`, { given: moderator }),
  act('banMember', `${room}, userId: $stranger`, { given: newcomer }),
  act('banMember, a member', `${room}, userId: $member`, { given: member }),
  act('unbanMember', `${room}, userId: $stranger`),
  act('setMemberRole', `${room}, userId: $member, role: MODERATOR`, { given: member }),
  act('createInvite', room),
  act('revokeInvite', 'inviteId: $invite', { given: invited }),
  act('sendMessage', `${room}, body: "something"`),
  act('sendMessage, a reply', `${room}, body: "something", replyTo: $message`),
  act('editMessage', 'messageId: $ownMessage, body: $body'),
  act("editMessage, another's", 'messageId: $anothersMessage, body: "something else"'),
  act('deleteMessage', 'messageId: $ownMessage', { given: said }),
  act("deleteMessage, another's", 'messageId: $anothersMessage', { given: said }),
  act('likeMessage', 'messageId: $message'),
  act('unlikeMessage', 'messageId: $message'),
  act('addStamp', 'messageId: $message, stamp: "tea"', { given: stamped }),
  act('removeStamp', 'messageStampId: $ownStamp', { given: stamped }),
  act("removeStamp, another's", 'messageStampId: $anothersStamp'),
  act('followThread', 'messageId: $reply'),
  act('unfollowThread', 'messageId: $reply'),
  act('markRoomRead', room),
  act('markRoomRead, up to a message', `${room}, upTo: $message`),
  act('markRoomUnread', 'messageId: $message'),
  act('muteRoom', `${room}, muted: false`),
  act('setTyping', `${room}, typing: true`),
  act('markNotificationsRead', 'ids: [$notification]'),
  act("markNotificationsRead, another's", 'ids: [$anothersNotification]'),
  act('markNotificationsRead, all', ''),
  // The last: a full room is none any more once somebody has left it, and who has left a direct room is in it again.
  act('leaveRoom', room, { undo: backIn }),
  act('openDirectRoom', 'userIds: $people'),
];
