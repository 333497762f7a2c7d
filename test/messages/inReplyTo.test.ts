/** A reply to a reply: which one it answers, who is notified of it, and repeated requests. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashed, keys } from '../../src/dynamo/keys.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { graphql } from '../generated/gql.ts';
import { UnfollowThread } from '../notifications/support/operations.ts';
import { NotificationRooms } from '../rooms/support/operations.ts';
import { SendMessage } from '../support/clients/operations.ts';
import { messageKey, type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { DeleteMessage } from './support/operations.ts';

const Answered = graphql(`
  query Answered($id: ID!) {
    node(id: $id) { ... on Message { id inReplyTo { id body author { handle } } root { id } } }
  }
`);

let app: TestApp;
let aki: Person;
let ben: Person;
let chi: Person;
let roomId: string;
let root: string;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
beforeEach(async () => {
  [aki, ben, chi] = await people(app, 3);
  roomId = await roomOf(aki, [ben, chi]);
  root = (await say(aki, roomId, 'a root')).id;
});

const answered = async (id: string) => {
  const { node } = await aki.do(Answered, { id });
  return node !== null && 'inReplyTo' in node ? node : null;
};

async function notificationsOf(person: Person) {
  await app.quiet();
  const { viewer } = await person.do(NotificationRooms);
  return viewer.notifications.edges.map(
    ({ node }) => `${node.kind} ${node.actorCount} ${node.message?.id === root ? 'root' : 'other'}`,
  );
}

test('inReplyTo: is the reply that was answered, also after it was deleted; null for the root', async () => {
  const first = (await say(ben, roomId, 'first', root)).id;
  const second = (await say(chi, roomId, 'second', first)).id;
  expect(await answered(first)).toMatchObject({ inReplyTo: null, root: { id: root } });
  expect(await answered(second)).toMatchObject({
    inReplyTo: { id: first, body: 'first', author: { handle: ben.handle } },
    root: { id: root },
  });
  expect(await answered(root)).toMatchObject({ inReplyTo: null, root: null });
  await ben.do(DeleteMessage, { messageId: first });
  expect(await answered(second)).toMatchObject({ inReplyTo: { id: first, body: null } });
  const third = (await say(aki, roomId, 'third', first)).id;
  expect((await answered(third))?.inReplyTo?.id).toBe(first);
});

test('sendMessage: refuses a reply to a reply that does not exist', async () => {
  const { room, threadTs } = messageKey(root);
  const made = encodeId('Message', `${room}:${threadTs}:${Number(threadTs) + 1}`);
  const input = { roomId, body: 'to nothing', replyTo: made };
  expect(await ben.refused(SendMessage, { input })).toBe('NOT_FOUND');
});

test('REPLY: notifies the author of the reply that is answered, also after they unfollowed, once', async () => {
  const first = (await say(ben, roomId, 'first', root)).id;
  await ben.do(UnfollowThread, { messageId: root });
  await say(chi, roomId, 'to the root', root);
  expect(await notificationsOf(ben)).toEqual([]);
  await say(chi, roomId, 'to Ben', first);
  expect(await notificationsOf(ben)).toEqual(['REPLY 1 root']);
  expect(await notificationsOf(aki)).toEqual(['REPLY 2 root']);
  // Not of their own answer, and not twice if they are mentioned.
  await say(ben, roomId, 'to myself', first);
  await say(aki, roomId, `@${ben.handle} hello`, first);
  expect((await notificationsOf(ben)).sort()).toEqual(['MENTION 1 other', 'REPLY 1 root']);
});

test('idempotency: the same key and the same reply is one message; another reply of the thread is a conflict', async () => {
  const [first, other] = [await say(ben, roomId, 'first', root), await say(ben, roomId, 'other', root)];
  const input = { roomId, body: 'the answer', replyTo: first.id, idempotencyKey: 'one' };
  const send = async () => (await chi.do(SendMessage, { input })).sendMessage.message.id;
  const sent = await send();
  expect(await send()).toBe(sent);
  expect(await chi.refused(SendMessage, { input: { ...input, replyTo: other.id } })).toBe('CONFLICT');
  expect(await chi.refused(SendMessage, { input: { ...input, replyTo: root } })).toBe('CONFLICT');
  // The record of an earlier release names the thread only.
  const content = hashed(JSON.stringify([rawId(roomId), messageKey(root).threadTs, input.body]));
  await app.dynamo.update(keys.idempotencyRecord(chi.id, 'one'), {
    update: 'SET content = :content',
    values: { ':content': content },
  });
  expect(await send()).toBe(sent);
});
