import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createInbox } from '../../src/events/inbox.ts';
import type { Occurrence } from '../../src/events/occurrence.ts';
import { openTestDynamo, type TestDynamo } from '../support/dynamo.ts';
import { createStage, next, type Stage, upTo } from './stage.ts';

let db: TestDynamo;
let stage: Stage;
beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());
beforeEach(async () => {
  stage = await createStage(db.dynamo);
  await stage.admit('ben');
});

const count = (n: number) => Array.from({ length: n }, (_, i) => `message ${i + 1}`);
const tens = <T>(list: readonly T[]) =>
  Array.from({ length: Math.ceil(list.length / 10) }, (_, i) => list.slice(i * 10, i * 10 + 10));
const cursors = (events: readonly Occurrence[]) => events.map(({ cursor }) => cursor);

describe('what happened since', () => {
  test('comes first, in order, then Synced, then what goes on', async () => {
    await stage.say('before');
    const after = await stage.last();
    await stage.store(...count(120));
    const events = await stage.open('ben', after);
    expect(await upTo(events, 'Synced')).toEqual([...count(120), 'Synced']);
    await stage.say('live');
    expect(await upTo(events, 'live')).toEqual(['live']);
    await events.return?.();
  });

  test('is told with rising numbers, the last of them at Synced', async () => {
    await stage.say(...count(70));
    const events = await stage.open('ben', 0);
    const told: Occurrence[] = [];
    for (let one = await next(events); one !== undefined; one = await next(events)) {
      told.push(one);
      if (one.type === 'Synced') break;
    }
    expect(cursors(told)).toEqual([...count(70).keys()].map((i) => i + 1).concat(70));
    await events.return?.();
  });

  test('can be gone on with from every number in the middle of it', async () => {
    await stage.say(...count(8));
    for (let after = 0; after <= 8; after++) {
      const events = await stage.open('ben', after);
      expect(await upTo(events, 'Synced')).toEqual([...count(8).slice(after), 'Synced']);
      await events.return?.();
    }
  });
});

test('what is told again of the room itself shows it as it is, whatever this server knew', async () => {
  await stage.admit('chi');
  const other = await stage.open('chi');
  const after = await stage.last();
  await stage.rename('Renamed');
  const events = await stage.open('ben', after);
  expect(await upTo(events, 'RoomChanged')).toEqual(['RoomChanged']);
  expect(stage.rooms.view(stage.room)?.name).toBe('Renamed');
  await Promise.all([events.return?.(), other.return?.()]);
});

describe('a change at any moment of opening', () => {
  // The room, access, the log, two parts of the replay; then, with nothing left to read, none.
  test.each([0, 1, 2, 3, 4])('before reading number %i is told, once', async (moment) => {
    await stage.say(...count(60));
    let happened = false;
    stage.onRead(async (reading) => {
      if (reading !== moment) return;
      await stage.say('meanwhile');
      happened = true;
    });
    const events = await stage.open('ben', 0);
    const told = await upTo(events, 'Synced');
    expect(happened).toBe(true);
    await stage.say('last');
    told.push(...(await upTo(events, 'last')));
    expect(told.filter((one) => one !== 'Synced')).toEqual([...count(60), 'meanwhile', 'last']);
    await events.return?.();
  });
});

