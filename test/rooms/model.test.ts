/** Random operations on a room: each result, and the room after it, must equal the model's. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryBus } from '../../src/bus/memory.ts';
import { createPublisher } from '../../src/bus/publisher.ts';
import { newId } from '../../src/core/ids.ts';
import { createTimestamps } from '../../src/core/timestamps.ts';
import { keys, parseKey, ranges } from '../../src/dynamo/keys.ts';
import { createWaitlistProcessor } from '../../src/rooms/membership/waitlistProcessor.ts';
import { memberOf, seatsOf } from '../../src/rooms/room.ts';
import { createRooms } from '../../src/rooms/rooms.ts';
import { createUsers } from '../../src/users/users.ts';
import { silent } from '../stream/support/stream.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { itemsIn } from '../support/database/table.ts';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { recount } from '../verify/support/recount.ts';
import { assignFreeSeats, newOracle, type Oracle } from './support/model/oracle.ts';
import { beginning, PEOPLE, type Real, steps } from './support/model/steps.ts';

const { numRuns, timeout, within } = budget({ runs: 3, seconds: 4 });

test(`rooms: follow the model of their rules (seed ${seed})`, { timeout }, async () => {
  const db = await openTestDynamo({ file: true });
  const { dynamo } = db;
  const timestamps = createTimestamps();
  const bus = createMemoryBus({ log: silent });
  const publisher = createPublisher({ bus, log: silent });
  const rooms = createRooms({ dynamo, timestamps, publisher });
  const users = createUsers({ dynamo, timestamps });
  const processor = createWaitlistProcessor({ dynamo, timestamps });
  /** New ones for each room: how often one may add another is limited over all rooms. */
  const createPeople = () =>
    Promise.all(Array.from({ length: PEOPLE }, (_, i) => users.ensure({ sub: newId(), name: `${i}` })));

  /** The stored room in the model's terms. */
  async function actualState({ room, people }: Real) {
    const numberOf = (user: string) => people.indexOf(user);
    const members = (await itemsIn(dynamo, ranges.members(room))).map((item) => {
      const key = parseKey(item as { pk: string; sk: string });
      if (key.type !== 'member') throw new Error('Not a member item.');
      return [numberOf(key.user), memberOf(room, key.user, item).role] as const;
    });
    const waiting = (await itemsIn(dynamo, ranges.waitlist(room))).map((item) => {
      const key = parseKey(item as { pk: string; sk: string });
      if (key.type !== 'waitlistEntry') throw new Error('Not a waitlist entry.');
      return numberOf(key.user);
    });
    const { capacity } = seatsOf((await dynamo.get(keys.seats(room))) ?? {});
    return { capacity, members: members.sort(([a], [b]) => a - b), waiting };
  }

  const expectedState = ({ capacity, members, waiting }: Oracle) => ({
    capacity,
    members: [...members].sort(([a], [b]) => a - b),
    waiting,
  });

  try {
    await fc.assert(
      fc.asyncProperty(
        // Private rooms have fewer rules, so they are tested less often.
        fc.constantFrom(true, true, false),
        fc.constantFrom(null, 3, 3),
        steps,
        within(async (isPublic, capacity, list) => {
          const people = await createPeople();
          const [owner = ''] = people;
          const input = { name: 'Room', topic: null, capacity };
          const visibility = isPublic ? 'PUBLIC' : 'PRIVATE';
          const { id: room } = await rooms.create(owner, { ...input, visibility });
          const real: Real = { rooms, room, people, codes: [] };
          const model = newOracle(isPublic, capacity);
          for (const step of [...beginning, ...list]) {
            expect([step.name, await step.run(real)]).toEqual([step.name, step.expected(model)]);
            // As the stream consumer does, twice at the same time.
            await Promise.all([processor.assignFreeSeats(room), processor.assignFreeSeats(room)]);
            assignFreeSeats(model);
            expect([step.name, await actualState(real)]).toEqual([step.name, expectedState(model)]);
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
