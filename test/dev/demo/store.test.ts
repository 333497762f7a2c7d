import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { microsOf } from '../../../src/core/timestamps.ts';
import {
  type Generated,
  type GeneratorOptions,
  generate,
} from '../../../src/dev/demo/generator/generator.ts';
import type { RoomHistory } from '../../../src/dev/demo/generator/history.ts';
import { AlreadySeeded, store } from '../../../src/dev/demo/generator/store.ts';
import { joinRooms } from '../../../src/dev/demo/seed.ts';
import { createDynamo } from '../../../src/dynamo/dynamo.ts';
import { keyOf, parseKey, ranges } from '../../../src/dynamo/keys.ts';
import { FIRST_SHAPE, LONG_BODIES } from '../../../src/dynamo/shapes.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { eventsCursor } from '../../../src/roomEvents/types.ts';
import { messagesIn } from '../../reshape/support/job.ts';
import { EventsCursor, RoomEvents } from '../../roomEvents/support/operations.ts';
import { Timeline } from '../../support/clients/operations.ts';
import { roomOf, say } from '../../support/clients/people.ts';
import { openTestDynamo, testTimeouts } from '../../support/database/dynamo.ts';
import { dump, itemsIn, positioned } from '../../support/database/table.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { recount } from '../../verify/support/recount.ts';

const options: GeneratorOptions = {
  seed: 'test',
  rooms: 4,
  people: 30,
  messages: 900,
  until: Date.now(),
  stampKeys: ['heart', 'tea', 'rocket'],
};

