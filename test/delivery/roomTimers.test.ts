/** Someone shortens their wait while the timer of that wait is handled: what waited for them is delivered, once. */
import { expect, test } from 'vitest';
import { createRoomTimers } from '../../src/delivery/rooms/roomTimers.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { timerKey } from '../../src/timers/queue.ts';
import { MINUTE, openRoomScenario } from './support/roomScenario.ts';

const DAY = 86_400;

/** Ben waits ten minutes, Chi a day. */
async function openScenario() {
  let meanwhile: (() => Promise<void>) | undefined;
  const through = (dynamo: Dynamo): Dynamo => ({
    ...dynamo,
    async query(range, options) {
      const page = await dynamo.query(range, options);
      // Before that, there may be no scenario yet.
      if (meanwhile === undefined) return page;
      const { from, to } = ranges.listenersWaiting(scenario.lunch, 'MESSAGE', 10 * MINUTE);
      if (range.from !== from || range.to !== to) return page;
      const run = meanwhile;
      meanwhile = undefined;
      await run();
      return page;
    },
  });
  const scenario = await openRoomScenario({ through });
  const { ben, chi, waitFor, choose, pass, consume, summaries } = scenario;
  await waitFor(chi, DAY);
  await choose(chi);
  await pass(0);
  const shorten = async () => {
    await waitFor(chi, 10 * MINUTE);
    await consume();
  };
  return {
    ...scenario,
    shorten,
    /** Chi shortens their wait as soon as the next handler has read the listeners who wait ten minutes. */
    shortenMeanwhile: () => {
      meanwhile = shorten;
    },
    /** The timers alone, for people who are not reached. */
    timers: () =>
      createRoomTimers({
        dynamo: scenario.dynamo,
        now: scenario.now,
        sends: { kindsForEveryone: async () => new Set(), sendsDigests: false },
        arm: async () => {},
      }),
    wasShortened: () => meanwhile === undefined,
    /** How many deliveries Ben and Chi have. */
    delivered: async () => [(await summaries(ben)).length, (await summaries(chi)).length],
  };
}

test('what their timer has waited for longer than the one that is handled', async () => {
  const { aki, say, pass, shortenMeanwhile, wasShortened, delivered } = await openScenario();
  await say(aki);
  await pass(11 * MINUTE);
  await say(aki);
  await pass(9 * MINUTE);
  expect(await delivered()).toEqual([1, 0]);
  shortenMeanwhile();
  await pass(2 * MINUTE);
  expect(wasShortened()).toBe(true);
  expect(await delivered()).toEqual([2, 1]);
  await pass(2 * DAY);
  expect(await delivered()).toEqual([2, 1]);
  await say(aki);
  await pass(11 * MINUTE);
  expect(await delivered()).toEqual([3, 2]);
});

test('what the timer that is handled waits for as well', async () => {
  const { aki, say, pass, shortenMeanwhile, wasShortened, delivered } = await openScenario();
  await say(aki);
  await pass(9 * MINUTE);
  shortenMeanwhile();
  await pass(2 * MINUTE);
  expect(wasShortened()).toBe(true);
  expect(await delivered()).toEqual([1, 1]);
  await pass(2 * DAY);
  expect(await delivered()).toEqual([1, 1]);
});

test('after the timer was handled, and before it is deleted', async () => {
  const { aki, say, pass, stall, shorten, openTimers, roomNews, dynamo, delivered } = await openScenario();
  await say(aki);
  await pass(1);
  const [timer] = await openTimers();
  if (timer === undefined) throw new Error('Nothing waits.');
  stall(10 * MINUTE);
  await roomNews.timerKind.handle(timer as never);
  await shorten();
  await dynamo.remove(timerKey(timer));
  await pass(1);
  expect(await delivered()).toEqual([1, 1]);
  await pass(2 * DAY);
  expect(await delivered()).toEqual([1, 1]);
});

test('while the timer is between two pages of its listeners: it begins again only if they were passed', async () => {
  const { ben, chi, lunch, timers, dynamo, now } = await openScenario();
  const [first, last] = [ben.id, chi.id].sort() as [string, string];
  const listening = keys.listening(lunch, 'MESSAGE', 10 * MINUTE);
  const waiting = { v: 1, after: 0, since: now(), to: 1, rev: 1, dueAt: now() };
  await dynamo.put({ ...keys.listening(lunch, 'MESSAGE', DAY), ...waiting });
  const cursorAfter = async (user: string, cursor: string) => {
    await dynamo.put({ ...listening, ...waiting, last: cursor });
    await timers().move({ user, room: lunch, kind: 'MESSAGE', wait: DAY }, 10 * MINUTE);
    return dynamo.get(listening);
  };
  expect(await cursorAfter(last, first)).toMatchObject({ last: first, dueAt: now() + 1, rev: 2 });
  expect(await cursorAfter(first, last)).toMatchObject({ dueAt: now() + 1, rev: 2 });
  expect(await cursorAfter(first, last)).not.toHaveProperty('last');
});

test('a timer that had failed: the next one is never due when it was, because it is deleted after that', async () => {
  const { aki, lunch, say, pass, openTimers, timers, dynamo } = await openScenario();
  await say(aki);
  await pass(1);
  const [timer] = await openTimers();
  if (timer === undefined) throw new Error('Nothing waits.');
  await dynamo.remove(timerKey(timer));
  const due = timer.due + 7_000;
  const failures = { count: 1, since: timer.due, setFor: timer.due, error: '' };
  await timers().timerKind.handle({ ...timer, due, failures } as never);
  const news = { room: lunch, kind: 'MESSAGE', revision: 99 } as const;
  await timers().news(news, { after: 1, since: due - 10 * MINUTE * 1_000 });
  expect((await openTimers()).map((one) => one.due)).toContain(due + 1);
});
