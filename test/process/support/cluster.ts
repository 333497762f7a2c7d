import {
  type BadgeState,
  type LiveBadge,
  queryBadge,
  shows,
  watchBadge,
} from '../../support/clients/badges.ts';
import { createClient, type TestClient } from '../../support/clients/client.ts';
import { rawId } from '../../support/clients/people.ts';
import { tokenFor } from '../../support/clients/tokens.ts';
import { openTestDynamo, type TestDynamo } from '../../support/database/dynamo.ts';
import { positioned } from '../../support/database/table.ts';
import { type Program, runProgram } from '../../support/servers/program.ts';
import { type RedisServer, startRedis } from '../../support/servers/redis.ts';
import { deployed } from './run.ts';

/** A client of one of the servers with a live badge. */
export interface BadgeClient extends TestClient {
  readonly handle: string;
  readonly badge: LiveBadge;
}

/** Two API servers and a worker, each a process of its own, on one DynamoDB and one Redis. */
export interface Cluster {
  readonly database: TestDynamo;
  readonly redis: RedisServer;
  /** The URLs of the API servers. */
  readonly apis: readonly [string, string];
  worker: Program;
  startWorker(): Promise<Program>;
  /** A new client of one of the servers, without a badge. */
  client(url: string, handle: string): Promise<TestClient>;
  badgeClient(url: string, handle: string): Promise<BadgeClient>;
  stop(): Promise<void>;
}

export interface ClusterOptions {
  /** Whether Redis runs from the beginning. Otherwise the test starts it. */
  readonly withRedis?: boolean;
}

export async function startCluster({ withRedis = true }: ClusterOptions = {}): Promise<Cluster> {
  const clients: TestClient[] = [];
  const programs: Program[] = [];
  const database = await openTestDynamo({ file: true });
  const redis = await startRedis();
  if (!withRedis) await redis.kill();

  async function stop(): Promise<void> {
    await Promise.all(clients.map((client) => client.close()));
    await Promise.all(programs.map((program) => program.stop()));
    await redis.stop();
    await database.stop();
  }

  async function start(role: 'api' | 'worker'): Promise<Program> {
    const program = await runProgram({
      env: deployed({
        DYNAMODB_ENDPOINT: database.endpoint,
        TABLE_NAME: database.table,
        REDIS_URL: redis.url,
        ROLE: role,
      }),
    });
    programs.push(program);
    return program;
  }

  async function client(url: string, handle: string): Promise<TestClient> {
    const made = createClient(url, await tokenFor(handle), { patient: true });
    clients.push(made);
    return made;
  }

  try {
    const [a, b, worker] = await Promise.all([start('api'), start('api'), start('worker')]);
    const ready = await Promise.all([a.ready(), b.ready(), worker.ready()]);
    return {
      database,
      redis,
      apis: [ready[0].url, ready[1].url],
      worker,
      startWorker: () => start('worker'),
      client,
      async badgeClient(url, handle) {
        const made = await client(url, handle);
        const badge = watchBadge(made);
        await badge.next();
        return { ...made, handle, badge };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Resolves when the live badge of each client shows what a recount finds. Rejects if a root has no position yet. */
export async function badgesMatchRecount(
  { database }: Pick<Cluster, 'database'>,
  clients: readonly BadgeClient[],
  rooms: readonly string[],
): Promise<readonly BadgeState[]> {
  for (const room of rooms) {
    const roots = await positioned(database.dynamo, rawId(room));
    const gapless = roots.every(({ position }, i) => position === i + 1);
    if (!gapless) throw new Error(`Positions: ${roots.map(({ position }) => position).join(', ')}`);
  }
  return Promise.all(
    clients.map(async (client) => {
      const counted = await queryBadge(client);
      await shows(client.badge, counted);
      return counted;
    }),
  );
}
