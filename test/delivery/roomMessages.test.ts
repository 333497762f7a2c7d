import { describe, expect, test } from 'vitest';
import { counters } from '../../src/app/features.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { beforeTransactions } from '../support/database/beforeTransactions.ts';
import { MINUTE, openRoomScenario } from './support/roomScenario.ts';

describe('windows', () => {
  test('messages are one delivery after ten minutes, to those who chose all of them', async () => {
    const { aki, ben, chi, say, pass, summaries } = await openRoomScenario();
    await say(aki);
    await pass(3 * MINUTE);
    await say(chi);
    await say(aki);
    await pass(7 * MINUTE - 2);
    expect(await summaries(ben)).toEqual([]);
    await pass(3);
    expect(await summaries(ben)).toEqual(['Lunch: Aki and Chi posted']);
    expect(await summaries(ben, 'ja')).toEqual(['Lunch: AkiさんとChiさんが投稿しました']);
    await pass(60 * MINUTE);
    expect(await summaries(ben)).toHaveLength(1);
    expect([await summaries(aki), await summaries(chi)]).toEqual([[], []]);
    await say(aki);
    await pass(10 * MINUTE + 1);
    expect((await summaries(ben)).at(-1)).toBe('Lunch: Aki posted');
    expect(await summaries(ben)).toHaveLength(2);
  });

  test('a busy room is one delivery in each window', async () => {
    const { aki, ben, say, pass, summaries } = await openRoomScenario();
    for (let minute = 0; minute < 40; minute++) {
      await say(aki);
      await pass(MINUTE);
    }
    expect(await summaries(ben)).toHaveLength(4);
  });

  test('each listener has their own wait, and their own window', async () => {
    const { aki, ben, chi, choose, waitFor, say, pass, summaries, settings } = await openRoomScenario();
    await choose(chi);
    await waitFor(ben, 20);
    await settings.change(ben.id, { kinds: new Map([['MESSAGE', { windowSeconds: 30 * MINUTE }]]) });
    await say(aki);
    await pass(21);
    expect([await summaries(ben), await summaries(chi)]).toEqual([['Lunch: Aki posted'], []]);
    await say(aki);
    await pass(10 * MINUTE - 20);
    expect(await summaries(chi)).toHaveLength(1);
    expect(await summaries(ben)).toHaveLength(1);
    await pass(20 * MINUTE + 20);
    expect(await summaries(ben)).toHaveLength(2);
    await pass(60 * MINUTE);
    expect([await summaries(ben), await summaries(chi)].map((all) => all.length)).toEqual([2, 1]);
  });

  test('a changed wait applies to what waits', async () => {
    const { aki, ben, waitFor, say, pass, summaries, listeners } = await openRoomScenario();
    await waitFor(ben, 86_400);
    await pass(0);
    await say(aki);
    await pass(60 * MINUTE);
    expect(await summaries(ben)).toEqual([]);
    await waitFor(ben, 10);
    await pass(2);
    expect(await summaries(ben)).toEqual(['Lunch: Aki posted']);
    expect(await listeners()).toEqual({ waits: ['000010'], count: 1 });
    await pass(86_400);
    expect(await summaries(ben)).toHaveLength(1);
  });

  test('someone who begins to listen with a shorter wait does not wait for the timer that is open', async () => {
    const { aki, ben, chi, choose, waitFor, say, pass, summaries } = await openRoomScenario();
    await say(aki);
    await pass(1);
    await waitFor(chi, 5);
    await choose(chi);
    await say(aki);
    await pass(6);
    expect([await summaries(ben), await summaries(chi)].map((all) => all.length)).toEqual([0, 1]);
  });

  test('neither does someone who shortens theirs, with what comes after that', async () => {
    const { aki, ben, waitFor, say, pass, summaries, settings } = await openRoomScenario();
    await settings.change(ben.id, { kinds: new Map([['MESSAGE', { windowSeconds: 0 }]]) });
    await say(aki);
    await pass(1);
    await waitFor(ben, 5);
    await pass(6);
    expect(await summaries(ben)).toHaveLength(1);
    await say(aki);
    await pass(6);
    expect(await summaries(ben)).toHaveLength(2);
  });

  test('switched off, the kind costs nothing; switched on, it continues', async () => {
    const { aki, ben, say, pass, summaries, settings, listeners, openTimers } = await openRoomScenario();
    const set = (mode: 'ON' | 'OFF') => settings.change(ben.id, { kinds: new Map([['MESSAGE', { mode }]]) });
    await set('OFF');
    await pass(0);
    expect(await listeners()).toEqual({ waits: [], count: 0 });
    await say(aki);
    await pass(0);
    expect(await openTimers()).toEqual([]);
    await set('ON');
    await pass(60 * MINUTE);
    expect(await summaries(ben)).toEqual([]);
    await say(aki);
    await pass(10 * MINUTE + 1);
    expect(await summaries(ben)).toEqual(['Lunch: Aki posted']);
  });
});

