/** How much one delivery gathers. */
import { expect, test } from 'vitest';
import { MINUTE, openRoomScenario } from './support/roomScenario.ts';

test('a decision counts what is new in it, and nothing that is not sent', async () => {
  const { aki, ben, chi, create, lunch, say, read, pass, services, reading, decisions } =
    await openRoomScenario();
  const dan = await create('Dan');
  await services.rooms.join(dan.id, lunch);
  const taken = () => decisions.splice(0).map(({ kinds, outcome, acts }) => [...kinds, outcome, acts]);
  await pass(11 * MINUTE);
  taken();

  const [first, second] = [await say(aki), await say(aki)];
  await read(ben);
  for (const { id } of [ben, chi, dan]) await services.likes.add(id, first);
  await services.likes.add(ben.id, second);
  await pass(61 * MINUTE);
  expect(taken()).toEqual([['LIKE', 'PENDING', 4]]);

  // What was sent before does not count again.
  const erin = await create('Erin');
  await services.rooms.join(erin.id, lunch);
  await services.likes.add(erin.id, first);
  await pass(61 * MINUTE);
  expect(taken()).toEqual([['LIKE', 'PENDING', 1]]);

  for (const person of [chi, chi, dan]) await say(person);
  await say(chi, `@${aki.handle} Look!`);
  await pass(11 * MINUTE);
  expect(taken()).toEqual([
    ['MENTION', 'PENDING', 1],
    ['MESSAGE', 'PENDING', 4],
  ]);

  await say(chi, `@${aki.handle} Look!`);
  await read(ben);
  await pass(1);
  await reading.markAllRead(aki.id);
  await pass(11 * MINUTE);
  expect(taken()).toEqual([['MENTION', 'READ_BEFORE', 0]]);
});