/** A server runs on the same table, and its consumer reads the stream. */
describe.each(['transactions', 'batches'] as const)('store by %s', (by) => {
  let app: TestApp;
  let generated: Generated;
  let after: Awaited<ReturnType<typeof dump>>;
  let written = 0;

  beforeAll(async () => {
    // Otherwise a read position may be written between two looks at the table.
    app = await startTestApp({ putOffMs: 0 });
    generated = generate(options);
    await store({ dynamo: app.dynamo, generated, by, onWritten: ({ messages }) => (written += messages) });
    after = await dump(app.dynamo);
  });
  afterAll(() => app?.stop());

  const largest = (): RoomHistory => {
    const [room] = generated.rooms;
    if (room === undefined) throw new Error('There are no rooms.');
    return room;
  };
  const member = (place: number) => {
    const { members } = largest().plan;
    return app.as(members.at(place)?.person.user.handle ?? '');
  };
  const roomId = () => encodeId('Room', largest().plan.room.id);

  test('store: writes all messages, and every counter equals a recount', async () => {
    expect(written).toBe(options.messages);
    expect(await recount(app.dynamo)).toEqual([]);
  });

  test('store: the consumer skips imported items, and handles the messages after them', async () => {
    const { id } = largest().plan.room;
    const author = await member(0);
    // Once this message is handled, the imported items before it in the stream were read.
    await say(author, roomId(), 'The first one that is live');
    const roots = await positioned(app.dynamo, id);
    expect(roots.at(-1)?.position).toBe(largest().totals().lastPosition + 1);
    const now = await dump(app.dynamo);
    const changed = [...after].filter(([key, item]) => !isDeepStrictEqual(now.get(key), item));
    const types = changed.map(([key]) => key.replace(/(ROOM|USER)#\w+/g, '$1')).sort();
    // The author signs in for the first time: an imported profile does not say which fields follow the provider.
    expect(types).toEqual(['ROOM COUNTER', 'USER PROFILE', 'USER ROOM']);
    expect(await itemsIn(app.dynamo, ranges.log(id, 0, Number.MAX_SAFE_INTEGER / 10))).toHaveLength(1);
    expect(await recount(app.dynamo)).toEqual([]);
  });

  test('store: a member sees the messages in the order of their positions', async () => {
    const reader = await member(1);
    const { room } = await reader.do(Timeline, { roomId: roomId(), last: 100 });
    const positions = room?.messages.edges.map(({ node }) => node.position ?? 0) ?? [];
    expect(positions).toHaveLength(100);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
  });

  test('store: some members have read everything and some have not, and each unread count equals a recount', async () => {
    const { id } = largest().plan.room;
    const roots = await itemsIn(app.dynamo, ranges.roots(id));
    const counts = await Promise.all(
      largest().plan.members.map(async ({ person }) => {
        const { rooms } = await app.services.unread.state(person.user.id);
        const found = rooms.find(({ membership }) => membership.room === id);
        const { readPosition = 0, pendingReadRoot = null, lastReadTs = '' } = found?.membership ?? {};
        // The last root that its user has posted: it is part of the read position later.
        const posted = roots.find(({ sk }) => String(sk).slice(5, 21) === pendingReadRoot);
        const read = Math.max(readPosition, Number(posted?.position ?? 0));
        const unread = roots.filter(({ position }) => Number(position) > read);
        expect(found?.unreadCount).toBe(unread.length);
        // `explainUnread` starts at `readAt`, so no unread root may be before it.
        expect(unread.filter(({ sk }) => String(sk).slice(5, 21) < lastReadTs)).toEqual([]);
        return found?.unreadCount ?? 0;
      }),
    );
    expect(new Set(counts).size).toBeGreaterThan(3);
    expect(counts.filter((unread) => unread <= 1).length).toBeGreaterThan(0);
  });

  test('store: a subscription with a cursor from before the end of the history gets ResyncRequired', async () => {
    const reader = await member(2);
    const { room } = await reader.do(EventsCursor, { roomId: roomId() });
    const after = (number: number) =>
      reader.subscribe(RoomEvents, { roomId: roomId(), after: eventsCursor(largest().plan.room.id, number) });
    for (const old of [0, 1, largest().totals().lastSequence - 1]) {
      expect((await after(old).next()).roomEvents.__typename).toBe('ResyncRequired');
    }
    const current = reader.subscribe(RoomEvents, { roomId: roomId(), after: room?.eventsCursor ?? null });
    expect((await current.next()).roomEvents.__typename).toBe('Synced');
  });

  test('store: refuses to write the same data twice', async () => {
    const again = store({ dynamo: app.dynamo, generated: generate(options), by });
    await expect(again).rejects.toThrow(AlreadySeeded);
    expect(await recount(app.dynamo)).toEqual([]);
  });

  test('store: a second seed adds rooms, which other users can join', async () => {
    const taken = new Set(generated.people.map(({ user }) => user.handle ?? ''));
    const more = generate({ ...options, seed: 'another', messages: 200, taken });
    await store({ dynamo: app.dynamo, generated: more, by });
    await roomOf(await app.as('aki'));
    const [handle = ''] = taken;
    const ids = more.rooms.map(({ plan }) => plan.room).filter(({ visibility }) => visibility === 'PUBLIC');
    const handles = ['aki', 'no_such_user', handle];
    expect(
      await joinRooms(
        app.services,
        handles,
        ids.map(({ id }) => id),
      ),
    ).toEqual(['aki', handle]);
    expect(await recount(app.dynamo)).toEqual([]);
  });

  test('store: times rise with positions', async () => {
    const roots = await itemsIn(app.dynamo, ranges.roots(largest().plan.room.id));
    const history = roots.slice(0, largest().totals().lastPosition);
    expect(history.map(({ position }) => position)).toEqual(history.map((_, i) => i + 1));
    expect(microsOf(String(history.at(-1)?.sk).slice(5, 21)) / 1000).toBeLessThanOrEqual(options.until + 1);
  });
});

test('store: writes the shape in force, also if it becomes another one meanwhile', async () => {
  const database = await openTestDynamo();
  onTestFinished(() => database.stop());
  let shape = FIRST_SHAPE;
  const dynamo = createDynamo({ ...database, timeouts: testTimeouts, shape: () => shape });
  const writtenBy: Record<number, number> = {};
  await store({
    dynamo,
    generated: generate(options),
    by: 'transactions',
    onWritten({ messages }) {
      writtenBy[shape] = (writtenBy[shape] ?? 0) + messages;
      shape = LONG_BODIES;
    },
  });
  const items = Object.values(await messagesIn(dynamo));
  const bodies = items.filter((item) => parseKey(keyOf(item)).type === 'body');
  const apart = items.filter(({ bodyApart }) => bodyApart === true);
  const together = items.filter(
    ({ v, body }) => v === FIRST_SHAPE && Buffer.byteLength(String(body)) > 1_024,
  );
  expect(writtenBy).toEqual({ [FIRST_SHAPE]: 500, [LONG_BODIES]: 400 });
  expect(bodies).toHaveLength(apart.length);
  expect([together.length > 0, apart.length > 0]).toEqual([true, true]);
  const long = [...generate(options).messages()].filter(
    ({ message }) => Buffer.byteLength(message.body ?? '') > 1_024,
  );
  expect(apart.length + together.length).toBe(long.length);
});
