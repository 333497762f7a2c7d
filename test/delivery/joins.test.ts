/** JOIN: owners and moderators who switched it on are sent who entered their rooms. */
import { describe, expect, test } from 'vitest';
import { counters } from '../../src/app/features.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import type { Cost } from '../../src/dynamo/metering.ts';
import { createRoomLog } from '../../src/roomEvents/roomLog.ts';
import type { Role } from '../../src/rooms/room.ts';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { itemsIn } from '../support/database/table.ts';
import { type DeliverySystemOptions, openDeliverySystem, type Person } from './support/deliverySystem.ts';
import { meterOf, NOTHING_SPENT } from './support/spent.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Aki owns two rooms, and wants to be sent who enters them. */
async function openScenario(options: DeliverySystemOptions = {}) {
  const system = await openDeliverySystem(options);
  const { services, settings, dynamo } = system;
  const [aki, ben, chi, dan] = (await Promise.all(
    ['Aki', 'Ben', 'Chi', 'Dan'].map((name) => system.create(name)),
  )) as [Person, Person, Person, Person];
  const lunch = await system.room('Lunch', aki);
  const switchOn = (person: Person, mode: 'ON' | 'OFF' | null = 'ON') =>
    settings.change(person.id, { kinds: new Map([['JOIN', { mode }]]) });
  await switchOn(aki);
  await system.pass(0);
  return {
    ...system,
    aki,
    ben,
    chi,
    dan,
    lunch,
    switchOn,
    enter: (person: Person, room = lunch) => services.rooms.join(person.id, room),
    leave: (person: Person, room = lunch) => services.rooms.leave(person.id, room),
    setRole: (person: Person, role: Role) =>
      services.rooms.setRole({ by: aki.id, room: lunch, user: person.id }, role),
    waitFor: (person: Person, delaySeconds: number | null) =>
      settings.change(person.id, { kinds: new Map([['JOIN', { delaySeconds }]]) }),
    /** How long those who listen wait, and their number as the room's counter has it. */
    async listeners(room = lunch) {
      const items = await itemsIn(dynamo, ranges.listeners(room, 'JOIN'));
      const counter = await dynamo.get(keys.counter(room));
      return {
        waits: items.map(({ sk }) => Number(String(sk).split('#')[2])),
        count: counter?.joinListeners,
      };
    },
  };
}

describe('who enters a room', () => {
  test('is one delivery in each window, to those who want it', async () => {
    const { aki, ben, chi, dan, enter, pass, summaries } = await openScenario();
    await enter(ben);
    await pass(30 * MINUTE);
    await enter(chi);
    await pass(30 * MINUTE - 2);
    expect(await summaries(aki)).toEqual([]);
    await pass(3);
    expect(await summaries(aki)).toEqual(['Lunch: Chi and Ben joined']);
    expect(await summaries(aki, 'ja')).toEqual(['Lunch: ChiさんとBenさんが参加しました']);
    await enter(dan);
    await pass(HOUR + 1);
    expect(await summaries(aki)).toEqual(['Lunch: Chi and Ben joined', 'Lunch: Dan joined']);
    await pass(24 * HOUR);
    expect(await summaries(aki)).toHaveLength(2);
    expect((await Promise.all([ben, chi, dan].map((one) => summaries(one)))).flat()).toEqual([]);
  });

  test('opens the room', async () => {
    const { aki, ben, enter, pass, deliveriesOf, describe: words } = await openScenario();
    await enter(ben);
    await pass(HOUR + 1);
    const [delivery] = await deliveriesOf(aki);
    expect(delivery).toMatchObject({ kinds: ['JOIN'], outcome: 'PENDING' });
    const { words: said } = (delivery && (await words(delivery))) ?? {};
    expect(said?.url).toMatch(/\/rooms\/[\w-]+$/);
  });

  test('is delivered also if someone else added them, or if they had waited for a seat', async () => {
    const { aki, ben, chi, dan, setRole, enter, pass, services, summaries, lunch } = await openScenario();
    await enter(ben);
    await pass(2 * HOUR);
    await setRole(ben, 'MODERATOR');
    await services.rooms.update(aki.id, lunch, { capacity: 3 });
    await services.rooms.add({ by: ben.id, room: lunch, user: chi.id });
    await services.rooms.joinOrWait(dan.id, lunch);
    await services.rooms.update(aki.id, lunch, { capacity: 4 });
    await pass(HOUR + 1);
    // Two servers have given the times of these two.
    expect((await summaries(aki)).at(-1)).toMatch(/^Lunch: (Dan and Chi|Chi and Dan) joined$/);
  });

  test('is found between other changes of the room', async () => {
    const { aki, ben, chi, enter, pass, consume, services, summaries, lunch } = await openScenario();
    await enter(ben);
    for (let i = 0; i < 120; i++) await services.messages.send({ author: aki.id, room: lunch, body: `${i}` });
    await enter(chi);
    await consume();
    await pass(HOUR + 1);
    expect(await summaries(aki)).toEqual(['Lunch: Chi and Ben joined']);
  });
});

