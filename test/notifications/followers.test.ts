import { afterAll, beforeAll, expect, test } from 'vitest';
import { toTimestamp } from '../../src/core/timestamps.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { followUpdate } from '../../src/notifications/derive/following.ts';
import { membershipItem } from '../../src/rooms/room.ts';
import type { Change } from '../../src/stream/change.ts';
import { killedAt } from '../support/database/killedAt.ts';
import { handleTimers } from '../timers/support/timers.ts';
import { openTestSystem, type TestSystem, type TestUser } from './support/testSystem.ts';
import { entriesOf } from './support/threads.ts';

const FOLLOWERS = 200;
/** The number of writes after which each consumer is killed. */
const WRITES_BEFORE_KILL = [1, 7, 30, 55, 80, 120];

let system: TestSystem;
beforeAll(async () => {
  system = await openTestSystem();
});
afterAll(() => system.stop());

/** Passes a batch to the handlers once, and the timers that it has set. Resolves to whether all of them finished it. */
async function handleAll(dynamo: Dynamo, changes: readonly Change[]): Promise<boolean> {
  const { handlers, timerKinds } = system.derivationsOf(dynamo);
  const handled = await Promise.allSettled([
    ...handlers.map((handler) => {
      const own = changes.filter(({ key }) => handler.itemTypes.includes(key.type));
      return own.length === 0 ? undefined : handler.handle(own);
    }),
    handleTimers(changes, { dynamo, kinds: timerKinds }),
  ]);
  return handled.every(({ status }) => status === 'fulfilled');
}

test('reply notifications: each of 200 followers gets one, and the thread in their list, even if consumers are killed', async () => {
  const [author, replier] = [await system.createUser(), await system.createUser()];
  const room = await system.room(author, replier);
  const { threadTs } = await system.say(author, room);
  const followers = Array.from(
    { length: FOLLOWERS },
    (_, n): TestUser => ({ id: `follower${n}`, handle: '' }),
  );
  for (const { id: user } of followers) {
    const { key, ...update } = followUpdate({
      room,
      threadTs,
      user,
      following: true,
      at: toTimestamp(Number(threadTs) + 1),
    });
    await system.dynamo.update(key, update);
    const at = { joinedAt: threadTs, lastReadTs: threadTs, readPosition: 0, pendingReadRoot: null };
    await system.dynamo.put(membershipItem({ user, room, role: 'MEMBER', muted: false, version: 1, ...at }));
  }
  await system.consume();
  await system.reply(replier, { room, threadTs, ts: threadTs });

  const limits = [...WRITES_BEFORE_KILL];
  let kills = 0;
  for (let batch = await system.readStream(); batch.length > 0; batch = await system.readStream()) {
    // After one is killed, the next one starts with the same batch.
    for (;;) {
      const writes = limits.shift();
      const { dynamo: whole } = system;
      const dynamo = writes === undefined ? whole : killedAt(whole, { writes, when: 'after' });
      if (await handleAll(dynamo, batch)) break;
      kills++;
    }
  }
  expect(kills).toBeGreaterThan(2);
  const badges = await system.dynamo.batchGet([author, ...followers].map(({ id }) => keys.badge(id)));
  expect(badges.map((badge) => badge?.total)).toEqual(Array.from({ length: FOLLOWERS + 1 }, () => 1));
  expect(await system.badge(replier)).toBe(0);
  for (const one of [author, followers[0], followers[FOLLOWERS - 1]]) {
    const [first, ...more] = one === undefined ? [] : await system.notifications(one);
    expect([first?.kind, first?.count, more]).toEqual(['REPLY', 1, []]);
  }
  // Those of the author and of the user who replied, too.
  expect(await entriesOf(system, room)).toHaveLength(FOLLOWERS + 2);
  // No job is left.
  const jobs: unknown[] = [];
  for await (const item of system.dynamo.scan({ condition: 'sk = :job', values: { ':job': 'JOB' } }))
    jobs.push(item);
  expect(jobs).toEqual([]);
});
