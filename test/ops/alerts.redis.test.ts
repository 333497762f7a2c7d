/**
 * Each alert of Prometheus, by causing its condition on this machine: a real server, Redis and database, with faults
 * between them. Prometheus' own engine evaluates the rules on what the server said before and after.
 */

import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { graphql } from '../generated/gql.ts';
import { type FaultProxy, type Json, startFaultProxy } from '../stream/support/faultProxy.ts';
import { Timeline } from '../support/clients/operations.ts';
import { type Person, people, roomOf, say } from '../support/clients/people.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { isHere } from '../support/machine/needs.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { type RedisServer, redisAvailable, startRedis } from '../support/servers/redis.ts';
import { createStreamGate } from '../support/stream/streamGate.ts';
import { eventually } from '../support/time/eventually.ts';
import { alertsIn, firing, type Scrape, scrape } from './support/alerts.ts';

const AlertEvents = graphql(`
  subscription AlertEvents($roomId: ID!) {
    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }
  }
`);

/** What cannot be caused here without days, gigabytes or thousands of sockets or timers, and the test that makes its metric rise. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  DeliveriesFailed: 'test/delivery/sends.test.ts',
  TimersOverdue: 'test/timers/runner.test.ts',
  TimersFailed: 'test/timers/runner.test.ts',
  JobsNeedLook: 'test/jobs/jobs.test.ts',
  JobsWait: 'test/jobs/jobs.test.ts',
  ReadersDropped: 'test/server/websocketLimits.test.ts',
  MemoryLow: 'test/server/userLimits.test.ts',
  ServerFull: 'test/server/websocketLimits.test.ts',
};

/** They also fire if this machine is slow. */
const OF_SPEED = ['SlowOperations', 'SlowDatabase', 'MessagesLate'];
const notOfSpeed = (alerts: readonly string[]) => alerts.filter((alert) => !OF_SPEED.includes(alert));

const caused = new Set<string>();
const promtool = isHere('promtool', spawnSync('promtool', ['--version']).status === 0);
const HOUR_MS = 3_600_000;
const GARBLED = 'garbled';

