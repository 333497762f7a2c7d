/** What a webhook gets, how often, and what happens if it fails, hangs, is gone, or is inside of the network. */
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import type { Delivery, DeliveryChannel } from '../../src/delivery/delivery.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { createTestClock } from '../support/time/clock.ts';
import { openTimers } from '../timers/support/timers.ts';
import { nextResponse } from './support/nextResponse.ts';
import { newWebhookSecret, type Receiver, startReceiver } from './support/receiver.ts';
import { createSender, nextSend, type SenderOptions } from './support/sending.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
/** A whole second, at which the deliveries of the second before it are sent. */
let startAt = Math.ceil(Date.now() / SECOND) * SECOND;
let database: TestDynamo;
let dynamo: Dynamo;
let receiver: Receiver;
let running: Array<{ readonly runner: { pause(): Promise<unknown> } }> = [];
beforeAll(async () => {
  database = await openTestDynamo({ file: true });
  dynamo = database.dynamo;
});
afterAll(() => database?.stop());
beforeEach(async () => {
  startAt += 100 * 24 * HOUR;
  receiver = await startReceiver();
});
afterEach(async () => {
  receiver.respond(() => ({ status: 204 }));
  receiver.release();
  await Promise.all(running.map(({ runner }) => runner.pause()));
  running = [];
  expect(receiver.strange()).toBe(0);
  await receiver.stop();
  for (const one of await openTimers(dynamo)) await dynamo.remove(keys.timer(one.due, one.id));
});

function sender(options: Partial<SenderOptions> = {}) {
  const webhooks = [{ ...receiver.config, kinds: ['MENTION', 'LIKE'] as const }];
  const one = createSender(dynamo, { webhooks, startAt, ...options });
  running.push(one);
  return one;
}
type Sender = ReturnType<typeof sender>;

const next = (one: Sender): Promise<number> => nextSend(dynamo, one);

async function decideMany(one: Sender, count: number): Promise<Delivery[]> {
  const all: Delivery[] = [];
  for (let i = 0; i < count; i++) all.push(await one.decide(newId()));
  return all;
}

const nameOf = ({ user, id }: Delivery): string => `${encodeId('User', user)} ${encodeId('Delivery', id)}`;
const namesIn = (requests: Receiver['requests']): string[] =>
  requests.flatMap(({ deliveries }) => deliveries.map((one) => `${one.user.id} ${one.id}`));
/** One after the other: read at once, they can take longer than the product waits for a connection. */
async function outcomesOf(one: Sender, deliveries: readonly Delivery[]): Promise<Set<string>> {
  const outcomes = new Set<string>();
  for (const delivery of deliveries) outcomes.add((await one.stored(delivery)).outcome);
  return outcomes;
}

describe('a request', () => {
  test('has the delivery, and is signed with each secret', async () => {
    const secrets = [newWebhookSecret(), receiver.secret];
    const one = sender({ webhooks: [{ url: receiver.url, secrets, kinds: ['MENTION'] }] });
    const user = newId();
    const delivery = await one.decide(user);
    await next(one);
    const [request] = receiver.requests;
    const { headers = {}, body = '', timestamp = 0, id = '' } = request ?? {};
    expect(JSON.parse(body)).toEqual({
      type: 'deliveries',
      timestamp: new Date(startAt).toISOString(),
      data: {
        deliveries: [
          {
            id: encodeId('Delivery', delivery.id),
            user: { id: encodeId('User', user), handle: `handle_of_${user}` },
            kinds: ['MENTION'],
            rooms: [{ id: encodeId('Room', 'r1'), name: 'A room' }],
            text: `About ${delivery.id}`,
            url: '/',
          },
        ],
      },
    });
    expect(headers['content-type']).toBe('application/json');
    expect(timestamp).toBe(startAt / SECOND);
    expect(id).toMatch(/^[\w-]{43}$/);
    const signatures = String(headers['webhook-signature']).split(' ');
    expect(signatures).toEqual(
      secrets.map((secret) => new Webhook(secret).sign(id, new Date(startAt), body)),
    );
    expect(await one.stored(delivery)).toMatchObject({
      outcome: 'SENT',
      attempts: [{ channel: 'WEBHOOK', outcome: 'SENT' }],
    });
  });

  test('goes to the webhooks of the kind, and to no other', async () => {
    const one = sender();
    const stamp = await one.decide(newId(), ['STAMP']);
    const like = await one.decide(newId(), ['LIKE']);
    while ((await openTimers(dynamo)).length > 0) await next(one);
    expect(namesIn(receiver.requests)).toEqual([nameOf(like)]);
    expect((await one.stored(stamp)).attempts).toEqual([]);
  });

  test('is not made for a person who removed webhooks from the kind since it was decided', async () => {
    let channels: readonly DeliveryChannel[] = ['WEB_PUSH', 'WEBHOOK'];
    const one = sender({ channelsLeft: () => channels });
    const delivery = await one.decide(newId());
    receiver.respond(() => ({ status: 503 }));
    await next(one);
    channels = ['WEB_PUSH'];
    await next(one);
    expect(receiver.requests).toHaveLength(1);
    expect((await one.stored(delivery)).outcome).toBe('SWITCHED_OFF');
  });
});

