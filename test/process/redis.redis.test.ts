/** Redis breaks in every way it has: sending and reading go on, and when it is back every open badge is right. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { Timeline } from '../support/operations.ts';
import { roomOf, say } from '../support/people.ts';
import { redisAvailable } from '../support/redis.ts';
import { agree, type Cluster, startCluster, type Watching } from './cluster.ts';

/**
 * How long a badge may be wrong after Redis is back, and how long a request may take while it is down. Both take less
 * than a second, but six processes share the machine. It must be less than 30 s: by then the servers compare what they
 * show with the table, which would repair the badges without Redis.
 */
const WITHIN_MS = 20_000;

describe.skipIf(!redisAvailable)('Redis', () => {
  let cluster: Cluster;
  let people: Watching[];
  let roomId: string;
  beforeAll(async () => {
    cluster = await startCluster({ withRedis: false });
    people = await Promise.all(
      ['aki', 'ben', 'chie', 'dana', 'emre', 'fumi'].map((handle, i) =>
        cluster.watching(cluster.apis[i % 2 === 0 ? 0 : 1], handle),
      ),
    );
    const [owner, ...others] = people;
    if (owner === undefined) throw new Error('There is nobody.');
    roomId = await roomOf(owner, others);
  });
  afterAll(() => cluster?.stop());

  /** Everybody says something and reads what was said; resolves to how long the slowest had to wait. */
  async function everybodySpeaks(what: string): Promise<number> {
    const waits = await Promise.all(
      people.map(async (person) => {
        const at = performance.now();
        const { id } = await say(person, roomId, `${person.handle}: ${what}`);
        const { room } = await person.do(Timeline, { roomId, last: 50 });
        expect(room?.messages.edges.map(({ node }) => node.id)).toContain(id);
        return performance.now() - at;
      }),
    );
    const slowest = Math.max(...waits);
    expect(slowest).toBeLessThan(WITHIN_MS);
    return slowest;
  }

  /** Resolves when both servers have noticed. */
  const untilNoticed = () =>
    eventually(async () => {
      for (const url of cluster.apis) {
        const readiness = await fetch(`${url}/readyz`);
        expect(readiness.status).toBe(200);
        expect(await readiness.json()).toMatchObject({ dependencies: { bus: { ok: false } } });
      }
    }, 100);

  /** Measures from now, when Redis is back. */
  async function catchUp(what: string, slowest: number): Promise<void> {
    const at = performance.now();
    await agree(cluster, people, [roomId]);
    const took = performance.now() - at;
    process.stdout.write(
      `Redis ${what}: every badge was right ${took.toFixed(0)} ms after it was back; ` +
        `meanwhile nobody waited longer than ${slowest.toFixed(0)} ms\n`,
    );
    expect(took).toBeLessThan(WITHIN_MS);
  }

  test('is not there when the servers start: they serve, and the badges follow when it comes', async () => {
    const slowest = await everybodySpeaks('without Redis');
    await cluster.redis.restart();
    await catchUp('came late', slowest);
  });

  test('is killed and started again', async () => {
    await everybodySpeaks('before');
    await cluster.redis.kill();
    await untilNoticed();
    const slowest = await everybodySpeaks('while it is dead');
    await cluster.redis.restart();
    await catchUp('was killed', slowest);
  });

  test('stops answering, and goes on', async () => {
    cluster.redis.stopProcess();
    const first = await everybodySpeaks('as it stops');
    await untilNoticed();
    const second = await everybodySpeaks('while it stands still');
    cluster.redis.continueProcess();
    await catchUp('stood still', Math.max(first, second));
  });

  test('drops its subscribers in the middle of everything', async () => {
    let slowest = 0;
    for (let n = 0; n < 5; n++) {
      const speaking = everybodySpeaks(`round ${n}`);
      expect(await cluster.redis.command('CLIENT KILL TYPE pubsub')).toMatch(/^:\d+$/);
      slowest = Math.max(slowest, await speaking);
    }
    await catchUp('dropped its subscribers', slowest);
  });
});
