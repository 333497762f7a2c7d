import { encodeId } from '../../../src/graphql/ids.ts';
import { messageId } from '../../../src/messages/message.ts';
import { graphql } from '../../generated/gql.ts';
import { people } from '../../support/clients/people.ts';
import { dump } from '../../support/database/table.ts';
import type { TestApp } from '../../support/servers/app.ts';

export const DeleteRoom = graphql(`
  mutation DeleteRoom($roomId: ID!) { deleteRoom(input: { roomId: $roomId }) { deletedRoomId } }
`);

/** A public room with something of every kind in it. */
export async function createFullRoom({ services, dynamo, ...app }: TestApp, members = 2) {
  const [aki, ben, chi, dan, eri] = await people({ services, dynamo, ...app }, 5);
  for (const { handle } of [aki, ben, chi, dan, eri]) await services.users.ensure({ sub: handle, handle });
  const { rooms, messages, likes, stamps, following } = services;
  const { id: room } = await rooms.create(aki.id, {
    name: 'Room',
    topic: 'Tea',
    visibility: 'PUBLIC',
    capacity: null,
  });
  for (const { id } of [ben, chi, dan]) await rooms.join(id, room);
  const root = await messages.send({ room, author: aki.id, body: `Hello @${ben.handle}` });
  const reply = await messages.send({ room, author: ben.id, body: 'Hi', replyTo: root });
  await messages.send({ room, author: chi.id, body: 'Answer', replyTo: reply, idempotencyKey: 'key' });
  for (const user of [ben, chi, dan]) {
    for (const message of [root, reply]) {
      await likes.add(user.id, message);
      await stamps.add(user.id, message, 'tea');
    }
  }
  for (let i = 0; i < members; i++) await messages.send({ room, author: ben.id, body: `${i}` });
  const gone = await messages.send({ room, author: aki.id, body: 'Gone' });
  await likes.add(ben.id, gone);
  await messages.remove(aki.id, gone);
  await following.follow(dan.id, root, true);
  // A former member, whose likes stay; a user who is banned; and one who waits.
  await rooms.leave(chi.id, room);
  await rooms.ban({ by: aki.id, room, user: dan.id });
  const { invite, code } = await rooms.createInvite({ by: aki.id, room, seconds: 3_600, maxUses: null });
  await rooms.update(aki.id, room, { capacity: 2 });
  await rooms.joinOrWait(eri.id, room);
  const roomId = encodeId('Room', room);
  return {
    aki,
    ben,
    chi,
    dan,
    eri,
    room,
    roomId,
    root,
    reply,
    code,
    invite: invite.id,
    rootId: encodeId('Message', messageId(root)),
  };
}

/**
 * The keys of all items that name a room, except those that its former members keep: their notifications, what these
 * count, and the idempotency keys that they used.
 */
export async function remainsOf(app: Pick<TestApp, 'dynamo'>, room: string): Promise<string[]> {
  const all = await dump(app.dynamo);
  return [...all]
    .filter(([key, item]) => JSON.stringify([key, item]).includes(room))
    .map(([key]) => key)
    .filter((key) => !/^NOTE#|^USER#\w+ (NOTE|UNREAD|SENT|LEFT)#/.test(key));
}
