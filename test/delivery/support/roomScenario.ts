/** A room with Aki, Ben and Chi, of which Ben chose all messages. */
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys, ranges } from '../../../src/dynamo/keys.ts';
import { type Membership, memberItem, membershipItem, type RoomDelivery } from '../../../src/rooms/room.ts';
import { onDynamoDbLocal } from '../../support/database/dynamo.ts';
import { itemsIn } from '../../support/database/table.ts';
import { type DeliverySystemOptions, openDeliverySystem, type Person } from './deliverySystem.ts';

export const MINUTE = 60;

export async function openRoomScenario(options: DeliverySystemOptions = {}) {
  const system = await openDeliverySystem(options);
  const { services, settings, dynamo } = system;
  const [aki, ben, chi] = (await Promise.all(['Aki', 'Ben', 'Chi'].map((name) => system.create(name)))) as [
    Person,
    Person,
    Person,
  ];
  const lunch = await system.room('Lunch', aki, ben, chi);
  const choose = (person: Person, delivery: RoomDelivery | null = 'ALL', room = lunch) =>
    settings.setRoom(person.id, room, delivery);
  await choose(ben);
  await system.pass(0);
  return {
    ...system,
    aki,
    ben,
    chi,
    lunch,
    choose,
    say: (author: Person, body = 'Hello.', room = lunch) =>
      services.messages.send({ author: author.id, room, body }),
    read: (person: Person, room = lunch) => services.readPositions.markRead(person.id, room),
    waitFor: (person: Person, delaySeconds: number | null) =>
      settings.change(person.id, { kinds: new Map([['MESSAGE', { delaySeconds }]]) }),
    /** The sort keys of those who listen, and their number as the room's counter has it. */
    async listeners(room = lunch) {
      const items = await itemsIn(dynamo, ranges.listeners(room, 'MESSAGE'));
      const counter = await dynamo.get(keys.counter(room));
      return { waits: items.map(({ sk }) => String(sk).split('#')[2]), count: counter?.listeners };
    },
  };
}

/** Every hundredth has a browser. */
export const isReached = (i: number): boolean => i % 100 === 0;

/** Members with items alone: they were never signed in. */
export async function addListeners(dynamo: Dynamo, room: string, count: number) {
  const people = Array.from({ length: count }, (_, i) => ({ id: `p${i}`, handle: `p${i}` }));
  const items = people.flatMap(({ id: user }, i) => {
    const joinedAt = '1700000000000000';
    const membership: Membership = {
      ...({ user, room, role: 'MEMBER', joinedAt, muted: false, delivery: 'ALL', readPosition: 0 } as const),
      listens: { MESSAGE: 600 },
      pendingReadRoot: null,
      lastReadTs: joinedAt,
      version: 2 ** 32,
    };
    return [
      membershipItem(membership),
      memberItem(membership, { id: user, handle: null, handleRev: 1, joinCount: 1 } as never),
      { ...keys.listener(room, 'MESSAGE', 600, user), v: 1, from: 0, join: 1 },
      ...(isReached(i)
        ? [
            { ...keys.badge(user), v: 1, reachable: true, rev: 0, total: 0, epoch: 0 },
            { ...keys.user(user), v: 1, rev: 0, name: user, joins: 1, rooms: 1 },
          ]
        : []),
    ];
  });
  await bulkWrite({ dynamo, items: items as never, by: onDynamoDbLocal ? 'batches' : 'transactions' });
  return people;
}

/** The same without a listener. */
export async function addMembers(dynamo: Dynamo, room: string, count: number): Promise<void> {
  await addListeners(dynamo, room, count);
  for (const { pk, sk } of await itemsIn(dynamo, ranges.listeners(room, 'MESSAGE'))) {
    await dynamo.remove({ pk: String(pk), sk: String(sk) });
  }
}
