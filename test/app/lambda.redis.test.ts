/** The stream's handlers as an AWS Lambda function, with the records of a real stream in Lambda's form. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createStreamFunction } from '../../src/app/streamFunction.ts';
import { createTimersFunction } from '../../src/app/timersFunction.ts';
import { idFrom } from '../../src/core/ids.ts';
import type { Item } from '../../src/dynamo/item.ts';
import { DEFAULT_LAYOUT } from '../../src/dynamo/keyLayout.ts';
import { keys, parseKey } from '../../src/dynamo/keys.ts';
import { startFaultProxy } from '../stream/support/faultProxy.ts';
import { buildFunctions } from '../support/builds/functions.ts';
import { queryBadge, shows, watchBadge } from '../support/clients/badges.ts';
import { JoinRoom, LeaveRoom, MarkRoomRead } from '../support/clients/operations.ts';
import { rawId, roomOf, say } from '../support/clients/people.ts';
import {
  OTHER_LAYOUT,
  openTestDynamo,
  type TestDynamo,
  type TestDynamoOptions,
} from '../support/database/dynamo.ts';
import { dump, positioned } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { runProgram } from '../support/servers/program.ts';
import { type RedisServer, redisAvailable, startRedis } from '../support/servers/redis.ts';
import { createTestClock } from '../support/time/clock.ts';
import { createMapping, type MappingOptions } from './support/eventSourceMapping.ts';

describe.skipIf(!redisAvailable)('the stream function', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  /** A table with an API server. The function is the only consumer. */
  async function startWithFunction(
    options: Partial<MappingOptions> &
      Pick<TestDynamoOptions, 'layout'> & { readonly endpoint?: string } = {},
  ) {
    const database = await openTestDynamo({ file: true, layout: options.layout });
    onTestFinished(() => database.stop());
    const app = await startTestApp({ database, role: 'api', redisUrl: redis.url });
    onTestFinished(() => app.stop());
    const { endpoint = database.endpoint, ...mapping } = options;
    const { handler, close } = await createStreamFunction(environment(database, endpoint));
    onTestFinished(close);
    // AWS passes records on as they are.
    const stored = { ...database, streams: database.raw.streams };
    return { app, database, mapping: createMapping({ database: stored, handler, ...mapping }) };
  }

  /** A function that reaches its table through a proxy. The API's server does not. */
  async function startBehindProxy() {
    const target = await openTestDynamo({ file: true });
    const proxy = await startFaultProxy(target.endpoint);
    onTestFinished(async () => {
      await proxy.stop();
      await target.stop();
    });
    const app = await startTestApp({ database: target, role: 'api', redisUrl: redis.url });
    onTestFinished(() => app.stop());
    const { handler, close } = await createStreamFunction(environment(target, proxy.endpoint));
    onTestFinished(close);
    return { target, proxy, app, handler };
  }

  const environment = ({ table }: TestDynamo, endpoint: string) => ({
    DYNAMODB_ENDPOINT: endpoint,
    TABLE_NAME: table,
    REDIS_URL: redis.url,
    LOG_LEVEL: 'silent',
  });

  test('createStreamFunction: derives exactly what the in-process consumer derives, with any names of keys', async () => {
    // A function puts nothing off.
    const inProcess = await startTestApp({ putOffMs: 0 });
    onTestFinished(() => inProcess.stop());
    await runScenario(inProcess, inProcess.quiet);

    for (const layout of [DEFAULT_LAYOUT, OTHER_LAYOUT]) {
      const { app, mapping } = await startWithFunction({ layout });
      await runScenario(app, mapping.drain);
      expect(mapping.failures).toBe(0);
      expect(await derived(app)).toEqual(await derived(inProcess));
    }
  });

  test('createStreamFunction: refuses the stream of another table, also if its keys have the same names', async () => {
    for (const [own, other] of [
      [DEFAULT_LAYOUT, OTHER_LAYOUT],
      [OTHER_LAYOUT, DEFAULT_LAYOUT],
      [{ ...OTHER_LAYOUT, pk: 'pk' }, DEFAULT_LAYOUT],
      [DEFAULT_LAYOUT, DEFAULT_LAYOUT],
    ] as const) {
      const database = await openTestDynamo({ layout: own });
      onTestFinished(() => database.stop());
      const { handler, close } = await createStreamFunction(environment(database, database.endpoint));
      onTestFinished(close);
      const foreign = await openTestDynamo({ layout: other });
      onTestFinished(() => foreign.stop());
      await foreign.dynamo.put({ ...keys.job(idFrom('a job')), v: 1 });
      const stored = { ...foreign, streams: foreign.raw.streams };
      await expect(createMapping({ database: stored, handler }).drain()).rejects.toThrow(
        `This stream is not that of the table ${database.table}: ${foreign.streamArn}`,
      );
    }
  });

  test('createStreamFunction: publishes changes, also after its connection was lost', async () => {
    const { app, database, mapping } = await startWithFunction();
    const [aki, ben] = await Promise.all([app.as('aki'), app.as('ben')]);
    const roomId = await roomOf(aki, [ben]);
    const badge = watchBadge(ben);
    await badge.next();
    await say(aki, roomId, 'one');
    await mapping.drain();
    await badge.until(({ unread }) => unread.total === 1);

    // All connections, including the function's: it cannot notice before it is called again.
    await redis.command('CLIENT KILL TYPE normal');
    await say(aki, roomId, 'two');
    await mapping.drain();
    await positioned(database.dynamo, rawId(roomId));
    await shows(badge, await queryBadge(ben));
    expect((await queryBadge(ben)).total).toBe(2);
  });

  test('createStreamFunction: reports unhandled records of an outage, and counts everything once', async () => {
    const { target, proxy, app, handler } = await startBehindProxy();
    // With little remaining time it gives up soon and does not wait for the end of the outage.
    const mapping = createMapping({
      database: target,
      handler: async (event, context) => {
        const answer = await handler(event, context);
        // The outage ends after it was reported.
        if (answer.batchItemFailures.length > 0) proxy.mode = 'pass';
        return answer;
      },
      remainingMs: () => 10_000,
    });

    const aki = await app.as('aki');
    const rooms = await Promise.all([1, 2, 3].map(() => roomOf(aki)));
    for (let n = 0; n < 8; n++) for (const room of rooms) await say(aki, room, `number ${n}`);
    let writes = 0;
    proxy.onRequest('TransactWriteItems', () => {
      if (++writes === 4) proxy.mode = 'refuse';
    });
    await mapping.drain();
    expect(mapping.failures).toBeGreaterThan(0);
    for (const room of rooms) {
      const roots = await positioned(target.dynamo, rawId(room));
      expect(roots.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    }
    expect((await queryBadge(aki)).total).toBe(0);
  });

  test('createStreamFunction: reports a batch as unhandled, if the table cannot be read at the start of its call', async () => {
    const { target, proxy, app, handler } = await startBehindProxy();
    const reported: Array<readonly [string | undefined, string | undefined]> = [];
    const mapping = createMapping({
      database: target,
      handler: async (event, context) => {
        const answer = await handler(event, context);
        const [failed] = answer.batchItemFailures;
        if (failed !== undefined)
          reported.push([failed.itemIdentifier, event.Records[0]?.dynamodb?.SequenceNumber]);
        proxy.mode = 'pass';
        return answer;
      },
    });
    const aki = await app.as('aki');
    const roomId = await roomOf(aki);
    await say(aki, roomId, 'one');
    proxy.mode = 'refuse';
    await mapping.drain();
    const [[identifier, first] = [], ...more] = reported;
    expect([identifier, more]).toEqual([first, []]);
    expect(await positioned(target.dynamo, rawId(roomId))).toMatchObject([{ body: 'one', position: 1 }]);
  });

  test('createStreamFunction, createTimersFunction: a start during an outage says which DynamoDB does not respond', async () => {
    const database = await openTestDynamo();
    const proxy = await startFaultProxy(database.endpoint);
    onTestFinished(async () => {
      await proxy.stop();
      await database.stop();
    });
    proxy.mode = 'refuse';
    const why = `DynamoDB at ${new URL(proxy.endpoint).origin} does not respond (`;
    for (const create of [createStreamFunction, createTimersFunction])
      await expect(create(environment(database, proxy.endpoint))).rejects.toThrow(why);
  });

  test('createStreamFunction, createTimersFunction: a call that DynamoDB refuses is an error, which an alarm reports', async () => {
    const { database, mapping } = await startWithFunction();
    const proxy = await startFaultProxy(database.endpoint);
    onTestFinished(() => proxy.stop());
    const stream = await createStreamFunction(environment(database, proxy.endpoint));
    onTestFinished(stream.close);
    const clock = createTestClock();
    const timers = await createTimersFunction(environment(database, proxy.endpoint), clock);
    onTestFinished(timers.close);
    await mapping.drain();

    proxy.mode = { error: 'AccessDeniedException', of: ['PutItem'] };
    const why = `DynamoDB at ${new URL(proxy.endpoint).origin} refuses the request: AccessDeniedException: `;
    const stored = { ...database, streams: database.raw.streams };
    const refused = createMapping({ database: stored, handler: stream.handler });
    await database.dynamo.put({ ...keys.job(idFrom('a job')), v: 1 });
    await expect(refused.drain()).rejects.toThrow(why);
    await expect(timers.handler({}, { getRemainingTimeInMillis: () => 90_000 })).rejects.toThrow(why);
    expect(clock.waiting).toBe(0);
  });

  test('lambda.handler: the build exports it', async () => {
    const { app, database } = await startWithFunction();
    const aki = await app.as('aki');
    const roomId = await roomOf(aki);
    await say(aki, roomId, 'one');

    const called = await runProgram({
      command: [process.execPath, '--input-type=module', '-e', CALL],
      cwd: await buildFunctions(),
      env: { ...environment(database, database.endpoint), EVENT: await firstEvent(database) },
    });
    onTestFinished(() => called.stop());
    expect(await called.ended).toMatchObject({ code: 0 });
    expect(called.stdout).toBe('{"batchItemFailures":[]}');
    expect(called.stderr).toBe('');
    expect(await positioned(database.dynamo, rawId(roomId))).toMatchObject([{ body: 'one', position: 1 }]);
  });

  test('lambda.handler: asks again how a table names its keys, after the description was refused', async () => {
    const { app, database } = await startWithFunction({ layout: OTHER_LAYOUT });
    const proxy = await startFaultProxy(database.endpoint);
    onTestFinished(() => proxy.stop());
    const aki = await app.as('aki');
    const roomId = await roomOf(aki);
    await say(aki, roomId, 'one');
    proxy.fail('DescribeTable', 'AccessDeniedException');

    const stored = { ...database, streams: database.raw.streams };
    const called = await runProgram({
      command: [process.execPath, '--input-type=module', '-e', CALL_TWICE],
      cwd: await buildFunctions(),
      env: { ...environment(database, proxy.endpoint), EVENT: await firstEvent(stored) },
    });
    onTestFinished(() => called.stop());
    expect(await called.ended).toMatchObject({ code: 0 });
    expect(called.stdout).toMatch(/^This process may not see .*\n\{"batchItemFailures":\[\]\}$/);
    expect(await positioned(database.dynamo, rawId(roomId))).toMatchObject([{ body: 'one', position: 1 }]);
  });
});

