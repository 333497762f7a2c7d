/** People who are blocked while what they did waits to be delivered. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDeliverySystem, type Person } from './support/deliverySystem.ts';
import { startPushService } from './support/pushService.ts';

const windows = {
  MENTION: { delaySeconds: 10, windowSeconds: 60 },
  REPLY: { delaySeconds: 60, windowSeconds: 600 },
  LIKE: { delaySeconds: 60, windowSeconds: 600 },
  STAMP: { delaySeconds: 60, windowSeconds: 600 },
  INVITED: { delaySeconds: 60, windowSeconds: 600 },
};
const STAMP = '👍';

async function openScenario(others = 3, options: Parameters<typeof openDeliverySystem>[0] = {}) {
  const system = await openDeliverySystem({ windows, ...options });
  const { services } = system;
  const aki = await system.create('Aki');
  const people: Person[] = [];
  for (let i = 0; i < others; i++) people.push(await system.create(`P${i}`));
  const room = await system.room('Lunch', aki, ...people);
  const say = (author: Person, body: string) => services.messages.send({ author: author.id, room, body });
  const message = await say(aki, 'Hello.');
  await system.pass(0);
  const [ben, chi, dan] = people as [Person, Person, Person];
  return {
    ...system,
    aki,
    ben,
    chi,
    dan,
    people,
    room,
    message,
    say,
    block: (one: Person) => services.blocks.block(aki.id, one.id),
    unblock: (one: Person) => services.blocks.unblock(aki.id, one.id),
    reply: (author: Person) =>
      services.messages.send({ author: author.id, room, body: 'Well.', replyTo: message }),
    like: (person: Person, one = message) => services.likes.add(person.id, one),
    mention: (author: Person) => say(author, `@${aki.handle} Look!`),
    stamp: (person: Person) => services.stamps.add(person.id, message, STAMP),
  };
}

describe('a person who is blocked while it waits', () => {
  test.each(['MENTION', 'REPLY', 'LIKE', 'STAMP', 'INVITED'] as const)(
    'alone: nothing is delivered of a %s',
    async (kind) => {
      const scenario = await openScenario();
      const { aki, ben, services, block, consume, pass, summaries } = scenario;
      if (kind === 'MENTION') await scenario.mention(ben);
      if (kind === 'REPLY') await scenario.reply(ben);
      if (kind === 'LIKE') await scenario.like(ben);
      if (kind === 'STAMP') await scenario.stamp(ben);
      if (kind === 'INVITED') {
        const { id } = await services.rooms.create(ben.id, {
          name: 'Tea',
          topic: null,
          visibility: 'PRIVATE',
          capacity: null,
        });
        await services.rooms.add({ by: ben.id, room: id, user: aki.id });
      }
      await consume();
      await block(ben);
      await pass(61);
      expect(await summaries(aki)).toEqual([`${kind}: NOTHING_LEFT`]);
    },
  );

  test('with others: they are named and counted alone', async () => {
    const { aki, ben, chi, dan, say, like, reply, block, consume, pass, summaries } = await openScenario();
    const second = await say(aki, 'And?');
    for (const one of [chi, dan, ben]) await like(one);
    await like(ben, second);
    for (const one of [chi, ben]) await reply(one);
    await consume();
    await block(ben);
    await pass(61);
    // The two are decided at the same time.
    expect((await summaries(aki)).sort()).toEqual([
      'Lunch: P1 replied in a thread',
      'Lunch: P2 and P1 liked your message',
    ]);
  });

  test('of more than a notification names: those who are left are counted', async () => {
    const { aki, people, say, like, block, consume, pass, summaries } = await openScenario(12);
    const second = await say(aki, 'And?');
    for (const one of people) await like(one);
    await consume();
    // One who is named, and one who is not.
    await block(people[11] as Person);
    await block(people[0] as Person);
    await pass(61);
    expect(await summaries(aki)).toEqual(['Lunch: P10 and 9 others liked your message']);
    for (const one of people.slice(0, 2)) await like(one, second);
    await pass(601);
    expect((await summaries(aki)).at(-1)).toBe('Lunch: P1 liked your message');
  });

  test('of more repliers than a notification names, some of whose replies were deleted', async () => {
    const { aki, people, services, reply, block, consume, pass, summaries } = await openScenario(12);
    const replies = [];
    for (const one of people) replies.push(await reply(one));
    await consume();
    await block(people[11] as Person);
    await services.messages.remove((people[10] as Person).id, replies[10] as (typeof replies)[0]);
    await pass(61);
    expect(await summaries(aki)).toEqual(['Lunch: P9 and 9 others replied in a thread']);
  });

  test('what was delivered before is not delivered again without them', async () => {
    const { aki, ben, chi, like, block, consume, pass, summaries } = await openScenario();
    await like(ben);
    await pass(61);
    await like(chi);
    await consume();
    await block(chi);
    await pass(600);
    expect(await summaries(aki)).toEqual(['Lunch: P0 liked your message', 'LIKE: NOTHING_LEFT']);
  });

  test('and unblocked again: it is delivered', async () => {
    const { aki, ben, like, block, unblock, consume, pass, summaries } = await openScenario();
    await like(ben);
    await consume();
    await block(ben);
    await unblock(ben);
    await pass(61);
    expect(await summaries(aki)).toEqual(['Lunch: P0 liked your message']);
  });
});

test('a person who is blocked between two attempts is not in the second one', async () => {
  const service = await startPushService();
  onTestFinished(() => service.stop());
  const { aki, ben, chi, like, mention, block, pass, deliveriesOf } = await openScenario(3, { service });
  service.respond(() => ({ status: 503, headers: { 'retry-after': '120' } }));
  await mention(ben);
  for (const one of [ben, chi]) await like(one);
  await pass(61);
  const before = service.pushes.length;
  expect(before).toBeGreaterThan(0);
  await block(ben);
  service.respond(() => ({ status: 201 }));
  await pass(3_600);
  expect(service.pushes.slice(before).map(({ payload }) => payload.text)).toEqual(['P1 liked your message']);
  expect((await deliveriesOf(aki)).map(({ kinds, outcome }) => [...kinds, outcome])).toEqual([
    ['MENTION', 'NOTHING_LEFT'],
    ['LIKE', 'SENT'],
  ]);
});
