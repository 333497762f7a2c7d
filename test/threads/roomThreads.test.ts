import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counters } from '../../src/app/features.ts';
import { keys } from '../../src/dynamo/keys.ts';
import type { Cost } from '../../src/dynamo/metering.ts';
import { messageOf } from '../../src/messages/message.ts';
import { verify } from '../../src/verify/verify.ts';
import { graphql } from '../generated/gql.ts';
import { DeleteMessage } from '../messages/support/operations.ts';
import { AddStamp } from '../reactions/stamps/support/operations.ts';
import { LeaveRoom } from '../support/clients/operations.ts';
import { connectTo, messageKey, type Person, people, roomOf, say } from '../support/clients/people.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

const Threads = graphql(`
  query RoomThreads($roomId: ID!, $first: Int, $after: String, $last: Int, $before: String, $replies: Int) {
    room(id: $roomId) {
      threads(first: $first, after: $after, last: $last, before: $before, replies: $replies) {
        pageInfo { hasPreviousPage hasNextPage startCursor endCursor }
        edges {
          node {
            root { id body replyCount }
            replies { id body }
            hasMoreReplies
            stamps { stamp { key } message { body } }
          }
        }
      }
    }
  }
`);

let database: TestDynamo;
let app: TestApp;
/** A second server on the same table. */
let other: TestApp;
const costs: Cost[] = [];
beforeAll(async () => {
  database = await openTestDynamo({ file: true });
  // Without a consumer, which would send requests too.
  app = await startTestApp({ database, role: 'api', onCost: (cost) => void costs.push(cost) });
  other = await startTestApp({ database, role: 'api' });
});
afterAll(async () => {
  await other?.stop();
  await app?.stop();
  await database?.stop();
});

type Page = { first?: number; after?: string; last?: number; before?: string; replies?: number };

async function pageOf(who: Person, roomId: string, page: Page = {}) {
  const { room } = await who.do(Threads, { roomId, ...page });
  if (room === null) throw new Error('There is no such room.');
  return room.threads;
}

/**
 * The threads as text: the root, its replies, "…" for more replies, and the stamps with the messages that have them.
 */
async function shown(who: Person, roomId: string, page?: Page): Promise<string[]> {
  const { edges } = await pageOf(who, roomId, page);
  return edges.map(({ node }) =>
    [
      `${node.root.body ?? 'deleted'}:`,
      ...(node.hasMoreReplies ? ['…'] : []),
      ...node.replies.map(({ body }) => body ?? 'deleted'),
      ...node.stamps.map(({ stamp, message }) => `[${stamp.key} on ${message.body}]`),
    ].join(' '),
  );
}

const rootItem = (id: string) => {
  const { room, threadTs } = messageKey(id);
  return keys.root(room, threadTs);
};

async function reply(who: Person, roomId: string, root: string, ...bodies: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const body of bodies) ids.push((await say(who, roomId, body, root)).id);
  return ids;
}

