/** Who × what × which kind of room: nothing of a room reaches anyone who is not entitled to it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  DeleteMessage,
  EditMessage,
  ExplainUnread,
  MarkRoomUnread,
  MuteRoom,
  RoomEvents,
  SetTyping,
} from '../roomEvents/operations.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { recount, shows, watchBadge } from '../support/badges.ts';
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
} from '../support/operations.ts';
import { type Person, people, roomOf, say } from '../support/people.ts';
import { admit } from '../support/roles.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

type Visibility = 'PUBLIC' | 'PRIVATE';
const MEMBERS_ONLY = { PUBLIC: 'FORBIDDEN', PRIVATE: 'NOT_FOUND' } as const;

/** A room with a message and a reply of its owner; a member, somebody who has left, and a stranger. */
async function scene(visibility: Visibility) {
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

type Scene = Awaited<ReturnType<typeof scene>>;

describe.each(['PUBLIC', 'PRIVATE'] as const)('a %s room', (visibility) => {
  let s: Scene;
  beforeAll(async () => {
    s = await scene(visibility);
  });
  const refusal = MEMBERS_ONLY[visibility];

  describe.each(['member', 'left', 'stranger'] as const)('for a %s', (who) => {
    const inside = who === 'member';
    const sees = inside || visibility === 'PUBLIC';
    const person = (): Person => s[who];

    test('is found by its id, or not', async () => {
      const { room } = await person().do(RoomById, { id: s.roomId });
      expect(room?.id).toBe(sees ? s.roomId : undefined);
      expect(room?.viewerMembership?.role).toBe(inside ? 'MEMBER' : undefined);
    });

    test('is in the directory, or not', async () => {
      const { rooms } = await person().do(Directory, { first: 100 });
      expect(rooms.edges.some(({ node }) => node.id === s.roomId)).toBe(visibility === 'PUBLIC');
    });

    test('has nodes, or not', async () => {
      const ids = [s.roomId, s.root.id, s.reply.id, s.membershipId];
      const seen = [sees, inside, inside, inside].map((yes, i) => (yes ? ids[i] : undefined));
      const { nodes } = await person().do(NodesById, { ids });
      expect(nodes.map((node) => node?.id)).toEqual(seen);
      for (const [i, id] of ids.entries()) {
        expect((await person().do(NodeById, { id })).node?.id).toBe(seen[i]);
      }
      expect((await person().do(Thread, { id: s.root.id })).node === null).toBe(!inside);
    });

    test('shows its members and messages, or not', async () => {
      const { roomId } = s;
      for (const document of [Members, Timeline]) {
        const { data, errors } = await person().send<{ room?: unknown }, { roomId: string }>(document, {
          roomId,
        });
        expect(errors?.[0]?.extensions?.code).toBe(inside || !sees ? undefined : 'FORBIDDEN');
        expect(data?.room == null).toBe(!inside);
        if (!inside) expect(JSON.stringify(data)).not.toContain('secret');
      }
    });

    test('lets them write and read on, or not', async () => {
      const { roomId, root } = s;
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
      // Another's message is nobody's to change.
      for (const change of [EditMessage, DeleteMessage]) {
        const code = await person().refused<unknown, { messageId: string; body: string }>(change, {
          messageId,
          body: 'x',
        });
        expect(code).toBe(inside ? 'FORBIDDEN' : refusal);
      }
    });

    test('tells what happens in it, or refuses to', async () => {
      const events = person().subscribe(RoomEvents, { roomId: s.roomId, after: null });
      const first = await events.next().then(
        ({ roomEvents }) => roomEvents.__typename,
        (error: Error) => JSON.parse(error.message)[0].extensions.code,
      );
      expect(first).toBe(inside ? 'Synced' : refusal);
      events.close();
      if (sees) {
        const explained = await person().refused(ExplainUnread, { roomId: s.roomId });
        expect(explained).toBe(inside ? undefined : 'FORBIDDEN');
      }
    });

    test('is joined, left, or not', async () => {
      const { roomId } = s;
      const join = { member: 'ALREADY_MEMBER', left: undefined, stranger: undefined }[who];
      expect(await person().refused(JoinRoom, { roomId })).toBe(sees ? join : 'NOT_FOUND');
      expect(await person().refused(LeaveRoom, { roomId })).toBe(sees ? undefined : 'NOT_FOUND');
      expect(await person().refused(LeaveRoom, { roomId })).toBe(refusal);
    });
  });
});

test.each(['PUBLIC', 'PRIVATE'] as const)(
  'an open badge tells nothing more of a %s room that was left',
  async (visibility) => {
    const { owner, member, roomId } = await scene(visibility);
    const elsewhere = await roomOf(owner, [member]);
    const badge = watchBadge(member);
    await shows(badge, await recount(member));
    await member.do(LeaveRoom, { roomId });
    const { unread } = await badge.until((event) => event.unread.removedRoomIds.length > 0);
    expect(unread.removedRoomIds).toEqual([roomId]);
    const before = badge.seen.length;
    await say(owner, roomId, 'behind their back');
    await say(owner, elsewhere, 'to their face');
    await shows(badge, { total: 1, notifications: 0, rooms: { [elsewhere]: 1 } });
    expect(JSON.stringify(badge.seen.slice(before))).not.toContain(roomId);
  },
);
