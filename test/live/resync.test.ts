import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resyncTopic } from '../../src/bus/bus.ts';
import { createMemoryBus } from '../../src/bus/memory.ts';
import type { Clock } from '../../src/core/clock.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createResync, type LivePart } from '../../src/live/resync.ts';
import { createNotificationFixture, nextChange, summaryOf } from '../notifications/support/fixture.ts';
import { createRoomFixture, upTo } from '../roomEvents/support/fixture.ts';
import { silent } from '../stream/support/stream.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { createBadgeFixture } from '../unread/support/fixture.ts';

let db: TestDynamo;
beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());

describe('compare: finds what the bus has lost without notice', () => {
  test('compare: in the badge: messages, notifications, new and ended memberships', async () => {
    const { dynamo } = db;
    const fixture = createBadgeFixture(dynamo);
    const room = await fixture.createRoom();
    const events = await fixture.subscribe();
    expect((await events.next()).value).toMatchObject({ total: 0, rooms: [] });

    await fixture.post(room, 3);
    await fixture.resync.compare();
    expect((await events.next()).value).toMatchObject({ total: 3, rooms: [{ unreadCount: 3 }] });

    await dynamo.put({ ...keys.badge(fixture.user), v: 1, total: 2, epoch: 0, rev: 1 });
    await fixture.resync.compare();
    expect((await events.next()).value).toMatchObject({ total: 5, notifications: 2 });

    const joined = await fixture.createRoom();
    await fixture.resync.compare();
    expect((await events.next()).value).toMatchObject({ total: 5, rooms: [{ room: { id: joined } }] });

    await dynamo.remove(keys.membership(fixture.user, room));
    await fixture.resync.compare();
    expect((await events.next()).value).toMatchObject({ total: 2, rooms: [], removedRoomIds: [room] });
    await events.return?.();
    await fixture.stop();
  });

  test('compare: in notificationChanged: a new notification, and one that changed without a new count', async () => {
    const fixture = await createNotificationFixture(db.dynamo, { everyMs: 0 });
    const events = await fixture.subscribe();
    const [one, other] = [await fixture.store(), await fixture.store()];
    expect(summaryOf(await nextChange(events))).toBe(`${one.id}×1`);
    expect(summaryOf(await nextChange(events))).toBe(`${other.id}×1`);

    const third = await fixture.store();
    await fixture.resync.compare();
    expect(summaryOf(await nextChange(events))).toBe(`${third.id}×1`);

    await fixture.moveUp(one.id);
    await fixture.resync.compare();
    expect(await nextChange(events)).toMatchObject({ notification: { id: one.id, version: 2 } });
    await fixture.stop();
  });

  test('compare: in roomEvents: what is stored and in the log', async () => {
    const fixture = await createRoomFixture(db.dynamo);
    await fixture.admit('ben');
    const events = await fixture.open('ben');
    expect(await upTo(events, 'Synced')).toEqual(['Synced']);
    await fixture.store('lost');
    await fixture.rooms.compare();
    expect(await upTo(events, 'lost')).toEqual(['lost']);

    await fixture.store('not for Ben');
    await fixture.expel('ben');
    await fixture.rooms.compare();
    expect(await upTo(events, 'never')).toEqual(['the end']);
  });
});

describe('createResync', () => {
  /** A clock whose timers end when the test says so. */
  function createHandClock() {
    const timers: Array<{ readonly ms: number; readonly call: () => void }> = [];
    const clock: Clock = {
      now: () => 0,
      after(ms, call) {
        const timer = { ms, call };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), 1);
      },
    };
    return { clock, timers };
  }

  async function start(part: Pick<LivePart, 'resync'> & Partial<LivePart>) {
    const bus = createMemoryBus({ log: silent });
    const { clock, timers } = createHandClock();
    const resync = createResync({ bus, log: silent, clock });
    resync.add({ name: 'part', compare: async () => {}, ...part });
    await resync.start();
    return { bus, resync, timers };
  }

  const settled = () => new Promise(setImmediate);

  test('createResync: compares 30 seconds after the last comparison was done', async () => {
    let compared = 0;
    const compare = async () => void compared++;
    const { resync, timers } = await start({ resync() {}, compare });
    for (let i = 1; i <= 3; i++) {
      expect(timers.map(({ ms }) => ms)).toEqual([30_000]);
      timers.shift()?.call();
      await settled();
      expect(compared).toBe(i);
    }
    resync.stop();
    expect(timers).toEqual([]);
  });

  test('stop: a part that fails does not keep the others open', async () => {
    const stopped: string[] = [];
    const { resync } = await start({ resync() {}, stop: () => void stopped.push('first') });
    const stop = () => {
      stopped.push('second');
      throw new Error('a test');
    };
    resync.add({ name: 'second', resync() {}, compare: async () => {}, stop });
    resync.stop();
    expect(stopped).toEqual(['second', 'first']);
  });

  test('resync: runs once at a time, and once more for all calls during a run', async () => {
    let finish = () => {};
    let readings = 0;
    const { bus, resync } = await start({
      resync() {
        readings++;
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
    });
    for (let i = 0; i < 3; i++) await bus.publish(resyncTopic, { reason: 'a test' });
    await settled();
    expect(readings).toBe(1);
    finish();
    await settled();
    expect(readings).toBe(2);
    finish();
    await settled();
    expect(readings).toBe(2);
    resync.stop();
  });

  test('stop: stops the parts, the last one first', async () => {
    const { resync } = await start({ resync() {} });
    const stopped: string[] = [];
    for (const name of ['rooms', 'badges']) {
      resync.add({ name, resync() {}, compare: async () => {}, stop: () => void stopped.push(name) });
    }
    resync.stop();
    expect(stopped).toEqual(['badges', 'rooms']);
  });

  test('resync: is retried after a failure', async () => {
    let readings = 0;
    const { resync, timers } = await start({
      async resync() {
        if (++readings === 1) throw new Error('no answer');
      },
    });
    await resync.resync();
    expect(readings).toBe(1);
    timers.pop()?.call();
    await settled();
    expect(readings).toBe(2);
    resync.stop();
  });
});
