import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphql } from '../generated/gql.ts';
import { globalId, people, roomOf } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';

const Send = graphql(`
  mutation EdgeSent($input: SendMessageInput!) {
    sendMessage(input: $input) {
      messageEdge { cursor node { id } }
      threadEdge { cursor node { root { id } replies { id } hasMoreReplies stamps { id } } }
    }
  }
`);
const Stamp = graphql(`
  mutation EdgeStamped($messageId: ID!) {
    addStamp(input: { messageId: $messageId, stamp: "tea" }) { messageStampEdge { cursor node { id } } }
  }
`);
const Add = graphql(`
  mutation EdgeAdded($input: AddMemberInput!) { addMember(input: $input) { membershipEdge { cursor node { id } } } }
`);
const Invite = graphql(`
  mutation EdgeInvited($roomId: ID!) { createInvite(input: { roomId: $roomId }) { inviteEdge { cursor node { id } } } }
`);
const Ban = graphql(`
  mutation EdgeBanned($input: BanMemberInput!) { banMember(input: $input) { banEdge { cursor node { user { id } } } } }
`);
const Like = graphql(`
  mutation EdgeLiked($messageId: ID!) {
    likeMessage(input: { messageId: $messageId }) { likerEdge { cursor node { id } } }
  }
`);
const Block = graphql(`
  mutation EdgeBlocked($userId: ID!) {
    blockUser(input: { userId: $userId }) { userEdge { cursor node { id } } }
  }
`);
const Unblock = graphql(`
  mutation EdgeUnblocked($userId: ID!) {
    unblockUser(input: { userId: $userId }) { userEdge { cursor node { id } } }
  }
`);
const Create = graphql(`
  mutation EdgeCreated($visibility: RoomVisibility!) {
    createRoom(input: { name: "Room", visibility: $visibility }) {
      roomEdge { cursor node { id } }
      membershipEdge { cursor node { id } }
    }
  }
`);
const Open = graphql(`
  mutation EdgeOpened($userIds: [ID!]!) {
    openDirectRoom(input: { userIds: $userIds }) { membershipEdge { cursor node { id } } }
  }
`);
const Join = graphql(`
  mutation EdgeJoined($input: JoinRoomInput!) { joinRoom(input: $input) { membershipEdge { cursor node { id } } } }
`);
const Accept = graphql(`
  mutation EdgeAccepted($code: String!) {
    joinWithInvite(input: { code: $code }) { membershipEdge { cursor node { id } } }
  }
`);
const Code = graphql(`
  mutation EdgeCode($roomId: ID!) { createInvite(input: { roomId: $roomId }) { code } }
`);
const RoomLists = graphql(`
  query EdgesOfRooms { rooms(first: 1) { edges { cursor node { id } } } }
`);
const Threads = graphql(`
  query EdgesOfThreads($roomId: ID!) {
    room(id: $roomId) {
      threads { edges { cursor node { root { id } replies { id } hasMoreReplies stamps { id } } } }
    }
  }
`);
const OwnLists = graphql(`
  query EdgesOfViewer {
    viewer {
      memberships(orderBy: JOINED) { edges { cursor node { id own { unreadCount muted } unreadCount muted } } }
      blockedUsers { edges { cursor node { id } } }
    }
  }
`);
const MoreLists = graphql(`
  query MoreEdgesListed($roomId: ID!) {
    room(id: $roomId) {
      bans { edges { cursor node { user { id } } } }
      members { edges { node { user { id } own { unreadCount muted } } } }
      messages { edges { node { likers { edges { cursor node { id } } } } } }
    }
  }
`);
const Lists = graphql(`
  query EdgesListed($roomId: ID!) {
    room(id: $roomId) {
      members { edges { cursor node { id } } }
      invites { edges { cursor node { id } } }
      messages {
        edges {
          cursor
          node {
            id
            stamps { edges { cursor node { id } } }
            replies { edges { cursor node { id } } }
          }
        }
      }
    }
  }
`);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ role: 'api' });
});
afterAll(() => app.stop());

test('payloads: the edge of what a mutation added is the one in the list', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki);
  // The first request creates the user.
  await roomOf(ben);
  const { messageEdge: root } = (await aki.do(Send, { input: { roomId, body: 'root' } })).sendMessage;
  const replying = { roomId, body: 'reply', replyTo: root.node.id };
  const { messageEdge: reply } = (await aki.do(Send, { input: replying })).sendMessage;
  const { messageStampEdge: stamp } = (await aki.do(Stamp, { messageId: root.node.id })).addStamp;
  const { membershipEdge: member } = (await aki.do(Add, { input: { roomId, userId: globalId(ben) } }))
    .addMember;
  const { inviteEdge: invite } = (await aki.do(Invite, { roomId })).createInvite;
  const { room } = await aki.do(Lists, { roomId });
  expect(room?.members.edges).toContainEqual(member);
  expect(room?.invites.edges).toEqual([invite]);
  const stamps = { edges: [stamp] };
  const replies = { edges: [reply] };
  expect(room?.messages.edges).toEqual([{ ...root, node: { ...root.node, stamps, replies } }]);
});

