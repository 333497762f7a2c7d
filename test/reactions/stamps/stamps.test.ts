import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeId } from '../../../src/graphql/ids.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { LeaveRoom } from '../../support/operations.ts';
import { newUser, type Person, rawId, roomOf, say } from '../../support/people.ts';
import { AddStamp, DeleteStamped, RemoveStamp, StampNode, StampsOf } from './support/operations.ts';
import { messageKey, put, stampingRoom, stampsOf } from './support/stamps.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** `aki:heart` and so on, in the order of the list. */
async function listed(who: Person, id: string): Promise<string[]> {
  const { stamps } = await stampsOf(who, id);
  return stamps.edges.map(({ node: { user, stamp } }) => `${user.handle}:${stamp.key}`);
}

const room = () => stampingRoom(app);

test('a stamp is on the message at once: who, which and when, in order, counted', async () => {
  const { aki, ben, message } = await room();
  const before = Date.now();
  const first = await put(ben, message, 'tea');
  const second = await put(aki, message, 'heart');
  await put(ben, message, 'heart');
  expect(first).toMatchObject({ stamp: { key: 'tea', label: 'Cup of tea' }, user: { handle: ben.handle } });
  expect(first.message.stampCounts).toEqual([{ count: 1, viewerHasStamped: true, stamp: { key: 'tea' } }]);
  expect(Date.parse(first.createdAt)).toBeGreaterThanOrEqual(before);
  expect(second.message.version).toBeGreaterThan(first.message.version);
  expect(await listed(ben, message)).toEqual([
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

test('replies bear stamps as roots do', async () => {
  const { aki, ben, roomId, message } = await room();
  const reply = (await say(ben, roomId, 'Yes!', message)).id;
  await put(aki, reply, 'thumbs-up');
  expect(await listed(ben, reply)).toEqual([`${aki.handle}:thumbs-up`]);
  expect(await listed(ben, message)).toEqual([]);
});

test('one person may put several stamps on a message, but not the same one twice', async () => {
  const { aki, ben, message } = await room();
  await put(ben, message, 'tea');
  await put(ben, message, 'cake');
  expect(await ben.refused(AddStamp, { messageId: message, stamp: 'tea' })).toBe('CONFLICT');
  await put(aki, message, 'tea');
  expect((await stampsOf(ben, message)).stampCounts.map(({ count }) => count)).toEqual([2, 1]);
});

test('the same stamp by the same person twenty times at once is there once', async () => {
  const { aki, ben, message } = await room();
  const stamp = { messageId: message, stamp: 'fire' };
  const codes = await Promise.all(Array.from({ length: 20 }, () => ben.refused(AddStamp, stamp)));
  expect(codes.filter((code) => code === undefined)).toHaveLength(1);
  expect(codes.filter((code) => code === 'CONFLICT')).toHaveLength(19);
  expect(await listed(aki, message)).toEqual([`${ben.handle}:fire`]);
});

test('a stamp that was taken back is gone, and may be put again, at the end', async () => {
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
  expect(await listed(aki, message)).toEqual([`${aki.handle}:cake`, `${ben.handle}:tea`]);
});

test('only who has put a stamp may take it back, the message’s author included', async () => {
  const { aki, ben, message } = await room();
  const { id } = await put(ben, message, 'tea');
  expect(await aki.refused(RemoveStamp, { messageStampId: id })).toBe('FORBIDDEN');
  expect(await listed(aki, message)).toHaveLength(1);
});

test.each([['no-such-stamp'], [''], ['HEART'], ['__proto__'], ['constructor'], ['a'.repeat(41)]])(
  '%j is not in the catalogue and is refused, saying where',
  async (stamp) => {
    const { aki, message } = await room();
    const { errors } = await aki.send(AddStamp, { messageId: message, stamp });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'input.stamp' });
    expect((await stampsOf(aki, message)).stampCounts).toEqual([]);
  },
);

test('ids of other things, of nothing, and malformed ones are all the same', async () => {
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

test('a stamp is found by its id', async () => {
  const { aki, ben, message } = await room();
  const { id, createdAt } = await put(aki, message, 'moon');
  expect((await ben.do(StampNode, { id })).node).toEqual({
    __typename: 'MessageStamp',
    ...{ id, createdAt, stamp: { key: 'moon' }, user: { handle: aki.handle }, message: { id: message } },
  });
});

test('strangers neither stamp nor see: of a public room they hear so, of a private one nothing', async () => {
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
  expect(await listed(aki, hidden)).toEqual([`${aki.handle}:cake`]);
});

test('who has left takes nothing back and puts nothing more; what they put stays', async () => {
  const { aki, ben, roomId, message } = await room();
  const { id } = await put(ben, message, 'tea');
  await ben.do(LeaveRoom, { roomId });
  expect(await ben.refused(AddStamp, { messageId: message, stamp: 'cake' })).toBe('FORBIDDEN');
  expect(await ben.refused(RemoveStamp, { messageStampId: id })).toBe('FORBIDDEN');
  expect((await ben.do(StampNode, { id })).node).toBeNull();
  expect(await listed(aki, message)).toEqual([`${ben.handle}:tea`]);
});

test('the list is paged in order, and its cursors outlive what they point to', async () => {
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

test('page sizes out of bounds and cursors of other lists are refused, also where nothing is to be read', async () => {
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

test('a deleted message bears no stamps: none can be put or taken back', async () => {
  const { aki, ben, message } = await room();
  const { id } = await put(ben, message, 'tea');
  const { deleteMessage } = await aki.do(DeleteStamped, { messageId: message });
  expect(deleteMessage.message).toMatchObject({ stampCounts: [], stamps: { edges: [] } });
  expect(await ben.refused(AddStamp, { messageId: message, stamp: 'cake' })).toBe('CONFLICT');
  expect(await ben.refused(RemoveStamp, { messageStampId: id })).toBe('CONFLICT');
  expect((await ben.do(StampNode, { id })).node).toBeNull();
});

test('a stamp that has left the catalogue stays on messages, can be taken back, and not be put anew', async () => {
  const { aki, ben, message } = await room();
  const placed = await app.services.stamps.add(ben.id, messageKey(message), 'retired');
  await put(ben, message, 'tea');
  const { stampCounts } = await stampsOf(aki, message);
  expect(stampCounts.map(({ stamp, count }) => [stamp.key, count])).toEqual([
    ['tea', 1],
    ['retired', 1],
  ]);
  expect(await aki.refused(AddStamp, { messageId: message, stamp: 'retired' })).toBe('BAD_USER_INPUT');
  const id = encodeId('MessageStamp', `${rawId(message)}:${placed.s}`);
  await ben.do(RemoveStamp, { messageStampId: id });
  expect(await listed(aki, message)).toEqual([`${ben.handle}:tea`]);
});
