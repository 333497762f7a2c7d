import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBoundedBuffer } from '../../src/live/boundedBuffer.ts';
import type { RoomEvent } from '../../src/roomEvents/roomLogReader.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { createRoomFixture, next, type RoomFixture, upTo } from './support/fixture.ts';

let db: TestDynamo;
let fixture: RoomFixture;
beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());
beforeEach(async () => {
  fixture = await createRoomFixture(db.dynamo);
  await fixture.admit('ben');
});

const count = (n: number) => Array.from({ length: n }, (_, i) => `message ${i + 1}`);
const tens = <T>(list: readonly T[]) =>
  Array.from({ length: Math.ceil(list.length / 10) }, (_, i) => list.slice(i * 10, i * 10 + 10));
const cursors = (events: readonly RoomEvent[]) => events.map(({ cursor }) => cursor);

describe('roomEvents: the replay', () => {
  test('is sent first, in order, then Synced, then new events', async () => {
    await fixture.say('before');
    const after = await fixture.last();
    await fixture.store(...count(120));
    const events = await fixture.open('ben', after);
    expect(await upTo(events, 'Synced')).toEqual([...count(120), 'Synced']);
    await fixture.say('live');
    expect(await upTo(events, 'live')).toEqual(['live']);
    await events.return?.();
  });

  test('has rising cursors, the last of them at Synced', async () => {
    await fixture.say(...count(70));
    const events = await fixture.open('ben', 0);
    const received: RoomEvent[] = [];
    for (let one = await next(events); one !== undefined; one = await next(events)) {
      received.push(one);
      if (one.type === 'Synced') break;
    }
    expect(cursors(received)).toEqual([...count(70).keys()].map((i) => i + 1).concat(70));
    await events.return?.();
  });

  test('can be continued from every cursor in the middle of it', async () => {
    await fixture.say(...count(8));
    for (let after = 0; after <= 8; after++) {
      const events = await fixture.open('ben', after);
      expect(await upTo(events, 'Synced')).toEqual([...count(8).slice(after), 'Synced']);
      await events.return?.();
    }
  });
});

test('RoomChanged: a replayed one has the current room, even if the server had an older one in memory', async () => {
  await fixture.admit('chi');
  const other = await fixture.open('chi');
  const after = await fixture.last();
  await fixture.rename('Renamed');
  const events = await fixture.open('ben', after);
  expect(await upTo(events, 'RoomChanged')).toEqual(['RoomChanged']);
  expect(fixture.rooms.getRoom(fixture.room)?.name).toBe('Renamed');
  await Promise.all([events.return?.(), other.return?.()]);
});

describe('roomEvents: a change while it is being opened', () => {
  // The reads: the room, access, the log, and two parts of the replay.
  test.each([0, 1, 2, 3, 4])('is sent once if it happens before reading number %i', async (moment) => {
    await fixture.say(...count(60));
    let happened = false;
    fixture.onRead(async (reading) => {
      if (reading !== moment) return;
      await fixture.say('meanwhile');
      happened = true;
    });
    const events = await fixture.open('ben', 0);
    const received = await upTo(events, 'Synced');
    expect(happened).toBe(true);
    await fixture.say('last');
    received.push(...(await upTo(events, 'last')));
    expect(received.filter((one) => one !== 'Synced')).toEqual([...count(60), 'meanwhile', 'last']);
    await events.return?.();
  });
});

