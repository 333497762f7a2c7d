/** The list of what a user likes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys, ranges } from '../../../src/dynamo/keys.ts';
import { createJobs } from '../../../src/jobs/jobs.ts';
import { createTableReader, STEP_ITEMS } from '../../../src/jobs/tableReader.ts';
import { likesKind } from '../../../src/reactions/likes/kind.ts';
import { createLikedConversion } from '../../../src/reactions/likes/likedConversion.ts';
import { reactionItem } from '../../../src/reactions/toggles/reaction.ts';
import { DeleteMessage } from '../../messages/support/operations.ts';
import { JoinRoom, LeaveRoom } from '../../support/clients/operations.ts';
import { messageKey, type Person, people, roomOf, say } from '../../support/clients/people.ts';
import { onDynamoDbLocal } from '../../support/database/dynamo.ts';
import { Killed, killedAt } from '../../support/database/killedAt.ts';
import { itemsIn } from '../../support/database/table.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { bodiesLikedBy, Liked, likedBy } from './support/liked.ts';
import { like, unlike } from './support/likes.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

const rowsOf = ({ id }: Person) => itemsIn(app.dynamo, ranges.liked(id));

describe('Viewer.likedMessages', () => {
  test('the newest like first, from both ends, and what was taken back is gone', async () => {
    const [aki, ben] = await people(app, 2);
    const rooms = [await roomOf(aki, [ben]), await roomOf(aki, [ben])];
    const messages = [];
    for (const n of [0, 1, 2, 3]) messages.push(await say(aki, rooms[n % 2] ?? '', `${n}`));
    const ids = messages.map(({ id }) => id);
    for (const n of [2, 0, 3, 1]) await like(ben, ids[n] ?? '');
    expect(await bodiesLikedBy(ben)).toEqual(['1', '3', '0', '2']);
    const first = await likedBy(ben, { first: 3 });
    expect(first).toMatchObject({ bodies: ['1', '3', '0'], pageInfo: { hasNextPage: true } });
    const rest = await likedBy(ben, { first: 3, after: first.pageInfo.endCursor });
    expect(rest).toMatchObject({ bodies: ['2'], pageInfo: { hasNextPage: false, hasPreviousPage: true } });
    const last = await likedBy(ben, { last: 3 });
    expect(last).toMatchObject({ bodies: ['3', '0', '2'], pageInfo: { hasPreviousPage: true } });
    const before = await likedBy(ben, { last: 3, before: last.pageInfo.startCursor });
    expect(before).toMatchObject({ bodies: ['1'], pageInfo: { hasPreviousPage: false } });
    await unlike(ben, ids[3] ?? '');
    expect(await bodiesLikedBy(ben)).toEqual(['1', '0', '2']);
    await unlike(ben, ids[2] ?? '');
    await like(ben, ids[2] ?? '');
    await like(ben, ids[2] ?? '');
    expect(await bodiesLikedBy(ben)).toEqual(['2', '1', '0']);
    expect(await rowsOf(ben)).toHaveLength(3);
    expect(await bodiesLikedBy(aki)).toEqual([]);
  });

  test('in one room in the order of the messages, replies between the roots', async () => {
    const [aki] = await people(app, 1);
    const [roomId, other] = [await roomOf(aki), await roomOf(aki)];
    const first = await say(aki, roomId, 'first');
    const second = await say(aki, roomId, 'second');
    const reply = await say(aki, roomId, 'reply', first.id);
    const third = await say(aki, roomId, 'third');
    for (const one of [third, await say(aki, other, 'other'), first, reply, second]) await like(aki, one.id);
    expect(await bodiesLikedBy(aki, roomId)).toEqual(['first', 'second', 'reply', 'third']);
    const newest = await likedBy(aki, { roomId, last: 2 });
    expect(newest).toMatchObject({ bodies: ['reply', 'third'], pageInfo: { hasPreviousPage: true } });
    const older = await likedBy(aki, { roomId, last: 2, before: newest.pageInfo.startCursor });
    expect(older).toMatchObject({ bodies: ['first', 'second'], pageInfo: { hasPreviousPage: false } });
    const oldest = await likedBy(aki, { roomId, first: 3 });
    expect(oldest.bodies).toEqual(['first', 'second', 'reply']);
    expect((await likedBy(aki, { roomId, first: 3, after: oldest.pageInfo.endCursor })).bodies).toEqual([
      'third',
    ]);
    expect((await likedBy(aki, { roomId })).bodies).toHaveLength(4);
  });

  test('without rooms that were left and deleted messages; a cursor belongs to one list', async () => {
    const [aki, ben] = await people(app, 2);
    const [roomId, left] = [await roomOf(aki, [ben]), await roomOf(aki, [ben])];
    const kept = await say(aki, roomId, 'kept');
    const deleted = await say(aki, roomId, 'deleted');
    const hidden = await say(aki, left, 'hidden');
    for (const { id } of [kept, deleted, hidden]) await like(ben, id);
    await ben.do(LeaveRoom, { roomId: left });
    await aki.do(DeleteMessage, { messageId: deleted.id });
    expect(await bodiesLikedBy(ben)).toEqual(['kept']);
    expect(await bodiesLikedBy(ben, left)).toEqual([]);
    expect(await bodiesLikedBy(ben, 'malformed')).toEqual([]);
    // A page whose rows are all hidden is followed by the next one.
    expect((await likedBy(ben, { first: 1 })).bodies).toEqual(['kept']);
    await app.quiet();
    expect(await rowsOf(ben)).toHaveLength(2);
    await ben.do(JoinRoom, { roomId: left });
    expect(await bodiesLikedBy(ben)).toEqual(['hidden', 'kept']);
    const { endCursor } = (await likedBy(ben, { first: 1 })).pageInfo;
    for (const page of [{ after: endCursor, roomId }, { after: 'x' }, { first: 1, last: 1 }]) {
      expect(await ben.refused(Liked, page)).toBe('BAD_USER_INPUT');
    }
    expect(await aki.refused(Liked, { after: endCursor })).toBe('BAD_USER_INPUT');
  });
});

describe('likes of a release without rows', () => {
  const conversionOn = (dynamo: Dynamo) =>
    createLikedConversion({
      dynamo,
      jobs: createJobs({ dynamo }),
      now: Date.now,
      table: createTableReader({ dynamo, now: Date.now }),
    });

  test('get them by a job that begins by itself, also one that is killed again and again', async () => {
    const [aki] = await people(app, 1);
    const roomId = await roomOf(aki);
    const count = STEP_ITEMS + 20;
    const messages = await Promise.all(Array.from({ length: 3 }, (_, n) => say(aki, roomId, `${n}`)));
    for (const { id } of messages) await like(aki, id);
    const crowd = Array.from({ length: count }, (_, n) => {
      const { listed, ...item } = reactionItem(likesKind, {
        ...messageKey(messages[0]?.id ?? ''),
        user: `old${n}`,
        author: aki.id,
        at: `00000000000000${10 + (n % 80)}`,
      });
      return item;
    });
    await bulkWrite({ dynamo: app.dynamo, items: crowd, by: onDynamoDbLocal ? 'batches' : 'transactions' });
    for (const row of await rowsOf(aki))
      await app.dynamo.remove({ pk: row.pk as string, sk: row.sk as string });
    for (const { id } of messages) {
      await app.dynamo.update(keys.like(aki.id, messageKey(id)), { update: 'REMOVE listed' });
    }
    expect(await bodiesLikedBy(aki)).toEqual([]);
    // One that is liked now is in the list already; one that is taken back never gets there.
    await unlike(aki, messages[1]?.id ?? '');
    await app.dynamo.remove(keys.conversion('likes'));

    let cursor: string | null = null;
    let steps = 0;
    for (let n = 0; ; n++) {
      const when = n % 2 === 0 ? 'before' : 'after';
      const dynamo = n % 3 === 2 ? app.dynamo : killedAt(app.dynamo, { writes: 1 + 7 * n, when });
      try {
        const next = await conversionOn(dynamo).jobKind.step({}, cursor);
        if (next === null) break;
        steps++;
        cursor = typeof next === 'string' ? next : next.cursor;
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
    }
    expect(steps).toBeGreaterThan(1);
    expect(await bodiesLikedBy(aki)).toEqual(['2', '0']);
    for (const n of [0, 1, count - 1]) {
      expect(await itemsIn(app.dynamo, ranges.liked(`old${n}`))).toHaveLength(1);
    }
    expect(await app.dynamo.get(keys.conversion('likes'))).toBeDefined();
  });

  test('upkeep starts the job unless it is done', async () => {
    const job = () => app.dynamo.get(keys.job('likes'));
    await conversionOn(app.dynamo).upkeep();
    expect(await job()).toBeUndefined();
    await app.dynamo.remove(keys.conversion('likes'));
    await conversionOn(app.dynamo).upkeep();
    expect(await job()).toMatchObject({ kind: 'likedConversion' });
  });
});
