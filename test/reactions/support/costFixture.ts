import type { Cost } from '../../../src/dynamo/metering.ts';
import { rawId, say } from '../../support/clients/people.ts';
import { openTestDynamo } from '../../support/database/dynamo.ts';
import { positioned } from '../../support/database/table.ts';
import { startTestApp } from '../../support/servers/app.ts';
import { createRoomWithMessage } from './room.ts';

/** The number of roots. */
export const PAGE = 50;

const sum = (units: readonly number[]) => units.reduce((total, one) => total + one, 0);

/** A room with a page of roots by Aki, of which the first has three replies by Ben, and the costs of requests to it. */
export async function startCostFixture() {
  const database = await openTestDynamo({ file: true });
  let costs: Cost[] = [];
  // Another server reads the stream, so this one reads the table only for requests.
  const app = await startTestApp({ database, role: 'api', onCost: (cost) => costs.push(cost) });
  const worker = await startTestApp({ database, role: 'worker' });
  const { aki, ben, roomId, message: first } = await createRoomWithMessage(app);
  const messages = [first];
  for (let i = 1; i < PAGE; i++) messages.push((await say(aki, roomId, `Message ${i}`)).id);
  for (let i = 0; i < 3; i++) await say(ben, roomId, `Reply ${i}`, first);
  await positioned(app.dynamo, rawId(roomId));

  return {
    app,
    worker,
    aki,
    ben,
    roomId,

    /** The id of the root with this number. */
    message(i: number): string {
      const id = messages[i];
      if (id === undefined) throw new Error(`There is no message ${i}.`);
      return id;
    },

    /** The cost of a request. The calls are sorted, because requests that run at the same time end in any order. */
    async costOf(request: () => Promise<unknown>) {
      // The costs are those on a server that knows no profile.
      await app.services.profileCache.resync();
      costs = [];
      await request();
      return {
        calls: costs.map(({ operation }) => operation).sort(),
        read: sum(costs.map(({ readUnits }) => readUnits)),
        write: sum(costs.map(({ writeUnits }) => writeUnits)),
      };
    },

    async stop(): Promise<void> {
      await Promise.all([app.stop(), worker.stop()]);
      await database.stop();
    },
  };
}

export type CostFixture = Awaited<ReturnType<typeof startCostFixture>>;