describe('what is left out', () => {
  test('what was written before the choice, is their own, was deleted or read', async () => {
    const { aki, ben, chi, choose, say, read, pass, services, summaries } = await openRoomScenario();
    await say(aki);
    await pass(0);
    await choose(chi);
    await read(ben);
    await pass(10 * MINUTE + 1);
    expect([await summaries(ben), await summaries(chi)]).toEqual([[], []]);
    const message = await say(aki);
    await pass(0);
    await services.messages.remove(aki.id, message);
    await pass(10 * MINUTE + 1);
    expect([await summaries(ben), await summaries(chi)]).toEqual([[], []]);
    await say(ben);
    await pass(10 * MINUTE + 1);
    expect([await summaries(ben), await summaries(chi)]).toEqual([[], ['Lunch: Ben posted']]);
  });

  test('a root that mentions the person, of which they are sent a MENTION', async () => {
    const { aki, ben, say, pass, summaries } = await openRoomScenario();
    await say(aki, `@${ben.handle} Look!`);
    await pass(20 * MINUTE);
    expect(await summaries(ben)).toEqual(['Lunch: Aki mentioned you']);
  });

  test('messages of blocked people', async () => {
    const { aki, ben, say, pass, services, summaries } = await openRoomScenario();
    await services.blocks.block(ben.id, aki.id);
    await say(aki);
    await pass(20 * MINUTE);
    expect(await summaries(ben)).toEqual([]);
  });

  test('what was read between the decision and the attempt', async () => {
    const { aki, ben, say, read, pass, deliveriesOf, describe: words } = await openRoomScenario();
    await say(aki);
    await pass(10 * MINUTE + 1);
    const [delivery] = await deliveriesOf(ben);
    await read(ben);
    expect(delivery && (await words(delivery))).toEqual({ words: null, reason: 'READ_BEFORE' });
  });

  test.each([
    ['MENTIONS', 'MESSAGE: MUTED'],
    ['NOTHING', 'MESSAGE: MUTED'],
    [null, 'MESSAGE: SWITCHED_OFF'],
  ] as const)('a room for which they choose %s while they wait', async (delivery, outcome) => {
    const { aki, ben, choose, say, pass, settings, summaries, listeners, consume } = await openRoomScenario();
    // They have been sent something, so the next delivery waits for the window.
    await settings.change(ben.id, { kinds: new Map([['MESSAGE', { delaySeconds: 10 }]]) });
    await pass(0);
    await say(aki);
    await pass(11);
    await say(aki);
    await pass(30);
    await choose(ben, delivery);
    await consume();
    expect(await listeners()).toEqual({ waits: [], count: 0 });
    await pass(20 * MINUTE);
    expect((await summaries(ben)).slice(1)).toEqual([outcome]);
  });

  test('a muted room rings for those who chose ALL', async () => {
    const { aki, ben, lunch, say, pass, services, summaries } = await openRoomScenario();
    await services.readPositions.mute(ben.id, lunch, true);
    await say(aki);
    await pass(10 * MINUTE + 1);
    expect(await summaries(ben)).toEqual(['Lunch: Aki posted']);
  });

  test('what happened more than a day ago', async () => {
    const { aki, ben, say, stall, pass, consume, summaries } = await openRoomScenario();
    await say(aki);
    await consume();
    stall(25 * 3600);
    await pass(60 * MINUTE);
    expect(await summaries(ben)).toEqual([]);
    await say(aki);
    await pass(10 * MINUTE + 1);
    expect(await summaries(ben)).toEqual(['Lunch: Aki posted']);
  });

  test('a wait of a week is not too old when it ends', async () => {
    const { aki, ben, waitFor, say, pass, summaries } = await openRoomScenario();
    await waitFor(ben, 7 * 86_400);
    await pass(0);
    await say(aki);
    await pass(7 * 86_400 + 2);
    expect(await summaries(ben)).toEqual(['Lunch: Aki posted']);
  });
});