describe('attempts', () => {
  test('have the same id, and a time and a signature of their own', async () => {
    const one = sender();
    const delivery = await one.decide(newId());
    receiver.respond(() => ({ status: 500 }));
    await next(one);
    await next(one);
    receiver.respond(() => ({ status: 429, headers: { 'retry-after': '7200' } }));
    await next(one);
    receiver.respond(() => ({ status: 202 }));
    expect(await next(one)).toBe(2 * HOUR);
    const { requests } = receiver;
    expect(requests).toHaveLength(4);
    expect(new Set(requests.map(({ id }) => id)).size).toBe(1);
    expect(new Set(requests.map(({ timestamp }) => timestamp)).size).toBe(4);
    expect(new Set(namesIn(requests))).toEqual(new Set([nameOf(delivery)]));
    expect((await one.stored(delivery)).outcome).toBe('SENT');
    expect(await openTimers(dynamo)).toEqual([]);
  });

  test('end after a day; what is decided then is sent as soon as the receiver is back', async () => {
    const one = sender();
    const early = await decideMany(one, 4);
    receiver.respond(() => ({ status: 503 }));
    let waited = 0;
    while ((await openTimers(dynamo)).length > 0) waited += await next(one);
    expect(waited).toBeLessThanOrEqual(24 * HOUR);
    // All of them were one request each time.
    expect(receiver.requests.length).toBeGreaterThan(25);
    expect(receiver.requests.length).toBeLessThan(60);
    expect(await outcomesOf(one, early)).toEqual(new Set(['FAILED']));
    receiver.respond(() => ({ status: 204 }));
    const before = receiver.requests.length;
    const later = await decideMany(one, 3);
    while ((await openTimers(dynamo)).length > 0) await next(one);
    expect(namesIn(receiver.requests.slice(before)).sort()).toEqual(later.map(nameOf).sort());
  });

  test.each([301, 302, 307, 308])('a redirect (%i) is not followed, and is tried again', async (status) => {
    const elsewhere = await startReceiver();
    const one = sender();
    const delivery = await one.decide(newId());
    receiver.respond(() => ({ status, headers: { location: elsewhere.url } }));
    await next(one);
    receiver.respond(() => ({ status: 204 }));
    await next(one);
    expect(elsewhere.requests.length + elsewhere.strange()).toBe(0);
    await elsewhere.stop();
    expect(receiver.requests).toHaveLength(2);
    expect((await one.stored(delivery)).outcome).toBe('SENT');
  });

  test('a receiver that is gone (410) gets nothing until its secret is changed', async () => {
    const one = sender();
    expect([...(await one.sends.kindsForEveryone())]).toEqual(['MENTION', 'LIKE']);
    const delivery = await one.decide(newId());
    receiver.respond(() => ({ status: 410 }));
    await next(one);
    receiver.respond(() => ({ status: 204 }));
    expect((await one.stored(delivery)).outcome).toBe('SWITCHED_OFF');
    await one.decide(newId());
    expect(await openTimers(dynamo)).toEqual([]);
    // After a minute nothing is gathered for it either.
    expect([...(await one.sends.kindsForEveryone())]).toEqual(['MENTION', 'LIKE']);
    one.clock.advance(60 * SECOND);
    expect([...(await one.sends.kindsForEveryone())]).toEqual([]);
    const secrets = [receiver.secret, newWebhookSecret()];
    const changed = sender({ webhooks: [{ url: receiver.url, secrets, kinds: ['MENTION'] }] });
    expect([...(await changed.sends.kindsForEveryone())]).toEqual(['MENTION']);
    await changed.decide(newId());
    await next(changed);
    expect(receiver.requests).toHaveLength(2);
  });
});