describe.skipIf(!promtool || !redisAvailable)('alerts', () => {
  let database: TestDynamo;
  let proxy: FaultProxy;
  let redis: RedisServer;
  let app: TestApp;
  let aki: Person;
  let ben: Person;
  let roomId: string;
  let skewMs = 0;
  /** How much older the stream's records say that they are. */
  let recordsOlderMs = 0;
  const gate = createStreamGate();

  beforeAll(async () => {
    [database, redis] = await Promise.all([openTestDynamo({ file: true }), startRedis()]);
    proxy = await startFaultProxy(database.endpoint);
    proxy.rewrite('GetRecords', (page: Json) => ({ ...page, Records: page.Records.map(asRead) }));
    app = await startTestApp({
      ...{ database: { ...database, endpoint: proxy.endpoint }, redisUrl: redis.url },
      wrapDispatcher: gate.wrapDispatcher,
      now: () => Date.now() + skewMs,
    });
    [aki, ben] = await people(app, 2);
    roomId = await roomOf(aki, [ben]);
    await app.quiet();
  });
  afterAll(async () => {
    await app?.stop();
    await Promise.all([proxy?.stop(), redis?.stop()]);
    await database?.stop();
  });

  function asRead(record: Json): Json {
    const { dynamodb } = record;
    if (dynamodb.NewImage?.body?.S === GARBLED) dynamodb.NewImage.body = { X: 'an unknown type of value' };
    dynamodb.ApproximateCreationDateTime -= recordsOlderMs / 1_000;
    return record;
  }

  /** The alerts that fire if what `cause` does goes on. It is over when `until` holds for what the server says. */
  async function fires(
    cause: () => Promise<unknown>,
    until: (now: Scrape, before: Scrape) => boolean = () => true,
    url = app.url,
  ): Promise<readonly string[]> {
    const before = await scrape(url);
    await cause();
    const after = await eventually(async () => {
      const now = await scrape(url);
      expect(until(now, before)).toBe(true);
      return now;
    });
    const alerts = await firing({ before, after });
    for (const alert of alerts) caused.add(alert);
    return alerts;
  }

  const rises = (name: string) => (now: Scrape, before: Scrape) => sum(now, name) > sum(before, name);

  const sum = ({ series }: Scrape, prefix: string): number =>
    [...series].reduce((total, [key, value]) => (key.startsWith(prefix) ? total + value : total), 0);

  const read = () => aki.do(Timeline, { roomId, last: 10 });

  test('none: a server that works', async () => {
    expect(notOfSpeed(await fires(async () => say(aki, roomId, 'Hello')))).toEqual([]);
  });

  test('InternalErrors: what an operation reads is not as the program knows it', async () => {
    proxy.rewrite('Query', (page: Json) => ({ ...page, Items: page.Items.map(() => ({ pk: { S: 'x' } })) }));
    onTestFinished(() => proxy.rewrite('Query', () => undefined));
    const alerts = await fires(() => aki.refused(Timeline, { roomId, last: 10 }));
    expect(alerts).toContain('InternalErrors');
  });

  test('Unavailable, DatabaseFails: the database does not respond', async () => {
    onTestFinished(() => {
      proxy.mode = 'pass';
    });
    const alerts = await fires(async () => {
      proxy.mode = 'refuse';
      for (let n = 0; n < 10; n++)
        expect(await aki.refused(Timeline, { roomId, last: 10 })).toBe('UNAVAILABLE');
    });
    expect(alerts).toEqual(expect.arrayContaining(['DatabaseFails', 'Unavailable']));
  });

  test('SlowOperations, SlowDatabase: each call of the database takes a second', async () => {
    proxy.onRequest('Query', () => wait(1_100));
    onTestFinished(() => proxy.onRequest('Query', () => {}));
    const alerts = await fires(() => Promise.all(Array.from({ length: 20 }, read)));
    expect(alerts).toEqual(expect.arrayContaining(['SlowDatabase', 'SlowOperations']));
  });

  test('MessagesLate: the consumer has a message only three seconds after it was sent', async () => {
    const events = ben.subscribe(AlertEvents, { roomId });
    await events.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
    onTestFinished(() => {
      skewMs = 0;
      gate.open();
    });
    const late = async () => {
      gate.close();
      await say(aki, roomId, 'late');
      skewMs = 3_000;
      gate.open();
      await events.until(
        ({ roomEvents: event }) => event.__typename === 'MessageAdded' && event.message.body === 'late',
      );
    };
    expect(await fires(late, rises('tsudoi_message_lag_seconds_count'))).toContain('MessagesLate');
  });

  test('ConsumerBehind, ConsumerFarBehind: changes have waited for seven hours', async () => {
    onTestFinished(async () => {
      recordsOlderMs = 0;
      gate.open();
      await app.quiet();
    });
    const fallBehind = async () => {
      recordsOlderMs = 7 * HOUR_MS;
      gate.close();
      await say(aki, roomId, 'waits');
    };
    const alerts = await fires(fallBehind, (now) => sum(now, 'tsudoi_stream_lag_seconds') > 6.5 * 3_600);
    expect(alerts).toEqual(expect.arrayContaining(['ConsumerBehind', 'ConsumerFarBehind']));
  });

  test('SetAside: a record that cannot be read', async () => {
    const setAside = rises('tsudoi_stream_records_total{outcome="set_aside"');
    expect(await fires(() => say(aki, roomId, GARBLED), setAside)).toContain('SetAside');
  });

  test('BusLoses: connections to Redis break again and again', async () => {
    const breakTwice = async () => {
      for (let n = 1; n <= 3; n++) {
        const before = sum(await scrape(app.url), 'tsudoi_resyncs_total');
        await redis.command('CLIENT KILL TYPE pubsub');
        await eventually(async () =>
          expect(sum(await scrape(app.url), 'tsudoi_resyncs_total')).toBeGreaterThan(before),
        );
      }
    };
    expect(await fires(breakTwice)).toContain('BusLoses');
  });

  test('BusDown: Redis is stopped', async () => {
    onTestFinished(() => redis.restart());
    const alerts = await fires(
      () => redis.kill(),
      (now) => sum(now, 'tsudoi_bus_up') === 0,
    );
    expect(alerts).toContain('BusDown');
  });

  test('NoConsumer, NoTimers: only API servers run; ProcessDown: the process ends', async () => {
    const api = await startTestApp({ database, role: 'api' });
    const alerts = await fires(async () => {}, undefined, api.url);
    expect(alerts).toEqual(expect.arrayContaining(['NoConsumer', 'NoTimers']));
    expect(
      await fires(
        () => api.stop(),
        (now) => sum(now, 'up{') === 0,
        api.url,
      ),
    ).toContain('ProcessDown');
  });

  test('every alert is caused above, or has the test in which its metric rises', async () => {
    const covered = new Set([...caused, ...Object.keys(ELSEWHERE)]);
    expect((await alertsIn()).filter((alert) => !covered.has(alert))).toEqual([]);
    for (const file of Object.values(ELSEWHERE)) {
      expect((await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')).length).toBeGreaterThan(0);
    }
  });
});
