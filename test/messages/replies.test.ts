import { afterAll, beforeAll, expect, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { graphql } from '../generated/gql.ts';
import { SendMessage, Thread } from '../support/clients/operations.ts';
import { type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { DeleteMessage } from './support/operations.ts';

let app: TestApp;
let queries = 0;
beforeAll(async () => {
  // Without a consumer, which would send queries too: for the followers of a thread.
  app = await startTestApp({
    role: 'api',
    onCost({ operation }) {
      if (operation === 'Query') queries++;
    },
  });
});
afterAll(() => app.stop());

const idempotencyKey = 'reply-1';

/** Sends a reply. Resolves to its id, or to the error's code. */
async function reply(who: Person, roomId: string, replyTo: string, key?: string): Promise<string> {
  const input = { roomId, body: 'reply', replyTo, ...defined({ idempotencyKey: key }) };
  const { data, errors } = await who.send(SendMessage, { input });
  return data?.sendMessage?.message.id ?? errors?.[0]?.extensions?.code ?? 'nothing';
}

async function threadOf(who: Person, id: string) {
  const { node } = await who.do(Thread, { id });
  if (node === null || !('replies' in node)) throw new Error('There is no such message.');
  return { replyCount: node.replyCount, ids: node.replies.edges.map((edge) => edge.node.id) };
}

test('sendMessage: a reply to a reply, even to a deleted one, is in the same thread', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const root = await say(aki, roomId, 'root');
  const first = await reply(ben, roomId, root.id);
  const second = await reply(aki, roomId, first);
  await ben.do(DeleteMessage, { messageId: first });
  const third = await reply(aki, roomId, first);
  expect(await threadOf(aki, root.id)).toEqual({ replyCount: 3, ids: [first, second, third] });
});

const Threads = graphql(`
  query Threads($roomId: ID!) {
    room(id: $roomId) { messages(last: 10) { edges { node { replies(last: 10) { edges { node { body } } } } } } }
  }
`);

test('Message.replies: of a page takes a query only for threads that have replies', async () => {
  const [aki] = await people(app, 1);
  const roomId = await roomOf(aki);
  for (const body of ['one', 'two', 'three']) await say(aki, roomId, body);
  await reply(aki, roomId, (await say(aki, roomId, 'four')).id);
  queries = 0;
  const { room } = await aki.do(Threads, { roomId });
  expect(room?.messages.edges.map(({ node }) => node.replies.edges.length)).toEqual([0, 0, 0, 1]);
  // One for the roots and one for the thread.
  expect(queries).toBe(2);
});

test('sendMessage: a reply to a deleted root is a CONFLICT, but an earlier key still returns its reply', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const root = await say(aki, roomId, 'root');
  const first = await reply(ben, roomId, root.id, idempotencyKey);
  await aki.do(DeleteMessage, { messageId: root.id });
  expect(await reply(ben, roomId, root.id)).toBe('CONFLICT');
  expect(await reply(ben, roomId, first)).toBe('CONFLICT');
  expect(await reply(ben, roomId, root.id, 'another key')).toBe('CONFLICT');
  // The same key is not a new reply.
  expect(await reply(ben, roomId, root.id, idempotencyKey)).toBe(first);
  expect(await threadOf(aki, root.id)).toEqual({ replyCount: 1, ids: [first] });
});

test('sendMessage: a reply with an expired key to a deleted root is a CONFLICT', async () => {
  const [aki] = await people(app, 1);
  const roomId = await roomOf(aki);
  const root = await say(aki, roomId, 'root');
  await reply(aki, roomId, root.id, idempotencyKey);
  await aki.do(DeleteMessage, { messageId: root.id });
  await app.dynamo.update(keys.idempotencyRecord(aki.id, idempotencyKey), {
    update: 'SET expiresAt = :past',
    values: { ':past': 1 },
  });
  expect(await reply(aki, roomId, root.id, idempotencyKey)).toBe('CONFLICT');
});

test('sendMessage: a reply to anything but a message of the room is NOT_FOUND', async () => {
  const [aki, eve] = await people(app, 2);
  const [roomId, other, foreign] = [await roomOf(aki), await roomOf(aki), await roomOf(eve)];
  const elsewhere = (await say(aki, other, 'elsewhere')).id;
  const hidden = (await say(eve, foreign, 'hidden')).id;
  const absent = encodeId('Message', `${rawId(roomId)}:${'1'.repeat(16)}:${'1'.repeat(16)}`);
  for (const replyTo of [elsewhere, hidden, absent, roomId, 'x', '']) {
    expect(await reply(aki, roomId, replyTo)).toBe('NOT_FOUND');
  }
  expect(await threadOf(aki, elsewhere)).toEqual({ replyCount: 0, ids: [] });
});

test('sendMessage: to outsiders a reply gets the same refusal for every message', async () => {
  const [aki, eve] = await people(app, 2);
  const [open, closed] = [await roomOf(aki), await roomOf(aki, [], { visibility: 'PRIVATE' })];
  const [visible, hidden] = [(await say(aki, open, 'root')).id, (await say(aki, closed, 'root')).id];
  const own = (await say(eve, await roomOf(eve), 'by Eve')).id;
  for (const replyTo of [visible, hidden, own]) {
    expect(await reply(eve, open, replyTo)).toBe('FORBIDDEN');
    expect(await reply(eve, closed, replyTo)).toBe('NOT_FOUND');
  }
});