test('what waits while the secret is changed arrives, signed with the new one', async () => {
  const [old, added] = [newWebhookSecret(), receiver.secret];
  const withSecrets = (...secrets: readonly string[]) =>
    sender({ webhooks: [{ url: receiver.url, secrets, kinds: ['MENTION'] }] });
  const decided = [await withSecrets(old).decide(newId()), await withSecrets(added, old).decide(newId())];
  const one = withSecrets(added);
  while ((await openTimers(dynamo)).length > 0) await next(one);
  expect(namesIn(receiver.requests).sort()).toEqual(decided.map(nameOf).sort());
  for (const { id, body, headers } of receiver.requests) {
    expect(headers['webhook-signature']).toBe(new Webhook(added).sign(id, new Date(one.now()), body));
  }
  expect(await outcomesOf(one, decided)).toEqual(new Set(['SENT']));
});

describe('batches', () => {
  test('what is decided within a second is sent together, at most 50 in one request', async () => {
    const one = sender({ startAt: startAt - SECOND + 1 });
    const deliveries = await decideMany(one, 120);
    one.clock.advance(SECOND - 1);
    await one.runner.look();
    await receiver.arrived(3);
    await one.runner.pause();
    expect(receiver.requests.map((request) => request.deliveries.length).sort()).toEqual([20, 50, 50]);
    expect(namesIn(receiver.requests).sort()).toEqual(deliveries.map(nameOf).sort());
    expect(await outcomesOf(one, deliveries)).toEqual(new Set(['SENT']));
    expect(await openTimers(dynamo)).toEqual([]);
  });

  test('are tried again as they were, without what was read meanwhile', async () => {
    const read = new Set<string>();
    const one = sender({ isLeft: ({ user }) => !read.has(user) });
    const deliveries = await decideMany(one, 5);
    receiver.respond(() => ({ status: 503 }));
    await next(one);
    const [gone, ...left] = deliveries as [Delivery, ...Delivery[]];
    read.add(gone.user);
    receiver.respond(() => ({ status: 204 }));
    await decideMany(one, 1);
    while ((await openTimers(dynamo)).length > 0) await next(one);
    const [first, second, ...others] = receiver.requests.filter(({ id }) => id === receiver.requests[0]?.id);
    expect(others).toEqual([]);
    expect(namesIn(first === undefined ? [] : [first]).sort()).toEqual(deliveries.map(nameOf).sort());
    expect(namesIn(second === undefined ? [] : [second]).sort()).toEqual(left.map(nameOf).sort());
    expect((await one.stored(gone)).outcome).toBe('NOTHING_LEFT');
    expect(await outcomesOf(one, left)).toEqual(new Set(['SENT']));
  });

  test.each([0, 1])(
    'what is held back, number %i of a batch, is a request of its own later, with another id',
    async (number) => {
      const until = startAt + HOUR;
      let held = '';
      const one = sender({
        heldUntil: ({ user }) => (user === held && one.now() < until ? until : undefined),
      });
      await decideMany(one, 3);
      receiver.respond(() => ({ status: 503 }));
      await next(one);
      held = receiver.requests[0]?.deliveries[number]?.user.handle?.replace('handle_of_', '') ?? '';
      receiver.respond(() => ({ status: 204 }));
      while ((await openTimers(dynamo)).length > 0) await next(one);
      const [first, again, later, ...others] = receiver.requests;
      expect(others).toEqual([]);
      expect([first, again, later].map((request) => request?.deliveries.length)).toEqual([3, 2, 1]);
      expect(again?.id).toBe(first?.id);
      // A receiver drops what it has handled by the id of the request.
      expect(later?.id).not.toBe(first?.id);
    },
  );

  test('a delivery that cannot be worded ends by itself, and the others are sent', async () => {
    const broken = newId();
    const one = sender({
      isLeft({ user }) {
        if (user === broken) throw new Error('The profile is missing.');
        return true;
      },
    });
    const left = await decideMany(one, 2);
    const lost = await one.decide(broken);
    left.push(...(await decideMany(one, 2)));
    // All at once: alone, each of them would be sent after some attempts too.
    await next(one);
    expect(await openTimers(dynamo)).toEqual([]);
    expect(namesIn(receiver.requests).sort()).toEqual(left.map(nameOf).sort());
    expect(await outcomesOf(one, left)).toEqual(new Set(['SENT']));
    expect((await one.stored(lost)).outcome).toBe('FAILED');
  });

  test('a delivery whose items cannot be read ends by itself, and the others are sent', async () => {
    const broken = newId();
    const one = sender({
      whileWording: async ({ user }, items) =>
        items?.load(user === broken ? { pk: '', sk: '' } : keys.user(user)),
    });
    const left = await decideMany(one, 2);
    const lost = await one.decide(broken);
    left.push(...(await decideMany(one, 2)));
    await next(one);
    expect(await openTimers(dynamo)).toEqual([]);
    expect(namesIn(receiver.requests).sort()).toEqual(left.map(nameOf).sort());
    expect(await outcomesOf(one, left)).toEqual(new Set(['SENT']));
    expect((await one.stored(lost)).outcome).toBe('FAILED');
  });

  test('of two processes that find the same sends, one sends each', async () => {
    const clock = createTestClock();
    const both = [sender({ clock }), sender({ clock })] as const;
    const deliveries = await decideMany(both[0], 80);
    for (let looks = 0; (await openTimers(dynamo)).length > 0; looks++) {
      if (looks > 20) throw new Error('Something is left.');
      await Promise.all(both.map(({ runner }) => runner.look()));
      await Promise.all(both.map(({ runner }) => runner.pause()));
    }
    expect(namesIn(receiver.requests).sort()).toEqual(deliveries.map(nameOf).sort());
    for (const delivery of deliveries) {
      expect((await both[0].stored(delivery)).attempts).toHaveLength(1);
    }
  });

  test('a process that dies while it sends: another one sends the same again, with the same id', async () => {
    const first = sender();
    const deliveries = await decideMany(first, 3);
    receiver.respond(() => 'hang');
    await first.runner.look();
    await receiver.arrived(1);
    receiver.respond(() => ({ status: 204 }));
    // The clock of the first one is suspended.
    const second = sender();
    await second.runner.look();
    await second.runner.pause();
    expect(receiver.requests).toHaveLength(1);
    expect(await next(second)).toBe(20 * SECOND);
    const [one, again] = receiver.requests;
    expect(again?.id).toBe(one?.id);
    expect(namesIn(receiver.requests.slice(1)).sort()).toEqual(deliveries.map(nameOf).sort());
    receiver.release();
    await first.runner.pause();
    expect(receiver.requests).toHaveLength(2);
    for (const delivery of deliveries) expect((await second.stored(delivery)).attempts).toHaveLength(1);
    expect(await openTimers(dynamo)).toEqual([]);
  });
});

