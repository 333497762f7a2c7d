/** Rooms with many members and listeners: all of them are delivered to, and a message costs what it costs in a small room. */
import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { reachableWrite } from '../../src/delivery/delivery.ts';
import type { Cost } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { addListeners, addMembers, isReached, MINUTE, openRoomScenario } from './support/roomScenario.ts';

test('more listeners than one run looks at: all of them are delivered to, once', async () => {
  const { aki, ben, lunch, say, pass, dynamo, deliveriesOf } = await openRoomScenario({ everyone: false });
  await dynamo.transact([reachableWrite(ben.id, true)]);
  const people = await addListeners(dynamo, lunch, 1_001);
  await say(aki);
  await pass(10 * MINUTE + 5);
  // A thousand queries at once take DynamoDB Local longer than the deadline of a query.
  const atOnce = pLimit(32);
  const told = await atOnce.map([ben, ...people], deliveriesOf);
  expect(told.map((all) => all.length)).toEqual(told.map((_, i) => (i === 0 || isReached(i - 1) ? 1 : 0)));
});

test('a listener whose items cannot be read does not hold up the others, nor the room', async () => {
  const { aki, ben, chi, choose, say, pass, stall, summaries, dynamo, lunch, openTimers, roomNews } =
    await openRoomScenario();
  await choose(chi);
  await pass(0);
  await say(aki);
  await pass(1);
  const unreadable = { update: 'SET about = :five', values: { ':five': 5 } };
  await dynamo.update(keys.gathering(ben.id, 'MESSAGE', lunch), unreadable);
  const [timer] = await openTimers();
  stall(10 * MINUTE);
  const handled = (failures: number) =>
    roomNews.timerKind.handle({ ...timer, failures: { count: failures, error: '' } } as never);
  await expect(handled(0)).rejects.toThrow(TypeError);
  expect(await dynamo.get(keys.gathering(chi.id, 'MESSAGE', lunch))).toMatchObject({
    about: [expect.any(String)],
  });
  await expect(handled(2)).rejects.toThrow(TypeError);
  await handled(3);
  await pass(1);
  expect(await summaries(chi)).toEqual(['Lunch: Aki posted']);
});

// DynamoDB Local charges a transaction as one of its writes.
test.skipIf(onDynamoDbLocal)('costs depend on neither members nor listeners', async () => {
  const costs: Cost[] = [];
  const { aki, lunch, room, say, consume, pass, dynamo, dispatcher } = await openRoomScenario({
    onCost: (cost) => costs.push(cost),
  });
  const quiet = await room('Quiet', aki);
  await pass(0);
  /** What the handler spends on a message. */
  async function spent(inRoom: string) {
    const old = await dynamo.get(keys.counter(inRoom));
    await say(aki, 'Hello.', inRoom);
    await consume();
    const item = await dynamo.get(keys.counter(inRoom));
    costs.splice(0);
    const change = { stream: 's', sequence: '1', kind: 'MODIFY', expired: false };
    await dispatcher.dispatch([
      { ...change, key: { type: 'counter', room: inRoom }, old, new: item } as never,
    ]);
    const sum = (of: (cost: Cost) => number) => costs.reduce((total, cost) => total + of(cost), 0);
    return [costs.length, sum(({ readUnits }) => readUnits), sum(({ writeUnits }) => writeUnits)];
  }
  const nothing = [0, 0, 0];
  const open = [2, 2, 0];
  expect(await spent(quiet)).toEqual(nothing);
  expect(await spent(lunch)).toEqual(open);
  for (const members of [30, 1_000]) {
    await addMembers(dynamo, quiet, members);
    await addListeners(dynamo, lunch, members);
    expect(await spent(quiet)).toEqual(nothing);
    expect(await spent(lunch)).toEqual(open);
  }
});
