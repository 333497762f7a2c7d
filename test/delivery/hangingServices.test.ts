/** What a push service, a webhook or a mail server that hangs delays, and what it does not. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { MAIL_TIMEOUT_MS } from '../../src/delivery/channels/email/smtp.ts';
import { eventually } from '../support/time/eventually.ts';
import { startMailServer } from './support/mailServer.ts';
import { startReceiver } from './support/receiver.ts';
import { useSends } from './support/sends.ts';

const SECOND = 1_000;
const PEOPLE = 30;
/** The places of one origin: half of those that a process has for what is outside of it. */
const PLACES = 16;
const { sender, service, timers, next } = useSends();

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
    const attempts = (await timers()).map(({ about }) => Number(about.attempt) + Number(about.putOff));
    expect(attempts).toEqual(Array(10).fill(1));
    one.clock.advance(30 * SECOND);
    await one.runner.look();
    await service().arrived(6);
    service().respond(() => ({ status: 201 }));
    await eventually(async () => expect(one.outcomes.length).toBeGreaterThanOrEqual(19));
    expect(service().pushes).toHaveLength(6);
    service().release();
    await one.runner.pause();
    while ((await timers()).length > 0) await next(one);
    expect(new Set(service().pushes.map(({ payload }) => payload.id)).size).toBe(10);
  });

  test('for one person alone, attempt after attempt, delays no one else there', async () => {
    const one = sender();
    const slow = await one.decide(await one.personAt(service()));
    service().respond(({ payload }) => (payload.id === slow.id ? 'hang' : { status: 201 }));
    for (let i = 1; i <= 5; i++) {
      const [timer] = await timers();
      one.clock.advance(Math.max(0, (timer?.due ?? 0) - one.now()));
      await one.runner.look();
      await service().arrived(i);
      one.clock.advance(10 * SECOND);
      await one.ended(i);
      await one.runner.pause();
    }
    const other = await one.decide(await one.personAt(service()));
    await one.runner.look();
    await one.ended(6);
    expect((await one.stored(other)).outcome).toBe('SENT');
    expect((await one.stored(slow)).outcome).toBe('PENDING');
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
    while ((await timers()).length > 0) await next(one);
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