describe('more messages than are read at a time', () => {
  test('with fifty people who wrote, there may be more', async () => {
    const { ben, lunch, create, say, pass, services, summaries } = await openRoomScenario();
    for (let i = 0; i < 51; i++) {
      const person = await create(`P${i}`);
      await services.rooms.join(person.id, lunch);
      await say(person);
    }
    await pass(10 * MINUTE + 1);
    expect(await summaries(ben)).toEqual(['Lunch: P50 and 49 or more others posted']);
  });

  test('before a thousand messages, others may have written', async () => {
    const { aki, ben, chi, lunch, create, say, pass, services, summaries } = await openRoomScenario();
    const [dan, eve] = [await create('Dan'), await create('Eve')];
    for (const { id } of [dan, eve]) await services.rooms.join(id, lunch);
    await say(eve);
    for (let i = 0; i < 1_010; i++) await say(chi);
    for (const person of [aki, dan]) await say(person);
    await pass(10 * MINUTE + 1);
    expect(await summaries(ben)).toEqual(['Lunch: Dan and 2 or more others posted']);
  });

  test('everyone who wrote is counted, also before many messages of one of them', async () => {
    const { aki, ben, chi, lunch, create, say, pass, services, summaries } = await openRoomScenario();
    const dan = await create('Dan');
    await services.rooms.join(dan.id, lunch);
    for (const person of [aki, dan]) await say(person);
    for (let i = 0; i < 61; i++) await say(chi);
    await pass(10 * MINUTE + 1);
    expect(await summaries(ben)).toEqual(['Lunch: Chi and 2 others posted']);
  });

  test.each(['are deleted', 'are by someone who is blocked', 'mention the person'] as const)(
    'a message before many that %s',
    async (they) => {
      const { aki, ben, chi, say, pass, services, summaries } = await openRoomScenario();
      if (they === 'are by someone who is blocked') await services.blocks.block(ben.id, chi.id);
      await say(aki);
      for (let i = 0; i < 61; i++) {
        const message = await say(chi, they === 'mention the person' ? `@${ben.handle} Look!` : 'Hello.');
        if (they === 'are deleted') await services.messages.remove(chi.id, message);
      }
      await pass(10 * MINUTE + 1);
      expect((await summaries(ben)).at(-1)).toBe('Lunch: Aki posted');
    },
  );
});

describe('ends', () => {
  test('with the membership; a later one has its own choice', async () => {
    const { aki, ben, lunch, say, pass, services, summaries, listeners, choose } = await openRoomScenario();
    await say(aki);
    await pass(0);
    await services.rooms.leave(ben.id, lunch);
    await pass(20 * MINUTE);
    expect(await summaries(ben)).toEqual([]);
    expect(await listeners()).toEqual({ waits: [], count: 0 });
    await services.rooms.join(ben.id, lunch);
    await say(aki);
    await pass(20 * MINUTE);
    expect(await summaries(ben)).toEqual([]);
    await choose(ben);
    await services.rooms.leave(ben.id, lunch);
    await services.rooms.join(ben.id, lunch);
    await choose(ben);
    await say(aki);
    await pass(20 * MINUTE);
    // The end of the membership before it was handled after the choice.
    expect(await listeners()).toEqual({ waits: ['000600'], count: 1 });
    expect(await summaries(ben)).toEqual(['Lunch: Aki posted']);
  });

  test('with the account, and with the room', async () => {
    const { aki, ben, chi, lunch, choose, pass, services, listeners, dynamo } = await openRoomScenario();
    await choose(chi);
    await services.accountDeletion.remove(ben.id, { eraseMessages: false });
    await pass(0);
    expect(await listeners()).toEqual({ waits: ['000600'], count: 1 });
    await services.roomDeletion.deleteRoom(aki.id, lunch);
    await pass(0);
    expect((await listeners()).waits).toEqual([]);
    expect(await dynamo.get(keys.counter(lunch))).toBeUndefined();
  });
});

