/** What a deleted account held is deleted, however often the job is interrupted, and all numbers stay right. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccountJob, FIRST_PHASE } from '../../src/accountDeletion/deletionJob.ts';
import { counters } from '../../src/app/features.ts';
import { createTimestamps, toTimestamp } from '../../src/core/timestamps.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import type { Item } from '../../src/dynamo/item.ts';
import { type Key, keyOf, keys } from '../../src/dynamo/keys.ts';
import type { Write } from '../../src/dynamo/write.ts';
import type { NextStep } from '../../src/jobs/jobs.ts';
import { createTableReader } from '../../src/jobs/tableReader.ts';
import { backfillNotifications } from '../../src/notifications/derive/backfill.ts';
import { reactionItems } from '../../src/reactions/historyItems.ts';
import { rowsOf, VISIBILITIES } from '../../src/saved/entry.ts';
import { validTagNames } from '../../src/saved/tagName.ts';
import { verify } from '../../src/verify/verify.ts';
import { runSteps } from '../jobs/support/steps.ts';
import { people } from '../support/clients/people.ts';
import { killedAt, killedWhen } from '../support/database/killedAt.ts';
import { dump } from '../support/database/table.ts';
import { scaled } from '../support/run/budget.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { openTimers } from '../timers/support/timers.ts';
import { followsAndRecordsOf } from './support/remains.ts';

describe('a deleted account', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app?.stop());

  const publisher = {
    publish: async () => {},
    resync: () => {},
    settled: async () => {},
    stop: async () => {},
  };

  const jobOn = (dynamo: Dynamo) =>
    createAccountJob({
      dynamo,
      publisher,
      timestamps: createTimestamps(),
      now: Date.now,
      table: createTableReader({ dynamo, now: Date.now }),
    });
  const run = (dynamo: Dynamo, about: { user: string; eraseMessages: boolean }, from: string) =>
    runSteps(jobOn(dynamo), about, from);

  async function createUserWithEverything() {
    const { services } = app;
    const [aki, ben, chi] = await people(app, 3);
    for (const { handle } of [aki, ben, chi]) await services.users.ensure({ sub: handle, handle });
    const { rooms, messages, likes, stamps, following, blocks, saved, scheduledMessages } = services;
    const input = { name: 'Room', topic: null, visibility: 'PUBLIC', capacity: null } as const;
    const owned = await rooms.create(aki.id, input);
    await rooms.create(aki.id, input);
    await rooms.join(ben.id, owned.id);
    await rooms.join(chi.id, owned.id);
    await rooms.setRole({ by: aki.id, room: owned.id, user: chi.id }, 'MODERATOR');
    const other = await rooms.create(ben.id, { ...input, capacity: 1 });
    await rooms.joinOrWait(aki.id, other.id);
    const room = owned.id;
    const bens = await messages.send({ room, author: ben.id, body: 'Hello' });
    const akis = await messages.send({ room, author: aki.id, body: 'Secret', idempotencyKey: 'k' });
    await messages.send({ room, author: aki.id, body: 'Secret reply', replyTo: bens });
    await likes.add(aki.id, bens);
    await likes.add(ben.id, akis);
    for (const stamp of ['tea', 'heart']) await stamps.add(aki.id, bens, stamp);
    await stamps.add(ben.id, bens, 'tea');
    await following.follow(aki.id, bens, true);
    await blocks.block(aki.id, chi.id);
    const inAnHour = Date.now() + 3_600_000;
    const tags = validTagNames(['one', 'two']);
    const change = { visibility: 'PUBLIC', tags, remindAt: inAnHour } as const;
    await saved.save({ user: aki.id, ...bens }, change, { known: false });
    await saved.save({ user: aki.id, ...akis }, { tags: tags.slice(1), note: 'Mine' }, { known: false });
    await saved.save({ user: ben.id, ...bens }, { tags }, { known: false });
    await scheduledMessages.schedule({ room, author: aki.id, body: 'Later', sendAt: inAnHour });
    await app.quiet();
    return { aki, ben, chi, room, bens };
  }

  test('a place on a waitlist ends with both halves, also if it is found late', async () => {
    const { aki } = await createUserWithEverything();
    const waits = async () =>
      [...(await dump(app.dynamo)).keys()].filter((key) => key.includes(' WAIT#') && key.includes(aki.id));
    expect(await waits()).toHaveLength(2);
    expect(await run(app.dynamo, { user: aki.id, eraseMessages: false }, 'own')).toBeNull();
    expect(await waits()).toEqual([]);
    await app.quiet();
    expect((await verify({ dynamo: app.dynamo, counters, fix: false })).differences).toEqual([]);
  });

  test('reactions that their message does not count are removed, and its counts stay as they are', async () => {
    const { aki, room, bens } = await createUserWithEverything();
    const key = keys.message(room, bens.threadTs, bens.ts);
    const reactions = async () =>
      [...(await dump(app.dynamo)).keys()].filter(
        (name) => / (STAMP|LIKE)/.test(name) && name.includes(aki.id) && name.includes(bens.ts),
      );
    expect(await reactions()).not.toEqual([]);
    // As after a bug: the like and one of the two stamps are not counted.
    const before = await app.dynamo.update(key, {
      update: 'SET likeCount = :none, stampTotal = :two REMOVE stamps.heart',
      values: { ':none': 0, ':two': 2 },
    });
    expect(before).toMatchObject({ likeCount: 0, stamps: { tea: 2 }, stampTotal: 2 });
    expect(await run(app.dynamo, { user: aki.id, eraseMessages: false }, 'table')).toBeNull();
    expect(await reactions()).toEqual([]);
    expect(await app.dynamo.get(key)).toMatchObject({ likeCount: 0, stamps: { tea: 1 }, stampTotal: 1 });
    await app.quiet();
    expect((await verify({ dynamo: app.dynamo, counters, fix: false })).differences).toEqual([]);
  });

  test('reactions without their message are removed', async () => {
    const { aki, room } = await createUserWithEverything();
    // As an import leaves them that was killed, and is not continued.
    const ts = createTimestamps().next();
    const message = { room, threadTs: ts, ts };
    const like = { ...message, user: aki.id, at: ts, author: aki.id };
    const stamp = { ...message, user: aki.id, stampedAt: ts, stampKey: 'tea' };
    await app.dynamo.transact(
      reactionItems({ stamps: [stamp], likes: [like] }).map((put): Write => ({ put })),
    );
    const reactions = async () => [...(await dump(app.dynamo)).keys()].filter((name) => name.includes(ts));
    expect(await reactions()).toHaveLength(4);
    expect(await run(app.dynamo, { user: aki.id, eraseMessages: false }, FIRST_PHASE)).toBeNull();
    expect(await reactions()).toEqual([]);
    await app.quiet();
    expect((await verify({ dynamo: app.dynamo, counters, fix: false })).differences).toEqual([]);
  });

  test('rows without a saved message are removed with the others, before the table is read', async () => {
    const { aki, room } = await createUserWithEverything();
    // As after a bug: more than a step reads, and older than what is saved.
    for (const visibility of VISIBILITIES) {
      for (let i = 1; i <= 30; i++) {
        const ts = toTimestamp(i);
        const message = { room, threadTs: ts, ts };
        const of = { user: aki.id, savedAt: ts, tags: [], note: null, remindAt: null, version: 1 };
        for (const row of rowsOf({ ...message, ...of, visibility }).values()) await app.dynamo.put(row);
      }
    }
    const listed = async () =>
      [...(await dump(app.dynamo)).keys()].filter(
        (name) => /#SAVED#(PUBLIC|PRIVATE)#ALL /.test(name) && name.includes(aki.id),
      );
    expect(await listed()).toHaveLength(62);
    const about = { user: aki.id, eraseMessages: false };
    const { step } = jobOn(app.dynamo);
    let cursor: NextStep = 'saved';
    while (cursor === 'saved') cursor = await step(about, cursor);
    expect(cursor).toBe('own');
    expect(await listed()).toEqual([]);
    expect(await run(app.dynamo, about, 'own')).toBeNull();
    const saved = [...(await dump(app.dynamo)).keys()].filter((name) =>
      name.startsWith(`USER#${aki.id}#SAVED`),
    );
    expect(saved).toEqual([]);
    await app.quiet();
    expect((await verify({ dynamo: app.dynamo, counters, fix: false })).differences).toEqual([]);
  });

  test('a text that its room takes away at the same moment stays away', async () => {
    const { aki } = await createUserWithEverything();
    const taken: Array<Key & Item> = [];
    const racing: Dynamo = {
      ...app.dynamo,
      async tryTransact(writes, options) {
        const { erased } = writes as { erased?: { key: Key } };
        const item = erased && (await app.dynamo.get(erased.key));
        if (item !== undefined) {
          taken.push({ ...item, ...erased?.key } as Key & Item);
          await app.dynamo.remove(keyOf(item));
        }
        return app.dynamo.tryTransact(writes, options);
      },
    };
    const about = { user: aki.id, eraseMessages: true };
    expect(await run(racing, about, 'table')).toBeNull();
    expect(taken).toHaveLength(2);
    for (const item of taken) {
      expect(await app.dynamo.get(keyOf(item))).toBeUndefined();
      // So that all numbers are right for the other tests.
      await app.dynamo.put(item);
    }
    expect(await run(app.dynamo, about, FIRST_PHASE)).toBeNull();
  });

  test.each([true, false])('ends as one without interruptions (eraseMessages: %s)', async (eraseMessages) => {
    const crash = fc.record({ writes: fc.integer({ min: 1, max: 12 }), when: killedWhen });
    await fc.assert(
      fc.asyncProperty(fc.array(crash, { maxLength: 4 }), async (crashes) => {
        const { aki, chi, room } = await createUserWithEverything();
        const about = { user: aki.id, eraseMessages };
        // The transaction that adds the job also marks the profile.
        const values = { ':at': createTimestamps().next() };
        await app.dynamo.update(keys.user(aki.id), { update: 'SET deletedAt = :at', values });
        let cursor: string | null = FIRST_PHASE;
        for (const one of crashes) {
          if (cursor === null) break;
          cursor = await run(killedAt(app.dynamo, one), about, cursor);
          await app.quiet();
          expect((await verify({ dynamo: app.dynamo, counters, fix: false })).differences).toEqual([]);
        }
        if (cursor !== null) expect(await run(app.dynamo, about, cursor)).toBeNull();
        await app.quiet();
        expect((await verify({ dynamo: app.dynamo, counters, fix: false })).differences).toEqual([]);
        const own = [...(await dump(app.dynamo)).keys()].filter((key) => key.startsWith(`USER#${aki.id}`));
        expect(own).toEqual([`USER#${aki.id} PROFILE`]);
        const timers = (await openTimers(app.dynamo)).filter(({ kind }) => kind !== 'job');
        expect(timers.filter((timer) => JSON.stringify(timer).includes(aki.id))).toEqual([]);
        // What is derived from the messages that stay does not bring anything back.
        await backfillNotifications({ dynamo: app.dynamo, retention: 3_600, now: Date.now });
        await app.quiet();
        expect(await followsAndRecordsOf(app.dynamo, aki.id)).toEqual([]);
        // The moderator owns the room now.
        expect(await app.dynamo.get(keys.member(room, chi.id))).toMatchObject({ role: 'OWNER' });
        const messages = [...(await dump(app.dynamo)).values()].filter(({ author }) => author === aki.id);
        expect(JSON.stringify(messages).includes('Secret')).toBe(!eraseMessages);
      }),
      { numRuns: scaled(3) },
    );
  });
});
