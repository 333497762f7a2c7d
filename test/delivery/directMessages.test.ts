import { describe, expect, test } from 'vitest';
import { reachableWrite } from '../../src/delivery/delivery.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import type { Cost } from '../../src/dynamo/metering.ts';
import type { RoomDelivery } from '../../src/rooms/room.ts';
import { beforeTransactions } from '../support/database/beforeTransactions.ts';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { type DeliverySystemOptions, openDeliverySystem, type Person } from './support/deliverySystem.ts';
import { meterOf, NOTHING_SPENT } from './support/spent.ts';

/** What someone chose about the room. */
type Choice = { readonly muted?: boolean; readonly delivery?: RoomDelivery };

async function openScenario(options: DeliverySystemOptions = {}) {
  const system = await openDeliverySystem(options);
  const [aki, ben, chi] = (await Promise.all(['Aki', 'Ben', 'Chi'].map((name) => system.create(name)))) as [
    Person,
    Person,
    Person,
  ];
  const { services } = system;
  const lunch = await system.room('Lunch', aki, ben, chi);
  const open = async (opener: Person, ...others: readonly Person[]): Promise<string> =>
    (
      await services.rooms.openDirect(
        opener.id,
        others.map(({ id }) => id),
      )
    ).id;
  const direct = await open(aki, ben);
  await system.pass(0);
  return {
    ...system,
    aki,
    ben,
    chi,
    lunch,
    direct,
    open,
    say: (author: Person, body = 'Hello.', room = direct) =>
      services.messages.send({ author: author.id, room, body }),
    read: (person: Person, room = direct) => services.readPositions.markRead(person.id, room),
    told: (person: Person, language?: 'ja') => system.summaries(person, language),
  };
}

test('a direct room that is opened is delivered by its first message alone, and not at all without one', async () => {
  const { aki, ben, chi, open, say, pass, told, deliveriesOf } = await openScenario();
  const silent = await open(chi, ben);
  await pass(1_200);
  expect(await deliveriesOf(ben)).toEqual([]);
  await say(chi, 'Hi.', silent);
  await pass(1_200);
  expect(await told(ben)).toHaveLength(1);
  expect((await deliveriesOf(ben)).map(({ kinds }) => kinds)).toEqual([['DIRECT_MESSAGE']]);
  expect(await deliveriesOf(aki)).toEqual([]);
});

test('a direct room that is opened sets no timer. A private room that someone is added to does', async () => {
  const { ben, chi, open, pass, services, openTimers } = await openScenario();
  await open(chi, ben);
  await pass(0);
  expect(await openTimers()).toEqual([]);
  const made = { name: 'Surprise', topic: null, visibility: 'PRIVATE', capacity: null } as const;
  const { id: room } = await services.rooms.create(chi.id, made);
  await services.rooms.add({ by: chi.id, room, user: ben.id });
  await pass(0);
  expect((await openTimers()).map(({ about }) => about)).toMatchObject([
    { user: ben.id, kind: 'INVITED', room },
  ]);
});

describe('windows', () => {
  test('messages are one delivery after ten seconds, then one each minute', async () => {
    const { aki, ben, say, pass, told } = await openScenario();
    await say(aki);
    await say(aki, 'And?');
    await pass(9);
    expect(await told(ben)).toEqual([]);
    await pass(2);
    expect(await told(ben)).toEqual(['Aki: Aki wrote to you']);
    expect(await told(ben, 'ja')).toEqual(['Aki: Akiさんからメッセージがあります']);
    await say(aki, 'Are you there?');
    await pass(58);
    expect(await told(ben)).toHaveLength(1);
    await pass(2);
    expect(await told(ben)).toEqual(['Aki: Aki wrote to you', 'Aki: Aki wrote to you']);
    await pass(3_600);
    expect(await told(ben)).toHaveLength(2);
    expect(await told(aki)).toEqual([]);
  });

  test('a conversation is two deliveries, one for each person', async () => {
    const { aki, ben, say, pass, told } = await openScenario();
    await say(aki);
    await pass(11);
    await say(ben);
    await pass(11);
    expect(await told(aki)).toEqual(['Ben: Ben wrote to you']);
    // By writing, Ben has read what came before.
    expect(await told(ben)).toEqual(['DIRECT_MESSAGE: PENDING']);
  });

  test('words count distinct people, of what was not sent before', async () => {
    const { aki, ben, chi, lunch, create, services, open, say, pass, told } = await openScenario();
    const dan = await create('Dan');
    await services.rooms.join(dan.id, lunch);
    const group = await open(aki, ben, chi, dan);
    await say(aki, 'One', group);
    await pass(11);
    for (const person of [ben, chi, ben]) await say(person, 'Two', group);
    await pass(61);
    await say(aki, 'Three', group);
    await say(ben, 'Four', group);
    await say(chi, 'Five', group);
    await pass(61);
    const name = 'Aki, Ben, Chi';
    expect(await told(dan)).toEqual([
      `${name}: Aki wrote to you`,
      `${name}: Ben and Chi wrote to you`,
      `${name}: Chi and 2 others wrote to you`,
    ]);
  });
});

