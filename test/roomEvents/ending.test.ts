import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LiveStream } from '../../src/live/subscription.ts';
import type { RoomEvent } from '../../src/roomEvents/roomLogReader.ts';
import { BUS_WAIT_MS } from '../../src/roomEvents/subscription.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { eventually } from '../support/time/eventually.ts';
import { createRoomFixture, nameOf, next, type RoomFixture, upTo } from './support/fixture.ts';

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

/** A subscription with a sink that sends nothing before `released`. `events` resolves when it has ended. */
async function openSlowly(user: string) {
  const stream = (await fixture.open(user)) as LiveStream<RoomEvent>;
  await upTo(stream, 'Synced');
  const sent: string[] = [];
  let released = () => {};
  const release = new Promise<void>((resolve) => {
    released = resolve;
  });
  const events = stream.pushTo(async (event, mayStillSend) => {
    await release;
    if (mayStillSend(event)) sent.push(nameOf(event));
  });
  return { events, sent, released };
}

const count = (n: number) => Array.from({ length: n }, (_, i) => `message ${i + 1}`);

describe('roomEvents: a former member', () => {
  test('receives nothing more, not even what was waiting, and the subscription completes', async () => {
    const events = await fixture.open('ben');
    await upTo(events, 'Synced');
    await fixture.say('still for Ben');
    await fixture.expel('ben');
    await fixture.say('not for Ben');
    expect(await upTo(events, 'never')).toEqual(['the end']);
    expect(fixture.bus.listening).toBe(0);
  });

  test('receives nothing more of a replay that has begun', async () => {
    await fixture.say(...count(100));
    const events = await fixture.open('ben', 0);
    expect(await next(events)).toBeDefined();
    await fixture.expel('ben');
    await fixture.say('not for Ben');
    expect(await upTo(events, 'never')).toEqual(['the end']);
  });

  test('does not receive an event whose result was being executed', async () => {
    const { events, sent, released } = await openSlowly('ben');
    await fixture.say('not for Ben');
    await fixture.expel('ben');
    await fixture.say('removed');
    released();
    await events;
    expect(sent).toEqual([]);
  });

  test('does not end the subscriptions of other members, whose events in execution are sent once', async () => {
    await fixture.admit('chi');
    const { sent, released } = await openSlowly('ben');
    await fixture.say('hello');
    await fixture.expel('chi');
    await fixture.say('removed');
    released();
    await eventually(() => expect(sent).toEqual(['hello', 'removed']));
  });

  test('does not end the subscriptions of other members, which are checked and continue', async () => {
    await fixture.admit('chi');
    const events = await fixture.open('ben');
    await upTo(events, 'Synced');
    await fixture.expel('chi');
    await fixture.say('hello');
    expect(await upTo(events, 'hello')).toEqual(['hello']);
    await events.return?.();
  });

  test('cannot be recognized while the table is down, so all subscriptions complete', async () => {
    const events = await fixture.open('ben');
    await upTo(events, 'Synced');
    await fixture.expel('chi');
    fixture.onRead(() => Promise.reject(new Error('no answer')));
    await fixture.say('hello');
    expect(await upTo(events, 'never')).toEqual(['the end']);
  });
});

describe('roomEvents: no listener and no cached room is left of a subscription', () => {
  test('that the client closed, with or without a pending read', async () => {
    const [waiting, idle] = [await fixture.open('ben'), await fixture.open('ben')];
    await upTo(waiting, 'Synced');
    const pending = next(waiting);
    await Promise.all([waiting.return?.(), idle.return?.()]);
    expect(await pending).toBeUndefined();
    expect(fixture.bus.listening).toBe(0);
    expect(fixture.rooms.size).toBe(0);
  });

  test.each([0, 1])('that was refused because the bus broke before reading number %i', async (moment) => {
    fixture.onRead((reading) => {
      if (reading === moment) fixture.bus.breakDown();
    });
    await expect(fixture.open('ben')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const again = expect(fixture.open('ben')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    fixture.clock.advance(BUS_WAIT_MS);
    await again;
    expect(fixture.bus.listening).toBe(0);
    expect(fixture.rooms.size).toBe(0);
  });

  test('that waited for a bus that did not come back in time', async () => {
    fixture.bus.breakDown();
    let refused = false;
    const opening = fixture.open('ben').catch((error: unknown) => {
      refused = true;
      return error;
    });
    fixture.clock.advance(BUS_WAIT_MS - 1);
    await turn();
    expect(refused).toBe(false);
    fixture.clock.advance(1);
    expect(await opening).toMatchObject({
      code: 'UNAVAILABLE',
      details: { retryAfterMs: expect.any(Number) },
    });
    expect([fixture.bus.listening, fixture.clock.waiting]).toEqual([0, 0]);
  });

  test('that waited for the bus, began when it was back, and was closed', async () => {
    fixture.bus.breakDown();
    const opening = fixture.open('ben');
    fixture.bus.recover();
    const events = await opening;
    await upTo(events, 'Synced');
    await fixture.say('after');
    expect(await upTo(events, 'after')).toEqual(['after']);
    await events.return?.();
    expect([fixture.bus.listening, fixture.clock.waiting]).toEqual([0, 0]);
  });

  test('that was refused to an outsider or for a cursor from the future', async () => {
    await expect(fixture.open('eve')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(fixture.open('ben', 1)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
    expect(fixture.bus.listening).toBe(0);
    expect(fixture.rooms.size).toBe(0);
  });

  test('that could not read an event that it has to send', async () => {
    const events = await fixture.open('ben');
    await upTo(events, 'Synced');
    fixture.onRead(() => Promise.reject(new Error('no answer')));
    await fixture.say('hello');
    expect(await upTo(events, 'never')).toEqual(['the end']);
    expect(fixture.bus.listening).toBe(0);
  });
});

test('roomEvents: completes at once when the bus breaks down', async () => {
  const events = await fixture.open('ben');
  await upTo(events, 'Synced');
  const pending = next(events);
  fixture.bus.breakDown();
  expect(await pending).toBeUndefined();
  expect(fixture.bus.listening).toBe(0);
});
