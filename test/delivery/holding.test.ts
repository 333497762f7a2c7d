import { describe, expect, onTestFinished, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { WEBHOOKS_MAX } from '../../src/core/webhookConfig.ts';
import { SUBSCRIPTIONS_MAX } from '../../src/delivery/channels/webPush/pushSubscription.ts';
import { SUMMARY_MAX } from '../../src/delivery/decide.ts';
import { gatheringOf, gatheringTimer, gatheringWrite } from '../../src/delivery/gathering.ts';
import type { QuietHours } from '../../src/delivery/settings/quietHours.ts';
import { setTimer } from '../../src/timers/timer.ts';
import { type DeliverySystemOptions, openDeliverySystem, type Person } from './support/deliverySystem.ts';
import { startPushService } from './support/pushService.ts';
import { newWebhookSecret } from './support/receiver.ts';

const windows = {
  MENTION: { delaySeconds: 10, windowSeconds: 60 },
  LIKE: { delaySeconds: 60, windowSeconds: 600 },
};
/** Summaries are spread over this time. */
const SPREAD_S = 60;

async function openScenario(options: DeliverySystemOptions = {}) {
  const system = await openDeliverySystem({ windows, ...options });
  const [aki, ben, chi] = (await Promise.all(['Aki', 'Ben', 'Chi'].map((name) => system.create(name)))) as [
    ...[Person, Person, Person],
  ];
  const room = await system.room('Lunch', aki, ben, chi);
  const other = await system.room('Dinner', aki, ben, chi);
  const say = (author: Person, body: string, to = room) =>
    system.services.messages.send({ author: author.id, room: to, body });
  const message = await say(aki, 'Hello.');
  await system.pass(0);
  return {
    ...system,
    aki,
    ben,
    chi,
    room,
    other,
    message,
    say,
    newRoom: system.room,
    like: (person: Person) => system.services.likes.add(person.id, message),
    mention: (to = room) => say(ben, `@${aki.handle} Look!`, to),
  };
}

/** Quiet hours that began an hour ago and end in an hour. */
function around(now: number): QuietHours {
  const minute = Math.floor((now % 86_400_000) / 60_000);
  const days = [0, 1, 2, 3, 4, 5, 6];
  return { from: (minute + 1_380) % 1_440, to: (minute + 60) % 1_440, timeZone: 'UTC', days };
}

describe('quiet hours and pauses', () => {
  test('what they hold back is one summary at their end', async () => {
    const { aki, ben, like, mention, other, settings, now, pass, deliveriesOf, summaries } =
      await openScenario();
    await settings.change(aki.id, { quietHours: around(now()) });
    await like(ben);
    await mention();
    await mention(other);
    await pass(3_500);
    expect(await deliveriesOf(aki)).toEqual([]);
    await pass(100 + SPREAD_S);
    expect(await summaries(aki)).toEqual(['Tsudoi: 3 new notifications']);
    expect(await summaries(aki, 'ja')).toEqual(['Tsudoi: 新しい通知が3件あります']);
    await pass(86_400);
    expect(await deliveriesOf(aki)).toHaveLength(1);
  });

  test('a push says whether quiet hours held it back', async () => {
    const service = await startPushService();
    onTestFinished(() => service.stop());
    const { aki, mention, settings, now, pass } = await openScenario({ service });
    await mention();
    await pass(11);
    await settings.change(aki.id, { quietHours: around(now()) });
    await pass(60);
    await mention();
    await pass(3_600 + SPREAD_S);
    expect(service.pushes.map(({ payload }) => payload.wasHeld)).toEqual([undefined, true]);
  });

  test('what was read during the pause is not sent after it', async () => {
    const { aki, mention, settings, now, pass, reading, summaries } = await openScenario();
    await settings.pause(aki.id, now() + 3_600_000, 86_400_000);
    await mention();
    await pass(1_000);
    await reading.markAllRead(aki.id);
    await pass(2_600 + SPREAD_S);
    expect(await summaries(aki)).toEqual(['MENTION: READ_BEFORE']);
  });

  test('ending the pause sends at once, and a new pause holds back longer', async () => {
    const { aki, mention, settings, now, pass, summaries } = await openScenario();
    await settings.pause(aki.id, now() + 3_600_000, 86_400_000);
    await mention();
    await pass(1_000);
    await settings.pause(aki.id, now() + 7_200_000, 86_400_000);
    await pass(7_000);
    expect(await summaries(aki)).toEqual([]);
    await settings.pause(aki.id, null, 86_400_000);
    await pass(1);
    expect(await summaries(aki)).toEqual(['Lunch: Ben mentioned you']);
    await pass(10_000);
    expect(await summaries(aki)).toHaveLength(1);
  });

  test('ending a pause early sends one summary of several gatherings', async () => {
    const { aki, ben, like, mention, other, settings, now, pass, consume, deliveriesOf, summaries } =
      await openScenario();
    await settings.pause(aki.id, now() + 3_600_000, 86_400_000);
    await like(ben);
    await mention();
    await mention(other);
    await pass(1_000);
    await settings.pause(aki.id, null, 86_400_000);
    await consume();
    await pass(1);
    expect(await summaries(aki)).toEqual(['Tsudoi: 3 new notifications']);
    await pass(86_400);
    expect(await deliveriesOf(aki)).toHaveLength(1);
  });

  test('a summary counts all that it is about', async () => {
    const { aki, ben, newRoom, mention, settings, now, pass, deliveriesOf, summaries } = await openScenario();
    await settings.pause(aki.id, now() + 3_600_000, 86_400_000);
    for (let i = 0; i < 27; i++) await mention(await newRoom(`Room ${i}`, aki, ben));
    await pass(3_600 + SPREAD_S);
    expect(await summaries(aki)).toEqual(['Tsudoi: 27 new notifications']);
    const [summary] = await deliveriesOf(aki);
    expect([summary?.notifications.length, summary?.rooms.length]).toEqual([27, 25]);
  });

  test('the largest summary, to the most endpoints of a person, is one transaction', async () => {
    const service = await startPushService();
    onTestFinished(() => service.stop());
    const webhooks = Array.from({ length: WEBHOOKS_MAX }, (_, i) => ({
      url: `http://127.0.0.1:9/${i}`,
      secrets: [newWebhookSecret()],
      kinds: ['MENTION'] as const,
    }));
    const { aki, mention, dynamo, settings, now, pass, browser, openTimers } = await openScenario({
      service,
      webhooks,
    });
    for (let i = 1; i < SUBSCRIPTIONS_MAX; i++) await browser(aki);
    await settings.pause(aki.id, now() + 3_600_000, 86_400_000);
    await mention();
    await pass(100);
    for (let i = 0; i < SUMMARY_MAX; i++) {
      const key = { user: aki.id, kind: 'LIKE', room: newId() } as const;
      const dueAt = now() + 3_600_000 + i;
      const none = gatheringOf(key, undefined);
      const held = { ...none, dueAt, held: true, notifications: [newId()] };
      await dynamo.transact([gatheringWrite(none, held), setTimer(gatheringTimer(key, dueAt))]);
    }
    await settings.pause(aki.id, null, 86_400_000);
    await pass(0);
    expect(service.pushes).toHaveLength(SUBSCRIPTIONS_MAX);
    const sends = (await openTimers()).filter(({ kind }) => kind === 'send');
    expect(new Set(sends.map(({ about }) => about.endpoint)).size).toBe(WEBHOOKS_MAX);
  });

  test('more gatherings than a summary has are two summaries, also at an early end', async () => {
    const { aki, dynamo, settings, now, pass, deliveriesOf, openTimers } = await openScenario();
    await settings.pause(aki.id, now() + 3_600_000, 86_400_000);
    await pass(0);
    for (let i = 0; i <= SUMMARY_MAX; i++) {
      const key = { user: aki.id, kind: 'LIKE', room: newId() } as const;
      const none = gatheringOf(key, undefined);
      const dueAt = now() + 3_600_000 + i;
      const held = { ...none, dueAt, held: true, notifications: [newId()] };
      await dynamo.transact([gatheringWrite(none, held), setTimer(gatheringTimer(key, dueAt))]);
    }
    await settings.pause(aki.id, null, 86_400_000);
    await pass(10);
    expect((await deliveriesOf(aki)).map(({ rooms }) => rooms.length)).toEqual([25, 1]);
    await pass(3_700);
    expect(await deliveriesOf(aki)).toHaveLength(2);
    expect(await openTimers()).toEqual([]);
  });

  test('a change that has nothing to do with it does not move what is held', async () => {
    const { aki, mention, settings, now, pass, openTimers } = await openScenario();
    await settings.pause(aki.id, now() + 3_600_000, 86_400_000);
    await mention();
    await pass(100);
    const before = await openTimers();
    await settings.change(aki.id, { hideText: true });
    await pass(0);
    expect(await openTimers()).toEqual(before);
  });

  test('a pause of two weeks ends with a summary', async () => {
    const { aki, mention, settings, now, pass, summaries } = await openScenario();
    await settings.pause(aki.id, now() + 14 * 86_400_000, 15 * 86_400_000);
    await mention();
    await pass(14 * 86_400 + SPREAD_S);
    expect(await summaries(aki)).toEqual(['Lunch: Ben mentioned you']);
  });

  test('what is overdue by more than an hour is one summary', async () => {
    const { aki, ben, like, mention, other, pass, consume, stall, summaries } = await openScenario();
    await like(ben);
    await mention();
    await mention(other);
    await consume();
    stall(2 * 3_600);
    await pass(0);
    expect(await summaries(aki)).toEqual(['Tsudoi: 3 new notifications']);
  });
});

describe('what a person chose', () => {
  test('a kind that is off is not gathered, and not sent if it was switched off meanwhile', async () => {
    const { aki, ben, like, mention, settings, pass, consume, openTimers, summaries } = await openScenario();
    await settings.change(aki.id, { kinds: new Map([['LIKE', { mode: 'OFF' }]]) });
    await like(ben);
    await consume();
    expect(await openTimers()).toEqual([]);
    await mention();
    await consume();
    await settings.change(aki.id, { kinds: new Map([['MENTION', { mode: 'OFF' }]]) });
    await pass(100);
    expect(await summaries(aki)).toEqual(['MENTION: SWITCHED_OFF']);
  });

  test('a wait of two days', async () => {
    const { aki, ben, like, settings, pass, summaries } = await openScenario();
    await settings.change(aki.id, { kinds: new Map([['LIKE', { delaySeconds: 2 * 86_400 }]]) });
    await like(ben);
    await pass(2 * 86_400 + 1);
    expect(await summaries(aki)).toEqual(['Lunch: Ben liked your message']);
  });

  test('their own wait and window', async () => {
    const { aki, ben, chi, like, settings, pass, summaries } = await openScenario();
    await settings.change(aki.id, { kinds: new Map([['LIKE', { delaySeconds: 2, windowSeconds: 5 }]]) });
    await like(ben);
    await pass(3);
    await like(chi);
    await pass(5);
    expect(await summaries(aki)).toHaveLength(2);
  });

  test.each([
    ['ALL', true, ['Lunch: Ben mentioned you', 'Lunch: Ben liked your message']],
    ['MENTIONS', true, ['Lunch: Ben mentioned you']],
    ['MENTIONS', false, ['Lunch: Ben mentioned you', 'LIKE: MUTED']],
    ['NOTHING', false, ['MENTION: MUTED', 'LIKE: MUTED']],
    [null, true, ['MENTION: MUTED']],
    [null, false, ['Lunch: Ben mentioned you', 'Lunch: Ben liked your message']],
  ] as const)('a room with %s, muted: %s', async (delivery, muted, expected) => {
    const { aki, ben, room, like, mention, settings, services, pass, summaries } = await openScenario();
    await settings.setRoom(aki.id, room, delivery);
    await services.readPositions.mute(aki.id, room, muted);
    await like(ben);
    await mention();
    await pass(61);
    // The bell has no likes of a muted room.
    expect(await summaries(aki)).toEqual(expected.filter((one) => !muted || !one.includes('like')));
  });

  test('people who hide texts get no names', async () => {
    const { aki, mention, settings, pass, summaries } = await openScenario();
    await settings.change(aki.id, { hideText: true });
    await mention();
    await pass(11);
    expect(await summaries(aki)).toEqual(['Tsudoi: New activity in Tsudoi']);
    expect(await summaries(aki, 'ja')).toEqual(['Tsudoi: Tsudoiで新しい動きがあります']);
  });
});
