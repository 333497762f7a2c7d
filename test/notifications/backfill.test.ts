import { afterAll, beforeAll, expect, test } from 'vitest';
import { backfillNotifications } from '../../src/app/rebuild.ts';
import { openWorld, type Somebody, shortly, type World } from './world.ts';

const RETENTION = 30 * 24 * 3600;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

function missed(): Promise<number> {
  const { dynamo } = world;
  const options = { dynamo, retention: RETENTION, now: Date.now };
  return backfillNotifications(options);
}

/** The stream's records are gone before a consumer has read them. */
async function forget(): Promise<void> {
  while ((await world.news()).length > 0);
}

async function scene() {
  const [aki, ben, chi, dan] = await Promise.all([1, 2, 3, 4].map(() => world.somebody()));
  if (aki === undefined || ben === undefined || chi === undefined || dan === undefined) throw new Error();
  const people = { aki, ben, chi, dan };
  const room = await world.room(aki, ben, chi, dan);
  const told = async (one: Somebody) => shortly(await world.notifications(one), people).sort();
  return { ...people, room, told };
}

test('backfillNotifications: notifies once of what is missing, and not again of what is known', async () => {
  const { aki, ben, chi, dan, room, told } = await scene();
  const { likes, stamps, messages, reading } = world.services;
  const [known, other] = [await world.say(aki, room), await world.say(aki, room)];
  await likes.like(ben.id, known);
  await likes.like(chi.id, other);
  await world.consume();
  await world.reading.markAllRead(aki.id);
  await likes.like(chi.id, known);
  await world.consume();
  expect(await told(aki)).toEqual(['(LIKE 1 by ben)', '(LIKE 1 by chi)', 'LIKE 1 by chi']);
  expect(await missed()).toBe(0);

  // From here on the stream forgets.
  await likes.like(dan.id, known);
  await likes.like(dan.id, other);
  await likes.unlike(dan.id, other);
  await stamps.add(ben.id, known, 'tea');
  await world.reply(ben, known, `And @${dan.handle}?`);
  await reading.mute(chi.id, room, true);
  await world.reply(dan, known);
  await likes.like(aki.id, known);
  const gone = await world.say(chi, room, `@${ben.handle}`);
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
    aki: await told(aki),
    ben: await told(ben),
    chi: await told(chi),
    dan: await told(dan),
  });
  expect(await now()).toEqual(everything);
  expect([await world.badge(aki), await world.badge(ben), await world.badge(dan)]).toEqual([5, 1, 1]);

  expect(await missed()).toBe(0);
  await world.reading.markAllRead(aki.id);
  await world.consume();
  expect(await missed()).toBe(0);
  expect(await world.badge(aki)).toBe(0);
});

test('backfillNotifications: leaves out what is older than the retention', async () => {
  const { aki, ben, room, told } = await scene();
  await world.services.likes.like(ben.id, await world.say(aki, room));
  await forget();
  const later = () => Date.now() + RETENTION * 1_000 + 1_000;
  const options = { dynamo: world.dynamo, retention: RETENTION, now: later };
  expect(await backfillNotifications(options)).toBe(0);
  expect(await told(aki)).toEqual([]);
});
