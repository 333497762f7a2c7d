/**
 * Each alert of Prometheus, by causing its condition on this machine: a real server, Redis and database, with faults
 * between them. Prometheus' own engine evaluates the rules on what the server said before and after.
 */

import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { DELIVERY_WINDOWS } from '../../src/core/deliveryKinds.ts';
import { idFrom } from '../../src/core/ids.ts';
import { createJobControl } from '../../src/jobs/control.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { type Timer, timerItem } from '../../src/timers/timer.ts';
import { type Receiver, startReceiver } from '../delivery/support/receiver.ts';
import { graphql } from '../generated/gql.ts';
import { startServer } from '../server/support/server.ts';
import { connect } from '../server/support/socket.ts';
import { type FaultProxy, type Json, startFaultProxy } from '../stream/support/faultProxy.ts';
import { Timeline } from '../support/clients/operations.ts';
import { type Person, people, roomOf, say } from '../support/clients/people.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { isHere } from '../support/machine/needs.ts';
import { startTestApp, type TestApp, tokenFor } from '../support/servers/app.ts';
import { type RedisServer, redisAvailable, startRedis } from '../support/servers/redis.ts';
import { createStreamGate } from '../support/stream/streamGate.ts';
import { eventually } from '../support/time/eventually.ts';
import { alertsIn, firing } from './support/alerts.ts';
import { type Scrape, scrape } from './support/promtool.ts';

const AlertEvents = graphql(`
  subscription AlertEvents($roomId: ID!) {
    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }
  }
`);

