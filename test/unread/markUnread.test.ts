import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import type { MessageKey } from '../../src/messages/message.ts';
import { createReadPositions, type ReadPositions } from '../../src/unread/markRead.ts';
import { queryBadge, shows, watchBadge } from '../support/clients/badges.ts';
import { MarkRoomRead } from '../support/clients/operations.ts';
import { messageKey, type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { positioned } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { createStreamGate } from '../support/stream/streamGate.ts';
import { eventually } from '../support/time/eventually.ts';
import { MarkRoomUnread, MuteRoom } from './support/operations.ts';

const gate = createStreamGate();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ wrapDispatcher: gate.wrapDispatcher });
});
afterEach(() => gate.open());
afterAll(() => app.stop());

/** Creates a room with messages by Aki. Ben has read all of them. */
async function roomWith(messages: number) {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const roots: string[] = [];
  for (let i = 0; i < messages; i++) roots.push((await say(aki, roomId, `root ${i + 1}`)).id);
  await positioned(app.dynamo, rawId(roomId));
  await ben.do(MarkRoomRead, { input: { roomId } });
  return { aki, ben, roomId, roots };
}

/** Resolves when the membership has no mark that the consumer has not replaced. */
const marksPlaced = (user: string, room: string) =>
  eventually(async () =>
    expect(await app.dynamo.get(keys.membership(user, room))).not.toHaveProperty('readMark'),
  );

const unread = async (who: Person, messageId: string) =>
  (await who.do(MarkRoomUnread, { messageId })).markRoomUnread.membership.unreadCount;

const countOf = async (who: Person, roomId: string) => (await queryBadge(who)).rooms[roomId] ?? 0;

test('markRoomUnread: makes the root and all later ones unread, and no unread one read', async () => {
  const { aki, ben, roomId, roots } = await roomWith(5);
  const [, second = '', third = '', fourth = ''] = roots;
  expect(await unread(ben, third)).toBe(3);
  expect(await unread(ben, fourth)).toBe(3);
  expect(await unread(ben, second)).toBe(4);
  const reply = await say(aki, roomId, 'reply', roots[0]);
  expect(await unread(ben, reply.id)).toBe(5);
  expect(await countOf(ben, roomId)).toBe(5);
  await ben.do(MarkRoomRead, { input: { roomId, upTo: third } });
  expect(await countOf(ben, roomId)).toBe(2);
});

test('markRoomUnread: the caller’s badge changes at once', async () => {
  const { ben, roomId, roots } = await roomWith(3);
  const badge = watchBadge(ben);
  await badge.next();
  await unread(ben, roots[1] ?? '');
  await shows(badge, { total: 2, notifications: 0, rooms: { [roomId]: 2 } });
  badge.close();
});

test('markRoomUnread: the caller’s own messages become unread as well', async () => {
  const { aki, roomId, roots } = await roomWith(3);
  expect(await unread(aki, roots[0] ?? '')).toBe(3);
  await say(aki, roomId, 'answer');
  await positioned(app.dynamo, rawId(roomId));
  expect(await countOf(aki, roomId)).toBe(0);
});

