import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphql } from '../../generated/gql.ts';
import { type FaultProxy, type Json, startFaultProxy } from '../../stream/faultProxy.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { openTestDynamo, type TestDynamo } from '../../support/dynamo.ts';
import { people, roomOf, say } from '../../support/people.ts';
import { AddStamp } from '../stamps/support/operations.ts';
import { like } from './support/likes.ts';

const READERS = 8;

let database: TestDynamo;
let proxy: FaultProxy;
let app: TestApp;
let asked: string[] = [];
beforeAll(async () => {
  database = await openTestDynamo({ file: true });
  proxy = await startFaultProxy(database.endpoint);
  proxy.onRequest('BatchGetItem', () => void asked.push('BatchGetItem'));
  proxy.onRequest('Query', ({ ExpressionAttributeValues: values }: Json) => {
    // Every few seconds the consumer asks who reads the stream.
    if (!String(values[':pk'].S).startsWith('STREAM#')) asked.push('Query');
  });
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

test('what each of many readers did to a message that has changed is read for all of them together', async () => {
  const [aki, ...others] = await people(app, READERS);
  if (aki === undefined) throw new Error('Nobody is there.');
  const roomId = await roomOf(aki, others);
  const { id: messageId } = await say(aki, roomId, 'Tea?');
  for (const stamp of ['tea', 'heart']) await aki.do(AddStamp, { messageId, stamp });
  // By then nobody has anything to read of what came before.
  await app.quiet();
  const readers = [aki, ...others].map((person) => person.subscribe(LikesLive, { roomId }));
  for (const reader of readers) await reader.until(({ roomEvents: e }) => e.__typename === 'Synced');

  asked = [];
  await like(aki, messageId);
  const seen = await Promise.all(
    readers.map(async (reader) => {
      const { roomEvents } = await reader.until(
        ({ roomEvents: e }) => e.__typename === 'MessageChanged' && e.message.likeCount === 1,
      );
      if (roomEvents.__typename !== 'MessageChanged') throw new Error('It is another event.');
      const { viewerHasLiked, stampCounts } = roomEvents.message;
      return [viewerHasLiked, ...stampCounts.map(({ viewerHasStamped }) => viewerHasStamped)];
    }),
  );
  expect(seen).toEqual(seen.map((_, i) => Array(3).fill(i === 0)));
  // Before the like, and after it the likers of its answer; the message for all readers, and what they did.
  expect(asked.sort()).toEqual([...Array(asked.length - 1).fill('BatchGetItem'), 'Query']);
  expect(asked.length).toBeLessThanOrEqual(6);
});
