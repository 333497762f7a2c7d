import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeId } from '../../../src/graphql/ids.ts';
import { LeaveRoom } from '../../support/clients/operations.ts';
import { messageKey, newUser, type Person, rawId, roomOf, say } from '../../support/clients/people.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { createRoomWithMessage } from '../support/room.ts';
import { AddStamp, DeleteStamped, RemoveStamp, StampNode, StampsOf } from './support/operations.ts';
import { put, stampsOf } from './support/stamps.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** The stamps in the order of the list, as `aki:heart`. */
async function listStamps(who: Person, id: string): Promise<string[]> {
  const { stamps } = await stampsOf(who, id);
  return stamps.edges.map(({ node: { user, stamp } }) => `${user.handle}:${stamp.key}`);
}

const room = () => createRoomWithMessage(app);

test('addStamp: the message has the stamp at once, in its list and in its counts', async () => {
  const { aki, ben, message } = await room();
  const before = Date.now();
  const first = await put(ben, message, 'tea');
  const second = await put(aki, message, 'heart');
  await put(ben, message, 'heart');
  expect(first).toMatchObject({ stamp: { key: 'tea', label: 'Cup of tea' }, user: { handle: ben.handle } });
  expect(first.message.stampCounts).toEqual([{ count: 1, viewerHasStamped: true, stamp: { key: 'tea' } }]);
  expect(Date.parse(first.createdAt)).toBeGreaterThanOrEqual(before);
  expect(second.message.version).toBeGreaterThan(first.message.version);
  expect(await listStamps(ben, message)).toEqual([
    `${ben.handle}:tea`,
    `${aki.handle}:heart`,
    `${ben.handle}:heart`,
  ]);
  // In the order of the catalogue.
  expect((await stampsOf(aki, message)).stampCounts).toEqual([
    { count: 2, viewerHasStamped: true, stamp: { key: 'heart' } },
    { count: 1, viewerHasStamped: false, stamp: { key: 'tea' } },
  ]);
});

test('addStamp: a stamp on a reply is not on its root', async () => {
  const { aki, ben, roomId, message } = await room();
  const reply = (await say(ben, roomId, 'Yes!', message)).id;
  await put(aki, reply, 'thumbs-up');
  expect(await listStamps(ben, reply)).toEqual([`${aki.handle}:thumbs-up`]);
  expect(await listStamps(ben, message)).toEqual([]);
});

test('addStamp: a user can add different stamps to a message, but each only once', async () => {
  const { aki, ben, message } = await room();
  await put(ben, message, 'tea');
  await put(ben, message, 'cake');
  expect(await ben.refused(AddStamp, { messageId: message, stamp: 'tea' })).toBe('CONFLICT');
  await put(aki, message, 'tea');
  expect((await stampsOf(ben, message)).stampCounts.map(({ count }) => count)).toEqual([2, 1]);
});

test('addStamp: of twenty at once of the same stamp by one user, one succeeds', async () => {
  const { aki, ben, message } = await room();
  const stamp = { messageId: message, stamp: 'fire' };
  const codes = await Promise.all(Array.from({ length: 20 }, () => ben.refused(AddStamp, stamp)));
  expect(codes.filter((code) => code === undefined)).toHaveLength(1);
  expect(codes.filter((code) => code === 'CONFLICT')).toHaveLength(19);
  expect(await listStamps(aki, message)).toEqual([`${ben.handle}:fire`]);
});

test('removeStamp: removes the stamp, which can be added again as the newest', async () => {
  const { aki, ben, message } = await room();
  const { id } = await put(ben, message, 'tea');
  await put(aki, message, 'cake');
  const { removeStamp } = await ben.do(RemoveStamp, { messageStampId: id });
  expect(removeStamp.deletedMessageStampId).toBe(id);
  expect(removeStamp.message.stampCounts).toEqual([
    { count: 1, viewerHasStamped: false, stamp: { key: 'cake' } },
  ]);
  expect((await ben.do(StampNode, { id })).node).toBeNull();
  expect(await ben.refused(RemoveStamp, { messageStampId: id })).toBe('NOT_FOUND');
  await put(ben, message, 'tea');
  expect(await listStamps(aki, message)).toEqual([`${aki.handle}:cake`, `${ben.handle}:tea`]);
});

