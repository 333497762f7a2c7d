/** When sends are tried, by which process, and what a push service that fails or hangs delays. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { MAIL_TIMEOUT_MS } from '../../src/delivery/channels/email/smtp.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { createTestClock } from '../support/time/clock.ts';
import { eventually } from '../support/time/eventually.ts';
import { openTimers } from '../timers/support/timers.ts';
import { startMailServer } from './support/mailServer.ts';
import { type PushService, startPushService } from './support/pushService.ts';
import { startReceiver } from './support/receiver.ts';
import { createSender, nextSend, type SenderOptions } from './support/sending.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const PEOPLE = 30;
/** The places of one origin: half of those that a process has for what is outside of it. */
const PLACES = 16;
let startAt = Date.now();
let database: TestDynamo;
let dynamo: Dynamo;
let services: PushService[] = [];
let running: Array<{ readonly runner: { pause(): Promise<unknown> } }> = [];
beforeAll(async () => {
  database = await openTestDynamo({ file: true });
  dynamo = database.dynamo;
});
afterAll(() => database?.stop());
beforeEach(async () => {
  startAt += 100 * 24 * HOUR;
  services = [await startPushService(), await startPushService()];
});
afterEach(async () => {
  for (const service of services) {
    service.respond(() => ({ status: 201 }));
    service.release();
  }
  await Promise.all(running.map(({ runner }) => runner.pause()));
  running = [];
  await Promise.all(services.map((service) => service.stop()));
  for (const one of await openTimers(dynamo)) await dynamo.remove(keys.timer(one.due, one.id));
});

const service = (i = 0): PushService => services[i] as PushService;

function sender(options: Partial<SenderOptions> = {}) {
  const one = createSender(dynamo, { services, startAt, ...options });
  running.push(one);
  return one;
}

const next = (one: ReturnType<typeof sender>): Promise<number> => nextSend(dynamo, one);

describe('attempts', () => {
  test('a service that fails is tried again with growing pauses, and given up after a day', async () => {
    const one = sender();
    const delivery = await one.decide(await one.personAt(service()));
    service().respond(() => ({ status: 503 }));
    const waits: number[] = [];
    while ((await openTimers(dynamo)).length > 0) waits.push(await next(one));
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
    const [timer] = await openTimers(dynamo);
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
    expect(await openTimers(dynamo)).toEqual([]);
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
    expect((await openTimers(dynamo)).map(({ due }) => due - before)).toEqual([10 * SECOND]);
    await next(one);
    expect(new Set(service().pushes.map(({ payload }) => payload.id)).size).toBe(2);
  });

  test('a test that a person asks for waits for none and takes none', async () => {
    const one = sender();
    const user = await one.personAt(service());
    for (const kinds of [['MENTION'], [], [], ['MENTION']] as const) {
      await one.decide(user, kinds);
      await one.runner.look();
      await one.runner.pause();
    }
    expect(service().pushes).toHaveLength(3);
    expect((await openTimers(dynamo)).map(({ due }) => due - startAt)).toEqual([10_000]);
  });
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

  test('that it was used is kept after the send was recorded, so a failure there sends nothing twice', async () => {
    const second = sender();
    const user = await second.personAt(service());
    const delivery = await second.decide(user);
    // The list of browsers cannot be written.
    const failing: Dynamo = {
      ...dynamo,
      async tryTransact(writes, options) {
        if ('own' in writes) throw new Error('The database is away.');
        return dynamo.tryTransact(writes, options);
      },
    };
    const first = createSender(failing, { services, startAt });
    running.push(first);
    await first.runner.look();
    await first.ended(1);
    expect((await second.stored(delivery)).outcome).toBe('SENT');
    expect(await openTimers(dynamo)).toEqual([]);
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
    expect(await openTimers(dynamo)).toEqual([]);
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
      ...dynamo,
      async tryTransact(writes, options) {
        const failed = await dynamo.tryTransact(writes, options);
        if (!isSuspended) return failed;
        isSuspended = false;
        clock.advance(20 * SECOND);
        await second.runner.look();
        await second.ended(1);
        return failed;
      },
    };
    const first = createSender(suspended, { services, startAt, clock });
    running.push(first);
    const delivery = await second.decide(await second.personAt(service()));
    isSuspended = true;
    await first.runner.look();
    await first.ended(1);
    expect(service().pushes).toHaveLength(1);
    expect((await first.stored(delivery)).attempts).toHaveLength(1);
    expect(await openTimers(dynamo)).toEqual([]);
  });
});