describe('checks when it is due', () => {
  test('what was read or deleted is not sent', async () => {
    const { aki, ben, chi, open, say, read, pass, consume, services, told } = await openScenario();
    await say(aki);
    await consume();
    await read(ben);
    const other = await open(aki, chi);
    const message = await say(aki, 'Oh', other);
    await consume();
    await services.messages.remove(aki.id, message);
    await pass(601);
    expect(await told(ben)).toEqual(['DIRECT_MESSAGE: READ_BEFORE']);
    expect(await told(chi)).toEqual([]);
  });

  test('a reading while it is sent is seen by the attempt', async () => {
    const { aki, ben, say, read, pass, deliveriesOf, describe } = await openScenario();
    await say(aki);
    await pass(11);
    const delivery = (await deliveriesOf(ben)).at(-1);
    expect(delivery?.outcome).toBe('PENDING');
    await read(ben);
    expect(delivery && (await describe(delivery))).toEqual({ words: null, reason: 'READ_BEFORE' });
  });

  test.each([
    ['muted the room', { muted: true }, []],
    ['muted it, and wants everything', { muted: true, delivery: 'ALL' }, ['Aki: Aki wrote to you']],
    ['wants mentions only', { delivery: 'MENTIONS' }, []],
    ['wants nothing', { delivery: 'NOTHING' }, []],
    ['wants everything', { delivery: 'ALL' }, ['Aki: Aki wrote to you']],
  ] as ReadonlyArray<[string, Choice, string[]]>)(
    'someone who %s',
    async (_name, { muted = false, delivery }, expected) => {
      const { aki, ben, direct, say, pass, services, settings, told } = await openScenario();
      if (muted) await services.readPositions.mute(ben.id, direct, true);
      if (delivery !== undefined) await settings.setRoom(ben.id, direct, delivery);
      await say(aki);
      await pass(11);
      expect(await told(ben)).toEqual(expected);
    },
  );

  test('muted, left and switched off after it was gathered', async () => {
    const { aki, ben, chi, open, direct, say, pass, consume, services, settings, told } =
      await openScenario();
    const [two, three] = [await open(aki, chi), await open(ben, chi)];
    await say(aki);
    await say(aki, 'Hello.', two);
    await say(chi, 'Hello.', three);
    await consume();
    await services.readPositions.mute(ben.id, direct, true);
    await services.rooms.leave(chi.id, two);
    await pass(601);
    expect(await told(ben)).toContain('DIRECT_MESSAGE: MUTED');
    expect(await told(chi)).toContain('DIRECT_MESSAGE: NOT_ENTITLED');
    await say(chi, 'Again', three);
    await consume();
    await settings.change(ben.id, { kinds: new Map([['DIRECT_MESSAGE', { mode: 'OFF' }]]) });
    await pass(61);
    expect((await told(ben)).at(-1)).toBe('DIRECT_MESSAGE: SWITCHED_OFF');
  });

  test('a mention is delivered as one, not as a message too', async () => {
    const { aki, ben, say, pass, told } = await openScenario();
    await say(aki, `@${ben.handle} Look!`);
    await pass(120);
    expect(await told(ben)).toEqual(['Aki: Aki mentioned you']);
  });

  test.each([
    ['WEB_PUSH', [], ['Aki: Aki wrote to you']],
    ['WEB_PUSH', ['EMAIL'], ['Aki: Aki wrote to you']],
    ['EMAIL', ['EMAIL'], ['NOTHING_LEFT']],
  ] as const)(
    'by %s, a message with a mention is delivered if mentions are not: %s',
    async (channel, channels, expected) => {
      const { aki, ben, say, settings, pass, deliveriesOf, describe: words } = await openScenario();
      await settings.change(ben.id, { kinds: new Map([['MENTION', { channels }]]) });
      await say(aki, `@${ben.handle} Look!`);
      await pass(120);
      const all = (await deliveriesOf(ben)).filter(({ kinds }) => kinds.includes('DIRECT_MESSAGE'));
      const described = await Promise.all(all.map((one) => words(one, { channel })));
      expect(
        described.map((one) => (one.words === null ? one.reason : `${one.words.title}: ${one.words.text}`)),
      ).toEqual(expected);
    },
  );

  test('nothing is delivered of blocked people, also if they were blocked meanwhile', async () => {
    const { aki, ben, say, pass, consume, services, told, openTimers } = await openScenario();
    await say(aki);
    await consume();
    await services.blocks.block(ben.id, aki.id);
    await pass(120);
    expect(await told(ben)).toEqual([]);
    const before = (await openTimers()).length;
    await say(aki);
    await consume();
    expect(await openTimers()).toHaveLength(before);
  });

  test.each(['are deleted', 'are by someone who is blocked'] as const)(
    'a message before many that %s',
    async (they) => {
      const { aki, ben, chi, open, say, pass, services, told } = await openScenario();
      const group = await open(aki, ben, chi);
      await pass(601);
      if (they === 'are by someone who is blocked') await services.blocks.block(ben.id, chi.id);
      await say(aki, 'Hello.', group);
      for (let i = 0; i < 61; i++) {
        const message = await say(chi, 'Hello.', group);
        if (they === 'are deleted') await services.messages.remove(chi.id, message);
      }
      await pass(601);
      expect(await told(ben)).toEqual(['Aki, Chi: Aki wrote to you']);
    },
  );

  test('what happened more than a day ago is not gathered', async () => {
    const { aki, ben, say, stall, pass, told } = await openScenario();
    await say(aki);
    stall(25 * 3600);
    await pass(3_600);
    expect(await told(ben)).toEqual([]);
    await say(aki);
    await pass(11);
    expect(await told(ben)).toEqual(['Aki: Aki wrote to you']);
  });
});

