import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Cost } from '../../src/dynamo/cost.ts';
import { graphql } from '../generated/gql.ts';
import { AddStamp } from '../stamps/operations.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { people, roomOf, say } from '../support/people.ts';
import { like } from './liking.ts';

const READERS = 8;

let app: TestApp;
let costs: Cost[] = [];
beforeAll(async () => {
  app = await startTestApp({ onCost: (cost) => costs.push(cost) });
});
afterAll(() => app.stop());

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
  const readers = [aki, ...others].map((person) => person.subscribe(LikesLive, { roomId }));
  for (const reader of readers) await reader.until(({ roomEvents: e }) => e.__typename === 'Synced');

  costs = [];
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
  const asked = costs.map(({ operation }) => operation).filter((name) => /BatchGet|Query/.test(name));
  // Before the like, and after it the likers of its answer; the message for all readers, and what they did.
  expect(asked.sort()).toEqual([...Array(asked.length - 1).fill('BatchGetItem'), 'Query']);
  expect(asked.length).toBeLessThanOrEqual(6);
});