describe('no one is missed', () => {
  test('someone who entered on their own, before more than fifty users that the person added', async () => {
    const { aki, ben, enter, pass, create, services, summaries, lunch } = await openScenario();
    await enter(ben);
    for (let i = 0; i < 55; i++) {
      const { id } = await create(`P${i}`);
      await services.rooms.add({ by: aki.id, room: lunch, user: id });
    }
    await pass(HOUR + 1);
    expect(await summaries(aki)).toEqual(['Lunch: Ben joined']);
  });

  test('someone who entered after very many other changes', async () => {
    const { aki, ben, chi, enter, pass, consume, dynamo, summaries, lunch } = await openScenario();
    await enter(ben);
    await consume();
    await addChanges(dynamo, lunch, 1_200);
    await enter(chi);
    await consume();
    await pass(HOUR + 1);
    expect(await summaries(aki)).toEqual(['Lunch: Chi and Ben joined']);
  });

  test('but users who entered more than 10,000 changes before the newest are not named', async () => {
    const { aki, ben, chi, dan, enter, pass, consume, create, dynamo, summaries, lunch } =
      await openScenario();
    await enter(ben);
    await consume();
    await addChanges(dynamo, lunch, 5_000);
    await enter(chi);
    await consume();
    await addChanges(dynamo, lunch, 5_100);
    for (const person of [dan, await create('Eve')]) await enter(person);
    await consume();
    await pass(HOUR + 1);
    expect(await summaries(aki)).toEqual(['Lunch: Eve and 2 or more others joined']);
  });

  test('someone who waits for those who wait longer, when the person chooses a shorter wait that is over', async () => {
    const { aki, ben, chi, dan, enter, setRole, switchOn, waitFor, pass, settings, summaries } =
      await openScenario();
    await enter(ben);
    await setRole(ben, 'MODERATOR');
    await switchOn(ben);
    await settings.change(ben.id, { kinds: new Map([['JOIN', { delaySeconds: 10 }]]) });
    await pass(2 * HOUR);
    await waitFor(aki, 86_400);
    await pass(0);
    await enter(chi);
    await pass(MINUTE);
    expect(await summaries(ben)).toEqual(['Lunch: Chi joined']);
    await enter(dan);
    await pass(1);
    await waitFor(aki, 10);
    await pass(2 * HOUR);
    expect((await summaries(aki)).at(-1)).toBe('Lunch: Dan and Chi joined');
    expect(await summaries(ben)).toEqual(['Lunch: Chi joined', 'Lunch: Dan joined']);
  });
});

/** Changes of the room that no one entered by, as its log and its counter have them. */
async function addChanges(dynamo: Dynamo, room: string, count: number): Promise<void> {
  const changes = Array.from({ length: count }, () => ({ entry: { type: 'room' as const, version: 1 } }));
  await createRoomLog({ dynamo, now: Date.now }).append(room, changes);
}