/** 16,000 sockets are too many for a test: another file sees the metric of this alert rise. */
const ELSEWHERE: Readonly<Record<string, { readonly metric: string; readonly file: string }>> = {
  ServerFull: { metric: 'tsudoi_open_sockets', file: 'test/server/websocketLimits.test.ts' },
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
      database: { ...database, endpoint: proxy.endpoint },
      redisUrl: redis.url,
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

  const firesIf =
    ({ once }: { readonly once: boolean }) =>
    async (
      cause: () => Promise<unknown>,
      until: (now: Scrape, before: Scrape) => boolean = () => true,
      url = app.url,
    ): Promise<readonly string[]> => {
      const before = await scrape(url);
      await cause();
      const after = await eventually(async () => {
        const now = await scrape(url);
        expect(until(now, before)).toBe(true);
        return now;
      });
      const alerts = await firing({ before, after, once });
      for (const alert of alerts) caused.add(alert);
      return alerts;
    };

  /** The alerts that fire if what `cause` does goes on. It is over when `until` holds for what the server says. */
  const fires = firesIf({ once: false });
  /** The same if it happens once. */
  const firesOnce = firesIf({ once: true });

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
    const alerts = await firesOnce(() => aki.refused(Timeline, { roomId, last: 10 }));
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
    expect(await firesOnce(() => say(aki, roomId, GARBLED), setAside)).toContain('SetAside');
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

  test('MemoryLow: a subscription while little memory is left', async () => {
    const server = await startServer({ memory: { isLow: () => true } });
    const socket = await server.session();
    const refuse = async () => {
      socket.subscribe('1', 'subscription { ticks }');
      expect(await socket.next()).toMatchObject({ type: 'error' });
    };
    expect(await firesOnce(refuse, undefined, server.url)).toContain('MemoryLow');
  });

  describe('of what happens later', () => {
    let later: TestApp;
    let table: TestDynamo;
    let faults: FaultProxy;
    let receiver: Receiver;
    let laterMs = 0;

    beforeAll(async () => {
      [table, receiver] = await Promise.all([openTestDynamo({ file: true }), startReceiver()]);
      faults = await startFaultProxy(table.endpoint);
      later = await startTestApp({
        database: { ...table, endpoint: faults.endpoint },
        timersMs: 200,
        upkeepMs: 200,
        limits: { firstRequestMs: 0, pingMs: 200 },
        now: () => Date.now() + laterMs,
        config: {
          webhooks: [{ ...receiver.config, kinds: ['MENTION'] }],
          webhookPrivateHosts: ['127.0.0.1'],
          deliveryWindows: { ...DELIVERY_WINDOWS, MENTION: { delaySeconds: 0, windowSeconds: 0 } },
        },
      });
    });
    afterAll(async () => {
      await later?.stop();
      await Promise.all([faults?.stop(), receiver?.stop()]);
      await table?.stop();
    });

    const unknownTimer = (id: string, due: number, failures?: Timer['failures']) =>
      table.dynamo.put(
        timerItem({ id, kind: 'unknown', due, about: {}, owner: 'o', ...defined({ failures }) }),
      );

    test('ReadersDropped: a client that does not respond to pings', async () => {
      const beSilent = async () => {
        const socket = await connect(`${later.url.replace('http', 'ws')}/graphql`);
        const payload = { authorization: `Bearer ${await tokenFor('silent')}` };
        socket.send({ type: 'connection_init', payload });
        expect(await socket.next()).toMatchObject({ type: 'connection_ack' });
        socket.raw.pause();
      };
      const dropped = rises('tsudoi_dropped_readers_total{reason="silent"');
      expect(await fires(beSilent, dropped, later.url)).toContain('ReadersDropped');
    });

    test('JobsNeedLook, JobsWait: a job that was paused, and was created seven hours ago', async () => {
      const now = () => Date.now() - 7 * HOUR_MS;
      const id = idFrom('a job that waits');
      const pauseOld = async () => {
        const job = { id, kind: 'clearStamps', about: {}, cursor: '', runAt: Date.now() + HOUR_MS };
        await createJobs({ dynamo: later.dynamo, now }).add(job);
        await createJobControl({ dynamo: later.dynamo, now }).pause({ id });
      };
      const counted = rises('tsudoi_jobs{state="PAUSED"');
      const alerts = await fires(pauseOld, counted, later.url);
      expect(alerts).toEqual(expect.arrayContaining(['JobsNeedLook', 'JobsWait']));
    });

    test('TimersFailed: no process has known the kind of a timer for two days', async () => {
      const since = Date.now() - 48 * HOUR_MS;
      const failures = { count: 9, since, setFor: since, error: 'UnknownKind' };
      // Those of known kinds begin at 0, too.
      const sends = 'tsudoi_timers_total{kind="send",outcome="failed"';
      expect([...(await scrape(later.url)).series].some(([key]) => key.startsWith(sends))).toBe(true);
      const alerts = await firesOnce(
        () => unknownTimer('lost', Date.now() - 1_000, failures),
        rises('tsudoi_timers_total{kind="unknown",outcome="failed"'),
        later.url,
      );
      expect(alerts).toContain('TimersFailed');
    });

    test('TimersOverdue: the database holds the timers of one owner that are being handled', async () => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      faults.onRequest('GetItem', ({ Key: key }: Json) =>
        String(key.pk.S).startsWith('DUE#') ? held : undefined,
      );
      onTestFinished(() => {
        release();
        faults.onRequest('GetItem', () => {});
      });
      const due = Date.now() - 120_000;
      const alerts = await fires(
        () => Promise.all(['a', 'b', 'c'].map((id) => unknownTimer(id, due))),
        (now) => sum(now, 'tsudoi_oldest_timer_seconds') > 110,
        later.url,
      );
      expect(alerts).toContain('TimersOverdue');
    });

    test('DeliveriesFailed: a webhook that has not responded for a day', async () => {
      const [mio, ren] = await people(later, 2);
      const tea = await roomOf(mio, [ren]);
      receiver.respond(() => ({ status: 503 }));
      const failForADay = async () => {
        await say(ren, tea, `Hello @${mio.handle}`);
        await receiver.arrived(1);
        laterMs = 25 * HOUR_MS;
      };
      const failed = rises('tsudoi_delivery_sends_total{channel="WEBHOOK",outcome="FAILED"');
      expect(await fires(failForADay, failed, later.url)).toContain('DeliveriesFailed');
    });
  });

  test('every alert is caused above, or has the test in which its metric rises', async () => {
    const covered = new Set([...caused, ...Object.keys(ELSEWHERE)]);
    expect((await alertsIn()).filter((alert) => !covered.has(alert))).toEqual([]);
    for (const { metric, file } of Object.values(ELSEWHERE)) {
      expect(await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')).toContain(metric);
    }
  });
});
