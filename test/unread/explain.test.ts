import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { type Timestamp, toTimestamp } from '../../src/core/timestamps.ts';
import { bulkWrite } from '../../src/dynamo/bulkWrite.ts';
import { messageItem, newMessage } from '../../src/messages/message.ts';
import {
  counterItem,
  firstMembershipVersion,
  membershipItem,
  roomItem,
  seatsItem,
} from '../../src/rooms/room.ts';
import { createReadPositions } from '../../src/unread/markRead.ts';
import { DeleteMessage } from '../messages/support/operations.ts';
import { JoinRoom } from '../support/clients/operations.ts';
import { type Person, people, rawId, roomOf, say } from '../support/clients/people.ts';
import { onDynamoDbLocal, openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { positioned } from '../support/database/table.ts';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { createStreamGate } from '../support/stream/streamGate.ts';
import { ExplainUnread, MarkRoomUnread } from './support/operations.ts';

const START = 1_700_000_000_000_000;
const SECOND = 1_000_000;

describe('explain: in a room with any history', () => {
  let db: TestDynamo;
  beforeAll(async () => {
    db = await openTestDynamo({ file: true });
  });
  afterAll(() => db.stop());

  /** A room whose roots have these timestamps, in the order of their positions; Ben has just joined it. */
  async function roomOfRoots(stamps: readonly Timestamp[]): Promise<string> {
    const room = newId();
    const whole = { taken: 1, capacity: null, owners: 1, waiting: 0, version: 1 };
    const createdAt = toTimestamp(START);
    const membership = { room, user: 'ben', role: 'OWNER' as const, joinedAt: createdAt, muted: false };
    const items = [
      roomItem({ id: room, name: 'Room', topic: null, visibility: 'PRIVATE', createdAt, version: 1 }),
      seatsItem(room, whole),
      { ...counterItem(room), messageCount: stamps.length },
      membershipItem({
        ...membership,
        readPosition: 0,
        lastReadTs: createdAt,
        pendingReadRoot: null,
        version: firstMembershipVersion(0),
      }),
      ...stamps.map((threadTs, i) => ({ ...rootItem(room, threadTs), position: i + 1 })),
    ];
    await bulkWrite({ dynamo: db.dynamo, items, by: onDynamoDbLocal ? 'batches' : 'transactions' });
    return room;
  }

  const { numRuns, timeout, within } = budget({ runs: 5, seconds: 2 });

  test(`returns the roots after the read position, also if servers' clocks differ (seed ${seed})`, {
    timeout,
  }, async () => {
    const reading = createReadPositions(db);
    const step = fc.record({
      // Seconds between two commits.
      after: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 60, max: 900 })),
      // Whether the message is from the server whose clock is ten minutes ahead.
      ahead: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 150 }),
        fc.nat(),
        within(async (steps, pick) => {
          let time = START;
          const stamps = steps.map(({ after, ahead }, i) => {
            time += after * SECOND;
            return toTimestamp(time + (ahead ? 600 * SECOND : 0) + i);
          });
          const room = await roomOfRoots(stamps);
          const read = pick % stamps.length;
          const threadTs = stamps[read] ?? '';
          await reading.markRead('ben', room, { room, threadTs, ts: threadTs });
          const explained = await reading.explain('ben', room);
          const wanted = stamps.map((_, i) => i + 1).slice(read + 1, read + 51);
          expect(explained.map(({ position }) => position)).toEqual(wanted);
        }),
      ),
      { numRuns },
    );
  });

  test('takes one query, also after 3,000 messages', async () => {
    const stamps = Array.from({ length: 3_000 }, (_, i) => toTimestamp(START + i * 1_000));
    const room = await roomOfRoots(stamps);
    const query = vi.fn(db.dynamo.query);
    const reading = createReadPositions({ dynamo: { ...db.dynamo, query } });
    for (const read of [2_996, 1_500, 1]) {
      const threadTs = stamps[read - 1] ?? '';
      if (read === 2_996) await reading.markRead('ben', room, { room, threadTs, ts: threadTs });
      else await reading.markUnread('ben', { room, threadTs: stamps[read] ?? '', ts: stamps[read] ?? '' });
      query.mockClear();
      const explained = await reading.explain('ben', room);
      expect(explained.map(({ position }) => position)).toEqual(
        Array.from({ length: Math.min(50, 3_000 - read) }, (_, i) => read + 1 + i),
      );
      expect(query).toHaveBeenCalledTimes(1);
    }
  });

  test('stops after 21 queries and returns what it found', async () => {
    // By their keys, the unread messages are 3,000 messages before the last one that Ben has read: they are from a
    // server whose clock is ten minutes behind.
    const fast = Array.from({ length: 3_000 }, (_, i) => toTimestamp(START + 600 * SECOND + i * 1_000));
    const slow = Array.from({ length: 3 }, (_, i) => toTimestamp(START + i));
    const room = await roomOfRoots([...fast, ...slow]);
    const query = vi.fn(db.dynamo.query);
    const reading = createReadPositions({ dynamo: { ...db.dynamo, query } });
    const threadTs = fast.at(-1) ?? '';
    await reading.markRead('ben', room, { room, threadTs, ts: threadTs });
    query.mockClear();
    expect(await reading.explain('ben', room)).toEqual([]);
    expect(query.mock.calls.length).toBeLessThanOrEqual(21);
  });
});

