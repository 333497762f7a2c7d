import { describe, expect, it } from 'vitest';
import { OutageError } from '../../src/core/errors.ts';
import { keyOf } from '../../src/dynamo/keys.ts';
import type { StreamHandler } from '../../src/stream/change.ts';
import { createDeadLetters } from '../../src/stream/deadLetters.ts';
import { createDispatcher, type Dispatcher } from '../../src/stream/dispatcher.ts';
import { hastyClock } from '../support/time/clock.ts';
import { FAST, owned, until, useConsumerFixture } from './support/consumerFixture.ts';
import { createRecorder, createTestLog, numbers } from './support/stream.ts';

const fixture = useConsumerFixture();

describe('createConsumer: outage', () => {
  it('outage: all changes are handled after it, without dead letters, and it is logged once', async () => {
    const { log, lines } = createTestLog();
    const handler = createRecorder();
    const consumer = await fixture.started({ handlers: [handler], log });
    await fixture.put(1);
    await until(() => expect(handler.handled).toHaveLength(1));
    fixture.proxy.mode = 'refuse';
    const said = () =>
      lines.filter(({ message }) => message.startsWith('The stream ')).map(({ level }) => level);
    await until(() => expect(said()).toEqual(['warn']));
    expect(consumer.state().reachable).toBe(false);
    for (const n of [2, 3]) await fixture.put(n);
    fixture.proxy.mode = 'pass';
    await until(() => expect(numbers(handler.handled)).toEqual([1, 2, 3]));
    await until(() => expect(consumer.state()).toMatchObject({ reachable: true, deadLetters: 0 }));
    expect(said()).toEqual(['warn', 'info']);
  });

  it('outage: a consumer that starts during it reads after it', async () => {
    fixture.proxy.mode = 'refuse';
    const handler = createRecorder();
    await fixture.put(1);
    const consumer = await fixture.started({ handlers: [handler] });
    expect(consumer.state()).toMatchObject({ running: true, reachable: false, shards: [] });
    fixture.proxy.mode = 'pass';
    await until(() => expect(handler.handled).toHaveLength(1));
  });

  it('outage: the checkpoint waits while a handler meets one', async () => {
    let away = true;
    const handler = createRecorder({
      fail: () => {
        if (away) throw new OutageError();
      },
    });
    await fixture.put(1);
    const consumer = await fixture.started({ handlers: [handler] });
    await until(() => expect(handler.calls.length).toBeGreaterThan(2));
    await until(async () => expect(Number((await fixture.lease())?.counter)).toBeGreaterThan(2));
    expect(await fixture.lease()).not.toHaveProperty('checkpoint');
    expect(consumer.state().shards[0]?.position).toBeUndefined();
    away = false;
    await until(() => expect(handler.handled).toHaveLength(1));
    expect(consumer.state().deadLetters).toBe(0);
  });

  it.each([
    'AccessDeniedException',
    'ExpiredTokenException',
    'KMSAccessDeniedException',
    'ResourceNotFoundException',
    'UnrecognizedClientException',
  ])('outage: so it waits while DynamoDB refuses what a handler asks (%s)', async (error) => {
    const { log } = createTestLog();
    const handler = createRecorder();
    const reading: StreamHandler = {
      ...handler,
      async handle(changes) {
        await fixture.dynamo.batchGet(changes.map(({ new: item }) => keyOf(item ?? {})));
        await handler.handle(changes);
      },
    };
    const deadLetter = createDeadLetters({ dynamo: fixture.dynamo });
    const dispatcher = createDispatcher({ handlers: [reading], deadLetter, log, clock: hastyClock });
    fixture.proxy.mode = { error, of: ['BatchGetItem'] };
    await fixture.put(1);
    const consumer = await fixture.started({ dispatcher, log });
    // A change that fails by itself is given up after three attempts.
    await until(() => expect(fixture.proxy.count('BatchGetItem')).toBeGreaterThan(5));
    fixture.proxy.mode = 'pass';
    await until(() => expect(numbers(handler.handled)).toEqual([1]));
    expect(consumer.state().deadLetters).toBe(0);
  });

  it('stop: works during an outage', async () => {
    const consumer = await fixture.started();
    fixture.proxy.mode = 'refuse';
    await until(() => expect(consumer.state().reachable).toBe(false));
    await consumer.stop();
    expect(owned(consumer)).toEqual([]);
  });
});

describe('createConsumer: a shard that cannot be read', () => {
  it.each(['gone', 'failed'])(
    'createConsumer: a shard whose reading ended (%s) is taken again after a pause',
    async (end) => {
      const { log, lines } = createTestLog();
      const handler = createRecorder();
      const deadLetter = () => Promise.reject(new Error('No dead letter was expected.'));
      const sound = createDispatcher({ handlers: [handler], deadLetter, log });
      let breaking = false;
      const dispatcher: Dispatcher = {
        deadLetterCount: 0,
        async dispatch(changes, signal) {
          if (breaking && end === 'failed') throw new Error('A fault of the program');
          return sound.dispatch(changes, signal);
        },
      };
      const consumer = await fixture.started({ dispatcher, log, timing: { ...FAST, discoverMs: 3_600_000 } });
      await fixture.put(1);
      await until(() => expect(handler.handled).toHaveLength(1));
      breaking = true;
      if (end === 'gone') fixture.proxy.fail('GetRecords', 'ResourceNotFoundException');
      await fixture.put(2);
      const ended = { level: 'info', message: 'Done with a shard', fields: { shard: fixture.shard, end } };
      await until(() => expect(lines).toContainEqual(ended));
      breaking = false;
      await until(() => expect(numbers(handler.handled).at(-1)).toBe(2));
      expect(owned(consumer)).toEqual([fixture.shard]);
      // It waits before it takes the shard again: a shard that stays broken must not keep all consumers busy.
      expect(lines.filter(({ message }) => message === 'Done with a shard').length).toBeLessThan(10);
    },
  );
});
