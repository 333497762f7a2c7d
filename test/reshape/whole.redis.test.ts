/** The whole application while its table is converted, copied and switched, and while all its processes are killed. */
import { expect, onTestFinished, test } from 'vitest';
import { readTableShape } from '../../src/reshape/tableShape.ts';
import { readRoom } from '../roomEvents/support/model/view.ts';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { scaled, TEST_TIMEOUT_MS } from '../support/run/budget.ts';
import { randomFrom } from '../support/run/random.ts';
import { seed } from '../support/run/seed.ts';
import { redisAvailable } from '../support/servers/redis.ts';
import { eventually } from '../support/time/eventually.ts';
import { startCrowd } from './support/whole/crowd.ts';
import { differences } from './support/whole/differences.ts';
import { startFollower } from './support/whole/follower.ts';
import { createLeg } from './support/whole/leg.ts';
import { startWhole } from './support/whole/system.ts';

/** The processes have the product's time limits, in which DynamoDB Local, under load, does not answer. */
const isPossible = redisAvailable && !onDynamoDbLocal;
/** How many processes are killed, at least: that ends the test, however long it takes. */
const KILLS = scaled(2);
/** With more effort than usual, the servers come back to the table that they began with. */
const LEGS_MIN = Math.min(2, scaled(0.5));
/** What users do at least after the last switch: it needs what was stored before. */
const ACTS_AFTER = 60;

test.skipIf(!isPossible)(
  `whole: under load and kills the table is converted, goes to another one and back, and nothing is lost (seed ${seed})`,
  async () => {
    const random = randomFrom(seed);
    const faults: string[] = [];
    let killed = 0;
    let fail = (_: Error) => {};
    const broken = new Promise<never>((_, reject) => {
      fail = reject;
    });
    broken.catch(() => {});
    function onFault(what: string): void {
      faults.push(what);
      fail(new Error(what));
    }
    const whole = await startWhole({ random, onFault, onKill: () => killed++ });
    const { users, reader, roomId, sideId, servers, use, clientAt, clientOf } = whole;
    const followers = await Promise.all(
      servers.map((server) => startFollower({ roomId, client: () => clientAt(server, reader) })),
    );
    onTestFinished(async () => {
      for (const follower of followers) await follower.stop();
    });
    const crowd = startCrowd({
      users,
      roomId,
      sideId,
      clientOf,
      onFault,
      mentioned: reader.handle,
      random: randomFrom(seed + 1),
    });
    onTestFinished(crowd.end);
    const leg = createLeg({ whole, random, onFault, quietly: crowd.quietly });
    let legs = 0;
    for (; legs < LEGS_MIN || killed < KILLS; legs++) {
      await Promise.race([leg(), broken]);
      expect([...faults, ...use.faults]).toEqual([]);
    }
    const before = crowd.acts;
    await Promise.race([eventually(() => expect(crowd.acts).toBeGreaterThan(before + ACTS_AFTER)), broken]);
    await crowd.stop();
    expect([...faults, ...use.faults]).toEqual([]);
    expect(killed).toBeGreaterThanOrEqual(KILLS);
    expect(legs).toBeGreaterThanOrEqual(LEGS_MIN);
    const { dynamo } = use.current === whole.first.table ? whole.first : whole.second;
    expect(await readTableShape(dynamo)).not.toHaveProperty('notInUse');
    await eventually(async () => expect(await differences({ ...whole, dynamo })).toEqual([]), 500);
    const { messages } = await readRoom(await clientOf(reader), roomId);
    for (const follower of followers) {
      await eventually(() => expect(follower.messages).toEqual(messages));
      expect(follower.faults).toEqual([]);
    }
    const figures = followers.map((follower) => follower.figures);
    process.stdout.write(
      `whole: ${killed} kills, ${legs} switches, ${crowd.acts} acts, ${crowd.rests} rests, ${Object.keys(messages).length} messages, followers ${JSON.stringify(figures)}\n`,
    );
  },
  scaled(TEST_TIMEOUT_MS),
);
