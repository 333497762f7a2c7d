/**
 * At most one push in ten seconds and thirty in an hour to each browser, and nothing is lost. With a real push service.
 */
import { expect, onTestFinished, test } from 'vitest';
import { DELIVERY_KINDS } from '../../src/core/deliveryKinds.ts';
import { encodeId } from '../../src/graphql/ids.ts';
import { openDeliverySystem } from './support/deliverySystem.ts';
import { startPushService } from './support/pushService.ts';
import { startReceiver } from './support/receiver.ts';

const AT_ONCE = { delaySeconds: 0, windowSeconds: 0 };
const HOUR_S = 3_600;

/** A person with rooms in which others can mention them. Mentions do not wait. */
async function mentioned(rooms: number, options: { readonly webhook?: boolean } = {}) {
  const service = await startPushService();
  onTestFinished(() => service.stop());
  const receiver = options.webhook === true ? await startReceiver() : undefined;
  if (receiver !== undefined) onTestFinished(() => receiver.stop());
  const system = await openDeliverySystem({
    windows: { MENTION: AT_ONCE, REPLY: AT_ONCE, LIKE: AT_ONCE },
    service,
    ...(receiver === undefined ? {} : { webhooks: [{ ...receiver.config, kinds: DELIVERY_KINDS }] }),
  });
  const aki = await system.create('Aki');
  const ben = await system.create('Ben');
  const ids: string[] = [];
  for (let i = 0; i < rooms; i++) ids.push(await system.room(`Room ${i}`, aki, ben));
  await system.pass(1);
  const times: number[] = [];
  service.respond(() => {
    times.push(system.now());
    return { status: 201 };
  });
  return {
    ...system,
    service,
    receiver,
    aki,
    ben,
    times,
    mention: (room: number) =>
      system.services.messages.send({
        room: ids[room % rooms] ?? '',
        author: ben.id,
        body: `@${aki.handle} look`,
      }),
    texts: () => service.pushes.map(({ payload }) => payload.text),
  };
}

test('two pushes are ten seconds apart, and what waits meanwhile is one push', async () => {
  const { mention, pass, texts, times, service, openTimers, deliveriesOf, aki } = await mentioned(4);
  await mention(0);
  await pass(0);
  for (let i = 1; i < 4; i++) {
    await mention(i);
    await pass(1);
  }
  expect(texts()).toEqual(['Ben mentioned you']);
  await pass(6);
  expect(service.pushes).toHaveLength(1);
  await pass(2);
  expect(texts()).toEqual(['Ben mentioned you', '3 new notifications']);
  expect(service.pushes[1]?.payload).toMatchObject({ title: 'Tsudoi', badge: 4 });
  const deliveries = (await deliveriesOf(aki)).map(({ id }) => encodeId('Delivery', id));
  const named = service.pushes.map(({ payload }) => payload.deliveries as string[]);
  expect(named.map((ids) => ids.length)).toEqual([1, 3]);
  expect(new Set(named.flat())).toEqual(new Set(deliveries));
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(10_000);
  expect(await openTimers()).toEqual([]);
  expect((await deliveriesOf(aki)).map(({ outcome }) => outcome)).toEqual(Array(4).fill('SENT'));
});

test('thirty pushes in an hour, and all that happened is in one of them', async () => {
  const { mention, pass, times, texts, openTimers } = await mentioned(5);
  for (let i = 0; i < 40; i++) {
    await mention(i);
    await pass(11);
  }
  expect(times).toHaveLength(30);
  await pass(HOUR_S);
  expect(texts().slice(30)).toEqual(['10 new notifications']);
  for (const [i, at] of times.entries()) {
    const later = times[i + 30];
    if (later !== undefined) expect(later - at).toBeGreaterThanOrEqual(HOUR_S * 1_000);
  }
  expect(await openTimers()).toEqual([]);
});

