import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { createItemLoader } from '../../../src/dynamo/itemLoader.ts';
import { likers as likersIndex } from '../../../src/dynamo/keys.ts';
import { likesKind } from '../../../src/reactions/likes/kind.ts';
import { reactorsOf } from '../../../src/reactions/toggles/reactors.ts';
import { messageKey, people, rawId, roomOf, say } from '../../support/clients/people.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { createRoomWithMessage } from '../support/room.ts';
import { handlesOf, inTable, like, likesOf, unlike } from './support/likes.ts';
import { LikesOf } from './support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('Message.likers: is paged, newest first, and a cursor works after its like was removed', async () => {
  const crowd = await people(app, 7);
  const [aki] = crowd;
  const roomId = await roomOf(aki, crowd.slice(1));
  const message = (await say(aki, roomId, 'Who is in?')).id;
  for (const person of crowd) await like(person, message);
  const order = crowd.map(({ handle }) => handle).reverse();

  const seen: Array<string | null> = [];
  for (let after: string | null = null, more = true; more; ) {
    const page: Awaited<ReturnType<typeof likesOf>> = await likesOf(aki, message, { first: 3, after });
    seen.push(...handlesOf(page));
    expect(page.likers.pageInfo.hasPreviousPage).toBe(after !== null);
    after = page.likers.pageInfo.endCursor;
    more = page.likers.pageInfo.hasNextPage;
  }
  expect(seen).toEqual(order);

  const { likers } = await likesOf(aki, message, { first: 3 });
  await unlike(crowd[4], message);
  const next = await likesOf(aki, message, { first: 3, after: likers.pageInfo.endCursor });
  expect(handlesOf(next)).toEqual(order.slice(3, 6));
});

test('Message.likers: refuses page sizes out of bounds and cursors of other lists', async () => {
  const { aki, ben, roomId, message } = await createRoomWithMessage(app);
  const other = (await say(aki, roomId, 'Coffee?')).id;
  await like(aki, message);
  await like(ben, message);
  const after = (await likesOf(aki, message, { first: 1 })).likers.pageInfo.endCursor ?? '';
  expect(await aki.refused(LikesOf, { id: message, after })).toBeUndefined();
  for (const variables of [
    { id: message, first: 0 },
    { id: message, first: 101 },
    { id: message, first: -1 },
    { id: other, after },
    { id: message, after: '' },
    { id: message, after: `${after}=` },
    { id: message, after: Buffer.from(`likers:${rawId(message)}|1`).toString('base64url') },
  ]) {
    expect(await aki.refused(LikesOf, variables), JSON.stringify(variables)).toBe('BAD_USER_INPUT');
  }
});

/** A message that seven users like, and an index that keeps this state when they unlike it. */
async function withLaggingIndex() {
  const crowd = await people(app, 7);
  const [aki] = crowd;
  const roomId = await roomOf(aki, crowd.slice(1));
  const id = (await say(aki, roomId, 'Who is in?')).id;
  const message = messageKey(id);
  for (const person of crowd) await app.services.likes.add(person.id, message);
  const indexed = await app.dynamo.queryIndex(likersIndex.pk(message), { limit: 100, reverse: true });
  const lagging: Dynamo = {
    ...app.dynamo,
    async queryIndex(_, { limit, startKey }) {
      const rest = indexed.items.filter(
        ({ gsi1sk }) => startKey === undefined || String(gsi1sk) < String(startKey.gsi1sk),
      );
      return { items: rest.slice(0, limit), more: rest.length > limit };
    },
  };
  /** The handles of a page, and whether more pages follow. */
  const page = async (limit: number) => {
    const items = createItemLoader(lagging);
    const { nodes, more } = await reactorsOf({ dynamo: lagging, kind: likesKind }, message, {
      limit,
      from: undefined,
      items,
    });
    return [nodes.map(({ handle }) => handle), more];
  };
  const unlikeBy = (...numbers: number[]) =>
    Promise.all(numbers.map((i) => app.services.likes.remove(crowd[i]?.id ?? '', message)));
  return { crowd, message, page, unlikeBy, handles: crowd.map(({ handle }) => handle) };
}

test('Message.likers: leaves out a like that only the index still has, and fills the page', async () => {
  const { page, unlikeBy, handles } = await withLaggingIndex();
  await unlikeBy(6, 4);
  expect(await page(3)).toEqual([[handles[5], handles[3], handles[2]], true]);
  await unlikeBy(5, 3, 2);
  expect(await page(3)).toEqual([[handles[1], handles[0]], false]);
  await unlikeBy(1, 0);
  expect(await page(3)).toEqual([[], false]);
});

test('Message.likers: has a like that was removed and added again once, as the newest', async () => {
  const { crowd, message, unlikeBy, handles } = await withLaggingIndex();
  const { items: before } = await app.dynamo.queryIndex(likersIndex.pk(message), {
    limit: 100,
    reverse: true,
  });
  await unlikeBy(3);
  await app.services.likes.add(crowd[3].id, message);
  const { items: after } = await app.dynamo.queryIndex(likersIndex.pk(message), {
    limit: 100,
    reverse: true,
  });
  // The index has the new entry already and the old one still.
  const both: Dynamo = {
    ...app.dynamo,
    queryIndex: async () => ({ items: [...after.slice(0, 1), ...before], more: false }),
  };
  const wanted = { limit: 100, from: undefined, items: createItemLoader(both) };
  const { nodes } = await reactorsOf({ dynamo: both, kind: likesKind }, message, wanted);
  const others = [6, 5, 4, 2, 1, 0].map((i) => handles[i]);
  expect(nodes.map(({ handle }) => handle)).toEqual([handles[3], ...others]);
  expect((await inTable(app.dynamo, message)).count).toBe(7);
});
