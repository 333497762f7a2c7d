import { describe, expect, test } from 'vitest';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { beforeTransactions } from '../support/database/beforeTransactions.ts';
import { openDeliverySystem, type Person } from './support/deliverySystem.ts';

const windows = {
  MENTION: { delaySeconds: 10, windowSeconds: 60 },
  REPLY: { delaySeconds: 60, windowSeconds: 600 },
  LIKE: { delaySeconds: 60, windowSeconds: 600 },
};

async function openScenario(through: (dynamo: Dynamo) => Dynamo = (same) => same) {
  const system = await openDeliverySystem({ windows, through });
  const [aki, ben, chi, dan] = (await Promise.all(
    ['Aki', 'Ben', 'Chi', 'Dan'].map((name) => system.create(name)),
  )) as [Person, Person, Person, Person];
  const room = await system.room('Lunch', aki, ben, chi, dan);
  const { messages, likes } = system.services;
  const say = (author: Person, body: string) => messages.send({ author: author.id, room, body });
  const message = await say(aki, 'Hello.');
  await system.pass(0);
  return {
    ...system,
    aki,
    ben,
    chi,
    dan,
    room,
    message,
    say,
    reply: (author: Person, body = 'Well.') =>
      messages.send({ author: author.id, room, body, replyTo: message }),
    like: (person: Person, one = message) => likes.add(person.id, one),
    unlike: (person: Person, one = message) => likes.remove(person.id, one),
  };
}

describe('windows', () => {
  test('five replies by three people are one delivery, at the end of the wait', async () => {
    const { aki, ben, chi, dan, reply, pass, summaries } = await openScenario();
    for (const person of [ben, chi, ben, dan, ben]) await reply(person);
    await pass(59);
    expect(await summaries(aki)).toEqual([]);
    await pass(2);
    expect(await summaries(aki)).toEqual(['Lunch: Ben and 2 others replied in a thread']);
    expect(await summaries(aki, 'ja')).toEqual(['Lunch: Benさんと他2人がスレッドに返信しました']);
  });

  test('the next delivery is one window later, and only if something happened', async () => {
    const { aki, ben, chi, like, pass, summaries } = await openScenario();
    await like(ben);
    await pass(61);
    expect(await summaries(aki)).toEqual(['Lunch: Ben liked your message']);
    await like(chi);
    await pass(598);
    expect(await summaries(aki)).toHaveLength(1);
    await pass(2);
    expect(await summaries(aki)).toHaveLength(2);
    await pass(7 * 24 * 3600);
    expect(await summaries(aki)).toHaveLength(2);
  });

  test('likes of several messages count distinct people', async () => {
    const { aki, ben, chi, say, like, pass, summaries } = await openScenario();
    const second = await say(aki, 'And?');
    for (const person of [ben, chi]) {
      await like(person);
      await like(person, second);
    }
    await pass(61);
    expect(await summaries(aki)).toEqual(['Lunch: Chi and Ben liked 2 of your messages']);
  });
});

