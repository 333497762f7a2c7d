import { afterAll, beforeAll, expect, test } from 'vitest';
import { backfillNotifications } from '../../src/app/rebuild.ts';
import { openTestSystem, summariesOf, type TestSystem, type TestUser } from './support/testSystem.ts';

const RETENTION = 30 * 24 * 3600;

let system: TestSystem;
beforeAll(async () => {
  system = await openTestSystem();
});
afterAll(() => system.stop());

function missed(): Promise<number> {
  const { dynamo } = system;
  const options = { dynamo, retention: RETENTION, now: Date.now };
  return backfillNotifications(options);
}

/** Discards the stream's records before a consumer has read them. */
async function forget(): Promise<void> {
  while ((await system.readStream()).length > 0);
}

async function createScenario() {
  const [aki, ben, chi, dan] = await Promise.all([1, 2, 3, 4].map(() => system.createUser()));
  if (aki === undefined || ben === undefined || chi === undefined || dan === undefined) throw new Error();
  const people = { aki, ben, chi, dan };
  const room = await system.room(aki, ben, chi, dan);
  const summaries = async (one: TestUser) => summariesOf(await system.notifications(one), people).sort();
  return { ...people, room, summaries };
}

test('backfillNotifications: notifies once of what was missed, and not again of what was known', async () => {
  const { aki, ben, chi, dan, room, summaries } = await createScenario();
  const { likes, stamps, messages, reading } = system.services;
  const [known, other] = [await system.say(aki, room), await system.say(aki, room)];
  await likes.like(ben.id, known);
  await likes.like(chi.id, other);
  await system.consume();
  await system.reading.markAllRead(aki.id);
  await likes.like(chi.id, known);
  await system.consume();
  expect(await summaries(aki)).toEqual(['(LIKE 1 by ben)', '(LIKE 1 by chi)', 'LIKE 1 by chi']);
  expect(await missed()).toBe(0);

  // From here on the stream loses everything.
  await likes.like(dan.id, known);
  await likes.like(dan.id, other);
  await likes.unlike(dan.id, other);
  await stamps.add(ben.id, known, 'tea');
  await system.reply(ben, known, `And @${dan.handle}?`);
  await reading.mute(chi.id, room, true);
  await system.reply(dan, known);
  await likes.like(aki.id, known);
  const gone = await system.say(chi, room, `@${ben.handle}`);
  await messages.remove(chi.id, gone);
  await forget();

  expect(await missed()).toBeGreaterThan(0);
  const everything = {
    aki: [
      '(LIKE 1 by ben)',
      '(LIKE 1 by chi)',
      'LIKE 2 by dan, chi',
      'REPLY 2 by dan, ben',
      'STAMP 1 by ben',
    ],
    ben: ['REPLY 1 by dan'],
    chi: [],
    dan: ['MENTION 1 by ben'],
  };
  const now = async () => ({
    aki: await summaries(aki),
    ben: await summaries(ben),
    chi: await summaries(chi),
    dan: await summaries(dan),
  });
  expect(await now()).toEqual(everything);
  expect([await system.badge(aki), await system.badge(ben), await system.badge(dan)]).toEqual([5, 1, 1]);

  expect(await missed()).toBe(0);
  await system.reading.markAllRead(aki.id);
  await system.consume();
  expect(await missed()).toBe(0);
  expect(await system.badge(aki)).toBe(0);
});

test('backfillNotifications: leaves out what is older than the retention', async () => {
  const { aki, ben, room, summaries } = await createScenario();
  await system.services.likes.like(ben.id, await system.say(aki, room));
  await forget();
  const later = () => Date.now() + RETENTION * 1_000 + 1_000;
  const options = { dynamo: system.dynamo, retention: RETENTION, now: later };
  expect(await backfillNotifications(options)).toBe(0);
  expect(await summaries(aki)).toEqual([]);
});