const CALL = `
  import { handler, timers } from './lambda.mjs';
  if (typeof timers !== 'function') throw new Error('It does not export the timers.');
  const context = { getRemainingTimeInMillis: () => 60_000 };
  process.stdout.write(JSON.stringify(await handler(JSON.parse(process.env.EVENT), context)), () => process.exit());
`;

const CALL_TWICE = `
  import { handler } from './lambda.mjs';
  const event = JSON.parse(process.env.EVENT);
  const context = { getRemainingTimeInMillis: () => 60_000 };
  const first = await handler(event, context).then(() => 'It was handled.', (error) => error.message);
  const second = JSON.stringify(await handler(event, context));
  process.stdout.write(first + '\\n' + second, () => process.exit());
`;

/** All records of a table's stream as one event. */
async function firstEvent(database: TestDynamo): Promise<string> {
  const events: string[] = [];
  const mapping = createMapping({
    database,
    batchSize: 1_000,
    handler: async (event) => {
      events.push(JSON.stringify(event));
      return { batchItemFailures: [] };
    },
  });
  await mapping.drain();
  const [first = ''] = events;
  return first;
}

test('createStreamFunction: refuses to start without REDIS_URL, because no server would receive its events', async () => {
  await expect(createStreamFunction({ AWS_REGION: 'eu-central-1' })).rejects.toThrow(/REDIS_URL/);
});

