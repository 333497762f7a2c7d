import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { microsOf } from '../../../src/core/timestamps.ts';
import {
  type Generated,
  type GeneratorOptions,
  generate,
} from '../../../src/dev/demo/generator/generator.ts';
import type { RoomHistory } from '../../../src/dev/demo/generator/history.ts';
import { AlreadySeeded, store } from '../../../src/dev/demo/generator/store.ts';
import { joinRooms } from '../../../src/dev/demo/join.ts';
import { ranges } from '../../../src/dynamo/keys.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { eventsCursor } from '../../../src/roomEvents/types.ts';
import { EventsCursor, RoomEvents } from '../../roomEvents/support/operations.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { Timeline } from '../../support/operations.ts';
import { roomOf, say } from '../../support/people.ts';
import { recount } from '../../support/recount/recount.ts';
import { dump, itemsIn, positioned } from '../../support/table.ts';

const options: GeneratorOptions = {
  ...{ seed: 'test', rooms: 4, people: 30, messages: 900, until: Date.now() },
  stampKeys: ['heart', 'tea', 'rocket'],
};

/** While a server runs on the table, with its consumer reading along. */
describe.each(['transactions', 'batches'] as const)('conversations that are stored by %s', (by) => {
  let app: TestApp;
  let generated: Generated;
  let after: Awaited<ReturnType<typeof dump>>;
  let written = 0;

  beforeAll(async () => {
    app = await startTestApp();
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

  test('are all there, and every counter equals a recount', async () => {
    expect(written).toBe(options.messages);
    expect(await recount(app.dynamo)).toEqual([]);
  });

  test('are history: the consumer reads of them and changes nothing, and goes on behind them', async () => {
    const { id } = largest().plan.room;
    const author = await member(0);
    // What comes after them in the stream is derived: so they have been read by then.
    await say(author, roomId(), 'The first one that is live');
    const roots = await positioned(app.dynamo, id);
    expect(roots.at(-1)?.position).toBe(largest().outcome().messageCount + 1);
    const now = await dump(app.dynamo);
    const changed = [...after].filter(([key, item]) => !isDeepStrictEqual(now.get(key), item));
    const types = changed.map(([key]) => key.replace(/(ROOM|USER)#\w+/g, '$1')).sort();
    expect(types).toEqual(['ROOM COUNTER', 'USER ROOM']);
    expect(await itemsIn(app.dynamo, ranges.log(id, 0, Number.MAX_SAFE_INTEGER / 10))).toHaveLength(1);
    expect(await recount(app.dynamo)).toEqual([]);
  });

  test('are shown to who signs in as one of the people, newest last', async () => {
    const reader = await member(1);
    const { room } = await reader.do(Timeline, { roomId: roomId(), last: 100 });
    const positions = room?.messages.edges.map(({ node }) => node.position ?? 0) ?? [];
    expect(positions).toHaveLength(100);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
  });

  test('have people who have read all, and people who have not, each as a recount says', async () => {
    const { id } = largest().plan.room;
    const roots = await itemsIn(app.dynamo, ranges.roots(id));
    const counts = await Promise.all(
      largest().plan.members.map(async ({ person }) => {
        const { rooms } = await app.services.unread.state(person.user.id);
        const found = rooms.find(({ membership }) => membership.room === id);
        const { readPosition = 0, readAt = '' } = found?.membership ?? {};
        const past = roots.filter(({ position }) => Number(position) > readPosition).length;
        expect(found?.unreadCount).toBe(found?.membership.readTo === null ? past : 0);
        // Where "explain" begins to look: no unread root lies before it.
        const before = roots.filter(
          ({ position, sk }) => Number(position) > readPosition && String(sk).slice(5, 21) < readAt,
        );
        expect(before).toEqual([]);
        return found?.unreadCount ?? 0;
      }),
    );
    expect(new Set(counts).size).toBeGreaterThan(3);
    expect(counts.filter((unread) => unread <= 1).length).toBeGreaterThan(0);
  });

  test('end a log that is gone: who comes back from before it is told to read again', async () => {
    const reader = await member(2);
    const { room } = await reader.do(EventsCursor, { roomId: roomId() });
    const after = (number: number) =>
      reader.subscribe(RoomEvents, { roomId: roomId(), after: eventsCursor(largest().plan.room.id, number) });
    for (const old of [0, 1, largest().outcome().changeCount - 1]) {
      expect((await after(old).next()).roomEvents.__typename).toBe('ResyncRequired');
    }
    const current = reader.subscribe(RoomEvents, { roomId: roomId(), after: room?.eventsCursor ?? null });
    expect((await current.next()).roomEvents.__typename).toBe('Synced');
  });

  test('are not written twice', async () => {
    const again = store({ dynamo: app.dynamo, generated: generate(options), by });
    await expect(again).rejects.toThrow(AlreadySeeded);
    expect(await recount(app.dynamo)).toEqual([]);
  });

  test('stand beside those of another seed, and others may come in', async () => {
    const taken = new Set(generated.people.map(({ user }) => user.handle ?? ''));
    const more = generate({ ...options, seed: 'another', messages: 200, taken });
    await store({ dynamo: app.dynamo, generated: more, by });
    await roomOf(await app.as('aki'));
    const [handle = ''] = taken;
    const ids = more.rooms.map(({ plan }) => plan.room).filter(({ visibility }) => visibility === 'PUBLIC');
    const who = ['aki', 'nobody_at_all', handle];
    expect(
      await joinRooms(
        app.services,
        who,
        ids.map(({ id }) => id),
      ),
    ).toEqual(['aki', handle]);
    expect(await recount(app.dynamo)).toEqual([]);
  });

  test('rise in time as their positions do', async () => {
    const roots = await itemsIn(app.dynamo, ranges.roots(largest().plan.room.id));
    const history = roots.slice(0, largest().outcome().messageCount);
    expect(history.map(({ position }) => position)).toEqual(history.map((_, i) => i + 1));
    expect(microsOf(String(history.at(-1)?.sk).slice(5, 21)) / 1000).toBeLessThanOrEqual(options.until + 1);
  });
});