test('removeStamp: is forbidden for others, also for the message’s author', async () => {
  const { aki, ben, message } = await room();
  const { id } = await put(ben, message, 'tea');
  expect(await aki.refused(RemoveStamp, { messageStampId: id })).toBe('FORBIDDEN');
  expect(await listStamps(aki, message)).toHaveLength(1);
});

test.each([['no-such-stamp'], [''], ['HEART'], ['__proto__'], ['constructor'], ['a'.repeat(41)]])(
  'addStamp: %j is not in the catalogue and is refused with the field',
  async (stamp) => {
    const { aki, message } = await room();
    const { errors } = await aki.send(AddStamp, { messageId: message, stamp });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'input.stamp' });
    expect((await stampsOf(aki, message)).stampCounts).toEqual([]);
  },
);

test('addStamp, removeStamp, node: refuse unknown and malformed ids in the same way', async () => {
  const { aki, roomId, message } = await room();
  const { id } = await put(aki, message, 'tea');
  const absent = encodeId('Message', `${rawId(roomId)}:1700000000000000:1700000000000000`);
  for (const messageId of [absent, roomId, id, 'nonsense', '', encodeId('Message', 'a:b:c')]) {
    expect(await aki.refused(AddStamp, { messageId, stamp: 'tea' }), messageId).toBe('NOT_FOUND');
  }
  const gone = encodeId('MessageStamp', `${rawId(message)}:1700000000000000`);
  const malformed = encodeId('MessageStamp', rawId(id).replace(/\d$/, ''));
  for (const messageStampId of [gone, malformed, message, roomId, 'nonsense', '']) {
    expect(await aki.refused(RemoveStamp, { messageStampId }), messageStampId).toBe('NOT_FOUND');
    expect((await aki.do(StampNode, { id: messageStampId })).node?.__typename).not.toBe('MessageStamp');
  }
});

test('node: finds a stamp by its id', async () => {
  const { aki, ben, message } = await room();
  const { id, createdAt } = await put(aki, message, 'moon');
  expect((await ben.do(StampNode, { id })).node).toEqual({
    __typename: 'MessageStamp',
    id,
    createdAt,
    stamp: { key: 'moon' },
    user: { handle: aki.handle },
    message: { id: message },
  });
});

test('addStamp, removeStamp, node: outsiders get FORBIDDEN in a public room, NOT_FOUND otherwise', async () => {
  const { aki, message } = await room();
  const { id } = await put(aki, message, 'tea');
  const stranger = await newUser(app);
  expect(await stranger.refused(AddStamp, { messageId: message, stamp: 'tea' })).toBe('FORBIDDEN');
  expect(await stranger.refused(RemoveStamp, { messageStampId: id })).toBe('FORBIDDEN');
  expect((await stranger.do(StampNode, { id })).node).toBeNull();
  expect((await stranger.do(StampsOf, { id: message })).node).toBeNull();

  const secret = await roomOf(aki, [], { visibility: 'PRIVATE' });
  const hidden = (await say(aki, secret, 'Cake or mochi?')).id;
  const hiddenStamp = (await put(aki, hidden, 'cake')).id;
  expect(await stranger.refused(AddStamp, { messageId: hidden, stamp: 'cake' })).toBe('NOT_FOUND');
  expect(await stranger.refused(RemoveStamp, { messageStampId: hiddenStamp })).toBe('NOT_FOUND');
  expect((await stranger.do(StampNode, { id: hiddenStamp })).node).toBeNull();
  expect(await listStamps(aki, hidden)).toEqual([`${aki.handle}:cake`]);
});