/** Sends the same messages in every table. `settle` resolves when everything is derived. */
async function runScenario(app: TestApp, settle: () => Promise<void>): Promise<void> {
  const [aki, ben, chie] = await Promise.all([app.as('aki'), app.as('ben'), app.as('chie')]);
  const roomId = await roomOf(aki, [ben, chie]);
  await settle();
  for (const [n, who] of [aki, ben, aki, chie].entries()) {
    const root = await say(who, roomId, `root ${n}`);
    await settle();
    await say(ben, roomId, `reply to ${n}`, root.id);
    await settle();
  }
  await ben.do(MarkRoomRead, { input: { roomId } });
  await chie.do(LeaveRoom, { roomId });
  await settle();
  await say(aki, roomId, 'after chie left');
  await settle();
  await chie.do(JoinRoom, { roomId });
  await settle();
}

/**
 * A table's content without ids, times and the consumer's own records, which differ from table to table. The room's log
 * is one list, because it may be stored in different batches.
 */
async function derived({ dynamo }: TestApp): Promise<unknown> {
  const log: unknown[] = [];
  const items: unknown[] = [];
  for (const { expiresAt: _, content: _content, logged: _logged, ...stored } of (
    await dump(dynamo)
  ).values()) {
    // The second at which the user signed in.
    const { tokenAt: _tokenAt, ...item } = stored;
    if (parseKey({ pk: String(item.pk), sk: String(item.sk) }).type === 'log')
      log.push(...(item.entries as unknown[]));
    else items.push(item);
  }
  const text = JSON.stringify({ items, log });
  const timestamps = [...new Set(text.match(/\d{16}/g))].sort();
  const same: { items: Item[]; log: unknown } = JSON.parse(
    text
      .replace(/ROOM#[0-9a-z]{16}/g, 'ROOM#room')
      .replace(/\d{16}/g, (timestamp) => `#${timestamps.indexOf(timestamp)}`)
      .replace(/NOTE#[0-9a-z]{16}"/g, 'NOTE#id"')
      .replace(/(UNREAD|THREAD)#[0-9a-z]{16}/g, '$1#room')
      .replace(/#(LIKE|REPLY|MENTION|STAMP)#[0-9a-z]{16}/g, '#$1#room')
      .replace(/"(room|gsi1sk|id|in)":"[^"]*"/g, '"$1":"…"'),
  );
  // Some items are sorted by ids, which differ.
  const position = ({ pk, sk, t }: Item) => `${pk} ${sk} ${t}`;
  return { log: same.log, items: same.items.sort((a, b) => (position(a) < position(b) ? -1 : 1)) };
}