describe('a receiver that does not respond', () => {
  test('is left alone after five time-outs, and what waits for it costs less each time', async () => {
    const one = sender();
    receiver.respond(() => 'hang');
    await one.decide(newId());
    for (let attempt = 1; attempt <= 5; attempt++) {
      const [timer] = await openTimers(dynamo);
      one.clock.advance(Math.max(0, (timer?.due ?? 0) - one.now()));
      await one.runner.look();
      await receiver.arrived(attempt);
      one.clock.advance(10 * SECOND);
      await one.runner.pause();
    }
    const requests = receiver.requests.length;
    const late = await one.decide(newId());
    one.clock.advance(SECOND);
    await one.runner.look();
    await one.runner.pause();
    expect(receiver.requests).toHaveLength(requests);
    const waiting = (await openTimers(dynamo)).find(({ id }) => id.includes(late.id));
    expect(waiting?.about).toMatchObject({ attempt: 0, putOff: 1 });
    receiver.respond(() => ({ status: 204 }));
    receiver.release();
    while ((await openTimers(dynamo)).length > 0) await next(one);
    expect((await one.stored(late)).outcome).toBe('SENT');
  });

  test('a status decides, also if the body is ten megabytes or never ends', async () => {
    const one = sender();
    receiver.respond(() => ({ status: 200, body: Buffer.alloc(10_000_000) }));
    const large = await one.decide(newId());
    await next(one);
    receiver.respond(() => 'halfway');
    const endless = await one.decide(newId());
    const [timer] = await openTimers(dynamo);
    one.clock.advance(Math.max(0, (timer?.due ?? 0) - one.now()));
    const responded = nextResponse();
    await one.runner.look();
    await responded;
    one.clock.advance(10 * SECOND);
    await one.runner.pause();
    expect(await outcomesOf(one, [large, endless])).toEqual(new Set(['SENT']));
    expect(receiver.requests).toHaveLength(2);
  });
});
