/** What a person has chosen also holds for attempts after the first one. With a real push service. */
import { expect, onTestFinished, test } from 'vitest';
import type { DeliveryKind } from '../../src/core/deliveryKinds.ts';
import type { KindChoice } from '../../src/delivery/settings/settings.ts';
import { openDeliverySystem } from './support/deliverySystem.ts';
import { type PushService, startPushService } from './support/pushService.ts';

const windows = {
  MENTION: { delaySeconds: 10, windowSeconds: 60 },
  LIKE: { delaySeconds: 10, windowSeconds: 60 },
};
const HOUR_MS = 3_600_000;
/** What is held back until an instant is sent within this time after it. */
const SPREAD_S = 60;

async function openScenario() {
  const service: PushService = await startPushService();
  onTestFinished(() => service.stop());
  const system = await openDeliverySystem({ windows, service });
  const aki = await system.create('Aki');
  const ben = await system.create('Ben');
  const room = await system.room('Lunch', aki, ben);
  const { messages, likes } = system.services;
  const message = await messages.send({ author: aki.id, room, body: 'Hello.' });
  await system.pass(0);
  const choose = (...kinds: ReadonlyArray<readonly [DeliveryKind, KindChoice]>) =>
    system.settings.change(aki.id, { kinds: new Map(kinds) });
  return {
    ...system,
    service,
    aki,
    ben,
    room,
    choose,
    mention: () => messages.send({ author: ben.id, room, body: `@${aki.handle} Look!` }),
    like: () => likes.add(ben.id, message),
    texts: () => service.pushes.map(({ payload }) => payload.text),
    outcomes: async () => (await system.deliveriesOf(aki)).map(({ outcome }) => outcome),
  };
}

test('quiet hours that begin before the next attempt hold it back', async () => {
  const { aki, mention, service, settings, now, stall, pass, texts, outcomes } = await openScenario();
  stall((60_000 - (now() % 60_000)) / 1_000);
  const minute = Math.floor((now() % 86_400_000) / 60_000);
  // They begin in a minute, and last for an hour.
  const [from, to] = [(minute + 1) % 1_440, (minute + 61) % 1_440];
  await settings.change(aki.id, {
    quietHours: { from, to, timeZone: 'UTC', days: [0, 1, 2, 3, 4, 5, 6] },
  });
  service.respond(() => ({ status: 503, headers: { 'retry-after': '120' } }));
  await mention();
  await pass(11);
  expect(service.pushes).toHaveLength(1);
  service.respond(() => ({ status: 201 }));
  await pass(3_640);
  expect(service.pushes).toHaveLength(1);
  await pass(10 + SPREAD_S);
  expect(texts()).toEqual(Array(2).fill('Ben mentioned you'));
  expect(await outcomes()).toEqual(['SENT']);
});

test('a pause that was set before the next attempt holds it back', async () => {
  const { aki, mention, service, settings, now, pass, texts, outcomes } = await openScenario();
  service.respond(() => ({ status: 503 }));
  await mention();
  await pass(11);
  await settings.pause(aki.id, now() + HOUR_MS, 24 * HOUR_MS);
  service.respond(() => ({ status: 201 }));
  const before = service.pushes.length;
  await pass(3_590);
  expect(service.pushes).toHaveLength(before);
  await pass(10 + SPREAD_S);
  expect(texts()).toHaveLength(before + 1);
  expect(await outcomes()).toEqual(['SENT']);
});

test('a pause that ends after the last attempt ends the send, and the delivery says so', async () => {
  const { aki, mention, service, settings, now, pass, outcomes, openTimers } = await openScenario();
  service.respond(() => ({ status: 503 }));
  await mention();
  await pass(11);
  await settings.pause(aki.id, now() + 48 * HOUR_MS, 72 * HOUR_MS);
  const before = service.pushes.length;
  await pass(60);
  expect(service.pushes).toHaveLength(before);
  expect(await outcomes()).toEqual(['PAUSED']);
  expect(await openTimers()).toEqual([]);
});

test('a kind without the channel is left out of a summary that another kind sends', async () => {
  const { aki, mention, like, choose, settings, now, pass, texts } = await openScenario();
  await choose(['LIKE', { channels: ['EMAIL'] }]);
  await settings.pause(aki.id, now() + HOUR_MS, 24 * HOUR_MS);
  await mention();
  await like();
  await pass(3_600 + SPREAD_S);
  expect(texts()).toEqual(['Ben mentioned you']);
});

test('a channel that was switched off for the kind before the next attempt', async () => {
  const { mention, service, choose, pass, outcomes } = await openScenario();
  service.respond(() => ({ status: 503, headers: { 'retry-after': '60' } }));
  await mention();
  await pass(11);
  await choose(['MENTION', { channels: ['EMAIL'] }]);
  await pass(61);
  expect(service.pushes).toHaveLength(1);
  expect(await outcomes()).toEqual(['SWITCHED_OFF']);
});

test('a test that the person asks for is sent in a pause', async () => {
  const { aki, describe, settings, now } = await openScenario();
  await settings.pause(aki.id, now() + HOUR_MS, 24 * HOUR_MS);
  const delivery = {
    user: aki.id,
    id: '1795392000000001',
    kinds: [],
    rooms: [],
    notifications: [],
    outcome: 'PENDING' as const,
    attempts: [],
    dueAt: now(),
    decidedAt: now(),
    version: 1,
  };
  expect(await describe(delivery, { channel: 'WEB_PUSH' })).toMatchObject({ hold: null });
});