describe('strangers', () => {
  test('first messages by someone with no other room in common wait as long as INVITED', async () => {
    const { ben, create, open, say, read, pass, told } = await openScenario();
    const eve = await create('Eve');
    const room = await open(eve, ben);
    await say(eve, 'Hi', room);
    await pass(590);
    expect(await told(ben)).toEqual([]);
    await pass(20);
    expect(await told(ben)).toEqual(['Eve: Eve wrote to you']);
    await read(ben, room);
    await say(eve, 'You know me now', room);
    await pass(61);
    expect(await told(ben)).toHaveLength(2);
  });

  test('a room that the stranger added them to is not in common', async () => {
    const { ben, create, services, open, say, pass, told } = await openScenario();
    const eve = await create('Eve');
    const own = await services.rooms.create(eve.id, {
      name: 'Trap',
      topic: null,
      visibility: 'PRIVATE',
      capacity: null,
    });
    await services.rooms.add({ by: eve.id, room: own.id, user: ben.id });
    await say(eve, 'Hi', await open(eve, ben));
    await pass(60);
    expect(await told(ben)).toEqual([]);
  });
});

describe('races', () => {
  test('a message between the reads and the transaction is delivered later', async () => {
    let meanwhile: (() => Promise<void>) | undefined;
    const { aki, ben, say, pass, consume, stall, deciding, openTimers, told } = await openScenario({
      through: (dynamo: Dynamo) =>
        beforeTransactions(dynamo, () => {
          const run = meanwhile;
          meanwhile = undefined;
          return run?.();
        }),
    });
    await say(aki);
    await consume();
    stall(11);
    const [timer] = (await openTimers()).filter(({ about }) => about.kind === 'DIRECT_MESSAGE');
    meanwhile = async () => {
      await say(aki, 'One more');
      await consume();
    };
    await deciding.handle(timer as never);
    expect(meanwhile).toBeUndefined();
    expect(await told(ben)).toHaveLength(1);
    await pass(61);
    expect(await told(ben)).toHaveLength(2);
    await pass(600);
    expect(await told(ben)).toHaveLength(2);
  });

  test('records that are read again gather nothing', async () => {
    const { aki, ben, direct, say, pass, dispatcher, dynamo, told } = await openScenario();
    await say(aki);
    await pass(11);
    const item = await dynamo.get(keys.counter(direct));
    await dispatcher.dispatch([
      {
        stream: 's',
        sequence: '1',
        kind: 'MODIFY',
        expired: false,
        key: { type: 'counter', room: direct },
        old: { ...item, messageCount: 0 },
        new: item,
      } as never,
    ]);
    await pass(600);
    expect(await told(ben)).toHaveLength(1);
  });
});

test('a direct room of an earlier release is found, once', async () => {
  const { aki, ben, direct, say, pass, dynamo, told } = await openScenario();
  await dynamo.transact([{ key: keys.counter(direct), update: 'REMOVE direct' }]);
  await say(aki);
  await pass(11);
  expect(await told(ben)).toEqual(['Aki: Aki wrote to you']);
  expect(await dynamo.get(keys.counter(direct))).toMatchObject({ direct: true });
});

test('people who cannot be reached are not written about, and other rooms cost nothing', async () => {
  const costs: Cost[] = [];
  const system = await openScenario({ everyone: false, onCost: (cost) => costs.push(cost) });
  const { aki, ben, direct, room, say, consume, dynamo } = system;
  const lunch = await room('Others', aki, ben);
  await consume();
  const measure = meterOf(costs, system);
  const spent = (inRoom: string) => measure(inRoom, () => say(aki, 'Hello.', inRoom));
  expect(await spent(lunch)).toEqual(NOTHING_SPENT);
  // What the badges of both people say. DynamoDB Local charges nothing for items that do not exist.
  expect(await spent(direct)).toEqual({
    requests: 1,
    read: onDynamoDbLocal ? expect.any(Number) : 2,
    write: 0,
  });
  await dynamo.transact([reachableWrite(ben.id, true)]);
  expect((await spent(direct)).requests).toBeGreaterThan(2);
});
