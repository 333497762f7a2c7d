import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { counters } from '../../src/app/features.ts';
import { createTimestamps } from '../../src/core/timestamps.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { createFollowers } from '../../src/notifications/derive/followers.ts';
import { createRoomDeletion } from '../../src/roomDeletion/roomDeletion.ts';
import { verify } from '../../src/verify/verify.ts';
import { graphql } from '../generated/gql.ts';
import { RoomEvents } from '../roomEvents/support/operations.ts';
import { JoinWithInvite, NotificationRooms, OwnRooms, Waitlist } from '../rooms/support/operations.ts';
import {
  Directory,
  JoinRoom,
  LeaveRoom,
  Me,
  NodeById,
  RoomById,
  SendMessage,
  UnreadLive,
  UnreadNow,
  UpdateRoom,
} from '../support/clients/operations.ts';
import { people, rawId, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { createStreamGate } from '../support/stream/streamGate.ts';
import { eventually } from '../support/time/eventually.ts';
import { createFullRoom, DeleteRoom, remainsOf } from './support/room.ts';

const gate = createStreamGate();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ wrapDispatcher: gate.wrapDispatcher });
});
afterAll(async () => {
  gate.open();
  await app?.stop();
});
beforeEach(() => gate.open());

/** Deletes a room, and dies before the first membership ends. */
async function deleteAndDie(user: string, room: string): Promise<void> {
  const { dynamo } = app;
  let transactions = 0;
  const deletion = createRoomDeletion({
    dynamo: {
      ...dynamo,
      async query() {
        throw new Error('The database is away.');
      },
      tryTransact(writes, options) {
        transactions++;
        return dynamo.tryTransact(writes, options);
      },
    },
    publisher: { publish: async () => {}, resync: () => {}, settled: async () => {}, stop: async () => {} },
    timestamps: createTimestamps(),
    now: Date.now,
  });
  await deletion.deleteRoom(user, room);
  expect(transactions).toBe(1);
}

const FirstOwnRoom = graphql(`
  query FirstOwnRoom($after: String) {
    viewer {
      memberships(first: 1, after: $after) { edges { node { id } } pageInfo { hasNextPage endCursor } }
    }
  }
`);

test('deleteRoom: a page that lost its only room says where the next one begins', async () => {
  const [aki] = await people(app, 1);
  const older = await roomOf(aki, []);
  const latest = await roomOf(aki, []);
  gate.close();
  await deleteAndDie(aki.id, rawId(latest));
  const page = (await aki.do(FirstOwnRoom, { after: null })).viewer.memberships;
  expect(page).toMatchObject({ edges: [], pageInfo: { hasNextPage: true, endCursor: expect.any(String) } });
  const next = (await aki.do(FirstOwnRoom, { after: page.pageInfo.endCursor })).viewer.memberships;
  expect(next.edges.map(({ node }) => node.id)).toEqual([
    encodeId('Membership', `${rawId(older)}:${aki.id}`),
  ]);
});

