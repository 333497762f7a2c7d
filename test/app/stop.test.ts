import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRunning } from '../../src/app/lifecycle.ts';
import { ranges } from '../../src/dynamo/keys.ts';
import { type FaultProxy, startFaultProxy } from '../stream/faultProxy.ts';
import { startTestApp } from '../support/app.ts';
import { openTestDynamo, type TestDynamo } from '../support/dynamo.ts';
import { eventually } from '../support/eventually.ts';
import { newUser, rawId, roomOf, say } from '../support/people.ts';
import { itemsIn } from '../support/table.ts';

describe('what was started', () => {
  test('is ended in the opposite order, once, even if a step fails', async () => {
    const ended: string[] = [];
    const running = createRunning(pino({ level: 'silent' }));
    running.add('first', () => void ended.push('first'));
    running.add('second', async () => {
      ended.push('second');
      throw new Error('the second');
    });
    running.add('third', () => {
      ended.push('third');
      throw new Error('the third');
    });
    await expect(running.end()).rejects.toThrow('the third');
    expect(ended).toEqual(['third', 'second', 'first']);
    await running.end();
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

  test('stops serving, then finishes the batch, then closes the database', async () => {
    const app = await startTestApp({ database: { ...database, endpoint: proxy.endpoint } });
    const aki = await newUser(app);
    const roomId = await roomOf(aki);
    const room = rawId(roomId);

    // DynamoDB takes its time with what the consumer derives.
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
    await say(aki, roomId, 'the last words');
    await deriving;

    let stopped = false;
    const stopping = app.stop().then(() => {
      stopped = true;
    });
    const asked = () =>
      fetch(app.url).then(
        () => 'answers',
        () => 'is gone',
      );
    await eventually(async () => expect(await asked()).toBe('is gone'));
    expect(stopped).toBe(false);
    answer();
    await stopping;

    expect(await itemsIn(database.dynamo, ranges.roots(room))).toMatchObject([
      { body: 'the last words', position: 1 },
    ]);
  });
});