test('addStamp and removeStamp: are forbidden for former members, whose stamps stay', async () => {
  const { aki, ben, roomId, message } = await room();
  const { id } = await put(ben, message, 'tea');
  await ben.do(LeaveRoom, { roomId });
  expect(await ben.refused(AddStamp, { messageId: message, stamp: 'cake' })).toBe('FORBIDDEN');
  expect(await ben.refused(RemoveStamp, { messageStampId: id })).toBe('FORBIDDEN');
  expect((await ben.do(StampNode, { id })).node).toBeNull();
  expect(await listStamps(aki, message)).toEqual([`${ben.handle}:tea`]);
});

test('Message.stamps: is paged in order, and a cursor works after its stamp was removed', async () => {
  const { aki, ben, message } = await room();
  const keys = app.services.catalogue.stamps.slice(0, 7).map(({ key }) => key);
  const ids: string[] = [];
  for (const key of keys) ids.push((await put(ben, message, key)).id);

  const seen: string[] = [];
  let after: string | null = null;
  for (let more = true; more; ) {
    const page: Awaited<ReturnType<typeof stampsOf>> = await stampsOf(aki, message, { first: 3, after });
    const { edges, pageInfo } = page.stamps;
    seen.push(...edges.map(({ node }) => node.stamp.key));
    expect(pageInfo.hasPreviousPage).toBe(after !== null);
    after = pageInfo.endCursor ?? null;
    more = pageInfo.hasNextPage;
  }
  expect(seen).toEqual(keys);

  const { stamps } = await stampsOf(aki, message, { first: 3 });
  await ben.do(RemoveStamp, { messageStampId: ids[2] ?? '' });
  const next = await stampsOf(aki, message, { first: 3, after: stamps.pageInfo.endCursor ?? null });
  expect(next.stamps.edges.map(({ node }) => node.stamp.key)).toEqual(keys.slice(3, 6));
});

test('Message.stamps: refuses page sizes out of bounds and cursors of other lists, also on an empty list', async () => {
  const { aki, roomId, message } = await room();
  const other = (await say(aki, roomId, 'Coffee?')).id;
  await put(aki, message, 'tea');
  await put(aki, message, 'cake');
  const { stamps } = await stampsOf(aki, message, { first: 1 });
  const after = stamps.pageInfo.endCursor ?? '';
  expect(await aki.refused(StampsOf, { id: message, after })).toBeUndefined();
  for (const variables of [
    { id: message, first: 0 },
    { id: message, first: 101 },
    { id: message, first: -1 },
    { id: other, after },
    { id: message, after: '' },
    { id: message, after: `${after}=` },
    { id: message, after: Buffer.from(`stamps:${rawId(message)}|1`).toString('base64url') },
  ]) {
    expect(await aki.refused(StampsOf, variables), JSON.stringify(variables)).toBe('BAD_USER_INPUT');
  }
});

test('deleteMessage: the message has no stamps, and none can be added or removed', async () => {
  const { aki, ben, message } = await room();
  const { id } = await put(ben, message, 'tea');
  const { deleteMessage } = await aki.do(DeleteStamped, { messageId: message });
  expect(deleteMessage.message).toMatchObject({ stampCounts: [], stamps: { edges: [] } });
  expect(await ben.refused(AddStamp, { messageId: message, stamp: 'cake' })).toBe('CONFLICT');
  expect(await ben.refused(RemoveStamp, { messageStampId: id })).toBe('CONFLICT');
  expect((await ben.do(StampNode, { id })).node).toBeNull();
});

test('addStamp: a stamp that was removed from the catalogue stays on messages and can only be removed', async () => {
  const { aki, ben, message } = await room();
  const placed = await app.services.stamps.add(ben.id, messageKey(message), 'retired');
  await put(ben, message, 'tea');
  const { stampCounts } = await stampsOf(aki, message);
  expect(stampCounts.map(({ stamp, count }) => [stamp.key, count])).toEqual([
    ['tea', 1],
    ['retired', 1],
  ]);
  expect(await aki.refused(AddStamp, { messageId: message, stamp: 'retired' })).toBe('BAD_USER_INPUT');
  const id = encodeId('MessageStamp', `${rawId(message)}:${placed.stampedAt}`);
  await ben.do(RemoveStamp, { messageStampId: id });
  expect(await listStamps(aki, message)).toEqual([`${ben.handle}:tea`]);
});