test('payloads: a public room has the edge of the directory, and a private one has none', async () => {
  const [aki] = await people(app, 1);
  const create = async (visibility: 'PUBLIC' | 'PRIVATE') =>
    (await aki.do(Create, { visibility })).createRoom.roomEdge;
  const created = await create('PUBLIC');
  expect(await create('PRIVATE')).toBeNull();
  // The index lags.
  await eventually(async () => expect((await aki.do(RoomLists)).rooms.edges).toEqual([created]));
});

test('payloads: a root has the edge of the list of threads, also if it was sent before, and a reply has none', async () => {
  const [aki] = await people(app, 1);
  const roomId = await roomOf(aki);
  const root = { roomId, body: 'root', idempotencyKey: 'once' };
  const send = async (input: typeof root & { readonly replyTo?: string }) =>
    (await aki.do(Send, { input })).sendMessage;
  const { threadEdge, messageEdge } = await send(root);
  const listed = async () => (await aki.do(Threads, { roomId })).room?.threads.edges;
  expect(threadEdge?.node.replies).toEqual([]);
  expect(await listed()).toEqual([threadEdge]);
  const replying = { ...root, idempotencyKey: 'another', replyTo: messageEdge.node.id };
  expect((await send(replying)).threadEdge).toBeNull();
  await aki.do(Stamp, { messageId: messageEdge.node.id });
  const again = (await send(root)).threadEdge;
  expect(again?.node).toMatchObject({ replies: [{}], stamps: [{}] });
  expect(await listed()).toEqual([again]);
});

test("payloads: the edges of the viewer's own rooms are those in their list", async () => {
  const [aki, ben] = await people(app, 2);
  const [publicRoom, privateRoom] = [await roomOf(ben), await roomOf(ben, [], { visibility: 'PRIVATE' })];
  const { code } = (await ben.do(Code, { roomId: privateRoom })).createInvite;
  const { membershipEdge: created } = (await aki.do(Create, { visibility: 'PUBLIC' })).createRoom;
  const { membershipEdge: opened } = (await aki.do(Open, { userIds: [globalId(ben)] })).openDirectRoom;
  const { membershipEdge: joined } = (await aki.do(Join, { input: { roomId: publicRoom } })).joinRoom;
  const { membershipEdge: accepted } = (await aki.do(Accept, { code })).joinWithInvite;
  const { userEdge: blocked } = (await aki.do(Block, { userId: globalId(ben) })).blockUser;
  const { memberships, blockedUsers } = (await aki.do(OwnLists)).viewer;
  expect(memberships.edges.map(({ cursor, node }) => ({ cursor, node: { id: node.id } }))).toEqual([
    ...[accepted, joined, opened, created],
  ]);
  for (const { node } of memberships.edges) {
    expect(node.own).toEqual({ unreadCount: node.unreadCount, muted: node.muted });
  }
  expect(blockedUsers.edges).toEqual([blocked]);
  expect((await aki.do(Unblock, { userId: globalId(ben) })).unblockUser.userEdge).toBeNull();
});

test('payloads: a full room that the viewer waits for has no edge', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(ben, [], { capacity: 1 });
  expect((await aki.do(Join, { input: { roomId, waitlist: true } })).joinRoom.membershipEdge).toBeNull();
});

test('payloads: the edges of a ban and of a like, also if they existed', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const roomId = await roomOf(aki, [ben, chi]);
  const { messageEdge } = (await aki.do(Send, { input: { roomId, body: 'root' } })).sendMessage;
  const like = async () => (await ben.do(Like, { messageId: messageEdge.node.id })).likeMessage.likerEdge;
  const ban = async () => (await aki.do(Ban, { input: { roomId, userId: globalId(chi) } })).banMember.banEdge;
  const [liker, banned] = [await like(), await ban()];
  expect([await like(), await ban()]).toEqual([liker, banned]);
  const { room } = await aki.do(MoreLists, { roomId });
  expect(room?.bans.edges).toEqual([banned]);
  expect(room?.messages.edges.map(({ node }) => node.likers.edges)).toEqual([[liker]]);
  const own = new Map(room?.members.edges.map(({ node }) => [node.user.id, node.own]));
  expect(own).toEqual(
    new Map([
      [globalId(aki), { unreadCount: 0, muted: false }],
      [globalId(ben), null],
    ]),
  );
});