describe('Room.threads', () => {
  test('Room.threads: has each root with its newest replies, and the stamps of both in the order added', async () => {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki, [ben]);
    const one = await say(aki, roomId, 'one');
    await say(aki, roomId, 'two');
    const three = await say(ben, roomId, 'three');
    const [a] = await reply(ben, roomId, one.id, 'a', 'b', 'c', 'd');
    const [e] = await reply(aki, roomId, three.id, 'e');
    // On the root after the reply, and one on a reply that is not shown.
    await aki.do(AddStamp, { messageId: e ?? '', stamp: 'tea' });
    await ben.do(AddStamp, { messageId: three.id, stamp: 'heart' });
    await aki.do(AddStamp, { messageId: e ?? '', stamp: 'heart' });
    await ben.do(AddStamp, { messageId: a ?? '', stamp: 'tea' });
    expect(await shown(ben, roomId)).toEqual([
      'one: … b c d',
      'two:',
      'three: e [tea on e] [heart on three] [heart on e]',
    ]);
    expect(await shown(ben, roomId, { replies: 1 })).toContain('one: … d');
    expect(await shown(ben, roomId, { replies: 0 })).toEqual(['one: …', 'two:', 'three: … [heart on three]']);
  });

  test('Room.threads: has pages from either end', async () => {
    const [aki] = await people(app, 1);
    const roomId = await roomOf(aki);
    for (const body of ['1', '2', '3', '4', '5']) await say(aki, roomId, body);
    const newest = await pageOf(aki, roomId, { last: 2 });
    expect(newest.edges.map(({ node }) => node.root.body)).toEqual(['4', '5']);
    expect(newest.pageInfo.hasPreviousPage).toBe(true);
    expect(await shown(aki, roomId, { last: 2, before: newest.pageInfo.startCursor ?? '' })).toEqual([
      '2:',
      '3:',
    ]);
    const oldest = await pageOf(aki, roomId, { first: 4 });
    expect(await shown(aki, roomId, { first: 4, after: oldest.pageInfo.endCursor ?? '' })).toEqual(['5:']);
  });

  test.each([-1, 4])('Room.threads: with %i replies is BAD_USER_INPUT', async (replies) => {
    const [aki] = await people(app, 1);
    const { errors } = await aki.send(Threads, { roomId: await roomOf(aki), replies });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'replies' });
  });

  test('Room.threads: is for members only', async () => {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki, [ben]);
    await say(aki, roomId, 'root');
    await ben.do(LeaveRoom, { roomId });
    expect((await ben.send(Threads, { roomId })).errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
  });

  test('Room.threads: shows a deleted reply in its place, and no stamps of a deleted message', async () => {
    const [aki] = await people(app, 1);
    const roomId = await roomOf(aki);
    const root = await say(aki, roomId, 'root');
    const [, b] = await reply(aki, roomId, root.id, 'a', 'b', 'c');
    await aki.do(AddStamp, { messageId: b ?? '', stamp: 'tea' });
    await aki.do(AddStamp, { messageId: root.id, stamp: 'heart' });
    await aki.do(DeleteMessage, { messageId: b ?? '' });
    expect(await shown(aki, roomId)).toEqual(['root: a deleted c [heart on root]']);
    await aki.do(DeleteMessage, { messageId: root.id });
    expect(await shown(aki, roomId)).toEqual(['deleted: a deleted c']);
  });

  test('Room.threads: 20 threads with 60 replies and 60 stamps take four requests', async () => {
    const [aki] = await people(app, 1);
    const roomId = await roomOf(aki);
    for (let n = 0; n < 20; n++) {
      const root = await say(aki, roomId, `root ${n}`);
      const replies = await reply(aki, roomId, root.id, 'a', 'b', 'c');
      for (const messageId of replies) await aki.do(AddStamp, { messageId, stamp: 'tea' });
    }
    costs.length = 0;
    const { edges } = await pageOf(aki, roomId, { last: 20 });
    expect(edges.flatMap(({ node }) => node.replies)).toHaveLength(60);
    expect(edges.flatMap(({ node }) => node.stamps)).toHaveLength(60);
    // The room, the roots, the replies, their stamps.
    expect(costs.map(({ operation }) => operation)).toEqual([
      'BatchGetItem',
      'Query',
      'BatchGetItem',
      'Query',
    ]);
  });

  test('Room.threads: finds stamps behind any number of stamps on replies that are not shown', async () => {
    const [aki, ...others] = await people(app, 8);
    const roomId = await roomOf(aki, others);
    const root = await say(aki, roomId, 'root');
    const [hidden, , , last] = await reply(aki, roomId, root.id, 'a', 'b', 'c', 'd');
    const stamps = ['tea', 'love', 'wow', 'thinking', 'crying', 'sleeping', 'party', 'sparkles'];
    await aki.do(AddStamp, { messageId: root.id, stamp: 'heart' });
    for (const who of others) {
      for (const stamp of stamps) await who.do(AddStamp, { messageId: hidden ?? '', stamp });
    }
    await aki.do(AddStamp, { messageId: last ?? '', stamp: 'tea' });
    costs.length = 0;
    expect(await shown(aki, roomId)).toEqual(['root: … b c d [heart on root] [tea on d]']);
    // The roots, the stamps from the root to d, and those of d, which the query before did not reach.
    expect(costs.filter(({ operation }) => operation === 'Query')).toHaveLength(3);
  });
});

