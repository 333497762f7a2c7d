/** Random people do random things to a room: what each is answered, and what becomes of the room, is what the rules say. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryBus } from '../../src/bus/memory.ts';
import { createPublisher } from '../../src/bus/publisher.ts';
import { keys, parseKey, ranges } from '../../src/dynamo/keys.ts';
import { createStamps } from '../../src/dynamo/stamps.ts';
import { memberOf, seatsOf } from '../../src/rooms/room.ts';
import { createRooms } from '../../src/rooms/rooms.ts';
import { createSeating } from '../../src/rooms/seating.ts';
import { createUsers } from '../../src/users/users.ts';
import { silent } from '../stream/support.ts';
import { budget } from '../support/budget.ts';
import { openTestDynamo } from '../support/dynamo.ts';
import { recount } from '../support/recount/recount.ts';
import { seed } from '../support/seed.ts';
import { itemsIn } from '../support/table.ts';
import { newOracle, type Oracle, seat } from './model/oracle.ts';
import { beginning, PEOPLE, type Real, steps } from './model/steps.ts';

const { numRuns, timeout, within } = budget({ runs: 3, seconds: 4 });

test(`what a room does is what its rules say (seed ${seed})`, { timeout }, async () => {
  const db = await openTestDynamo({ file: true });
  const { dynamo } = db;
  const stamps = createStamps();
  const bus = createMemoryBus({ log: silent });
  const publisher = createPublisher({ bus, log: silent });
  const rooms = createRooms({ dynamo, stamps, publisher });
  const users = createUsers({ dynamo, stamps });
  const seating = createSeating({ dynamo, stamps });
  const people = await Promise.all(
    Array.from({ length: PEOPLE }, (_, i) => users.ensure({ sub: `person ${i}`, name: `${i}` })),
  );

  /** The room as the table has it, in the model's terms. */
  async function asItIs({ room }: Real) {
    const numberOf = (user: string) => people.indexOf(user);
    const members = (await itemsIn(dynamo, ranges.members(room))).map((item) => {
      const key = parseKey(item as { pk: string; sk: string });
      if (key.type !== 'member') throw new Error('This is no member.');
      return [numberOf(key.user), memberOf(room, key.user, item).role] as const;
    });
    const waiting = (await itemsIn(dynamo, ranges.places(room))).map((item) => {
      const key = parseKey(item as { pk: string; sk: string });
      if (key.type !== 'place') throw new Error('This is no place.');
      return numberOf(key.user);
    });
    const { capacity } = seatsOf((await dynamo.get(keys.seats(room))) ?? {});
    return { capacity, members: members.sort(([a], [b]) => a - b), waiting };
  }

  const asItShouldBe = ({ capacity, members, waiting }: Oracle) => ({
    capacity,
    members: [...members].sort(([a], [b]) => a - b),
    waiting,
  });

  try {
    await fc.assert(
      fc.asyncProperty(
        // Of a private one fewer rules are its own.
        fc.constantFrom(true, true, false),
        fc.constantFrom(null, 3, 3),
        steps,
        within(async (isPublic, capacity, list) => {
          const [owner = ''] = people;
          const made = { name: 'Room', topic: null, capacity };
          const visibility = isPublic ? 'PUBLIC' : 'PRIVATE';
          const { id: room } = await rooms.create(owner, { ...made, visibility });
          const real: Real = { rooms, room, people, codes: [] };
          const model = newOracle(isPublic, capacity);
          for (const step of [...beginning, ...list]) {
            expect([step.name, await step.done(real)]).toEqual([step.name, step.expected(model)]);
            // As the consumer does, told twice at once.
            await Promise.all([seating.fill(room), seating.fill(room)]);
            seat(model);
            expect([step.name, await asItIs(real)]).toEqual([step.name, asItShouldBe(model)]);
          }
        }),
      ),
      { numRuns, endOnFailure: true },
    );
    expect(await recount(dynamo)).toEqual([]);
  } finally {
    await publisher.stop();
    await bus.close();
    await db.stop();
  }
});
