import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { createDynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { createTestClock } from '../support/time/clock.ts';
import { type ConsumerFixture, covers, until, upTo, useConsumerFixture } from './support/consumerFixture.ts';
import { createRecorder, numbers, rootKey } from './support/stream.ts';

const fixture = useConsumerFixture();

/** When the records of the stream were written, in milliseconds since 1970. */
async function timesOf({ db, shard }: ConsumerFixture): Promise<readonly number[]> {
  const start = { StreamArn: db.streamArn, ShardId: shard, ShardIteratorType: 'TRIM_HORIZON' as const };
  const { ShardIterator = '' } = await db.streams.send('GetShardIterator', start);
  const { Records = [] } = await db.streams.send('GetRecords', { ShardIterator });
  return Records.map(({ dynamodb }) => (dynamodb?.ApproximateCreationDateTime ?? 0) * 1_000);
}

describe('createConsumer', () => {
  it('createConsumer: handles records from before and after its start, and counts them', async () => {
    const handler = createRecorder();
    for (const n of upTo(3)) await fixture.put(n);
    const consumer = await fixture.started({ handlers: [handler] });
    for (const n of [4, 5]) await fixture.put(n);
    await until(() => expect(numbers(handler.handled)).toEqual(upTo(5)));
    expect(handler.handled.every(({ stream }) => stream === fixture.label)).toBe(true);
    await until(() => expect(consumer.recordsRead).toBeGreaterThanOrEqual(5));
    expect(consumer.state()).toMatchObject({ running: true, reachable: true, lagMs: 0, deadLetters: 0 });
  });

  it('createConsumer: continues at its checkpoint after a stop', async () => {
    const before = createRecorder();
    const first = await fixture.started({ handlers: [before] });
    for (const n of upTo(3)) await fixture.put(n);
    await until(() => expect(before.handled).toHaveLength(3));
    await first.stop();
    expect(first.state()).toMatchObject({ running: false, shards: [] });
    expect(covers((await fixture.lease())?.checkpoint, before.handled[2])).toBe(true);
    expect(await fixture.lease()).not.toHaveProperty('owner');
    for (const n of [4, 5]) await fixture.put(n);
    const after = createRecorder();
    await fixture.started({ handlers: [after] });
    await until(() => expect(numbers(after.handled)).toEqual([4, 5]));
  });

  it('createConsumer: saves its checkpoint soon after changes, and reports it', async () => {
    const handler = createRecorder();
    const consumer = fixture.create({ handlers: [handler] });
    expect(consumer.checkpoint()).toBeUndefined();
    await consumer.start();
    await fixture.put(1);
    await until(() => expect(handler.handled).toHaveLength(1));
    await until(() => expect(covers(consumer.checkpoint(), handler.handled[0])).toBe(true));
    expect(covers((await fixture.lease())?.checkpoint, handler.handled[0])).toBe(true);
  });

  it.skipIf(onDynamoDbLocal)(
    'createConsumer: writes its lease once a second while there are changes, however many',
    async () => {
      const clock = createTestClock();
      const handler = createRecorder();
      const consumer = await fixture.started({ handlers: [handler], clock, timing: {} });
      const waiting = () => until(() => expect(clock.waiting).toBe(3));
      await waiting();
      const before = fixture.requests.writes();
      for (const n of upTo(40)) {
        await fixture.put(n);
        consumer.wake();
        await until(() => expect(handler.handled).toHaveLength(n));
        await waiting();
        clock.advance(50);
        await waiting();
      }
      // Two seconds.
      expect(fixture.requests.writes() - before).toBe(2);
      expect(covers((await fixture.lease())?.checkpoint, handler.handled[35])).toBe(true);
    },
  );

  it('createConsumer: handles the same changes again if it starts without a checkpoint', async () => {
    const first = createRecorder();
    const consumer = await fixture.started({ handlers: [first] });
    for (const n of upTo(4)) await fixture.put(n);
    await fixture.db.dynamo.remove(rootKey('r', 2));
    await until(() => expect(first.handled).toHaveLength(5));
    await consumer.stop();
    await fixture.db.dynamo.remove(keys.shard(fixture.label, fixture.shard));
    const second = createRecorder();
    await fixture.started({ handlers: [second] });
    await until(() => expect(second.handled).toEqual(first.handled));
  });

  it.skipIf(onDynamoDbLocal)('wake: a consumer reads at once, without waiting for a timer', async () => {
    const handler = createRecorder();
    const clock = createTestClock();
    const consumer = await fixture.started({ handlers: [handler], clock });
    for (const n of upTo(20)) {
      await fixture.put(n);
      consumer.wake();
      await until(() => expect(handler.handled).toHaveLength(n));
    }
    expect(clock.now()).toBe(0);
  });

  it('onStart: is called at the start, and its failure does not stop the consumer', async () => {
    const handler = createRecorder();
    const onStart = vi.fn(() => Promise.reject(new Error('the bus is away')));
    await fixture.started({ handlers: [handler], onStart });
    await fixture.put(1);
    await until(() => expect(handler.handled).toHaveLength(1));
    expect(onStart).toHaveBeenCalledTimes(1);
  });

  it('createConsumer: writes only its lease while idle, and that write does not wake it', async () => {
    const clock = createTestClock();
    const onWrite = vi.fn();
    const { transport, table, timeouts } = fixture.dynamo;
    const quiet = createDynamo({ transport, table, timeouts, onWrite });
    const consumer = await fixture.started({ clock, dynamo: quiet, timing: {} });
    const settled = () => until(() => expect(clock.waiting).toBe(3));
    await settled();
    for (let ms = 0; ms < 1_000; ms += 50) {
      clock.advance(50);
      await settled();
    }
    const [writes, polls] = [fixture.requests.writes(), fixture.requests.polls()];
    // A minute passes. Discovery, lease and reader wait for this clock.
    for (let ms = 0; ms < 60_000; ms += 50) {
      clock.advance(50);
      await settled();
    }
    expect(fixture.requests.writes() - writes).toBeGreaterThanOrEqual(15);
    expect(fixture.requests.writes() - writes).toBeLessThanOrEqual(20);
    expect(fixture.requests.polls() - polls).toBeLessThanOrEqual(240);
    expect(onWrite).not.toHaveBeenCalled();
    // Each renewal moved the checkpoint past the previous one.
    expect(BigInt(consumer.checkpoint() ?? 0)).toBeGreaterThan(0n);
  });
});

describe('state', () => {
  it('state: reports the age of the oldest unhandled change', async () => {
    let finish = () => {};
    const handler = createRecorder({ fail: () => new Promise((resolve) => (finish = resolve)) });
    const consumer = await fixture.started({ handlers: [handler], clock: systemClock });
    await fixture.put(1);
    await until(() => expect(handler.calls).toEqual([1]));
    await until(() => expect(consumer.state().lagMs).toBeGreaterThan(0));
    const from = Date.now();
    const { lagMs } = consumer.state();
    const to = Date.now();
    // The oldest change may be the write of the lease. The clock of the database is not that of this process.
    const written = await timesOf(fixture);
    expect(written.filter((at) => from - at <= lagMs && lagMs <= to - at)).not.toEqual([]);
    finish();
    await until(() => expect(consumer.state()).toMatchObject({ lagMs: 0, shards: [{ lagMs: 0 }] }));
  });
});

describe('stop', () => {
  it('stop: lets the running batch end, and saves its position', async () => {
    let finish = () => {};
    const handler = createRecorder({ fail: () => new Promise((resolve) => (finish = resolve)) });
    const consumer = await fixture.started({ handlers: [handler] });
    await fixture.put(1);
    await until(() => expect(handler.calls).toEqual([1]));
    const stopped = consumer.stop();
    finish();
    await stopped;
    expect(handler.handled).toHaveLength(1);
    expect(covers((await fixture.lease())?.checkpoint, handler.handled[0])).toBe(true);
  });

  it('stop: does not wait for a handler that never ends, and does not save its position', async () => {
    const handler = createRecorder({ fail: () => new Promise(() => {}) });
    await fixture.put(1);
    const consumer = await fixture.started({ handlers: [handler], graceMs: 20 });
    await until(() => expect(handler.calls).toEqual([1]));
    await consumer.stop();
    expect(await fixture.lease()).not.toHaveProperty('owner');
    expect(await fixture.lease()).not.toHaveProperty('checkpoint');
  });

  it('stop: idempotent, also before the start', async () => {
    const consumer = fixture.create();
    await consumer.stop();
    await consumer.stop();
    await consumer.start();
    expect(consumer.state()).toMatchObject({ running: false, shards: [] });
  });
});