describe('markRoomUnread: a root that has no position yet', () => {
  test.each([1, 2, 3])('that is number %i of three', async (place) => {
    const { aki, ben, roomId } = await roomWith(2);
    gate.close();
    const young: string[] = [];
    for (let i = 0; i < 3; i++) young.push((await say(aki, roomId, `young ${i + 1}`)).id);
    await ben.do(MarkRoomRead, { input: { roomId } });
    // A root without a position is not counted for any user.
    expect(await unread(ben, young[place - 1] ?? '')).toBe(0);
    gate.open();
    await positioned(app.dynamo, rawId(roomId));
    expect(await countOf(ben, roomId)).toBe(4 - place);
    // It also works for the author, who has read up to the last message.
    expect(await unread(aki, young[place - 1] ?? '')).toBe(4 - place);
  });

  test('that its author marks before the consumer has handled it', async () => {
    const { aki, roomId } = await roomWith(2);
    gate.close();
    const [first, second] = [await say(aki, roomId, 'young 1'), await say(aki, roomId, 'young 2')];
    await unread(aki, second.id);
    await unread(aki, first.id);
    gate.open();
    await positioned(app.dynamo, rawId(roomId));
    expect(await countOf(aki, roomId)).toBe(2);
  });

  /**
   * Runs the operation on the second of three new roots, which get their positions before the operation's request with
   * this number. Returns Ben's unread count. Before the roots he has marked everything as read, and his mark has its
   * position, or gets it together with the roots.
   */
  async function withPositionsBefore(
    moment: number,
    operation: (reading: ReadPositions, ben: string, message: MessageKey) => Promise<unknown>,
    mark: 'placed' | 'pending' = 'placed',
  ): Promise<number> {
    const { aki, ben, roomId } = await roomWith(2);
    if (mark === 'placed') await marksPlaced(ben.id, rawId(roomId));
    gate.close();
    if (mark === 'pending') await app.services.readPositions.markRead(ben.id, rawId(roomId));
    const young: string[] = [];
    for (let i = 0; i < 3; i++) young.push((await say(aki, roomId, `young ${i + 1}`)).id);
    let requests = 0;
    const beforeRequest = async () => {
      if (requests++ !== moment) return;
      gate.open();
      await positioned(app.dynamo, rawId(roomId));
    };
    const reading = createReadPositions({
      dynamo: {
        ...app.dynamo,
        get: (key) => beforeRequest().then(() => app.dynamo.get(key)),
        batchGet: (keys) => beforeRequest().then(() => app.dynamo.batchGet(keys)),
        query: (range, page) => beforeRequest().then(() => app.dynamo.query(range, page)),
        update: (key, expression) => beforeRequest().then(() => app.dynamo.update(key, expression)),
      },
    });
    await operation(reading, ben.id, messageKey(young[1] ?? ''));
    gate.open();
    await positioned(app.dynamo, rawId(roomId));
    return countOf(ben, roomId);
  }

  // The longest operation reads access and the root, the read position, the counter and the root before it, and the
  // root again, and then writes.
  describe.each([0, 1, 2, 3, 4, 5])('that gets it before request number %i', (moment) => {
    test('of markUnread, after all roots were read', async () => {
      const count = await withPositionsBefore(moment, async (reading, ben, message) => {
        await app.services.readPositions.markRead(ben, message.room);
        await reading.markUnread(ben, message);
      });
      expect(count).toBe(2);
    });

    test('of markRead up to it', async () => {
      const count = await withPositionsBefore(moment, (reading, ben, message) =>
        reading.markRead(ben, message.room, message),
      );
      expect(count).toBe(1);
    });

    test('of markRead up to it, while a mark of everything is pending', async () => {
      const count = await withPositionsBefore(
        moment,
        (reading, ben, message) => reading.markRead(ben, message.room, message),
        'pending',
      );
      expect(count).toBe(1);
    });

    test('of markRead without a message', async () => {
      const count = await withPositionsBefore(moment, (reading, ben, { room }) =>
        reading.markRead(ben, room),
      );
      expect(count).toBe(0);
    });
  });
});

test('markRoomUnread: is refused for outsiders and for messages that do not exist', async () => {
  const { roomId, roots } = await roomWith(1);
  const [eve] = await people(app, 1);
  expect(await eve.refused(MarkRoomUnread, { messageId: roots[0] ?? '' })).toBe('FORBIDDEN');
  const closed = await roomOf(eve, [], { visibility: 'PRIVATE' });
  const hidden = await say(eve, closed, 'hidden');
  const { ben } = await roomWith(0);
  expect(await ben.refused(MarkRoomUnread, { messageId: hidden.id })).toBe('NOT_FOUND');
  const absent = encodeId('Message', `${rawId(closed)}:${'1'.repeat(16)}:${'1'.repeat(16)}`);
  for (const messageId of [absent, roomId, 'x']) {
    expect(await eve.refused(MarkRoomUnread, { messageId })).toBe('NOT_FOUND');
  }
});

describe('muteRoom: a muted room', () => {
  test('keeps its count and is not in the total until it is unmuted, live and in a query', async () => {
    const { aki, ben, roomId } = await roomWith(0);
    const other = await roomOf(aki, [ben]);
    const badge = watchBadge(ben);
    await badge.next();
    for (const id of [roomId, roomId, other]) await say(aki, id, 'hello');
    const rooms = { [roomId]: 2, [other]: 1 };
    await shows(badge, { total: 3, notifications: 0, rooms });

    const mute = (muted: boolean) => ben.do(MuteRoom, { roomId, muted });
    expect((await mute(true)).muteRoom.membership).toEqual({ muted: true, unreadCount: 2 });
    await shows(badge, { total: 1, notifications: 0, rooms });
    expect(await queryBadge(ben)).toEqual({ total: 1, notifications: 0, rooms });
    // Idempotent.
    expect((await mute(true)).muteRoom.membership).toEqual({ muted: true, unreadCount: 2 });

    await say(aki, roomId, 'more');
    await shows(badge, { total: 1, notifications: 0, rooms: { ...rooms, [roomId]: 3 } });
    expect((await mute(false)).muteRoom.membership).toEqual({ muted: false, unreadCount: 3 });
    await shows(badge, { total: 4, notifications: 0, rooms: { ...rooms, [roomId]: 3 } });
    badge.close();
  });

  test('cannot be muted by outsiders', async () => {
    const { aki, roomId } = await roomWith(0);
    const [eve] = await people(app, 1);
    expect(await eve.refused(MuteRoom, { roomId, muted: true })).toBe('FORBIDDEN');
    const closed = await roomOf(aki, [], { visibility: 'PRIVATE' });
    expect(await eve.refused(MuteRoom, { roomId: closed, muted: true })).toBe('NOT_FOUND');
    expect(await eve.refused(MuteRoom, { roomId: 'x', muted: true })).toBe('NOT_FOUND');
  });
});
