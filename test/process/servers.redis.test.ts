/** Two API servers and workers, each a process, serve the same rooms with one DynamoDB and one Redis. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { JoinRoom, LeaveRoom } from '../support/clients/operations.ts';
import { rawId, roomOf, say } from '../support/clients/people.ts';
import { redisAvailable } from '../support/servers/redis.ts';
import { eventually } from '../support/time/eventually.ts';
import { type BadgeClient, badgesMatchRecount, type Cluster, startCluster } from './support/cluster.ts';

describe.skipIf(!redisAvailable)('two API servers and a worker', () => {
  let cluster: Cluster;
  let aki: BadgeClient;
  let ben: BadgeClient;
  let chie: BadgeClient;
  beforeAll(async () => {
    cluster = await startCluster();
    const [a, b] = cluster.apis;
    [aki, ben, chie] = await Promise.all([
      cluster.badgeClient(a, 'aki'),
      cluster.badgeClient(b, 'ben'),
      cluster.badgeClient(a, 'chie'),
    ]);
  });
  afterAll(() => cluster?.stop());
  beforeEach(async () => {
    // A failed test may have left no worker.
    if ((await Promise.race([cluster.worker.ended, 'runs'])) !== 'runs') {
      cluster.worker = await cluster.startWorker();
    }
  });

  test('sendMessage: every message updates the badges of clients on both servers', async () => {
    const roomId = await roomOf(aki, [ben, chie]);
    for (const sender of [aki, ben, chie, aki, ben]) {
      await say(sender, roomId, `one of ${sender.handle}`);
      const badges = await badgesMatchRecount(cluster, [aki, ben, chie], [roomId]);
      const others = badges.filter((_, i) => [aki, ben, chie][i] !== sender);
      expect(others.every(({ total }) => total > 0)).toBe(true);
    }
    await Promise.all(
      [aki, ben, chie].map(async (client) => {
        for (let n = 0; n < 20; n++) await say(client, roomId, `${client.handle} ${n}`);
      }),
    );
    await badgesMatchRecount(cluster, [aki, ben, chie], [roomId]);
  });

  test('leaveRoom: takes effect at once on the other server, whose client receives nothing more of the room', async () => {
    const left = await roomOf(aki, [ben, chie]);
    const kept = await roomOf(aki, [ben, chie]);
    const [a] = cluster.apis;
    await say(aki, left, 'one');
    await ben.badge.until(({ unread }) => unread.rooms.some(({ room }) => room.id === left));

    const elsewhere = await cluster.client(a, 'ben');
    const at = performance.now();
    await elsewhere.do(LeaveRoom, { roomId: left });
    await ben.badge.until(({ unread }) => unread.removedRoomIds.includes(left));
    process.stdout.write(
      `left on the other server: notified after ${(performance.now() - at).toFixed(0)} ms\n`,
    );

    const from = ben.badge.seen.length;
    for (let n = 0; n < 5; n++) await say(aki, left, `after leaving ${n}`);
    await say(aki, kept, 'in the other room');
    await ben.badge.until(({ unread }) => unread.rooms.some(({ room }) => room.id === kept));
    await badgesMatchRecount(cluster, [aki, ben, chie], [left, kept]);
    expect(JSON.stringify(ben.badge.seen.slice(from))).not.toContain(left);

    await elsewhere.do(JoinRoom, { roomId: left });
    await say(aki, left, 'back again');
    await ben.badge.until(({ unread }) => unread.rooms.some(({ room }) => room.id === left));
    await badgesMatchRecount(cluster, [aki, ben, chie], [left, kept]);
  });

  test('worker: after it was killed, sends succeed, leaving is notified at once, and the next one counts all once', async () => {
    const roomId = await roomOf(aki, [ben, chie]);
    const other = await roomOf(aki, [chie]);
    await say(aki, roomId, 'before');
    await badgesMatchRecount(cluster, [aki, ben, chie], [roomId, other]);
    cluster.worker.signal('SIGKILL');
    await cluster.worker.ended;

    for (let n = 0; n < 30; n++) await say(n % 2 === 0 ? aki : ben, roomId, `while no worker runs ${n}`);
    await chie.do(LeaveRoom, { roomId: other });
    // Without a consumer, the server that took the request publishes it.
    await chie.badge.until(({ unread }) => unread.removedRoomIds.includes(other));

    const at = performance.now();
    cluster.worker = await cluster.startWorker();
    await badgesCatchUp([aki, ben, chie], [roomId]);
    process.stdout.write(
      `killed worker: the next one had caught up ${((performance.now() - at) / 1_000).toFixed(1)} s after it was started\n`,
    );
  });

  test('worker: if the one that reads hangs and continues after another took over, nothing is counted twice', async () => {
    const first = cluster.worker;
    const second = await cluster.startWorker();
    await second.ready();
    const roomId = await roomOf(aki, [ben, chie]);
    let sent = 0;
    /** Two users send until `count` more messages are sent. */
    async function send(count: number): Promise<void> {
      const least = sent + count;
      await Promise.all(
        [aki, ben].map(async (client) => {
          while (sent < least) await say(client, roomId, `number ${++sent}`);
        }),
      );
    }
    const counted = async () =>
      Number((await cluster.database.dynamo.get(keys.counter(rawId(roomId))))?.messageCount);

    const sending = send(80);
    await eventually(async () => expect(await counted()).toBeGreaterThan(20), 5);
    // It is in the middle of a batch, and believes that it has the lease when it continues.
    first.signal('SIGSTOP');
    await sending;
    await second.says('Took a shard');
    first.signal('SIGCONT');
    await first.says('lease was lost');
    await send(20);
    await badgesCatchUp([aki, ben, chie], [roomId]);
    expect(await counted()).toBe(sent);
    await second.stop();
  });

  const badgesCatchUp = (clients: readonly BadgeClient[], rooms: readonly string[]) =>
    eventually(() => badgesMatchRecount(cluster, clients, rooms), 100);
});
