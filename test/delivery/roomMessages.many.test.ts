/**
 * Rooms with many members and listeners: all of them are delivered to, and a message costs what it costs in a small
 * room.
 */
import pLimit from 'p-limit';
import { expect, test } from 'vitest';
import { reachableWrite } from '../../src/delivery/delivery.ts';
import { keys } from '../../src/dynamo/keys.ts';
import type { Cost } from '../../src/dynamo/metering.ts';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { addListeners, addMembers, isReached, MINUTE, openRoomScenario } from './support/roomScenario.ts';
import { meterOf, NOTHING_SPENT } from './support/spent.ts';

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

test('someone who shortens their wait between two runs, and comes before those who were looked at', async () => {
  const { aki, lunch, say, pass, stall, consume, waitFor, openTimers, roomNews, dynamo, deliveriesOf } =
    await openRoomScenario({ everyone: false });
  const people = await addListeners(dynamo, lunch, 1_001);
  const [first] = people;
  if (first === undefined) throw new Error('There are no listeners.');
  await waitFor(first, 86_400);
  await pass(0);
  await say(aki);
  await pass(1);
  const [timer] = await openTimers();
  stall(10 * MINUTE);
  await roomNews.timerKind.handle(timer as never);
  await waitFor(first, 10 * MINUTE);
  await consume();
  await pass(5);
  expect(await deliveriesOf(first)).toHaveLength(1);
  await pass(2 * 86_400);
  const reached = people.filter((_, i) => isReached(i));
  const told = await Promise.all(reached.map(deliveriesOf));
  expect(told.map((all) => all.length)).toEqual(reached.map(() => 1));
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
  const system = await openRoomScenario({ onCost: (cost) => costs.push(cost) });
  const { aki, lunch, room, say, pass, dynamo } = system;
  const quiet = await room('Quiet', aki);
  await pass(0);
  const measure = meterOf(costs, system);
  const spent = (inRoom: string, isRevised = false) =>
    measure(inRoom, () => say(aki, 'Hello.', inRoom), { isRevised });
  const open = { requests: 2, read: 2, write: 0 };
  expect(await spent(quiet)).toEqual(NOTHING_SPENT);
  expect(await spent(lunch, true)).toEqual(open);
  for (const members of [30, 1_000]) {
    await addMembers(dynamo, quiet, members);
    await addListeners(dynamo, lunch, members);
    expect(await spent(quiet)).toEqual(NOTHING_SPENT);
    expect(await spent(lunch, true)).toEqual(open);
    // Known to be open, until a listener changes.
    expect(await spent(lunch)).toEqual(NOTHING_SPENT);
  }
});
