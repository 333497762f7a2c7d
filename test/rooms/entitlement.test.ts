/** Every kind of viewer, operation and room: a room's data reaches only people who are entitled to it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DeleteMessage, EditMessage } from '../messages/support/operations.ts';
import { RoomEvents, SetTyping } from '../roomEvents/support/operations.ts';
import { queryBadge, shows, watchBadge } from '../support/clients/badges.ts';
import {
  Directory,
  JoinRoom,
  LeaveRoom,
  MarkRoomRead,
  Members,
  NodeById,
  NodesById,
  RoomById,
  SendMessage,
  Thread,
  Timeline,
} from '../support/clients/operations.ts';
import { type Person, people, roomOf, say } from '../support/clients/people.ts';
import { admit } from '../support/clients/roles.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { ExplainUnread, MarkRoomUnread, MuteRoom } from '../unread/support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

type Visibility = 'PUBLIC' | 'PRIVATE';
const MEMBERS_ONLY = { PUBLIC: 'FORBIDDEN', PRIVATE: 'NOT_FOUND' } as const;

/** A room with a message and a reply of its owner, a member, a former member and a stranger. */
async function createFixture(visibility: Visibility) {
  const [owner, member, left, stranger] = await people(app, 4);
  const roomId = await roomOf(owner, [], { visibility });
  for (const person of [member, left]) await admit(owner, roomId, person);
  const root = await say(owner, roomId, 'a secret');
  const reply = await say(owner, roomId, 'another', root.id);
  await left.do(LeaveRoom, { roomId });
  const { room } = await owner.do(RoomById, { id: roomId });
  const membershipId = room?.viewerMembership?.id ?? '';
  return { owner, member, left, stranger, roomId, root, reply, membershipId };
}

type Fixture = Awaited<ReturnType<typeof createFixture>>;

describe.each(['PUBLIC', 'PRIVATE'] as const)('entitlement: a %s room', (visibility) => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await createFixture(visibility);
  });
  const refusal = MEMBERS_ONLY[visibility];

  describe.each(['member', 'left', 'stranger'] as const)('for a %s', (who) => {
    const inside = who === 'member';
    const sees = inside || visibility === 'PUBLIC';
    const person = (): Person => fixture[who];

    test('room: is visible only to entitled viewers', async () => {
      const { room } = await person().do(RoomById, { id: fixture.roomId });
      expect(room?.id).toBe(sees ? fixture.roomId : undefined);
      expect(room?.viewerMembership?.role).toBe(inside ? 'MEMBER' : undefined);
    });

    test('rooms: lists public rooms only', async () => {
      const { rooms } = await person().do(Directory, { first: 100 });
      expect(rooms.edges.some(({ node }) => node.id === fixture.roomId)).toBe(visibility === 'PUBLIC');
    });

    test('node and nodes: return null to viewers who are not entitled', async () => {
      const ids = [fixture.roomId, fixture.root.id, fixture.reply.id, fixture.membershipId];
      const seen = [sees, inside, inside, inside].map((yes, i) => (yes ? ids[i] : undefined));
      const { nodes } = await person().do(NodesById, { ids });
      expect(nodes.map((node) => node?.id)).toEqual(seen);
      for (const [i, id] of ids.entries()) {
        expect((await person().do(NodeById, { id })).node?.id).toBe(seen[i]);
      }
      expect((await person().do(Thread, { id: fixture.root.id })).node === null).toBe(!inside);
    });

    test('members and messages: are for members only', async () => {
      const { roomId } = fixture;
      for (const document of [Members, Timeline]) {
        const { data, errors } = await person().send<{ room?: unknown }, { roomId: string }>(document, {
          roomId,
        });
        expect(errors?.[0]?.extensions?.code).toBe(inside || !sees ? undefined : 'FORBIDDEN');
        expect(data?.room == null).toBe(!inside);
        if (!inside) expect(JSON.stringify(data)).not.toContain('secret');
      }
    });

    test('messages and read positions: can be changed by members only', async () => {
      const { roomId, root } = fixture;
      const expected = inside ? undefined : refusal;
      const messageId = root.id;
      expect(await person().refused(SendMessage, { input: { roomId, body: 'x' } })).toBe(expected);
      expect(await person().refused(SendMessage, { input: { roomId, body: 'x', replyTo: root.id } })).toBe(
        expected,
      );
      expect(await person().refused(MarkRoomRead, { input: { roomId } })).toBe(expected);
      expect(await person().refused(MarkRoomRead, { input: { roomId, upTo: root.id } })).toBe(expected);
      expect(await person().refused(MarkRoomUnread, { messageId })).toBe(expected);
      expect(await person().refused(MuteRoom, { roomId, muted: false })).toBe(expected);
      expect(await person().refused(SetTyping, { roomId, typing: true })).toBe(expected);
      // Members may not change another member's message.
      for (const change of [EditMessage, DeleteMessage]) {
        const code = await person().refused<unknown, { messageId: string; body: string }>(change, {
          messageId,
          body: 'x',
        });
        expect(code).toBe(inside ? 'FORBIDDEN' : refusal);
      }
    });

    test('roomEvents and explainUnread: are for members only', async () => {
      const events = person().subscribe(RoomEvents, { roomId: fixture.roomId, after: null });
      const first = await events.next().then(
        ({ roomEvents }) => roomEvents.__typename,
        (error: Error) => JSON.parse(error.message)[0].extensions.code,
      );
      expect(first).toBe(inside ? 'Synced' : refusal);
      events.close();
      if (sees) {
        const explained = await person().refused(ExplainUnread, { roomId: fixture.roomId });
        expect(explained).toBe(inside ? undefined : 'FORBIDDEN');
      }
    });

    test('joinRoom and leaveRoom: answer by membership and visibility', async () => {
      const { roomId } = fixture;
      const join = { member: 'ALREADY_MEMBER', left: undefined, stranger: undefined }[who];
      expect(await person().refused(JoinRoom, { roomId })).toBe(sees ? join : 'NOT_FOUND');
      expect(await person().refused(LeaveRoom, { roomId })).toBe(sees ? undefined : 'NOT_FOUND');
      expect(await person().refused(LeaveRoom, { roomId })).toBe(refusal);
    });
  });
});

test.each(['PUBLIC', 'PRIVATE'] as const)(
  'unread: sends nothing more of a %s room that the viewer left',
  async (visibility) => {
    const { owner, member, roomId } = await createFixture(visibility);
    const elsewhere = await roomOf(owner, [member]);
    const badge = watchBadge(member);
    await shows(badge, await queryBadge(member));
    await member.do(LeaveRoom, { roomId });
    const { unread } = await badge.until((event) => event.unread.removedRoomIds.length > 0);
    expect(unread.removedRoomIds).toEqual([roomId]);
    const before = badge.seen.length;
    await say(owner, roomId, 'sent after leaving');
    await say(owner, elsewhere, 'sent to a member');
    // That they were added to a private room is still news.
    const notifications = visibility === 'PRIVATE' ? 1 : 0;
    await shows(badge, { total: 1 + notifications, notifications, rooms: { [elsewhere]: 1 } });
    expect(JSON.stringify(badge.seen.slice(before))).not.toContain(roomId);
  },
);
