import { expect, test } from 'vitest';
import { reachableWrite } from '../../src/delivery/delivery.ts';
import type { Cost } from '../../src/dynamo/metering.ts';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { openDeliverySystem } from './support/deliverySystem.ts';

/** A like of Aki's message, and what the consumer spends on it and on everything that follows from it. */
async function costsOfLikes(options: { readonly everyone: boolean; readonly reachable?: boolean }) {
  const costs: Cost[] = [];
  const system = await openDeliverySystem({ everyone: options.everyone, onCost: (cost) => costs.push(cost) });
  const { services, create, consume, dynamo } = system;
  const aki = await create('Aki');
  if (options.reachable === true) await dynamo.transact([reachableWrite(aki.id, true)]);
  const likers = [await create('Ben'), await create('Chi'), await create('Dan')];
  const room = await system.room('Lunch', aki, ...likers);
  const message = await services.messages.send({ author: aki.id, room, body: 'Hello.' });
  await consume();
  const spent: Array<{ requests: number; read: number; write: number }> = [];
  for (const { id } of likers) {
    await services.likes.add(id, message);
    costs.splice(0);
    await consume();
    const sum = (of: (cost: Cost) => number) => costs.reduce((total, cost) => total + of(cost), 0);
    const [read, write] = [sum(({ readUnits }) => readUnits), sum(({ writeUnits }) => writeUnits)];
    spent.push({ requests: costs.length, read, write });
  }
  return spent;
}

// DynamoDB Local charges a transaction as one of its writes, and nothing for items that do not exist.
test.skipIf(onDynamoDbLocal)(
  'a like of a message by someone who cannot be reached costs no more than without deliveries',
  async () => {
    const [unreachable, reachable, byWebhook] = await Promise.all([
      costsOfLikes({ everyone: false }),
      costsOfLikes({ everyone: false, reachable: true }),
      costsOfLikes({ everyone: true }),
    ]);
    const difference = reachable.map(({ requests, read, write }, i) => ({
      requests: requests - (unreachable[i]?.requests ?? 0),
      read: read - (unreachable[i]?.read ?? 0),
      write: write - (unreachable[i]?.write ?? 0),
    }));
    // The gathering is read each time. Once the settings are read, and it is written with its timer in a transaction.
    expect(difference).toEqual([
      { requests: 3, read: 2, write: 4 },
      { requests: 1, read: 1, write: 0 },
      { requests: 1, read: 1, write: 0 },
    ]);
    expect(byWebhook).toEqual(reachable);
  },
);