describe('Room.explainUnread:', () => {
  const gate = createStreamGate();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({ wrapDispatcher: gate.wrapDispatcher });
  });
  afterEach(() => gate.open());
  afterAll(() => app.stop());

  async function explained(who: Person, roomId: string) {
    const { room } = await who.do(ExplainUnread, { roomId });
    return { ids: room?.explainUnread.map(({ id }) => id), count: room?.viewerMembership?.unreadCount };
  }

  test('returns the messages that unreadCount counts: roots, also deleted ones, and no replies', async () => {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki, [ben]);
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) ids.push((await say(aki, roomId, `root ${i}`)).id);
    await say(aki, roomId, 'reply', ids[2]);
    await aki.do(DeleteMessage, { messageId: ids[1] ?? '' });
    await positioned(app.dynamo, rawId(roomId));
    expect(await explained(ben, roomId)).toEqual({ ids, count: 4 });
    expect(await explained(aki, roomId)).toEqual({ ids: [], count: 0 });
    await aki.do(MarkRoomUnread, { messageId: ids[2] ?? '' });
    expect(await explained(aki, roomId)).toEqual({ ids: ids.slice(2), count: 2 });
  });

  test('returns messages that were sent while the consumer was down, for a user who joined then', async () => {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki);
    gate.close();
    const ids = [(await say(aki, roomId, 'before Ben joined')).id];
    await ben.do(JoinRoom, { roomId });
    ids.push((await say(aki, roomId, 'after')).id);
    expect(await explained(ben, roomId)).toEqual({ ids: [], count: 0 });
    gate.open();
    await positioned(app.dynamo, rawId(roomId));
    expect(await explained(ben, roomId)).toEqual({ ids, count: 2 });
  });

  test('is refused for outsiders', async () => {
    const [aki, eve] = await people(app, 2);
    const [open, closed] = [await roomOf(aki), await roomOf(aki, [], { visibility: 'PRIVATE' })];
    expect(await eve.refused(ExplainUnread, { roomId: open })).toBe('FORBIDDEN');
    expect((await eve.do(ExplainUnread, { roomId: closed })).room).toBeNull();
  });
});

const rootItem = (room: string, threadTs: Timestamp) =>
  messageItem({
    ...newMessage({ room, threadTs, ts: threadTs, author: 'aki', body: 'Hello', mentions: [] }),
    version: 2,
  });
