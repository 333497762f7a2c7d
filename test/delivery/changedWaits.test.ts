/** People change how long a kind waits, or how often it is delivered, while something waits. */
import { describe, expect, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import type { DeliveryKind } from '../../src/core/deliveryKinds.ts';
import type { KindChoice } from '../../src/delivery/settings/settings.ts';
import { beforeTransactions } from '../support/database/beforeTransactions.ts';
import { type DeliverySystemOptions, openDeliverySystem, type Person } from './support/deliverySystem.ts';

const windows = {
  MENTION: { delaySeconds: 10, windowSeconds: 60 },
  LIKE: { delaySeconds: 3_600, windowSeconds: 3_600 },
  INVITED: { delaySeconds: 600, windowSeconds: 600 },
};

/** More than are moved at a time. */
const ROOMS = 30;

async function openScenario(through?: DeliverySystemOptions['through']) {
  const system = await openDeliverySystem({ windows, ...defined({ through }) });
  const { services, settings, now } = system;
  const [aki, ben] = (await Promise.all(['Aki', 'Ben'].map((name) => system.create(name)))) as [
    Person,
    Person,
  ];
  const room = await system.room('Lunch', aki, ben);
  const message = await services.messages.send({ author: aki.id, room, body: 'Hello.' });
  await system.pass(0);
  const start = now();
  return {
    ...system,
    newRoom: system.room,
    aki,
    ben,
    /** `seconds`: after the beginning. */
    passTo: (seconds: number) => system.pass((start + seconds * 1_000 - now()) / 1_000),
    like: () => services.likes.add(ben.id, message),
    mention: (to = room) =>
      services.messages.send({ author: ben.id, room: to, body: `@${aki.handle} Look!` }),
    choose: (kind: DeliveryKind, choice: KindChoice) =>
      settings.change(aki.id, { kinds: new Map([[kind, choice]]) }),
    /** When each was decided, in whole seconds after the beginning. */
    decidedAt: async (person = aki) =>
      (await system.deliveriesOf(person)).map(({ decidedAt }) => Math.round((decidedAt - start) / 1_000)),
  };
}

describe('a shorter wait', () => {
  test('that is over: what waits is delivered at once', async () => {
    const { like, choose, passTo, decidedAt } = await openScenario();
    await like();
    await passTo(600);
    await choose('LIKE', { delaySeconds: 60 });
    await passTo(4_000);
    expect(await decidedAt()).toEqual([600]);
  });

  test('that is not over yet: it counts from the first of what waits', async () => {
    const { like, choose, passTo, decidedAt } = await openScenario();
    await like();
    await passTo(100);
    await choose('LIKE', { delaySeconds: 300 });
    await passTo(4_000);
    expect(await decidedAt()).toEqual([300]);
  });

  test('in many rooms, and in no other kind', async () => {
    const { aki, ben, newRoom, like, mention, choose, passTo, decidedAt } = await openScenario();
    await choose('MENTION', { delaySeconds: 3_000 });
    await passTo(0);
    await like();
    for (let i = 0; i < ROOMS; i++) await mention(await newRoom(`Room ${i}`, aki, ben));
    await passTo(10);
    await choose('MENTION', { delaySeconds: 20 });
    await passTo(4_000);
    expect(await decidedAt()).toEqual([...Array.from({ length: ROOMS }, () => 20), 3_600]);
  });

  test('the first messages of strangers still wait as long as INVITED', async () => {
    const { aki, create, services, choose, passTo, decidedAt } = await openScenario();
    const eve = await create('Eve');
    const { id: room } = await services.rooms.openDirect(eve.id, [aki.id]);
    await choose('INVITED', { mode: 'OFF' });
    await passTo(0);
    await services.messages.send({ author: eve.id, room, body: 'Hi' });
    await passTo(30);
    await choose('DIRECT_MESSAGE', { delaySeconds: 1 });
    await passTo(590);
    expect(await decidedAt()).toEqual([]);
    await passTo(700);
    expect(await decidedAt()).toEqual([600]);
  });
});

describe('a longer one', () => {
  test('wait: what waits does so too', async () => {
    const { mention, choose, passTo, decidedAt } = await openScenario();
    await mention();
    await passTo(5);
    await choose('MENTION', { delaySeconds: 100 });
    await passTo(1_000);
    expect(await decidedAt()).toEqual([100]);
  });

  test('window: there is no second delivery in it', async () => {
    const { mention, choose, passTo, decidedAt } = await openScenario();
    await mention();
    await passTo(20);
    await mention();
    await passTo(30);
    await choose('MENTION', { windowSeconds: 600 });
    await passTo(5_000);
    expect(await decidedAt()).toEqual([10, 610]);
  });
});

test('a shorter wait, chosen while what waits is moved to the end of a longer one', async () => {
  let meanwhile: (() => Promise<void>) | undefined;
  const { like, choose, passTo, consume, stall, deciding, openTimers, decidedAt } = await openScenario(
    (dynamo) =>
      beforeTransactions(dynamo, () => {
        const run = meanwhile;
        meanwhile = undefined;
        return run?.();
      }),
  );
  await like();
  await passTo(10);
  await choose('LIKE', { delaySeconds: 86_400 });
  await consume();
  stall(3_600);
  const [timer] = await openTimers();
  meanwhile = async () => {
    await choose('LIKE', { delaySeconds: 60 });
    await consume();
  };
  await deciding.handle(timer as never);
  expect(meanwhile).toBeUndefined();
  await passTo(3_620);
  expect(await decidedAt()).toEqual([3_610]);
});

test('a shorter window: the next delivery is earlier', async () => {
  const { mention, choose, passTo, decidedAt } = await openScenario();
  await choose('MENTION', { windowSeconds: 3_600 });
  await mention();
  await passTo(20);
  await mention();
  await passTo(100);
  await choose('MENTION', { windowSeconds: 200 });
  await passTo(5_000);
  expect(await decidedAt()).toEqual([10, 210]);
});

test('what a pause holds back waits for its end alone', async () => {
  const { aki, mention, settings, now, choose, passTo, openTimers } = await openScenario();
  await settings.pause(aki.id, now() + 3_600_000, 86_400_000);
  await mention();
  await passTo(100);
  const before = await openTimers();
  await choose('MENTION', { delaySeconds: 1 });
  await passTo(200);
  expect(await openTimers()).toEqual(before);
});