describe('what is left out', () => {
  test('it is off by default, and before it is switched on', async () => {
    const { ben, chi, room, enter, pass, switchOn, summaries, listeners, openTimers } = await openScenario();
    const tea = await room('Tea', ben);
    await pass(0);
    expect(await listeners(tea)).toEqual({ waits: [], count: undefined });
    await enter(chi, tea);
    await pass(0);
    expect((await openTimers()).filter(({ owner }) => owner.includes(tea))).toEqual([]);
    await switchOn(ben);
    await pass(2 * HOUR);
    expect(await summaries(ben)).toEqual([]);
    expect(await listeners(tea)).toEqual({ waits: [3_600], count: 1 });
  });

  test('users who left again, were added by the person or are blocked, and the person', async () => {
    const { aki, ben, chi, dan, enter, leave, pass, services, summaries, lunch, setRole, switchOn } =
      await openScenario();
    await enter(ben);
    await pass(0);
    await leave(ben);
    await services.rooms.add({ by: aki.id, room: lunch, user: chi.id });
    await services.blocks.block(aki.id, dan.id);
    await enter(dan);
    await pass(HOUR + 1);
    expect(await summaries(aki)).toEqual([]);
    await setRole(chi, 'MODERATOR');
    await switchOn(chi);
    await pass(0);
    await leave(chi);
    await pass(HOUR + 1);
    expect(await summaries(chi)).toEqual([]);
  });

  test('changes of roles and handles are not joins', async () => {
    const { aki, ben, enter, setRole, pass, summaries, openTimers } = await openScenario();
    await enter(ben);
    await pass(2 * HOUR);
    await setRole(ben, 'MODERATOR');
    await setRole(ben, 'MEMBER');
    await pass(0);
    expect(await openTimers()).toEqual([]);
    expect(await summaries(aki)).toHaveLength(1);
  });

  test.each(['MENTIONS', 'NOTHING', 'muted'] as const)('a room that is %s', async (how) => {
    const { aki, ben, chi, enter, pass, settings, services, summaries, lunch } = await openScenario();
    const leaveOut = () =>
      how === 'muted'
        ? services.readPositions.mute(aki.id, lunch, true)
        : settings.setRoom(aki.id, lunch, how);
    await enter(ben);
    await pass(30 * MINUTE);
    await leaveOut();
    await pass(HOUR);
    expect(await summaries(aki)).toEqual([]);
    await enter(chi);
    await pass(2 * HOUR);
    expect(await summaries(aki)).toEqual([]);
  });

  test('switched off while it waits, and switched on again', async () => {
    const { aki, ben, chi, enter, pass, switchOn, summaries, listeners } = await openScenario();
    await enter(ben);
    await pass(MINUTE);
    await switchOn(aki, null);
    await pass(2 * HOUR);
    expect(await listeners()).toEqual({ waits: [], count: 0 });
    expect(await summaries(aki)).toEqual([]);
    await switchOn(aki);
    await pass(0);
    await enter(chi);
    await pass(HOUR + 1);
    expect(await summaries(aki)).toEqual(['Lunch: Chi joined']);
  });

  test('what happened more than a day ago', async () => {
    const { aki, ben, chi, enter, stall, pass, summaries } = await openScenario();
    await enter(ben);
    stall(25 * 3_600);
    await pass(2 * HOUR);
    expect(await summaries(aki)).toEqual([]);
    await enter(chi);
    await pass(HOUR + 1);
    expect(await summaries(aki)).toEqual(['Lunch: Chi joined']);
  });

  test('a direct room', async () => {
    const { aki, ben, pass, services, listeners } = await openScenario();
    const { id } = await services.rooms.openDirect(aki.id, [ben.id]);
    await pass(0);
    expect(await listeners(id)).toEqual({ waits: [], count: undefined });
  });
});

describe('roles', () => {
  test('it begins with the role, and ends with it, also while something waits', async () => {
    const { ben, chi, dan, enter, setRole, switchOn, pass, summaries, listeners, room } =
      await openScenario();
    await switchOn(ben);
    await enter(ben);
    await pass(0);
    expect(await listeners()).toEqual({ waits: [3_600], count: 1 });
    await setRole(ben, 'MODERATOR');
    await pass(0);
    expect(await listeners()).toEqual({ waits: [3_600, 3_600], count: 2 });
    await enter(chi);
    await pass(HOUR + 1);
    expect(await summaries(ben)).toEqual(['Lunch: Chi joined']);
    await enter(dan);
    await pass(0);
    await setRole(ben, 'MEMBER');
    await pass(2 * HOUR);
    expect(await summaries(ben)).toHaveLength(1);
    expect(await listeners()).toEqual({ waits: [3_600], count: 1 });
    // The creator of a room is its owner.
    expect(await listeners(await room('Tea', ben))).toEqual({ waits: [], count: undefined });
    await pass(0);
  });

  test('a room that they create is listened to, and left with the membership', async () => {
    const { aki, ben, enter, leave, pass, room, setRole, listeners, lunch } = await openScenario();
    const tea = await room('Tea', aki);
    await pass(0);
    expect(await listeners(tea)).toEqual({ waits: [3_600], count: 1 });
    await enter(ben);
    await setRole(ben, 'OWNER');
    await leave(aki);
    await pass(0);
    expect(await listeners(lunch)).toEqual({ waits: [], count: 0 });
  });

  test('between the decision and the attempt', async () => {
    const { ben, chi, enter, setRole, switchOn, pass, deliveriesOf, describe: words } = await openScenario();
    await enter(ben);
    await setRole(ben, 'MODERATOR');
    await switchOn(ben);
    await pass(0);
    await enter(chi);
    await pass(HOUR + 1);
    const [delivery] = await deliveriesOf(ben);
    await setRole(ben, 'MEMBER');
    expect(delivery && (await words(delivery))).toEqual({ words: null, reason: 'NOT_ENTITLED' });
  });
});