test('a direct room has no listeners: its messages are delivered as DIRECT_MESSAGE', async () => {
  const { aki, ben, choose, say, pass, services, summaries, listeners } = await openRoomScenario();
  const { id } = await services.rooms.openDirect(aki.id, [ben.id]);
  await choose(ben, 'ALL', id);
  await say(aki, 'Hi', id);
  await pass(20 * MINUTE);
  expect((await summaries(ben)).filter((one) => one.includes('wrote'))).toEqual(['Aki: Aki wrote to you']);
  expect(await listeners(id)).toEqual({ waits: [], count: undefined });
});

test('choosing is idempotent, also twice at once, and the number is counted again', async () => {
  const { ben, chi, choose, listeners, lunch, dynamo } = await openRoomScenario();
  await Promise.all([choose(chi), choose(chi), choose(ben)]);
  expect(await listeners()).toEqual({ waits: ['000600', '000600'], count: 2 });
  const counter = counters.find(({ name }) => name === 'listeners');
  const item = (await dynamo.get(keys.counter(lunch))) as never;
  const key = { type: 'counter', room: lunch } as never;
  expect(counter?.stored(key, item)).toMatchObject({ counts: { listeners: 2 } });
  const fixed = counter?.fix?.(item, { listeners: 5 });
  await dynamo.transact([{ key: keys.counter(lunch), ...(fixed as { update: string }) }]);
  expect((await listeners()).count).toBe(5);
});

describe('races', () => {
  test('a message between the reads of the timer and its end is delivered later', async () => {
    let meanwhile: (() => Promise<void>) | undefined;
    let runs = 0;
    const { aki, ben, say, read, pass, consume, summaries } = await openRoomScenario({
      through: (dynamo: Dynamo) =>
        beforeTransactions(dynamo, () => {
          const run = meanwhile;
          meanwhile = undefined;
          return run?.();
        }),
    });
    await say(aki);
    await pass(10 * MINUTE - 1);
    await read(ben);
    await consume();
    // Ben has read everything, so the first transaction ends what waits.
    meanwhile = async () => {
      runs++;
      await say(aki, 'One more');
      await consume();
    };
    await pass(2);
    expect(runs).toBe(1);
    expect(await summaries(ben)).toEqual([]);
    await pass(30 * MINUTE);
    expect(await summaries(ben)).toEqual(['Lunch: Aki posted']);
  });

  test('records that are read again, and timers that run twice, deliver nothing again', async () => {
    const { aki, ben, lunch, say, pass, dispatcher, dynamo, roomNews, openTimers, stall, summaries } =
      await openRoomScenario();
    await say(aki);
    await pass(1);
    const [timer] = await openTimers();
    stall(10 * MINUTE);
    await Promise.all([roomNews.timerKind.handle(timer as never), roomNews.timerKind.handle(timer as never)]);
    await pass(1);
    await roomNews.timerKind.handle(timer as never);
    const item = await dynamo.get(keys.counter(lunch));
    await dispatcher.dispatch([
      {
        stream: 's',
        sequence: '1',
        kind: 'MODIFY',
        expired: false,
        key: { type: 'counter', room: lunch },
        old: { ...item, messageCount: 0 },
        new: item,
      } as never,
    ]);
    await pass(60 * MINUTE);
    expect(await summaries(ben)).toHaveLength(1);
  });
});
