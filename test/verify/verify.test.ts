import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { counters } from '../../src/app/features.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import { generate } from '../../src/dev/demo/generator/generator.ts';
import { store } from '../../src/dev/demo/generator/store.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { type Key, keyOf, keys, parseKey, ranges } from '../../src/dynamo/keys.ts';
import { createNotifier } from '../../src/notifications/derive/notifier.ts';
import { membershipItem } from '../../src/rooms/room.ts';
import { verify } from '../../src/verify/verify.ts';
import { like, unlike } from '../reactions/likes/support/likes.ts';
import { AddStamp, RemoveStamp } from '../reactions/stamps/support/operations.ts';
import { JoinRoom, LeaveRoom } from '../support/clients/operations.ts';
import { people, roomOf, say } from '../support/clients/people.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { dump } from '../support/database/table.ts';
import { budget } from '../support/run/budget.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

const NOTHING = { differences: [], stillChanging: [] };

describe('verify: stored conversations', () => {
  let database: TestDynamo;
  let all: Key[];
  /** The keys of a notification, and of its user's badge. */
  let notified: { readonly notification: Key; readonly badge: Key };

  beforeAll(async () => {
    database = await openTestDynamo();
    const options = { seed: 'repair', rooms: 2, people: 8, messages: 250, stampKeys: ['tea', 'heart'] };
    const generated = generate({ ...options, until: Date.now() });
    await store({ dynamo: database.dynamo, generated, by: 'transactions' });
    notified = await notifyOfLikes(database.dynamo);
    all = [...(await dump(database.dynamo)).keys()].map((key): Key => {
      const [pk = '', sk = ''] = key.split(' ');
      return { pk, sk };
    });
  });
  afterAll(() => database?.stop());

  /** Notifies a user of two likes. */
  async function notifyOfLikes(dynamo: Dynamo) {
    const [user, room, threadTs] = ['reader', 'room', toTimestamp(Date.now() * 1_000)];
    await dynamo.put(
      membershipItem({
        user,
        room,
        role: 'MEMBER',
        joinedAt: threadTs,
        muted: false,
        readPosition: 0,
        pendingReadRoot: null,
        lastReadTs: threadTs,
        version: 1,
      }),
    );
    await dynamo.put({ ...keys.user(user), rooms: 1, joins: 1 });
    const notifier = createNotifier({ dynamo, retention: 3_600 });
    const like = {
      user,
      kind: 'LIKE',
      room,
      threadTs,
      ts: threadTs,
      op: 'added',
      at: threadTs,
      sequence: '1',
    } as const;
    await notifier.notify(['one', 'another'].map((actor) => ({ ...like, actor })));
    const [notification] = (await dynamo.query(ranges.notifications(user), { limit: 1 })).items;
    return { notification: keyOf(notification ?? {}), badge: keys.badge(user) };
  }

  const verified = (fix: boolean, heldMax = 500_000) =>
    verify({ dynamo: database.dynamo, counters, fix, heldMax });

  /** The key of a message with a reaction or reply of this type. */
  function messageWith(type: 'stamp' | 'like' | 'reply'): Key {
    for (const one of all) {
      const key = parseKey(one);
      if (key.type === type && 'threadTs' in key) {
        return type === 'reply'
          ? keys.root(key.room, key.threadTs)
          : keys.message(key.room, key.threadTs, key.ts);
      }
    }
    throw new Error(`There is no ${type}.`);
  }

  const first = (type: string) => all.find((key) => parseKey(key).type === type) ?? keys.room('missing');

  test('verify: reads the table once if nothing differs', async () => {
    let passes = 0;
    const dynamo: Dynamo = {
      ...database.dynamo,
      scan(options) {
        passes++;
        return database.dynamo.scan(options);
      },
    };
    expect(await verify({ dynamo, counters, fix: true })).toEqual(NOTHING);
    expect(passes).toBe(1);
  });

  test.each([
    ['seats', () => first('seats'), 'taken'],
    ['seats', () => first('seats'), 'owners'],
    ['memberships', () => first('user'), 'rooms'],
    ['positions', () => first('counter'), 'messageCount'],
    ['replies', () => messageWith('reply'), 'replyCount'],
    ['likes', () => messageWith('like'), 'likeCount'],
    ['stamps', () => messageWith('stamp'), 'stampTotal'],
    ['notifications', () => notified.notification, 'count'],
    ['badges', () => notified.badge, 'total'],
  ])('verify: reports and fixes %s that are wrong: %#', async (what, keyOf, field) => {
    const key = keyOf();
    const before = await database.dynamo.get(key);
    const off = { '#field': field };
    await database.dynamo.update(key, {
      update: 'SET #field = #field + :by',
      names: off,
      values: { ':by': 7 },
    });
    // Once with all entries in memory, and once in many parts.
    for (const heldMax of [500_000, 300]) {
      const { differences } = await verified(false, heldMax);
      // The sum differs as well, until the number is fixed.
      expect(differences[0]).toMatchObject({ what, key, fixed: false });
      expect(differences.slice(1).every((one) => one.what === 'badges')).toBe(true);
    }
    const { differences } = await verified(true);
    expect(differences).toMatchObject([{ what, key, fixed: true }]);
    expect((await database.dynamo.get(key))?.[field]).toBe(before?.[field]);
    expect(await verified(false)).toEqual(NOTHING);
  });

  test('verify: reports and fixes the name of the newest root', async () => {
    const key = first('counter');
    const before = await database.dynamo.get(key);
    await database.dynamo.update(key, {
      update: 'SET newestRoot = :earlier',
      values: { ':earlier': toTimestamp(1) },
    });
    const { differences } = await verified(true);
    expect(differences).toMatchObject([{ what: 'newest roots', key, fixed: true }]);
    expect((await database.dynamo.get(key))?.newestRoot).toBe(before?.newestRoot);
    expect(await verified(false)).toEqual(NOTHING);
  });

  test('verify: accepts the position of a root that was deleted by hand', async () => {
    await database.dynamo.remove(first('root'));
    expect(await verified(true)).toEqual(NOTHING);
  });

  test.each([
    ['likes', 'like'],
    ['stamps', 'stamp'],
    ['replies', 'reply'],
    ['memberships', 'membership'],
    ['seats', 'member'],
  ])('verify: reports and fixes %s that are fewer than what counts them', async (what, type) => {
    await database.dynamo.remove(first(type));
    const { differences } = await verified(true);
    expect(differences.map((one) => one.what)).toContain(what);
    expect(differences.every(({ fixed }) => fixed)).toBe(true);
    expect(await verified(false)).toEqual(NOTHING);
  });
});

