import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphql } from '../generated/gql.ts';
import { globalId, people, roomOf } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

const Send = graphql(`
  mutation EdgeSent($input: SendMessageInput!) { sendMessage(input: $input) { messageEdge { cursor node { id } } } }
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