describe('Room.threads: the keys of the newest replies', () => {
  test('Room.threads: answers the same for a root of the release before, which lacks them', async () => {
    const [aki] = await people(app, 1);
    const roomId = await roomOf(aki);
    const root = await say(aki, roomId, 'root');
    await reply(aki, roomId, root.id, 'a', 'b', 'c', 'd');
    await app.dynamo.update(rootItem(root.id), { update: 'REMOVE newestReplies' });
    for (const [body, expected] of [
      [undefined, 'root: … b c d'],
      ['e', 'root: … c d e'],
      ['f', 'root: … d e f'],
      ['g', 'root: … e f g'],
    ]) {
      if (body !== undefined) await reply(aki, roomId, root.id, body);
      expect(await shown(aki, roomId)).toEqual([expected]);
    }
    const { newestReplies } = messageOf(messageKey(root.id), (await app.dynamo.get(rootItem(root.id))) ?? {});
    expect(newestReplies).toHaveLength(3);
  });

  test('Room.threads: does not believe keys to which a server of the release before has added a reply', async () => {
    const [aki] = await people(app, 1);
    const roomId = await roomOf(aki);
    const root = await say(aki, roomId, 'root');
    await reply(aki, roomId, root.id, 'a', 'b', 'c');
    const before = await app.dynamo.get(rootItem(root.id));
    await reply(aki, roomId, root.id, 'd');
    // That server raised the count and the time, and left the list as it was.
    await app.dynamo.update(rootItem(root.id), {
      update: 'SET newestReplies = :stale',
      values: { ':stale': before?.newestReplies },
    });
    expect(await shown(aki, roomId)).toEqual(['root: … b c d']);
    await reply(aki, roomId, root.id, 'e');
    expect(await shown(aki, roomId)).toEqual(['root: … c d e']);
    const { differences } = await verify({ dynamo: app.dynamo, counters, fix: false });
    expect(differences.filter(({ what }) => what === 'newest replies')).toEqual([]);
  });

  test('Room.threads: has the newest replies after two servers wrote some at the same time', async () => {
    const [aki] = await people(app, 1);
    const roomId = await roomOf(aki);
    const root = await say(aki, roomId, 'root');
    const there = await connectTo(other, aki);
    await Promise.all(
      [aki, there].flatMap((who, i) =>
        Array.from({ length: 8 }, (_, n) => say(who, roomId, `${i}.${n}`, root.id)),
      ),
    );
    const { replies } = app.services.messages;
    const { room, threadTs } = messageKey(root.id);
    const all = await replies(room, threadTs, { limit: 100, direction: 'forward', from: undefined });
    expect(all.nodes).toHaveLength(16);
    const newest = all.nodes.slice(-3).map(({ body }) => body);
    expect(await shown(aki, roomId)).toEqual([`root: … ${newest.join(' ')}`]);
    expect((await app.dynamo.get(rootItem(root.id)))?.newestReplies).toEqual(
      all.nodes.slice(-3).map(({ ts }) => ts),
    );
  });

  test('verify: reports and fixes the keys of a reply that was deleted by hand', async () => {
    const [aki] = await people(app, 1);
    const roomId = await roomOf(aki);
    const root = await say(aki, roomId, 'root');
    const [, , , last = ''] = await reply(aki, roomId, root.id, 'a', 'b', 'c', 'd');
    const { room, threadTs, ts } = messageKey(last);
    await app.dynamo.remove(keys.reply(room, threadTs, ts));
    const { differences } = await verify({ dynamo: app.dynamo, counters, fix: true });
    expect(differences.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['replies', 'newest replies']),
    );
    expect(await shown(aki, roomId)).toEqual(['root: a b c']);
    expect((await verify({ dynamo: app.dynamo, counters, fix: false })).differences).toEqual([]);
  });
});
