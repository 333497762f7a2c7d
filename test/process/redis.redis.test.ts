/** Redis fails in several ways. Sending and reading continue, and after the outage every live badge is right. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../server/support/socket.ts';
import { Timeline } from '../support/clients/operations.ts';
import { roomOf, say } from '../support/clients/people.ts';
import { tokenFor } from '../support/clients/tokens.ts';
import { redisAvailable } from '../support/servers/redis.ts';
import { eventually } from '../support/time/eventually.ts';
import { startFairTime } from '../support/time/fairTime.ts';
import { type BadgeClient, badgesMatchRecount, type Cluster, startCluster } from './support/cluster.ts';

/**
 * How long a badge may be wrong after Redis is back, and how long a request may take while it is down, in milliseconds
 * of `fairTime.ts`. Both take less than a second. It must be less than 30 s: by then the servers compare what they show
 * with the table, which would repair the badges without Redis.
 */
const WITHIN_MS = 20_000;

describe.skipIf(!redisAvailable)('outages of Redis', () => {
  let cluster: Cluster;
  let clients: BadgeClient[];
  let roomId: string;
  beforeAll(async () => {
    cluster = await startCluster({ withRedis: false });
    clients = await Promise.all(
      ['aki', 'ben', 'chie', 'dana', 'emre', 'fumi'].map((handle, i) =>
        cluster.badgeClient(cluster.apis[i % 2 === 0 ? 0 : 1], handle),
      ),
    );
    const [owner, ...others] = clients;
    if (owner === undefined) throw new Error('There is no client.');
    roomId = await roomOf(owner, others);
  });
  afterAll(() => cluster?.stop());

  /** All clients send and read. Resolves to the milliseconds that the slowest one waited. */
  async function allSend(what: string): Promise<number> {
    const waits = await Promise.all(
      clients.map(async (client) => {
        const [at, leftMs] = [performance.now(), startFairTime(WITHIN_MS)];
        const { id } = await say(client, roomId, `${client.handle}: ${what}`);
        const { room } = await client.do(Timeline, { roomId, last: 50 });
        expect(room?.messages.edges.map(({ node }) => node.id)).toContain(id);
        expect(leftMs()).toBeGreaterThan(0);
        return performance.now() - at;
      }),
    );
    return Math.max(...waits);
  }

  /** Resolves when both servers have noticed the outage. */
  const untilNoticed = () =>
    eventually(async () => {
      for (const url of cluster.apis) {
        const readiness = await fetch(`${url}/readyz`);
        expect(readiness.status).toBe(200);
        expect(await readiness.json()).toMatchObject({ dependencies: { bus: { ok: false } } });
        expect(await pongFrom(url)).toMatchObject({ payload: { live: false } });
      }
    }, 100);

  async function pongFrom(url: string): Promise<unknown> {
    const socket = await connect(`${url.replace('http', 'ws')}/graphql`);
    socket.send({ type: 'connection_init', payload: { authorization: `Bearer ${await tokenFor('aki')}` } });
    expect(await socket.next()).toMatchObject({ type: 'connection_ack' });
    socket.send({ type: 'ping' });
    const pong = await socket.next();
    socket.raw.close();
    return pong;
  }

  /** Call it when Redis is back. Waits until every badge is right, and measures the time. */
  async function expectCaughtUp(what: string, slowest: number): Promise<void> {
    const [at, leftMs] = [performance.now(), startFairTime(WITHIN_MS)];
    await badgesMatchRecount(cluster, clients, [roomId]);
    const took = performance.now() - at;
    process.stdout.write(
      `Redis ${what}: every badge was right ${took.toFixed(0)} ms after it was back; ` +
        `the slowest request took ${slowest.toFixed(0)} ms\n`,
    );
    expect(leftMs()).toBeGreaterThan(0);
  }

  test('Redis: if it is down when the servers start, they serve, and badges catch up later', async () => {
    const slowest = await allSend('without Redis');
    await cluster.redis.restart();
    await expectCaughtUp('started late', slowest);
  });

  test('Redis: badges catch up after it was killed and restarted', async () => {
    await allSend('before');
    await cluster.redis.kill();
    await untilNoticed();
    const slowest = await allSend('while it is down');
    await cluster.redis.restart();
    await expectCaughtUp('was killed', slowest);
  });

  test('Redis: badges catch up after it hung', async () => {
    cluster.redis.stopProcess();
    const first = await allSend('as it hangs');
    await untilNoticed();
    const second = await allSend('while it hangs');
    cluster.redis.continueProcess();
    await expectCaughtUp('hung', Math.max(first, second));
  });

  test('Redis: badges catch up after it dropped its subscribers', async () => {
    let slowest = 0;
    for (let n = 0; n < 5; n++) {
      const sending = allSend(`round ${n}`);
      expect(await cluster.redis.command('CLIENT KILL TYPE pubsub')).toMatch(/^:\d+$/);
      slowest = Math.max(slowest, await sending);
    }
    await expectCaughtUp('dropped its subscribers', slowest);
  });
});
