/** Who is put out by one server hears nothing more at another, whatever becomes of Redis. */
import { describe, expect, test } from 'vitest';
import { RoomEvents } from '../roomEvents/operations.ts';
import { eventually } from '../support/eventually.ts';
import { BanMember, RemoveMember } from '../support/operations.ts';
import { startOwnTime } from '../support/ownTime.ts';
import { globalId, type Person, roomOf, say, somebody } from '../support/people.ts';
import { redisAvailable } from '../support/redis.ts';
import { admit } from '../support/roles.ts';
import { useTwoServers } from '../support/twoServers.ts';

/** How long what is told at another server may go on, in milliseconds. */
const ELSEWHERE_MS = 5_000;

describe.skipIf(!redisAvailable)('two servers', () => {
  const servers = useTwoServers();

  /** Somebody in a room of Aki's, who listens at the other server. */
  async function listening(visibility: 'PUBLIC' | 'PRIVATE') {
    const [aki, ben]: Person[] = [await somebody(servers.here), await somebody(servers.here)];
    if (aki === undefined || ben === undefined) throw new Error('Nobody is there.');
    const roomId = await roomOf(aki, [], { visibility });
    await admit(aki, roomId, ben);
    const events = (await servers.there.as(ben.handle)).subscribe(RoomEvents, { roomId, after: null });
    await events.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
    await say(aki, roomId, 'for Ben');
    await events.until(({ roomEvents }) => roomEvents.__typename === 'MessageAdded');
    return { aki, ben, roomId, events };
  }

  type Listening = Awaited<ReturnType<typeof listening>>;

  /** Is put out, and then something is said: the subscription ends in time, without it. */
  async function isPutOut(
    { aki, ben, roomId, events }: Listening,
    way: typeof RemoveMember | typeof BanMember,
  ) {
    const took = startOwnTime();
    const variables = { roomId, userId: globalId(ben) };
    expect(await aki.refused<unknown, typeof variables>(way, variables)).toBeUndefined();
    await say(aki, roomId, 'behind their back');
    await expect(events.until(() => false)).rejects.toThrow('complete');
    expect(took()).toBeLessThan(ELSEWHERE_MS);
    expect(JSON.stringify(events.seen)).not.toContain('behind');
  }

  test('who is removed, or banned, by one hears nothing more at the other', async () => {
    await isPutOut(await listening('PRIVATE'), RemoveMember);
    await isPutOut(await listening('PUBLIC'), BanMember);
  });

  test('nor while Redis stands still and nobody has noticed', async () => {
    const one = await listening('PRIVATE');
    servers.redis.stopProcess();
    try {
      await isPutOut(one, RemoveMember);
      const again = (await servers.there.as(one.ben.handle)).subscribe(RoomEvents, {
        roomId: one.roomId,
        after: null,
      });
      await expect(again.next()).rejects.toThrow(/UNAVAILABLE|NOT_FOUND/);
    } finally {
      servers.redis.continueProcess();
    }
  });

  test('nor while Redis is down', async () => {
    await servers.redis.restart();
    // Subscriptions are refused until both servers are connected again.
    const one = await eventually(() => listening('PUBLIC'), 100);
    await servers.redis.kill();
    await isPutOut(one, BanMember);
    await servers.redis.restart();
  });
});
