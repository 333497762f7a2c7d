import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createShutdownStack } from '../../src/app/lifecycle.ts';
import type { Item } from '../../src/dynamo/item.ts';
import { ranges } from '../../src/dynamo/keys.ts';
import { type FaultProxy, startFaultProxy } from '../stream/support/faultProxy.ts';
import { newUser, rawId, roomOf, say } from '../support/clients/people.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { itemsIn } from '../support/database/table.ts';
import { startTestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';

describe('the shutdown stack', () => {
  test('end: stops the parts in the opposite order, once, even if one fails', async () => {
    const ended: string[] = [];
    const shutdown = createShutdownStack(pino({ level: 'silent' }));
    shutdown.add('first', () => void ended.push('first'));
    shutdown.add('second', async () => {
      ended.push('second');
      throw new Error('the second');
    });
    shutdown.add('third', () => {
      ended.push('third');
      throw new Error('the third');
    });
    await expect(shutdown.end()).rejects.toThrow('the third');
    expect(ended).toEqual(['third', 'second', 'first']);
    await shutdown.end();
    expect(ended).toHaveLength(3);
  });
});

describe('an app that is stopped in the middle of a batch', () => {
  let database: TestDynamo;
  let proxy: FaultProxy;
  beforeAll(async () => {
    database = await openTestDynamo({ file: true });
    proxy = await startFaultProxy(database.endpoint);
  });
  afterAll(async () => {
    await proxy.stop();
    await database.stop();
  });

  test('app.stop: stops serving, then finishes the batch, then closes the database', async () => {
    const app = await startTestApp({ database: { ...database, endpoint: proxy.endpoint } });
    const aki = await newUser(app);
    const roomId = await roomOf(aki);
    const room = rawId(roomId);

    // The proxy delays the answer to what the consumer writes.
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const deriving = new Promise<void>((resolve) => {
      proxy.onRequest('TransactWriteItems', (request) => {
        const text = JSON.stringify(request);
        if (!text.includes(`ROOM#${room}#LOG`) || !text.includes('ROOT#')) return;
        resolve();
        return answered;
      });
    });
    await say(aki, roomId, 'the last message');
    await deriving;

    let stopped = false;
    const stopping = app.stop().then(() => {
      stopped = true;
    });
    const serves = () =>
      fetch(app.url).then(
        () => true,
        () => false,
      );
    await eventually(async () => expect(await serves()).toBe(false));
    expect(stopped).toBe(false);
    answer();
    await stopping;

    expect(await itemsIn(database.dynamo, ranges.roots(room))).toMatchObject([
      { body: 'the last message', position: 1 },
    ]);
  });

  test('app.stop: gives its leases back while a request takes long', async () => {
    const app = await startTestApp({ database: { ...database, endpoint: proxy.endpoint } });
    const aki = await newUser(app);
    const roomId = await roomOf(aki);
    const inTable = async () => {
      const leases: Item[] = [];
      for await (const item of database.dynamo.scan({})) {
        if (String(item.pk).startsWith('STREAM#')) leases.push(item);
      }
      return leases;
    };
    const held = async () => (await inTable()).filter(({ owner }) => owner !== undefined);
    // Those of the stream's shard and of the timers.
    await eventually(async () => expect((await held()).length).toBeGreaterThanOrEqual(2));

    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const writing = new Promise<void>((resolve) => {
      proxy.onRequest('TransactWriteItems', (request) => {
        if (!JSON.stringify(request).includes('the slow message')) return;
        resolve();
        return answered;
      });
    });
    const said = say(aki, roomId, 'the slow message');
    await writing;
    let stopped = false;
    const stopping = app.stop().then(() => {
      stopped = true;
    });
    await eventually(async () => expect(await held()).toEqual([]));
    expect(stopped).toBe(false);
    answer();
    await Promise.all([said, stopping]);
  });
});