describe('a service that hangs', () => {
  test('for thirty people has half of the places, and delays none of thirty others', async () => {
    const one = sender();
    service(0).respond(() => 'hang');
    for (let i = 0; i < PEOPLE; i++) await one.decide(await one.personAt(service(0)));
    for (let i = 0; i < PEOPLE; i++) await one.decide(await one.personAt(service(1)));
    await one.runner.look();
    expect(await service(1).arrived(PEOPLE)).toHaveLength(PEOPLE);
    await one.ended(PEOPLE);
    expect(await service(0).arrived(PLACES)).toHaveLength(PLACES);
    one.clock.advance(10 * SECOND);
    // The others find that it does not respond, and are put off.
    await one.ended(2 * PEOPLE);
    expect(service(0).pushes).toHaveLength(PLACES);
  });

  test('gets nothing for half a minute after five time-outs, and then one at a time', async () => {
    const one = sender();
    service().respond(() => 'hang');
    for (let i = 0; i < 5; i++) await one.decide(await one.personAt(service()));
    await one.runner.look();
    await service().arrived(5);
    one.clock.advance(10 * SECOND);
    await one.ended(5);
    for (let i = 0; i < 5; i++) await one.decide(await one.personAt(service()));
    await one.runner.look();
    await one.ended(10);
    expect(service().pushes).toHaveLength(5);
    // Each time they are put off for longer.
    const attempts = (await openTimers(dynamo)).map(
      ({ about }) => Number(about.attempt) + Number(about.putOff),
    );
    expect(attempts).toEqual(Array(10).fill(1));
    one.clock.advance(30 * SECOND);
    await one.runner.look();
    await service().arrived(6);
    service().respond(() => ({ status: 201 }));
    await eventually(async () => expect(one.outcomes.length).toBeGreaterThanOrEqual(19));
    expect(service().pushes).toHaveLength(6);
    service().release();
    await one.runner.pause();
    while ((await openTimers(dynamo)).length > 0) await next(one);
    expect(new Set(service().pushes.map(({ payload }) => payload.id)).size).toBe(10);
  });

  test('a body of ten megabytes is not read to its end', async () => {
    const one = sender();
    service().respond(() => ({ status: 201, body: Buffer.alloc(10_000_000) }));
    const delivery = await one.decide(await one.personAt(service()));
    await next(one);
    expect((await one.stored(delivery)).outcome).toBe('SENT');
  });
});

test('a webhook that hangs, with what thirty people get, delays no push to thirty others', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const one = sender({ webhooks: [{ ...receiver.config, kinds: ['LIKE'] }] });
  receiver.respond(() => 'hang');
  for (let i = 0; i < PEOPLE; i++) await one.decide(newId(), ['LIKE']);
  // What was decided within a second is one request.
  one.clock.advance(SECOND);
  await one.runner.look();
  await receiver.arrived(1);
  for (let i = 0; i < PEOPLE; i++) await one.decide(await one.personAt(service()));
  await one.runner.look();
  expect(await service().arrived(PEOPLE)).toHaveLength(PEOPLE);
  await one.ended(PEOPLE);
  expect(receiver.requests.map(({ deliveries }) => deliveries.length)).toEqual([PEOPLE]);
  // Its request ends, and the process can stop.
  one.clock.advance(10 * SECOND);
  await one.ended(PEOPLE + 1);
});

describe('a mail server that hangs', () => {
  async function openMailing() {
    const server = await startMailServer({ startTls: false });
    onTestFinished(() => server.stop());
    return { server, one: sender({ mail: server.config() }) };
  }

  test('for one person delays neither the mails of others nor pushes', async () => {
    const { server, one } = await openMailing();
    server.reply('recipient', (address) => (address.startsWith('slow') ? 'hang' : 'ok'));
    const slow = [];
    for (let i = 0; i < 3; i++) slow.push(await one.decideDigest(await one.readerAt(`slow${i}@example.org`)));
    await one.runner.look();
    await server.connected(3);
    const mailed = await one.decideDigest(await one.readerAt('aki@example.org'));
    const pushed = await one.decide(await one.personAt(service()));
    await one.runner.look();
    await one.ended(2);
    expect(server.mails.map(({ to }) => to)).toEqual([['aki@example.org']]);
    expect((await one.stored(mailed)).outcome).toBe('SENT');
    expect((await one.stored(pushed)).outcome).toBe('SENT');
    // The slow ones are still being tried.
    expect(one.outcomes).toHaveLength(2);
    one.clock.advance(MAIL_TIMEOUT_MS);
    await one.ended(5);
    expect(one.outcomes.map(([outcome]) => outcome)).toEqual(Array(5).fill('handled'));
    server.reply('recipient', 'ok');
    while ((await openTimers(dynamo)).length > 0) await next(one);
    for (const delivery of slow) expect((await one.stored(delivery)).outcome).toBe('SENT');
    expect(server.mails).toHaveLength(4);
  });

  test('for everyone has half of the places, and delays no push', async () => {
    const { server, one } = await openMailing();
    server.reply('connect', 'hang');
    for (let i = 0; i < PEOPLE; i++) await one.decideDigest(await one.readerAt(`p${i}@example.org`));
    for (let i = 0; i < PEOPLE; i++) await one.decide(await one.personAt(service()));
    await one.runner.look();
    expect(await service().arrived(PEOPLE)).toHaveLength(PEOPLE);
    await one.ended(PEOPLE);
    await server.connected(PLACES);
    one.clock.advance(MAIL_TIMEOUT_MS);
    // The others find that it does not respond, and are put off.
    await one.ended(2 * PEOPLE);
    expect(one.outcomes.every(([outcome]) => outcome === 'handled')).toBe(true);
    expect(server.attempts()).toBe(PLACES);
  });
});