describe('checks when it is due', () => {
  test('what was read is not sent', async () => {
    const { aki, ben, like, pass, consume, reading, summaries } = await openScenario();
    await like(ben);
    await consume();
    await reading.markAllRead(aki.id);
    await pass(61);
    expect(await summaries(aki)).toEqual(['LIKE: READ_BEFORE']);
  });

  test('a mention is read with its root', async () => {
    const { aki, ben, say, pass, consume, services, room, summaries } = await openScenario();
    await say(ben, `@${aki.handle} Look!`);
    await consume();
    await services.readPositions.markRead(aki.id, room);
    await pass(11);
    expect(await summaries(aki)).toEqual(['MENTION: READ_BEFORE']);
  });

  test('what was taken back or deleted is not sent', async () => {
    const { aki, ben, say, like, unlike, pass, consume, services, summaries } = await openScenario();
    await like(ben);
    const mention = await say(ben, `@${aki.handle} Look!`);
    await consume();
    await unlike(ben);
    await services.messages.remove(ben.id, mention);
    await pass(61);
    expect(await summaries(aki)).toEqual(['MENTION: NOTHING_LEFT', 'LIKE: NOTHING_LEFT']);
  });

  test('replies that were deleted are not sent, and those that are left are', async () => {
    const { aki, ben, chi, reply, pass, consume, services, message, summaries } = await openScenario();
    await reply(ben);
    const second = await reply(ben);
    await consume();
    await services.messages.remove(ben.id, second);
    await pass(61);
    // His first one is still there.
    expect(await summaries(aki)).toEqual(['Lunch: Ben replied in a thread']);
    await pass(600);
    const third = await reply(ben);
    await reply(chi);
    await consume();
    await services.messages.remove(ben.id, third);
    await services.messages.remove(aki.id, message);
    await pass(61);
    // The root's deletion changes nothing.
    expect((await summaries(aki)).at(-1)).toBe('Lunch: Chi and Ben replied in a thread');
  });

  test('only deleted replies are left, by several people: nothing is sent', async () => {
    const { aki, ben, chi, reply, pass, consume, services, summaries } = await openScenario();
    const all = [
      [ben, await reply(ben)],
      [chi, await reply(chi)],
    ] as const;
    await consume();
    for (const [author, one] of all) await services.messages.remove(author.id, one);
    await pass(61);
    expect(await summaries(aki)).toEqual(['REPLY: NOTHING_LEFT']);
  });

  test('one of two people has deleted what they wrote: the other one is named', async () => {
    const { aki, ben, chi, reply, pass, consume, services, summaries } = await openScenario();
    await reply(ben);
    const gone = await reply(chi);
    await consume();
    await services.messages.remove(chi.id, gone);
    await pass(61);
    expect(await summaries(aki)).toEqual(['Lunch: Ben replied in a thread']);
  });

  test('what was sent before is not sent again because of what was taken back since', async () => {
    const { aki, ben, chi, like, unlike, reply, pass, consume, services, summaries } = await openScenario();
    await like(ben);
    await reply(ben);
    await pass(61);
    await like(chi);
    const gone = await reply(chi);
    await consume();
    await unlike(chi);
    await services.messages.remove(chi.id, gone);
    await pass(601);
    expect((await summaries(aki)).sort()).toEqual([
      'LIKE: NOTHING_LEFT',
      'Lunch: Ben liked your message',
      'Lunch: Ben replied in a thread',
      'REPLY: NOTHING_LEFT',
    ]);
  });

  test('a deleted message is not sent, even if the stream is late', async () => {
    const { aki, ben, say, consume, services, stall, deciding, openTimers, summaries } = await openScenario();
    const mention = await say(ben, `@${aki.handle} Look!`);
    await consume();
    await services.messages.remove(ben.id, mention);
    stall(11);
    const [timer] = await openTimers();
    await deciding.handle(timer as never);
    expect(await summaries(aki)).toEqual(['MENTION: NOTHING_LEFT']);
  });

  test('people who left or muted the room get nothing', async () => {
    const { aki, ben, chi, dan, say, pass, consume, services, room, summaries } = await openScenario();
    await say(ben, `@${chi.handle} @${dan.handle} Look!`);
    await consume();
    await services.rooms.leave(chi.id, room);
    await services.readPositions.mute(dan.id, room, true);
    await pass(11);
    expect(await summaries(chi)).toEqual(['MENTION: NOT_ENTITLED']);
    expect(await summaries(dan)).toEqual(['MENTION: MUTED']);
    expect(await summaries(aki)).toEqual([]);
  });

  test('nothing is said about what happened more than a day ago', async () => {
    const { aki, ben, like, pass, consume, stall, openTimers, summaries } = await openScenario();
    await like(ben);
    stall(25 * 3600);
    await consume();
    expect(await openTimers()).toEqual([]);
    await pass(10);
    expect(await summaries(aki)).toEqual([]);
  });

  test('an outage of more than a day after it was gathered', async () => {
    const { aki, ben, like, pass, consume, stall, summaries } = await openScenario();
    await like(ben);
    await consume();
    stall(25 * 3600);
    await pass(0);
    expect(await summaries(aki)).toEqual(['LIKE: STALE']);
  });

  test('no one is notified of what they did themselves', async () => {
    const { aki, like, reply, pass, summaries } = await openScenario();
    await like(aki);
    await reply(aki);
    await pass(700);
    expect(await summaries(aki)).toEqual([]);
  });
});

describe('races', () => {
  test('a pause that is ended between the reads and the move to its end does not hold anything', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined;
    const { aki, ben, like, consume, pass, stall, deciding, openTimers, settings, now, summaries } =
      await openScenario((dynamo) =>
        beforeTransactions(dynamo, () => {
          const run = meanwhile;
          meanwhile = undefined;
          return run?.();
        }),
      );
    await settings.pause(aki.id, now() + 3_600_000, 86_400_000);
    await like(ben);
    await consume();
    stall(61);
    const [timer] = await openTimers();
    meanwhile = async () => {
      await settings.pause(aki.id, null, 86_400_000);
      await consume();
    };
    await deciding.handle(timer as never);
    expect(meanwhile).toBeUndefined();
    await pass(0);
    expect(await summaries(aki)).toEqual(['Lunch: Ben liked your message']);
  });

  test('what happens between the reads and the transaction is delivered in the next window', async () => {
    let meanwhile: (() => Promise<void>) | undefined;
    const scenario = await openScenario((dynamo) =>
      beforeTransactions(dynamo, () => {
        const run = meanwhile;
        meanwhile = undefined;
        return run?.();
      }),
    );
    const { aki, ben, chi, like, pass, consume, stall, deciding, openTimers, summaries } = scenario;
    await like(ben);
    await consume();
    stall(61);
    const [timer] = await openTimers();
    meanwhile = async () => {
      await like(chi);
      await consume();
    };
    await deciding.handle(timer as never);
    expect(meanwhile).toBeUndefined();
    expect(await summaries(aki)).toHaveLength(1);
    expect(await openTimers()).toMatchObject([{ due: expect.any(Number) }, {}]);
    await pass(601);
    expect(await summaries(aki)).toEqual(Array(2).fill('Lunch: Chi and Ben liked your message'));
  });

  test('a change whose record arrives after the decision that has read it is not news', async () => {
    const { aki, ben, chi, like, pass, consume, stall, derive, deciding, openTimers, summaries } =
      await openScenario();
    await like(ben);
    await consume();
    await like(chi);
    // The notification has changed, and the record of that is still to come.
    await derive();
    stall(61);
    const [timer] = await openTimers();
    await deciding.handle(timer as never);
    await pass(2_000);
    expect(await summaries(aki)).toEqual(['Lunch: Chi and Ben liked your message']);
  });

  test('the same timer, handled twice and again later, sends once', async () => {
    const { aki, ben, like, consume, stall, deciding, openTimers, deliveriesOf, pass } = await openScenario();
    await like(ben);
    await consume();
    stall(61);
    const [timer] = await openTimers();
    await Promise.all([deciding.handle(timer as never), deciding.handle(timer as never)]);
    await deciding.handle(timer as never);
    await pass(1_000);
    expect(await deliveriesOf(aki)).toHaveLength(1);
  });
});
