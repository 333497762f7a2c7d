import { afterAll, beforeAll, expect, test } from 'vitest';
import { toTimestamp } from '../../src/core/timestamps.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { followUpdate } from '../../src/notifications/derive/following.ts';
import { membershipItem } from '../../src/rooms/room.ts';
import type { Change } from '../../src/stream/change.ts';
import { openWorld, type Somebody, type World } from './world.ts';

const FOLLOWERS = 200;
/** So many writes somebody lives to do. */
const LIVES = [1, 7, 30, 55, 80, 120];

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.stop());

class Killed extends Error {}

/** The table as one sees it who is killed after so many writes, before the next. */
function mortal(dynamo: Dynamo, writes: number): Dynamo {
  let left = writes;
  const dying =
    <A extends unknown[], T>(write: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      if (left-- <= 0) throw new Killed();
      return write(...args);
    };
  const { put, update, remove, transact } = dynamo;
  return {
    ...dynamo,
    put: dying(put),
    update: dying(update),
    remove: dying(remove),
    transact: dying(transact),
  };
}

/** Gives a batch to the handlers once; whether they lived to see its end. */
async function survived(dynamo: Dynamo, changes: readonly Change[]): Promise<boolean> {
  const handled = await Promise.allSettled(
    world.handlersOf(dynamo).map((handler) => {
      const own = changes.filter(({ key }) => handler.itemTypes.includes(key.type));
      return own.length === 0 ? undefined : handler.handle(own);
    }),
  );
  return handled.every(({ status }) => status === 'fulfilled');
}

test('two hundred followers are told of a reply once each, by whoever goes on when one is killed', async () => {
  const [author, replier] = [await world.somebody(), await world.somebody()];
  const room = await world.room(author, replier);
  const { t } = await world.say(author, room);
  const followers = Array.from(
    { length: FOLLOWERS },
    (_, n): Somebody => ({ id: `follower${n}`, handle: '' }),
  );
  for (const { id: user } of followers) {
    const { key, ...update } = followUpdate({
      room,
      t,
      user,
      following: true,
      at: toTimestamp(Number(t) + 1),
    });
    await world.dynamo.update(key, update);
    const at = { joinedAt: t, readAt: t, readPosition: 0, readTo: null };
    await world.dynamo.put(membershipItem({ user, room, role: 'MEMBER', muted: false, rev: 1, ...at }));
  }
  await world.consume();
  await world.reply(replier, { room, t, c: t });

  const lives = [...LIVES];
  let deaths = 0;
  for (let batch = await world.news(); batch.length > 0; batch = await world.news()) {
    // Killed, the next one begins with the same batch.
    for (;;) {
      const life = lives.shift();
      if (await survived(life === undefined ? world.dynamo : mortal(world.dynamo, life), batch)) break;
      deaths++;
    }
  }
  expect(deaths).toBeGreaterThan(2);
  const badges = await world.dynamo.batchGet([author, ...followers].map(({ id }) => keys.badge(id)));
  expect(badges.map((badge) => badge?.total)).toEqual(Array.from({ length: FOLLOWERS + 1 }, () => 1));
  expect(await world.badge(replier)).toBe(0);
  for (const one of [author, followers[0], followers[FOLLOWERS - 1]]) {
    const [told, ...more] = one === undefined ? [] : await world.notifications(one);
    expect([told?.kind, told?.count, more]).toEqual(['REPLY', 1, []]);
  }
  // No job is left.
  const jobs: unknown[] = [];
  for await (const item of world.dynamo.scan({ condition: 'sk = :job', values: { ':job': 'JOB' } }))
    jobs.push(item);
  expect(jobs).toEqual([]);
}, 60_000);