describe('deleteRoom:', () => {
  test('leaves nothing of the room, and all numbers are right', async () => {
    const { aki, ben, eri, room, roomId } = await createFullRoom(app, 60);
    await app.quiet();
    expect(await remainsOf(app, room)).not.toEqual([]);
    expect(await aki.do(DeleteRoom, { roomId })).toEqual({ deleteRoom: { deletedRoomId: roomId } });
    await eventually(async () => expect(await remainsOf(app, room)).toEqual([]));
    expect(await verify({ dynamo: app.dynamo, counters, fix: false })).toEqual({
      differences: [],
      stillChanging: [],
    });
    for (const { id } of [aki, ben, eri]) {
      expect(await app.dynamo.get({ pk: `USER#${id}`, sk: 'PROFILE' })).toMatchObject({ rooms: 0 });
    }
  });

  test('is refused for others, in direct rooms, and the second time', async () => {
    const [aki, ben, chi] = await people(app, 3);
    const roomId = await roomOf(aki, [ben]);
    await chi.do(Me);
    expect(await ben.refused(DeleteRoom, { roomId })).toBe('FORBIDDEN');
    expect(await chi.refused(DeleteRoom, { roomId })).toBe('FORBIDDEN');
    const hidden = await roomOf(aki, [], { visibility: 'PRIVATE' });
    expect(await ben.refused(DeleteRoom, { roomId: hidden })).toBe('NOT_FOUND');
    expect(await ben.refused(DeleteRoom, { roomId: 'nonsense' })).toBe('NOT_FOUND');
    const direct = await app.services.rooms.openDirect(aki.id, [ben.id]);
    expect(await aki.refused(DeleteRoom, { roomId: encodeId('Room', direct.id) })).toBe('FORBIDDEN');
    await aki.do(DeleteRoom, { roomId });
    expect(await aki.refused(DeleteRoom, { roomId })).toBe('NOT_FOUND');
  });

  test('the room is gone for everyone while its memberships still exist', async () => {
    const { aki, ben, eri, room, roomId, root, rootId, code } = await createFullRoom(app);
    await app.quiet();
    await say(aki, roomId, 'News');
    await app.quiet();
    expect((await ben.do(UnreadNow)).viewer.unread.rooms).toHaveLength(1);
    const stamps = await app.services.stamps.list(root, { limit: 1, from: undefined });
    const stamp = stamps.nodes[0];
    const ids = [
      ...[roomId, rootId, encodeId('Membership', `${room}:${ben.id}`)],
      encodeId('MessageStamp', `${room}:${root.threadTs}:${root.ts}:${stamp?.stampedAt}`),
    ];
    for (const id of ids) expect((await ben.do(NodeById, { id })).node).not.toBeNull();

    gate.close();
    await deleteAndDie(aki.id, room);
    expect(await app.dynamo.get({ pk: `USER#${ben.id}`, sk: `ROOM#${room}` })).toBeDefined();
    for (const user of [aki, ben]) {
      for (const id of ids) expect((await user.do(NodeById, { id })).node).toBeNull();
      expect((await user.do(RoomById, { id: roomId })).room).toBeNull();
      expect((await user.do(OwnRooms)).viewer.memberships.edges).toEqual([]);
      const { rooms, total, notifications } = (await user.do(UnreadNow)).viewer.unread;
      expect({ rooms, total }).toEqual({ rooms: [], total: notifications });
      const shown = (await user.do(NotificationRooms)).viewer.notifications.edges.map(({ node }) => node);
      expect(shown.length).toBeGreaterThan(0);
      for (const one of shown) expect(one).toMatchObject({ room: null, message: null, actors: [] });
      const badge = user.subscribe(UnreadLive);
      expect((await badge.next()).unread.rooms).toEqual([]);
      badge.close();
      const events = user.subscribe(RoomEvents, { roomId, after: null });
      await expect(events.next()).rejects.toThrow('NOT_FOUND');
      expect(await user.refused(LeaveRoom, { roomId })).toBe('NOT_FOUND');
      expect(await user.refused(UpdateRoom, { input: { roomId, capacity: 1 } })).toBe('NOT_FOUND');
    }
    expect((await eri.do(Waitlist, { id: roomId })).room).toBeNull();
    expect(await eri.refused(JoinRoom, { roomId })).toBe('NOT_FOUND');
    expect(await eri.refused(JoinWithInvite, { code })).toBe('NOT_FOUND');
    expect((await eri.do(Directory, { first: 50 })).rooms.edges.map(({ node }) => node.id)).not.toContain(
      roomId,
    );

    // A message that is sent at this moment is deleted with the others.
    await ben.send(SendMessage, { input: { roomId, body: 'Too late' } });
    gate.open();
    await eventually(async () => expect(await remainsOf(app, room)).toEqual([]));
    expect(await ben.refused(SendMessage, { input: { roomId, body: 'Far too late' } })).toBe('NOT_FOUND');
  });

  test('open subscriptions end, and the badge loses the room', async () => {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki, [ben]);
    const other = await roomOf(aki, [ben]);
    await say(aki, roomId, 'One');
    await app.quiet();
    const badge = ben.subscribe(UnreadLive);
    await badge.until(({ unread }) => unread.total === 1);
    const events = ben.subscribe(RoomEvents, { roomId, after: null });
    await events.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
    const others = ben.subscribe(RoomEvents, { roomId: other, after: null });
    await others.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
    // Without the stream.
    gate.close();
    await aki.do(DeleteRoom, { roomId });
    await expect(events.until(() => false)).rejects.toThrow('complete');
    const last = await badge.until(({ unread }) => unread.total === 0);
    expect(last.unread.removedRoomIds).toEqual([roomId]);
    gate.open();
    await say(aki, other, 'Two');
    await others.until(({ roomEvents }) => roomEvents.__typename === 'MessageAdded');
    await badge.until(({ unread }) => unread.total === 1);
  });

  test('open subscriptions end if the message of the deletion was lost', async () => {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki, [ben]);
    await app.quiet();
    const events = ben.subscribe(RoomEvents, { roomId, after: null });
    await events.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
    gate.close();
    await deleteAndDie(aki.id, rawId(roomId));
    await app.services.resync.compare();
    await expect(events.until(() => false)).rejects.toThrow('complete');
    gate.open();
    await eventually(async () => expect(await remainsOf(app, rawId(roomId))).toEqual([]));
  });

  test('a reply that the consumer handles late leaves nothing', async () => {
    const { aki, ben, roomId, room, rootId } = await createFullRoom(app);
    await app.quiet();
    const { dynamo } = app;
    await aki.do(DeleteRoom, { roomId });
    await eventually(async () => expect(await remainsOf(app, room)).toEqual([]));
    const [, threadTs = '', ts = ''] = rawId(rootId).split(':');
    await createFollowers({ dynamo }).followersOf({
      room,
      threadTs,
      ts: `${Number(ts) + 1}`,
      author: ben.id,
      mentions: [],
    });
    expect(await remainsOf(app, room)).toEqual([]);
  });
});
