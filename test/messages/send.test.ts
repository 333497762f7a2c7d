import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ranges } from '../../src/dynamo/keys.ts';
import { Thread, Timeline } from '../support/clients/operations.ts';
import { CROWD, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { itemsIn, positioned } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const timestampsOf = (items: readonly { readonly sk?: unknown }[]) =>
  items.map(({ sk }) => String(sk).split('#')[2]);

test('sendMessage: returns the root as it is stored, and the root gets the next position', async () => {
  const [aki] = await people(app, 1);
  const roomId = await roomOf(aki);
  const first = await say(aki, roomId, 'Hello, ⛩️\n世界');
  expect(first).toMatchObject({
    body: 'Hello, ⛩️\n世界',
    author: { handle: aki.handle },
    root: null,
    replyCount: 0,
    version: 1,
    position: null,
  });
  const second = await say(aki, roomId, 'second');
  await positioned(app.dynamo, rawId(roomId));
  const { room } = await aki.do(Timeline, { roomId });
  expect(room?.messages.edges.map(({ node }) => [node.id, node.position, node.version])).toEqual([
    [first.id, 1, 2],
    [second.id, 2, 2],
  ]);
});

test('sendMessage: a reply is in the thread of its root, and a reply to a reply as well', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const root = await say(aki, roomId, 'root');
  const reply = await say(ben, roomId, 'reply', root.id);
  const deeper = await say(aki, roomId, 'reply to the reply', reply.id);
  expect([reply.root?.id, deeper.root?.id]).toEqual([root.id, root.id]);
  expect([reply.position, deeper.position]).toEqual([null, null]);

  const { node } = await aki.do(Thread, { id: root.id });
  expect(node).toMatchObject({ replyCount: 2, lastReplyAt: deeper.createdAt });
  if (node == null || !('replies' in node)) throw new Error('The root does not exist.');
  expect(node.replies.edges.map((edge) => edge.node.id)).toEqual([reply.id, deeper.id]);
  expect(node.participants.map(({ handle }) => handle)).toEqual([ben.handle, aki.handle]);
  // The timeline has only roots.
  const { room } = await aki.do(Timeline, { roomId });
  expect(room?.messages.edges.map((edge) => edge.node.id)).toEqual([root.id]);
});

describe(`sendMessage: ${CROWD} at once`, () => {
  test('in one room: each message is stored once, with its own timestamp and position', async () => {
    const senders = await people(app, 10);
    const roomId = await roomOf(senders[0], senders.slice(1));
    const bodies = upTo(CROWD).map((n) => `message ${n}`);
    const sent = await Promise.all(bodies.map((body, i) => say(senders[i % 10] ?? senders[0], roomId, body)));
    expect(new Set(sent.map(({ id }) => id)).size).toBe(CROWD);
    const roots = await positioned(app.dynamo, rawId(roomId));
    expect(roots.map(({ position }) => position)).toEqual(upTo(CROWD));
    expect(new Set(timestampsOf(roots)).size).toBe(CROWD);
    expect(roots.map(({ body }) => body).sort()).toEqual([...bodies].sort());
  });

  test('in one thread: the root counts every reply and has the newest time and at most three participants', async () => {
    const senders = await people(app, 10);
    const roomId = await roomOf(senders[0], senders.slice(1));
    const root = await say(senders[0], roomId, 'root');
    const sent = await Promise.all(
      upTo(CROWD).map((n) => say(senders[n % 10] ?? senders[0], roomId, `reply ${n}`, root.id)),
    );
    expect(new Set(sent.map(({ id }) => id)).size).toBe(CROWD);

    const [rootItem] = await positioned(app.dynamo, rawId(roomId));
    const [threadTs] = timestampsOf(rootItem === undefined ? [] : [rootItem]);
    const replies = await itemsIn(app.dynamo, ranges.replies(rawId(roomId), String(threadTs)));
    const timestamps = timestampsOf(replies);
    expect(new Set(timestamps).size).toBe(CROWD);
    expect(timestamps.every((timestamp) => String(timestamp) > String(threadTs))).toBe(true);
    expect(rootItem).toMatchObject({ replyCount: CROWD, lastReplyAt: timestamps.at(-1) });
    const participants = rootItem?.participants as string[];
    expect(participants).toEqual([...new Set(replies.map(({ author }) => author))].slice(0, 3));
  });

  test('in one thread, on two servers: the root counts every reply', async () => {
    const other = await startTestApp({ database: app.database, role: 'api' });
    try {
      const [aki, ben] = [(await people(app, 1))[0], (await people(other, 1))[0]];
      const roomId = await roomOf(aki, [ben]);
      const root = await say(aki, roomId, 'root');
      await Promise.all(upTo(CROWD).map((n) => say(n % 2 === 0 ? aki : ben, roomId, `${n}`, root.id)));
      const { node } = await aki.do(Thread, { id: root.id, first: 100 });
      if (node == null || !('replies' in node)) throw new Error('The root does not exist.');
      expect(node.replyCount).toBe(CROWD);
      expect(new Set(node.replies.edges.map((edge) => edge.node.body)).size).toBe(CROWD);
      expect(node.lastReplyAt).toBe(node.replies.edges.at(-1)?.node.createdAt);
    } finally {
      await other.stop();
    }
  });
});