test('more than one push has are in the next one', async () => {
  const { mention, pass, texts } = await mentioned(24);
  await mention(0);
  await pass(1);
  for (let i = 1; i < 24; i++) await mention(i);
  await pass(40);
  const counts = texts().map((text) => Number(/^\d+/.exec(String(text))?.[0] ?? 1));
  expect(counts.reduce((sum, count) => sum + count)).toBe(24);
  expect(counts).toHaveLength(3);
});

test('what is read while it waits is not sent, and the rest is worded alone', async () => {
  const { mention, pass, texts, reading, services, deliveriesOf, aki, room, ben } = await mentioned(3);
  await mention(0);
  await pass(0);
  const other = await room('Tea', aki, ben);
  await mention(1);
  await services.messages.send({ room: other, author: ben.id, body: `@${aki.handle} look` });
  await pass(1);
  await services.readPositions.markRead(aki.id, other);
  await pass(20);
  expect(texts()).toEqual(['Ben mentioned you', 'Ben mentioned you']);
  // Those of one moment are decided side by side.
  const outcomes = (await deliveriesOf(aki)).map(({ outcome }) => outcome);
  expect(outcomes.sort()).toEqual(['READ_BEFORE', 'SENT', 'SENT']);
  await mention(2);
  await pass(0);
  await mention(0);
  await pass(1);
  await reading.markAllRead(aki.id);
  await pass(20);
  expect(texts()).toHaveLength(3);
});

test('a thread or a message in which more happens while it waits counts once', async () => {
  const { mention, pass, texts, services, create, room, aki, ben } = await mentioned(1);
  const chi = await create('Chi');
  const tea = await room('Tea', aki, ben, chi);
  const root = await services.messages.send({ room: tea, author: aki.id, body: 'Hello.' });
  await mention(0);
  for (const { id: author } of [ben, chi, ben]) {
    await pass(1);
    await services.messages.send({ room: tea, author, body: 'Well.', replyTo: root });
  }
  await pass(20);
  // Ben and Chi follow the thread as well.
  expect(texts().at(-1)).toBe('Ben and Chi replied in a thread');
  await mention(0);
  for (const { id } of [ben, chi]) {
    await pass(1);
    await services.likes.add(id, root);
  }
  await pass(20);
  expect(texts().slice(-2)).toEqual(['Ben mentioned you', 'Chi and Ben liked your message']);
});

test('the limit is that of browsers: a webhook has everything at once', async () => {
  const { mention, pass, service, receiver } = await mentioned(4, { webhook: true });
  for (let i = 0; i < 4; i++) {
    await mention(i);
    await pass(2);
  }
  const sentTo = receiver?.requests.flatMap(({ deliveries }) => deliveries) ?? [];
  expect(sentTo).toHaveLength(4);
  expect(service.pushes).toHaveLength(1);
});

test('what the service does not accept takes no turn', async () => {
  const { mention, pass, service, texts } = await mentioned(1);
  service.respond(() => ({ status: 503 }));
  await mention(0);
  await pass(0);
  service.respond(() => ({ status: 201 }));
  // The next attempt is after five seconds at most.
  await pass(6);
  expect(texts()).toHaveLength(2);
});

test('another attempt with several deliveries has the same id and tag, also if one of them was read', async () => {
  const { mention, pass, service, services, aki, ben, room, stall } = await mentioned(1);
  const other = await room('Tea', aki, ben);
  await mention(0);
  await pass(0);
  await mention(0);
  await services.messages.send({ room: other, author: ben.id, body: `@${aki.handle} look` });
  await pass(1);
  service.respond(() => ({ status: 500 }));
  await pass(9);
  const [, first] = service.pushes;
  expect(first?.payload.text).toBe('2 new notifications');
  await services.readPositions.markRead(aki.id, other);
  service.respond(() => ({ status: 201 }));
  stall(6);
  await pass(0);
  const second = service.pushes.at(-1);
  expect(second?.payload.text).toBe('Ben mentioned you');
  expect([second?.payload.id, second?.payload.tag]).toEqual([first?.payload.id, first?.payload.tag]);
});