test('a changed wait applies to what waits, beside the choice of all messages', async () => {
  const { aki, ben, enter, pass, settings, waitFor, summaries, listeners, dynamo, lunch } =
    await openScenario();
  await settings.setRoom(aki.id, lunch, 'ALL');
  await waitFor(aki, 86_400);
  await pass(0);
  await enter(ben);
  await pass(2 * HOUR);
  await waitFor(aki, 10);
  await pass(2);
  expect(await summaries(aki)).toEqual(['Lunch: Ben joined']);
  expect(await listeners()).toEqual({ waits: [10], count: 1 });
  const membership = await dynamo.get(keys.membership(aki.id, lunch));
  expect(membership?.listens).toEqual({ MESSAGE: 600, JOIN: 10 });
  await settings.setRoom(aki.id, lunch, null);
  expect((await dynamo.get(keys.membership(aki.id, lunch)))?.listens).toEqual({ JOIN: 10 });
  expect(await dynamo.get(keys.counter(lunch))).toMatchObject({ listeners: 0, joinListeners: 1 });
});

test('the number of listeners is counted again', async () => {
  const { dynamo, lunch } = await openScenario();
  const counter = counters.find(({ name }) => name === 'listeners');
  const item = (await dynamo.get(keys.counter(lunch))) as never;
  expect(counter?.stored({ type: 'counter', room: lunch } as never, item)).toMatchObject({
    counts: { listeners: 0, joinListeners: 1 },
  });
  const [listener] = await itemsIn(dynamo, ranges.listeners(lunch, 'JOIN'));
  const key = { type: 'listener', room: lunch, kind: 'JOIN', wait: 3_600, user: 'x' } as never;
  expect(counter?.contributions(key, listener as never)).toEqual([
    { in: keys.counter(lunch), name: 'joinListeners' },
  ]);
  const fixed = counter?.fix?.(item, { listeners: 3, joinListeners: 5 });
  await dynamo.transact([{ key: keys.counter(lunch), ...(fixed as { update: string }) }]);
  expect(await dynamo.get(keys.counter(lunch))).toMatchObject({ listeners: 3, joinListeners: 5 });
});

test('records that are read again, and timers that run twice, deliver nothing again', async () => {
  const { aki, ben, lunch, enter, pass, dispatcher, dynamo, roomNews, openTimers, stall, summaries } =
    await openScenario();
  await enter(ben);
  await pass(1);
  const [timer] = await openTimers();
  stall(HOUR);
  await Promise.all([roomNews.timerKind.handle(timer as never), roomNews.timerKind.handle(timer as never)]);
  await pass(1);
  await roomNews.timerKind.handle(timer as never);
  const { newestJoin: _join, ...item } = (await dynamo.get(keys.counter(lunch))) as Record<string, unknown>;
  await dispatcher.dispatch([
    {
      stream: 's',
      sequence: '1',
      kind: 'MODIFY',
      expired: false,
      key: { type: 'counter', room: lunch },
      old: { ...item, changeCount: 0 },
      new: { ...item, newestJoin: _join },
    } as never,
  ]);
  await pass(24 * HOUR);
  expect(await summaries(aki)).toHaveLength(1);
});

// DynamoDB Local charges a transaction as one of its writes.
test.skipIf(onDynamoDbLocal)('a room without listeners costs nothing more', async () => {
  const costs: Cost[] = [];
  const system = await openScenario({ onCost: (cost) => costs.push(cost) });
  const { ben, chi, dan, room, enter, pass, lunch } = system;
  const quiet = await room('Quiet', ben);
  await pass(0);
  const measure = meterOf(costs, system);
  const spent = (person: Person, inRoom: string, isRevised = false) =>
    measure(inRoom, () => enter(person, inRoom), { isRevised });
  expect(await spent(chi, quiet)).toEqual(NOTHING_SPENT);
  // The timer is open already, and the process knows it, unless a listener has changed.
  expect(await spent(chi, lunch, true)).toEqual({ requests: 2, read: 2, write: 0 });
  expect(await spent(dan, lunch)).toEqual(NOTHING_SPENT);
});
