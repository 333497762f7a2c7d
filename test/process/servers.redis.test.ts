/** Two API servers and workers, real processes on one DynamoDB and one Redis, serve the same rooms. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { eventually } from '../support/eventually.ts';
import { JoinRoom, LeaveRoom } from '../support/operations.ts';
import { rawId, roomOf, say } from '../support/people.ts';
import { redisAvailable } from '../support/redis.ts';
import { agree, type Cluster, startCluster, type Watching } from './cluster.ts';

describe.skipIf(!redisAvailable)('two servers and a worker', () => {
  let cluster: Cluster;
  let aki: Watching;
  let ben: Watching;
  let chie: Watching;
  beforeAll(async () => {
    cluster = await startCluster();
    const [a, b] = cluster.apis;
    [aki, ben, chie] = await Promise.all([
      cluster.watching(a, 'aki'),
      cluster.watching(b, 'ben'),
      cluster.watching(a, 'chie'),
    ]);
  });
  afterAll(() => cluster?.stop());
  beforeEach(async () => {
    // A test that has failed may have left none.
    if ((await Promise.race([cluster.worker.ended, 'runs'])) !== 'runs') {
      cluster.worker = await cluster.startWorker();
    }
  });

  test('whoever is connected where, every message moves every badge', async () => {
    const roomId = await roomOf(aki, [ben, chie]);
    for (const sender of [aki, ben, chie, aki, ben]) {
      await say(sender, roomId, `one of ${sender.handle}`);
      const badges = await agree(cluster, [aki, ben, chie], [roomId]);
      const others = badges.filter((_, i) => [aki, ben, chie][i] !== sender);
      expect(others.every(({ total }) => total > 0)).toBe(true);
    }
    await Promise.all(
      [aki, ben, chie].map(async (person) => {
        for (let n = 0; n < 20; n++) await say(person, roomId, `${person.handle} ${n}`);
      }),
    );
    await agree(cluster, [aki, ben, chie], [roomId]);
  });

  test('who leaves on one server is out at once on the other, and hears nothing of the room again', async () => {
    const left = await roomOf(aki, [ben, chie]);
    const kept = await roomOf(aki, [ben, chie]);
    const [a] = cluster.apis;
    await say(aki, left, 'one');
    await ben.badge.until(({ unread }) => unread.rooms.some(({ room }) => room.id === left));

    const elsewhere = await cluster.client(a, 'ben');
    const at = performance.now();
    await elsewhere.do(LeaveRoom, { roomId: left });
    await ben.badge.until(({ unread }) => unread.removedRoomIds.includes(left));
    process.stdout.write(`left on the other server: told after ${(performance.now() - at).toFixed(0)} ms\n`);

    const from = ben.badge.seen.length;
    for (let n = 0; n < 5; n++) await say(aki, left, `behind the door ${n}`);
    await say(aki, kept, 'here');
    await ben.badge.until(({ unread }) => unread.rooms.some(({ room }) => room.id === kept));
    await agree(cluster, [aki, ben, chie], [left, kept]);
    expect(JSON.stringify(ben.badge.seen.slice(from))).not.toContain(left);

    await elsewhere.do(JoinRoom, { roomId: left });
    await say(aki, left, 'back again');
    await ben.badge.until(({ unread }) => unread.rooms.some(({ room }) => room.id === left));
    await agree(cluster, [aki, ben, chie], [left, kept]);
  });

  test('a worker that is killed: sends succeed, leaving is told at once, and the next one counts all of it, once', async () => {
    const roomId = await roomOf(aki, [ben, chie]);
    const other = await roomOf(aki, [chie]);
    await say(aki, roomId, 'before');
    await agree(cluster, [aki, ben, chie], [roomId, other]);
    cluster.worker.signal('SIGKILL');
    await cluster.worker.ended;

    for (let n = 0; n < 30; n++) await say(n % 2 === 0 ? aki : ben, roomId, `while nobody counts ${n}`);
    await chie.do(LeaveRoom, { roomId: other });
    // No consumer is there to tell it: the server that she asked does.
    await chie.badge.until(({ unread }) => unread.removedRoomIds.includes(other));

    const at = performance.now();
    cluster.worker = await cluster.startWorker();
    await comeToAgree([aki, ben, chie], [roomId]);
    process.stdout.write(
      `killed worker: the next one had caught up ${((performance.now() - at) / 1_000).toFixed(1)} s after it was started\n`,
    );
  });

  test('two workers, of which the one that reads stands still, then comes back: nothing is counted twice', async () => {
    const first = cluster.worker;
    const second = await cluster.startWorker();
    await second.ready();
    const roomId = await roomOf(aki, [ben, chie]);
    let sent = 0;
    /** Two people send as fast as they can until so many more are sent; resolves when both have stopped. */
    async function talk(more: number): Promise<void> {
      const least = sent + more;
      await Promise.all(
        [aki, ben].map(async (person) => {
          while (sent < least) await say(person, roomId, `number ${++sent}`);
        }),
      );
    }
    const counted = async () =>
      Number((await cluster.database.dynamo.get(keys.counter(rawId(roomId))))?.messageCount);

    const talking = talk(80);
    await eventually(async () => expect(await counted()).toBeGreaterThan(20), 5);
    // With a batch in hand. It believes that it has the lease for as long as it stands, and when it goes on.
    first.signal('SIGSTOP');
    await talking;
    await second.says('Took a shard');
    first.signal('SIGCONT');
    await first.says('lease was lost');
    await talk(20);
    await comeToAgree([aki, ben, chie], [roomId]);
    expect(await counted()).toBe(sent);
    await second.stop();
  });

  const comeToAgree = (people: readonly Watching[], rooms: readonly string[]) =>
    eventually(() => agree(cluster, people, rooms), 100);
});