describe('roomEvents: an update on the bus', () => {
  test('that was lost is replaced from the log, in its place', async () => {
    const events = await fixture.open('ben');
    expect(await upTo(events, 'Synced')).toEqual(['Synced']);
    await fixture.say('one');
    await fixture.store('two', 'three');
    await fixture.say('four');
    expect(await upTo(events, 'four')).toEqual(['one', 'two', 'three', 'four']);
    await events.return?.();
  });

  test('that is repeated or late is not sent', async () => {
    const events = await fixture.open('ben');
    const one = await fixture.store('one');
    const two = await fixture.store('two');
    await fixture.publish([...two, ...one, ...two, ...one]);
    await fixture.say('three');
    expect(await upTo(events, 'three')).toEqual(['Synced', 'one', 'two', 'three']);
    await events.return?.();
  });

  test('without entries, as after a crash, makes the server read the log', async () => {
    const events = await fixture.open('ben');
    const [stored] = await fixture.store('stored, and then the consumer died');
    if (stored === undefined) throw new Error('Nothing was stored.');
    await fixture.publish([{ ...stored, entries: [] }]);
    expect(await upTo(events, 'stored, and then the consumer died')).toHaveLength(2);
    await events.return?.();
  });

  test('that follows more than 1,000 lost changes leads to ResyncRequired, Synced, then new events', async () => {
    await fixture.say('first');
    const events = await fixture.open('ben');
    await upTo(events, 'Synced');
    await fixture.enter(Array.from({ length: 1_001 }, () => ({ type: 'member', user: 'ben' })));
    await fixture.say('live');
    const resync = await next(events);
    // The cursor is the one before: a client that loses the connection now receives ResyncRequired again.
    expect(resync).toMatchObject({ type: 'ResyncRequired', cursor: 1 });
    expect(await next(events)).toMatchObject({ type: 'Synced', cursor: 1_002 });
    expect(await upTo(events, 'live')).toEqual(['live']);
    await events.return?.();
  });

  test('is read once for all readers, and of many changes of one message the last is sent', async () => {
    await Promise.all(['chi', 'dan'].map(fixture.admit));
    const readers = await Promise.all(['ben', 'chi', 'dan'].map((user) => fixture.open(user)));
    await Promise.all(readers.map((events) => upTo(events, 'Synced')));
    const [stored] = await fixture.store('hello');
    const entry = stored?.entries[0];
    if (entry?.type !== 'message') throw new Error('No message was entered.');
    const { threadTs, ts } = entry;
    const changed = await fixture.enter(
      Array.from({ length: 20 }, (_, i) => ({ type: 'message', threadTs, ts, version: i + 3 })),
    );
    let readings = 0;
    fixture.onRead(() => {
      readings++;
    });
    await fixture.publish([...(stored === undefined ? [] : [stored]), ...changed]);
    for (const events of readers) {
      expect(await upTo(events, 'MessageChanged')).toEqual(['hello', 'MessageChanged']);
      await events.return?.();
    }
    expect(readings).toBe(2);
  });
});

describe('roomEvents: a client that does not drain', () => {
  test('gets ResyncRequired after 256 waiting changes and continues, and other clients receive everything', async () => {
    await fixture.admit('chi');
    const [slow, quick] = await Promise.all([fixture.open('ben'), fixture.open('chi')]);
    await Promise.all([slow, quick].map((events) => upTo(events, 'Synced')));
    for (const bodies of tens(count(250))) {
      await fixture.say(...bodies);
      expect(await upTo(quick, bodies.at(-1) ?? '')).toEqual(bodies);
    }
    expect(await upTo(slow, 'message 250')).toEqual(count(250));
    for (const bodies of tens(count(260))) {
      await fixture.say(...bodies);
      expect(await upTo(quick, bodies.at(-1) ?? '')).toEqual(bodies);
    }
    expect(await upTo(slow, 'Synced')).toEqual(['ResyncRequired', 'Synced']);
    await fixture.say('live');
    expect(await upTo(slow, 'live')).toEqual(['live']);
    await Promise.all([slow.return?.(), quick.return?.()]);
  });

  test('gets ResyncRequired before Synced if it missed changes during the replay', async () => {
    await fixture.say('missed');
    const events = await fixture.open('ben', 0);
    for (const bodies of tens(count(260))) await fixture.say(...bodies);
    expect(await upTo(events, 'Synced')).toEqual(['missed', 'ResyncRequired', 'Synced']);
    await fixture.say('live');
    expect(await upTo(events, 'live')).toEqual(['live']);
    await events.return?.();
  });

  test('holds no events in memory after an overflow', () => {
    const buffer = createBoundedBuffer<number>({ max: 256, weightOf: () => 1 });
    for (let i = 0; i < 10_000; i++) buffer.add(i);
    expect(buffer).toMatchObject({ overflowed: true, first: undefined });
    buffer.clear();
    buffer.add(1);
    expect(buffer).toMatchObject({ overflowed: false, first: 1 });
  });

  test('has one part of a long replay in memory', async () => {
    await fixture.say(...count(300));
    let readings = 0;
    fixture.onRead(() => {
      readings++;
    });
    const events = await fixture.open('ben', 0);
    const opened = readings;
    expect(await next(events)).toMatchObject({ cursor: 1 });
    expect(readings).toBe(opened + 1);
    expect(await upTo(events, 'Synced')).toHaveLength(300);
    expect(readings).toBe(opened + 6);
    await events.return?.();
  });
});
