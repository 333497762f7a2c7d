/**
 * How long after the response to `sendMessage` does another user's badge change at their websocket? And how often does
 * an idle consumer poll for records?
 *
 * On an otherwise idle server, one message at a time: in one process (in-process bus, embedded database), and with an
 * API server and a worker as separate processes over Redis. Sends are further apart than the 100 ms between two badge
 * updates, by a random time, so that they fall anywhere between two polls. A negative value means that the badge
 * changed before the sender had the response.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startFaultProxy } from '../test/stream/support/faultProxy.ts';
import { watchBadge } from '../test/support/clients/badges.ts';
import { createClient } from '../test/support/clients/client.ts';
import { CreateRoom, JoinRoom, SendMessage } from '../test/support/clients/operations.ts';
import { SECRET, tokenFor } from '../test/support/clients/tokens.ts';
import { openTestDynamo } from '../test/support/database/dynamo.ts';
import { runProgram } from '../test/support/servers/program.ts';
import { redisAvailable, startRedis } from '../test/support/servers/redis.ts';
import { recordResult } from './results.ts';
import { percentile, printTable, rounded } from './support.ts';

const SENDS = 300;
const WARM_UP = 50;
const APART_MS = 120;
const JITTER_MS = 60;
const IDLE_MS = 5_000;
/** Targets: milliseconds, and polls per second. */
const TARGETS = { p50: 15, p99: 100, polls: 4 };

type Environment = Readonly<Record<string, string>>;
type Stop = () => Promise<void>;

const start = (env: Environment) =>
  runProgram({
    env: { AUTH_SECRET: SECRET, HOST: '127.0.0.1', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...env },
  });

/** For each send, the milliseconds from the response to the badge. */
async function measure(url: string): Promise<number[]> {
  const [sender, reader] = await Promise.all(
    ['aki', 'ben'].map(async (handle) => createClient(url, await tokenFor(handle))),
  );
  if (sender === undefined || reader === undefined) throw new Error('There are no clients.');
  const made = await sender.do(CreateRoom, { input: { name: 'Bench', visibility: 'PUBLIC' } });
  const roomId = made.createRoom.room.id;
  await reader.do(JoinRoom, { roomId });
  const badge = watchBadge(reader);
  await badge.next();

  const latencies: number[] = [];
  for (let n = 1; n <= WARM_UP + SENDS; n++) {
    await wait(APART_MS + Math.random() * JITTER_MS);
    const [answered, moved] = await Promise.all([
      sender.do(SendMessage, { input: { roomId, body: `Message ${n}` } }).then(() => performance.now()),
      badge.until(({ unread }) => unread.total === n).then(() => performance.now()),
    ]);
    if (n > WARM_UP) latencies.push(moved - answered);
  }
  await Promise.all([sender.close(), reader.close()]);
  return latencies;
}

async function oneProcess(): Promise<{ url: string; stop: Stop }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tsudoi-bench-'));
  const program = await start({ DATA_DIR: dataDir });
  const { url } = await program.ready();
  return {
    url,
    async stop() {
      await program.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function overRedis(): Promise<{ url: string; stop: Stop }> {
  const database = await openTestDynamo({ file: true });
  const redis = await startRedis();
  const env = {
    DYNAMODB_ENDPOINT: database.endpoint,
    TABLE_NAME: database.table,
    REDIS_URL: redis.url,
  };
  const programs = await Promise.all([start({ ...env, ROLE: 'api' }), start({ ...env, ROLE: 'worker' })]);
  const [api] = await Promise.all(programs.map((program) => program.ready()));
  return {
    url: api?.url ?? '',
    async stop() {
      await Promise.all(programs.map((program) => program.stop()));
      await redis.stop();
      await database.stop();
    },
  };
}

/** GetRecords requests per second of an idle consumer. */
async function idlePolls(): Promise<number> {
  const database = await openTestDynamo({ file: true });
  const proxy = await startFaultProxy(database.endpoint);
  const program = await start({ DYNAMODB_ENDPOINT: proxy.endpoint, TABLE_NAME: database.table });
  try {
    await program.ready();
    // By then the consumer has read the records of the start.
    await wait(IDLE_MS / 5);
    const before = proxy.count('GetRecords');
    await wait(IDLE_MS);
    return (proxy.count('GetRecords') - before) / (IDLE_MS / 1_000);
  } finally {
    await program.stop();
    await proxy.stop();
    await database.stop();
  }
}

async function row(name: string, open: () => Promise<{ url: string; stop: Stop }>) {
  const { url, stop } = await open();
  try {
    const latencies = await measure(url);
    if (latencies.length !== SENDS) throw new Error(`${latencies.length} of ${SENDS} badges moved.`);
    const [p50, p95, p99] = [50, 95, 99].map((p) => rounded(percentile(latencies, p)));
    return { setup: name, sends: SENDS, 'p50 ms': p50 ?? 0, 'p95 ms': p95 ?? 0, 'p99 ms': p99 ?? 0 };
  } finally {
    await stop();
  }
}

const rows = [await row('one process', oneProcess)];
if (redisAvailable) rows.push(await row('API server, Redis, worker', overRedis));
printTable(
  `From the mutation's response to the badge (targets: p50 ≤ ${TARGETS.p50}, p99 ≤ ${TARGETS.p99})`,
  rows,
);
recordResult('latency', rows);
const idle = [{ 'polls per second': rounded(await idlePolls()) }];
printTable(`An idle consumer (target: ≤ ${TARGETS.polls})`, idle);
recordResult('latency/idle', idle);
