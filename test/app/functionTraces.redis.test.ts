/** The spans of a function, which is frozen between its calls. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createFlush, FLUSH_MS } from '../../src/app/functionTraces.ts';
import { createStreamFunction } from '../../src/app/streamFunction.ts';
import { rawId, roomOf, say } from '../support/clients/people.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { positioned } from '../support/database/table.ts';
import { startTestApp } from '../support/servers/app.ts';
import { type RedisServer, redisAvailable, startRedis } from '../support/servers/redis.ts';
import { createTestClock } from '../support/time/clock.ts';
import { type CollectorOptions, startCollector } from './support/collector.ts';
import { createMapping } from './support/eventSourceMapping.ts';

describe.skipIf(!redisAvailable)('the stream function', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  /** A server that traces, and a function that sends its spans to this collector. */
  async function start(options?: CollectorOptions) {
    const [database, ofServer, collector] = await Promise.all([
      openTestDynamo({ file: true }),
      startCollector(),
      startCollector(options),
    ]);
    const app = await startTestApp({
      database,
      role: 'api',
      redisUrl: redis.url,
      config: { traces: { endpoint: ofServer.url, ratio: 1, service: 'chat' } },
    });
    const { handler, close } = await createStreamFunction({
      DYNAMODB_ENDPOINT: database.endpoint,
      TABLE_NAME: database.table,
      REDIS_URL: redis.url,
      LOG_LEVEL: 'silent',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'chat',
      OTEL_TRACES_SAMPLER_ARG: '0',
    });
    onTestFinished(async () => {
      await app.stop();
      await Promise.all([collector.stop(), ofServer.stop()]);
      await close();
      await database.stop();
    });
    return { app, database, ofServer, collector, mapping: createMapping({ database, handler }) };
  }

  test('has sent the spans of its calls when it returns; they refer to the operation', async () => {
    const { app, ofServer, collector, mapping } = await start();
    const aki = await app.as('aki');
    const roomId = await roomOf(aki);
    await mapping.drain();
    await say(aki, roomId, 'one');
    await mapping.drain();
    const { spans } = collector;
    await app.stop();
    const sending = ofServer.spans.find(({ name }) => name === 'sendMessage');
    const deriving = spans.filter(
      ({ name, links }) => name === 'consumer: events' && links.includes(sending?.spanId ?? ''),
    );
    expect(deriving).toMatchObject([{ service: 'chat', parentId: '', failed: false }]);
    const below = spans.filter(({ parentId }) => parentId === deriving[0]?.spanId).map(({ name }) => name);
    expect(below).toEqual(expect.arrayContaining(['DynamoDB TransactWriteItems', 'publish room']));
  });

  test('derives everything while the collector hangs', async () => {
    const { app, database, collector, mapping } = await start({ hangs: true });
    const aki = await app.as('aki');
    const roomId = await roomOf(aki);
    await say(aki, roomId, 'one');
    await mapping.drain();
    expect(collector.requests()).toBeGreaterThan(0);
    expect(mapping.failures).toBe(0);
    expect(await positioned(database.dynamo, rawId(roomId))).toMatchObject([{ body: 'one', position: 1 }]);
  });
});

describe('createFlush', () => {
  /** Counts its flushes, which last until `respond`. */
  function slowTracing() {
    const waiting: Array<() => void> = [];
    let flushes = 0;
    const flush = () =>
      new Promise<void>((resolve) => {
        flushes++;
        waiting.push(resolve);
      });
    const respond = () => {
      for (const resolve of waiting.splice(0)) resolve();
    };
    return { tracing: { flush }, respond, flushes: () => flushes };
  }

  test('waits for a collector, and leaves no timer', async () => {
    const [clock, { tracing, respond, flushes }] = [createTestClock(), slowTracing()];
    const flush = createFlush(tracing, clock);
    for (let call = 1; call <= 3; call++) {
      const flushed = flush();
      expect(flushes()).toBe(call);
      respond();
      await flushed;
      expect(clock.waiting).toBe(0);
    }
  });

  test('waits a second for one that hangs, and then not for a minute', async () => {
    const [clock, { tracing, flushes }] = [createTestClock(), slowTracing()];
    const flush = createFlush(tracing, clock);
    const first = flush();
    clock.advance(FLUSH_MS);
    await first;
    await flush();
    clock.advance(59_999);
    await flush();
    expect(flushes()).toBe(1);
    clock.advance(1);
    const later = flush();
    expect(flushes()).toBe(2);
    clock.advance(FLUSH_MS);
    await later;
  });

  test('without a collector it does nothing', async () => {
    const clock = createTestClock();
    await createFlush(undefined, clock)();
    expect(clock.waiting).toBe(0);
  });
});
