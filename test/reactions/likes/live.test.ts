import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphql } from '../../generated/gql.ts';
import { type FaultProxy, type Json, startFaultProxy } from '../../stream/support/faultProxy.ts';
import { globalId, messageKey, people, roomOf, say } from '../../support/clients/people.ts';
import { openTestDynamo, type TestDynamo } from '../../support/database/dynamo.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { AddStamp } from '../stamps/support/operations.ts';
import { like } from './support/likes.ts';

const READERS = 8;

let database: TestDynamo;
let proxy: FaultProxy;
let app: TestApp;
let requests: string[] = [];
beforeAll(async () => {
  database = await openTestDynamo({ file: true });
  proxy = await startFaultProxy(database.endpoint);
  // The consumer and the comparison of every 30 s read other items at any time.
  const count = (operation: 'BatchGetItem' | 'Query') =>
    proxy.onRequest(operation, (request: Json) => {
      if (/LIKE|STAMP/.test(JSON.stringify(request))) requests.push(operation);
    });
  count('BatchGetItem');
  count('Query');
  app = await startTestApp({ database: { ...database, endpoint: proxy.endpoint } });
});
afterAll(async () => {
  await app?.stop();
  await proxy?.stop();
  await database?.stop();
});

const LikesLive = graphql(`
  subscription LikesLive($roomId: ID!) {
    roomEvents(roomId: $roomId) {
      __typename
      ... on MessageChanged { message { likeCount viewerHasLiked stampCounts { viewerHasStamped stamp { key } } } }
    }
  }
`);

test('MessageChanged: the reactions of all subscribers to the message are read in one request', async () => {
  const [aki, ...others] = await people(app, READERS);
  if (aki === undefined) throw new Error('There are no users.');
  const roomId = await roomOf(aki, others);
  const { id: messageId } = await say(aki, roomId, 'Tea?');
  for (const stamp of ['tea', 'heart']) await aki.do(AddStamp, { messageId, stamp });
  // Waits until no earlier change is left to send.
  await app.quiet();
  const readers = [aki, ...others].map((person) => person.subscribe(LikesLive, { roomId }));
  for (const reader of readers) await reader.until(({ roomEvents: e }) => e.__typename === 'Synced');

  requests = [];
  await like(aki, messageId);
  const seen = await Promise.all(
    readers.map(async (reader) => {
      const { roomEvents } = await reader.until(
        ({ roomEvents: e }) => e.__typename === 'MessageChanged' && e.message.likeCount === 1,
      );
      if (roomEvents.__typename !== 'MessageChanged') throw new Error('Not a MessageChanged.');
      const { viewerHasLiked, stampCounts } = roomEvents.message;
      return [viewerHasLiked, ...stampCounts.map(({ viewerHasStamped }) => viewerHasStamped)];
    }),
  );
  expect(seen).toEqual(seen.map((_, i) => Array(3).fill(i === 0)));
  // The mutation reads before the like and for its response; then the reactions are read once for all subscribers.
  expect(requests.sort()).toEqual([...Array(requests.length - 1).fill('BatchGetItem'), 'Query']);
  expect(requests.length).toBeLessThanOrEqual(4);
});

const LikesByCause = graphql(`
  subscription LikesByCause($roomId: ID!) {
    roomEvents(roomId: $roomId) {
      __typename
      ... on MessageChanged { message { likeCount stampCounts { count } } cause { kind actor { id } } }
    }
  }
`);

test('MessageChanged: with its cause instead of the viewer’s fields, no reactions are read for its subscribers', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const { id: messageId } = await say(aki, roomId, 'Tea?');
  await aki.do(AddStamp, { messageId, stamp: 'tea' });
  await app.quiet();
  const readers = [aki, ben].map((person) => person.subscribe(LikesByCause, { roomId }));
  for (const reader of readers) await reader.until(({ roomEvents: e }) => e.__typename === 'Synced');

  requests = [];
  await app.services.likes.add(aki.id, messageKey(messageId));
  for (const reader of readers) {
    const { roomEvents } = await reader.until(({ roomEvents: e }) => e.__typename === 'MessageChanged');
    expect(roomEvents).toMatchObject({
      message: { likeCount: 1 },
      cause: { kind: 'LIKED', actor: { id: globalId(aki) } },
    });
  }
  // Before the like.
  expect(requests).toEqual(['BatchGetItem']);
});
