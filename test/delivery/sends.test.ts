/** When sends are tried, and by which process. */
import { describe, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import type { Send } from '../../src/delivery/channels/send.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { createTestClock } from '../support/time/clock.ts';
import { useSends } from './support/sends.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const sends = useSends();
const { sender, service, timers, next } = sends;

describe('attempts', () => {
  test('a service that fails is tried again with growing pauses, and given up after a day', async () => {
    const one = sender();
    const delivery = await one.decide(await one.personAt(service()));
    service().respond(() => ({ status: 503 }));
    const waits: number[] = [];
    while ((await timers()).length > 0) waits.push(await next(one));
    const attempts = service().pushes.length;
    expect(waits.slice(1, 6).every((wait, i) => wait >= 2_500 * 2 ** i && wait <= 5_000 * 2 ** i + 1)).toBe(
      true,
    );
    expect(waits.reduce((sum, wait) => sum + wait)).toBeLessThanOrEqual(24 * HOUR);
    expect(attempts).toBeGreaterThan(25);
    expect(new Set(service().pushes.map(({ payload }) => payload.id))).toEqual(new Set([delivery.id]));
    expect(await one.stored(delivery)).toMatchObject({
      outcome: 'FAILED',
      attempts: [{ channel: 'WEB_PUSH', outcome: 'FAILED' }],
    });
  });

  test.each([408, 429, 500, 503])('a response of %i is tried again', async (status) => {
    const one = sender();
    const delivery = await one.decide(await one.personAt(service()));
    service().respond(() => ({ status }));
    await next(one);
    expect(await one.stored(delivery)).toMatchObject({ outcome: 'PENDING', attempts: [] });
    service().respond(() => ({ status: 201 }));
    await next(one);
    expect(await one.stored(delivery)).toMatchObject({ outcome: 'SENT' });
  });

  test.each([400, 401, 403, 413])('a response of %i ends the send, and not the browser', async (status) => {
    const one = sender();
    const user = await one.personAt(service());
    const delivery = await one.decide(user);
    service().respond(() => ({ status }));
    await next(one);
    expect(await timers()).toEqual([]);
    expect(await one.stored(delivery)).toMatchObject({ outcome: 'FAILED' });
    expect((await one.subscriptions.read(user)).all).toHaveLength(1);
  });

  test('403 for a browser that subscribed with an earlier key ends the browser', async () => {
    const one = sender();
    const user = newId();
    const browser = { ...service().subscribe(), key: 'the key of before', label: 'A phone', token: {} };
    await one.subscriptions.register(user, browser);
    const delivery = await one.decide(user);
    service().respond(() => ({ status: 403 }));
    await next(one);
    expect(await one.stored(delivery)).toMatchObject({ outcome: 'SWITCHED_OFF' });
    expect((await one.subscriptions.read(user)).all).toEqual([]);
  });

  test('Retry-After is respected', async () => {
    const one = sender();
    const delivery = await one.decide(await one.personAt(service()));
    service().respond(() => ({ status: 429, headers: { 'retry-after': '7200' } }));
    await next(one);
    service().respond(() => ({ status: 201 }));
    expect(await next(one)).toBe(2 * HOUR);
    expect(await one.stored(delivery)).toMatchObject({ outcome: 'SENT' });
  });

  test('Retry-After as a date is a time of the clock that sends', async () => {
    const one = sender();
    await one.decide(await one.personAt(service()));
    const at = Math.ceil(one.now() / SECOND) * SECOND + 2 * HOUR;
    service().respond(() => ({ status: 503, headers: { 'retry-after': new Date(at).toUTCString() } }));
    await next(one);
    const [timer] = await timers();
    expect(timer?.due).toBe(at);
  });

  test('a browser that was removed, and a delivery of which nothing is left, are not sent', async () => {
    let isLeft = true;
    const one = sender({ isLeft: () => isLeft });
    const user = await one.personAt(service());
    const removed = await one.decide(user);
    await one.subscriptions.removeWhere(user, () => true);
    await next(one);
    const read = await one.decide(await one.personAt(service()));
    isLeft = false;
    await next(one);
    expect((await one.stored(removed)).outcome).toBe('SWITCHED_OFF');
    expect((await one.stored(read)).outcome).toBe('NOTHING_LEFT');
    expect(service().pushes).toEqual([]);
    expect(await timers()).toEqual([]);
  });

  test('what is left is checked again before each attempt', async () => {
    let isLeft = true;
    const one = sender({ isLeft: () => isLeft });
    const delivery = await one.decide(await one.personAt(service()));
    service().respond(() => ({ status: 500 }));
    await next(one);
    isLeft = false;
    await next(one);
    expect(service().pushes).toHaveLength(1);
    expect((await one.stored(delivery)).outcome).toBe('NOTHING_LEFT');
  });

  test('a person with two browsers: the outcome is SENT if one of them accepts', async () => {
    for (const refusing of [0, 1]) {
      const one = sender();
      const user = await one.personAt(service(0));
      const key = (await one.subscriptions.read(user)).all[0]?.key ?? '';
      await one.subscriptions.register(user, { ...service(1).subscribe(), key, label: 'Two', token: {} });
      const delivery = await one.decide(user);
      service(refusing).respond(() => ({ status: 400 }));
      service(1 - refusing).respond(() => ({ status: 201 }));
      await one.runner.look();
      await one.ended(2);
      const { outcome, attempts } = await one.stored(delivery);
      expect(outcome).toBe('SENT');
      expect(attempts.map((attempt) => attempt.outcome).sort()).toEqual(['FAILED', 'SENT']);
    }
  });
});

describe('turns', () => {
  test('of two attempts that begin at the same time, one waits for ten seconds', async () => {
    let both = () => {};
    const reached = new Promise<void>((resolve) => {
      both = resolve;
    });
    let wording = 0;
    let isRace = false;
    const one = sender({
      async whileWording() {
        if (!isRace) return;
        if (++wording === 2) both();
        await reached;
      },
    });
    const user = await one.personAt(service());
    service().respond(() => ({ status: 503 }));
    // What was tried stays a send of its own.
    await one.decide(user);
    await next(one);
    service().respond(() => ({ status: 201 }));
    one.clock.advance(5 * SECOND);
    await one.decide(user);
    isRace = true;
    const before = one.now();
    await one.runner.look();
    await one.runner.pause();
    isRace = false;
    expect(service().pushes).toHaveLength(2);
    expect((await timers()).map(({ due }) => due - before)).toEqual([10 * SECOND]);
    await next(one);
    expect(new Set(service().pushes.map(({ payload }) => payload.id)).size).toBe(2);
  });

  test('a test that a person asks for waits for none and takes none', async () => {
    const one = sender();
    const startedAt = one.now();
    const user = await one.personAt(service());
    for (const kinds of [['MENTION'], [], [], ['MENTION']] as const) {
      await one.decide(user, kinds);
      await one.runner.look();
      await one.runner.pause();
    }
    expect(service().pushes).toHaveLength(3);
    expect((await timers()).map(({ due }) => due - startedAt)).toEqual([10_000]);
  });
});

test.each([0, 1])('number %i of a push is held back: later it does not replace the rest', async (number) => {
  let held = '';
  const one = sender({ heldUntil: ({ id }) => (id === held && one.now() < until ? until : undefined) });
  const until = one.now() + HOUR;
  const user = await one.personAt(service());
  // The first one takes the turn of the others, which become one push.
  for (let i = 0; i < 3; i++) {
    await one.decide(user);
    await one.runner.look();
    await one.runner.pause();
  }
  service().respond(() => ({ status: 503 }));
  await next(one);
  const [timer] = (await timers()) as Send[];
  const parts = timer?.about.parts ?? [];
  held = parts[number]?.delivery ?? '';
  const rest = parts[1 - number]?.delivery;
  service().respond(() => ({ status: 201 }));
  while ((await timers()).length > 0) await next(one);
  const [both, again, later] = service()
    .pushes.slice(1)
    .map(({ payload }) => payload);
  expect([again, later].map((payload) => payload?.deliveries)).toEqual(
    [rest, held].map((id = '') => [encodeId('Delivery', id)]),
  );
  expect([again?.id, again?.tag]).toEqual([both?.id, both?.tag]);
  expect([later?.id, later?.tag]).not.toEqual([both?.id, both?.tag]);
});

describe('claims', () => {
  test('of two processes that find the same send, one sends', async () => {
    const clock = createTestClock();
    const both = [sender({ clock }), sender({ clock })] as const;
    const [one] = both;
    const deliveries = [];
    for (let i = 0; i < 20; i++) deliveries.push(await one.decide(await one.personAt(service())));
    await Promise.all(both.map(({ runner }) => runner.look()));
    await service().arrived(20);
    await Promise.all(both.map(({ runner }) => runner.pause()));
    expect(service().pushes).toHaveLength(20);
    for (const delivery of deliveries) expect((await one.stored(delivery)).outcome).toBe('SENT');
  });

  test('send: a failure while `lastUsedAt` is stored does not send again', async () => {
    const second = sender();
    const user = await second.personAt(service());
    const delivery = await second.decide(user);
    // The list of browsers cannot be written.
    const failing: Dynamo = {
      ...sends.dynamo,
      async tryTransact(writes, options) {
        if ('own' in writes) throw new Error('The database is away.');
        return sends.dynamo.tryTransact(writes, options);
      },
    };
    const first = sender({}, failing);
    await first.runner.look();
    await first.ended(1);
    expect((await second.stored(delivery)).outcome).toBe('SENT');
    expect(await timers()).toEqual([]);
    expect(service().pushes).toHaveLength(1);
  });

  test('a process that dies while it sends: another one sends it again, with the same id', async () => {
    const first = sender();
    const delivery = await first.decide(await first.personAt(service()));
    service().respond(() => 'hang');
    await first.runner.look();
    await service().arrived(1);
    service().respond(() => ({ status: 201 }));
    // Its clock is suspended, so it does not even see the time-out.
    const second = sender();
    await second.runner.look();
    await second.runner.pause();
    expect(service().pushes).toHaveLength(1);
    expect(await next(second)).toBe(20 * SECOND);
    expect(service().pushes.map(({ payload }) => payload.id)).toEqual([delivery.id, delivery.id]);
    expect((await second.stored(delivery)).outcome).toBe('SENT');
    // The first one wakes up. It neither sends again nor changes what is recorded.
    service().release();
    await first.runner.pause();
    expect((await second.stored(delivery)).attempts).toHaveLength(1);
    expect(await timers()).toEqual([]);
    expect(service().pushes).toHaveLength(2);
  });
});

describe('a process that was suspended', () => {
  test('before its claim: it does not send what was worded long ago', async () => {
    let suspendedFor = 15 * SECOND;
    const clock = createTestClock();
    const one = sender({
      clock,
      async whileWording() {
        clock.advance(suspendedFor);
        suspendedFor = 0;
      },
    });
    const delivery = await one.decide(await one.personAt(service()));
    await next(one);
    expect(service().pushes).toEqual([]);
    // The claimed timer is the next attempt.
    expect(await next(one)).toBe(20 * SECOND);
    expect(service().pushes).toHaveLength(1);
    expect((await one.stored(delivery)).outcome).toBe('SENT');
  });

  test('after its claim: another one sends, and it does not', async () => {
    const clock = createTestClock();
    const second = sender({ clock });
    let isSuspended = false;
    const suspended: Dynamo = {
      ...sends.dynamo,
      async tryTransact(writes, options) {
        const failed = await sends.dynamo.tryTransact(writes, options);
        if (!isSuspended) return failed;
        isSuspended = false;
        clock.advance(20 * SECOND);
        await second.runner.look();
        await second.ended(1);
        return failed;
      },
    };
    const first = sender({ clock }, suspended);
    const delivery = await second.decide(await second.personAt(service()));
    isSuspended = true;
    await first.runner.look();
    await first.ended(1);
    expect(service().pushes).toHaveLength(1);
    expect((await first.stored(delivery)).attempts).toHaveLength(1);
    expect(await timers()).toEqual([]);
  });
});
