/** A person who is removed through one server receives nothing more from another, even if Redis fails. */
import { describe, expect, test } from 'vitest';
import { RoomEvents } from '../roomEvents/support/operations.ts';
import { BanMember, RemoveMember } from '../support/clients/operations.ts';
import { globalId, newUser, type Person, roomOf, say } from '../support/clients/people.ts';
import { admit } from '../support/clients/roles.ts';
import { redisAvailable } from '../support/servers/redis.ts';
import { useTwoServers } from '../support/servers/twoServers.ts';
import { eventually } from '../support/time/eventually.ts';
import { startOwnTime } from '../support/time/ownTime.ts';

/**
 * How long a subscription at another server may stay open after the removal, in milliseconds. After 30 s the server
 * would find it by itself.
 */
const CLOSED_WITHIN_MS = 15_000;

describe.skipIf(!redisAvailable)('two servers:', () => {
  // With the product's limits, because Redis hangs in one of the tests.
  const servers = useTwoServers({ redisLimits: {} });

  /** Ben, a member of Aki's room, subscribes at the other server. */
  async function subscribedMember(visibility: 'PUBLIC' | 'PRIVATE') {
    const [aki, ben]: Person[] = [await newUser(servers.here), await newUser(servers.here)];
    if (aki === undefined || ben === undefined) throw new Error('The people are missing.');
    const roomId = await roomOf(aki, [], { visibility });
    await admit(aki, roomId, ben);
    const events = (await servers.there.as(ben.handle)).subscribe(RoomEvents, { roomId, after: null });
    await events.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
    await say(aki, roomId, 'for Ben');
    await events.until(({ roomEvents }) => roomEvents.__typename === 'MessageAdded');
    return { aki, ben, roomId, events };
  }

  type SubscribedMember = Awaited<ReturnType<typeof subscribedMember>>;

  /** Removes Ben and then sends a message: the subscription has to end in time and without the message. */
  async function expectRemoval(
    { aki, ben, roomId, events }: SubscribedMember,
    mutation: typeof RemoveMember | typeof BanMember,
  ) {
    const took = startOwnTime();
    const variables = { roomId, userId: globalId(ben) };
    expect(await aki.refused<unknown, typeof variables>(mutation, variables)).toBeUndefined();
    await say(aki, roomId, 'sent after the removal');
    await expect(events.until(() => false)).rejects.toThrow('complete');
    expect(took()).toBeLessThan(CLOSED_WITHIN_MS);
    expect(JSON.stringify(events.seen)).not.toContain('after the removal');
  }

  test('removeMember and banMember: end a subscription at the other server', async () => {
    // A busy server may think that a slow Redis is down, and then refuses subscriptions.
    await expectRemoval(await eventually(() => subscribedMember('PRIVATE'), 100), RemoveMember);
    await expectRemoval(await eventually(() => subscribedMember('PUBLIC'), 100), BanMember);
  });

  test('removeMember: ends a subscription at the other server while Redis hangs', async () => {
    const one = await eventually(() => subscribedMember('PRIVATE'), 100);
    servers.redis.stopProcess();
    try {
      await expectRemoval(one, RemoveMember);
      const again = (await servers.there.as(one.ben.handle)).subscribe(RoomEvents, {
        roomId: one.roomId,
        after: null,
      });
      await expect(again.next()).rejects.toThrow(/UNAVAILABLE|NOT_FOUND/);
    } finally {
      servers.redis.continueProcess();
    }
  });

  test('banMember: ends a subscription at the other server while Redis is down', async () => {
    await servers.redis.restart();
    // Subscriptions are refused until both servers are connected again.
    const one = await eventually(() => subscribedMember('PUBLIC'), 100);
    await servers.redis.kill();
    await expectRemoval(one, BanMember);
    await servers.redis.restart();
  });
});
