import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { backfillNotifications } from '../../src/notifications/derive/backfill.ts';
import { openTestSystem, summariesOf, type TestSystem, type TestUser } from './support/testSystem.ts';

const RETENTION = 30 * 24 * 3600;

let system: TestSystem;
beforeAll(async () => {
  system = await openTestSystem();
});
afterAll(() => system.stop());

const backfill = (now: () => number = Date.now): Promise<number> =>
  backfillNotifications({ dynamo: system.dynamo, retention: RETENTION, now });

/** Discards the stream's records, as if they had expired before a consumer read them. */
async function dropRecords(): Promise<void> {
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

test('backfillNotifications: notifies once of everything whose records were lost, and of nothing else', async () => {
  const { aki, ben, chi, dan, room, summaries } = await createScenario();
  const { likes, stamps, messages, readPositions: reading } = system.services;
  const [known, other] = [await system.say(aki, room), await system.say(aki, room)];
  await likes.add(ben.id, known);
  await likes.add(chi.id, other);
  await system.consume();
  await system.reading.markAllRead(aki.id);
  await likes.add(chi.id, known);
  await system.consume();
  expect(await summaries(aki)).toEqual(['(LIKE 1 by ben)', '(LIKE 1 by chi)', 'LIKE 1 by chi']);
  expect(await backfill()).toBe(0);

  // The records of all following changes are lost.
  await likes.add(dan.id, known);
  await likes.add(dan.id, other);
  await likes.remove(dan.id, other);
  await stamps.add(ben.id, known, 'tea');
  await system.reply(ben, known, `And @${dan.handle}?`);
  await reading.mute(chi.id, room, true);
  await system.reply(dan, known);
  await likes.add(aki.id, known);
  const deleted = await system.say(chi, room, `@${ben.handle}`);
  await messages.remove(chi.id, deleted);
  await dropRecords();

  expect(await backfill()).toBeGreaterThan(0);
  const expected = {
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
  const current = async () => ({
    aki: await summaries(aki),
    ben: await summaries(ben),
    chi: await summaries(chi),
    dan: await summaries(dan),
  });
  expect(await current()).toEqual(expected);
  expect([await system.badge(aki), await system.badge(ben), await system.badge(dan)]).toEqual([5, 1, 1]);

  expect(await backfill()).toBe(0);
  await system.reading.markAllRead(aki.id);
  await system.consume();
  expect(await backfill()).toBe(0);
  expect(await system.badge(aki)).toBe(0);
});

test.each(['@ again', 'withdrawn'])(
  'backfillNotifications: a mention in a reply that was edited notified its user once: %s',
  async (edit) => {
    const { aki, ben, chi, room, summaries } = await createScenario();
    const { messages } = system.services;
    const of = async (one: TestUser) => [await summaries(one), await system.badge(one)];
    const textOf = (body: string) => (edit === 'withdrawn' ? body : `${body} @${ben.handle}`);
    const [read, unread] = [await system.say(ben, room), await system.say(ben, room)];
    // Chi follows the thread, and is mentioned later. Ben is mentioned in reply to his own reply.
    await system.reply(chi, read);
    const answered = await system.reply(ben, await system.say(chi, room));
    await system.consume();
    await system.reading.markAllRead(ben.id);
    for (const to of [read, unread, answered]) {
      const sent = await system.reply(aki, to, `Well, @${ben.handle} @${chi.handle}.`);
      await system.consume();
      if (to === read) await system.reading.markThreadRead(ben.id, read);
      await messages.edit(aki.id, sent, textOf('Well!'));
    }
    await system.consume();

    const before = [await of(ben), await of(chi)];
    expect(await backfill()).toBe(0);
    expect([await of(ben), await of(chi)]).toEqual(before);
  },
);

test('backfillNotifications: notifies the followers of a reply whose record was lost and that was edited', async () => {
  const { aki, ben, chi, room, summaries } = await createScenario();
  const root = await system.say(ben, room);
  await system.reply(chi, root);
  await system.consume();
  await system.reading.markAllRead(ben.id);
  const sent = await system.reply(aki, root, `Well, @${chi.handle}.`);
  await system.services.messages.edit(aki.id, sent, 'Well!');
  await dropRecords();

  expect(await backfill()).toBe(2);
  expect(await summaries(ben)).toEqual(['(REPLY 1 by chi)', 'REPLY 1 by aki']);
  // No one knows that she was mentioned at first.
  expect(await summaries(chi)).toEqual(['REPLY 1 by aki']);
});

test('backfillNotifications: leaves out changes that are older than the retention', async () => {
  const { aki, ben, room, summaries } = await createScenario();
  await system.services.likes.add(ben.id, await system.say(aki, room));
  await dropRecords();
  expect(await backfill(() => Date.now() + RETENTION * 1_000 + 1_000)).toBe(0);
  expect(await summaries(aki)).toEqual([]);
});

test('backfillNotifications: does not notify of a like that is removed meanwhile', async () => {
  const { aki, ben, chi, room, summaries } = await createScenario();
  const { likes, stamps } = system.services;
  const message = await system.say(aki, room);
  await likes.add(ben.id, message);
  const stamp = await stamps.add(chi.id, message, 'tea');
  await dropRecords();
  const dynamo: Dynamo = {
    ...system.dynamo,
    async *scan(guard) {
      yield* system.dynamo.scan(guard);
      // They were read, and their notifications are not derived yet.
      await likes.remove(ben.id, message);
      await stamps.remove(chi.id, { ...message, stampedAt: stamp.stampedAt });
      await system.consume();
    },
  };
  await backfillNotifications({ dynamo, retention: RETENTION, now: Date.now });
  await system.consume();
  expect(await summaries(aki)).toEqual([]);
  await likes.add(ben.id, message);
  await stamps.add(chi.id, message, 'tea');
  await system.consume();
  expect(await summaries(aki)).toEqual(['LIKE 1 by ben', 'STAMP 1 by chi']);
});