describe('on the bus', () => {
  test('what was lost is filled from the log, in its place', async () => {
    const events = await stage.open('ben');
    expect(await upTo(events, 'Synced')).toEqual(['Synced']);
    await stage.say('one');
    await stage.store('two', 'three');
    await stage.say('four');
    expect(await upTo(events, 'four')).toEqual(['one', 'two', 'three', 'four']);
    await events.return?.();
  });

  test('what is told again, or late, is told to nobody', async () => {
    const events = await stage.open('ben');
    const one = await stage.store('one');
    const two = await stage.store('two');
    await stage.tell([...two, ...one, ...two, ...one]);
    await stage.say('three');
    expect(await upTo(events, 'three')).toEqual(['Synced', 'one', 'two', 'three']);
    await events.return?.();
  });

  test('an event without entries, as after a crash, has the log looked at', async () => {
    const events = await stage.open('ben');
    const [stored] = await stage.store('stored, and then the consumer died');
    if (stored === undefined) throw new Error('Nothing was stored.');
    await stage.tell([{ ...stored, entries: [] }]);
    expect(await upTo(events, 'stored, and then the consumer died')).toHaveLength(2);
    await events.return?.();
  });

  test('more than 1,000 lost changes at once: read again, Synced, then what goes on', async () => {
    await stage.say('first');
    const events = await stage.open('ben');
    await upTo(events, 'Synced');
    await stage.enter(Array.from({ length: 1_001 }, () => ({ type: 'member', user: 'ben' })));
    await stage.say('live');
    const resync = await next(events);
    // The cursor is still the one before: who loses the connection now is told once more.
    expect(resync).toMatchObject({ type: 'ResyncRequired', cursor: 1 });
    expect(await next(events)).toMatchObject({ type: 'Synced', cursor: 1_002 });
    expect(await upTo(events, 'live')).toEqual(['live']);
    await events.return?.();
  });

  test('an event is read once for all who hear it, and of many changes of one message the last is told', async () => {
    await Promise.all(['chi', 'dan'].map(stage.admit));
    const readers = await Promise.all(['ben', 'chi', 'dan'].map((user) => stage.open(user)));
    await Promise.all(readers.map((events) => upTo(events, 'Synced')));
    const [told] = await stage.store('hello');
    const entry = told?.entries[0];
    if (entry?.type !== 'message') throw new Error('No message was entered.');
    const { t, c } = entry;
    const changed = await stage.enter(
      Array.from({ length: 20 }, (_, i) => ({ type: 'message', t, c, rev: i + 3 })),
    );
    let readings = 0;
    stage.onRead(() => {
      readings++;
    });
    await stage.tell([...(told === undefined ? [] : [told]), ...changed]);
    for (const events of readers) {
      expect(await upTo(events, 'MessageChanged')).toEqual(['hello', 'MessageChanged']);
      await events.return?.();
    }
    expect(readings).toBe(2);
  });
});

describe('a reader who does not drain', () => {
  test('holds 256 changes, is told to read again after more, and goes on; the others hear everything', async () => {
    await stage.admit('chi');
    const [slow, quick] = await Promise.all([stage.open('ben'), stage.open('chi')]);
    await Promise.all([slow, quick].map((events) => upTo(events, 'Synced')));
    for (const bodies of tens(count(250))) {
      await stage.say(...bodies);
      expect(await upTo(quick, bodies.at(-1) ?? '')).toEqual(bodies);
    }
    expect(await upTo(slow, 'message 250')).toEqual(count(250));
    for (const bodies of tens(count(260))) {
      await stage.say(...bodies);
      expect(await upTo(quick, bodies.at(-1) ?? '')).toEqual(bodies);
    }
    expect(await upTo(slow, 'Synced')).toEqual(['ResyncRequired', 'Synced']);
    await stage.say('live');
    expect(await upTo(slow, 'live')).toEqual(['live']);
    await Promise.all([slow.return?.(), quick.return?.()]);
  });

  test('of a replay is not told that they are live before they are told what they have missed meanwhile', async () => {
    await stage.say('missed');
    const events = await stage.open('ben', 0);
    for (const bodies of tens(count(260))) await stage.say(...bodies);
    expect(await upTo(events, 'Synced')).toEqual(['missed', 'ResyncRequired', 'Synced']);
    await stage.say('live');
    expect(await upTo(events, 'live')).toEqual(['live']);
    await events.return?.();
  });

  test('costs no more memory however much there is', () => {
    const inbox = createInbox();
    const event = { room: 'r', changeCount: 1, messageCount: 1, removals: 0 };
    for (let i = 0; i < 10_000; i++) inbox.add({ ...event, entries: [{ type: 'member', user: 'ben' }] });
    expect(inbox).toMatchObject({ overflown: true, first: undefined });
    inbox.clear();
    inbox.add({ ...event, entries: [{ type: 'member', user: 'ben' }] });
    expect(inbox).toMatchObject({ overflown: false, first: { changeCount: 1 } });
  });

  test('of a long replay holds only the part in hand', async () => {
    await stage.say(...count(300));
    let readings = 0;
    stage.onRead(() => {
      readings++;
    });
    const events = await stage.open('ben', 0);
    const opened = readings;
    expect(await next(events)).toMatchObject({ cursor: 1 });
    expect(readings).toBe(opened + 1);
    expect(await upTo(events, 'Synced')).toHaveLength(300);
    expect(readings).toBe(opened + 6);
    await events.return?.();
  });
});