describe('verify: while the system serves requests', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  const { numRuns, timeout } = budget({ runs: 4, seconds: 10 });

  test('verify: reports no concurrent request as a difference, and undoes none', { timeout }, async () => {
    const [aki, ben, chi] = await people(app, 3);
    const roomId = await roomOf(aki, [ben]);
    const root = await say(aki, roomId, 'root');
    let made = 0;
    const life = (async () => {
      for (let n = 0; made < numRuns; n++) {
        await like(ben, root.id);
        await say(ben, roomId, `reply ${n}`, root.id);
        const { addStamp } = await aki.do(AddStamp, { messageId: root.id, stamp: 'tea' });
        await chi.do(JoinRoom, { roomId });
        await say(chi, roomId, `root ${n}`);
        await unlike(ben, root.id);
        await aki.do(RemoveStamp, { messageStampId: addStamp.messageStamp.id });
        await chi.do(LeaveRoom, { roomId });
      }
    })();
    try {
      for (; made < numRuns; made++) {
        const { differences } = await verify({ dynamo: app.dynamo, counters, fix: true });
        expect(differences).toEqual([]);
      }
    } finally {
      made = numRuns;
      await life;
    }
    expect(await verify({ dynamo: app.dynamo, counters, fix: false })).toMatchObject({ differences: [] });
  });
});
