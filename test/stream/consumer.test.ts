import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { createDynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { onDynamoDbLocal } from '../support/dynamo.ts';
import { covers, until, upTo, useConsumerStage } from './consumerStage.ts';
import { createRecorder, createTestClock, numbers, rootKey } from './support.ts';

const stage = useConsumerStage();

describe('a consumer', () => {
  it('hands on everything, from before its start and from after, and counts what it read', async () => {
    const handler = createRecorder();
    for (const n of upTo(3)) await stage.put(n);
    const consumer = await stage.started({ handlers: [handler] });
    for (const n of [4, 5]) await stage.put(n);
    await until(() => expect(numbers(handler.handled)).toEqual(upTo(5)));
    expect(handler.handled.every(({ stream }) => stream === stage.label)).toBe(true);
    await until(() => expect(consumer.recordsRead).toBeGreaterThanOrEqual(5));
    expect(consumer.state()).toMatchObject({ running: true, reachable: true, lagMs: 0, deadLetters: 0 });
  });

  it('continues at its checkpoint after a stop', async () => {
    const before = createRecorder();
    const first = await stage.started({ handlers: [before] });
    for (const n of upTo(3)) await stage.put(n);
    await until(() => expect(before.handled).toHaveLength(3));
    await first.stop();
    expect(first.state()).toMatchObject({ running: false, shards: [] });
    expect(covers((await stage.lease())?.checkpoint, before.handled[2])).toBe(true);
    expect(await stage.lease()).not.toHaveProperty('owner');
    for (const n of [4, 5]) await stage.put(n);
    const after = createRecorder();
    await stage.started({ handlers: [after] });
    await until(() => expect(numbers(after.handled)).toEqual([4, 5]));
  });

  it('saves its checkpoint soon after changes, and reports it', async () => {
    const handler = createRecorder();
    const consumer = stage.create({ handlers: [handler] });
    expect(consumer.checkpoint()).toBeUndefined();
    await consumer.start();
    await stage.put(1);
    await until(() => expect(handler.handled).toHaveLength(1));
    await until(() => expect(covers(consumer.checkpoint(), handler.handled[0])).toBe(true));
    expect(covers((await stage.lease())?.checkpoint, handler.handled[0])).toBe(true);
  });

  it.skipIf(onDynamoDbLocal)(
    'writes its lease once a second while there are changes, however many',
    async () => {
      const clock = createTestClock();
      const handler = createRecorder();
      const consumer = await stage.started({ handlers: [handler], clock, timing: {} });
      const waiting = () => until(() => expect(clock.waiting).toBe(3));
      await waiting();
      const before = stage.requests.writes();
      for (const n of upTo(40)) {
        await stage.put(n);
        consumer.wake();
        await until(() => expect(handler.handled).toHaveLength(n));
        await waiting();
        clock.advance(50);
        await waiting();
      }
      // Two seconds.
      expect(stage.requests.writes() - before).toBe(2);
      expect(covers((await stage.lease())?.checkpoint, handler.handled[35])).toBe(true);
    },
  );

  it('replays the same changes when it begins at the horizon again', async () => {
    const first = createRecorder();
    const consumer = await stage.started({ handlers: [first] });
    for (const n of upTo(4)) await stage.put(n);
    await stage.db.dynamo.remove(rootKey('r', 2));
    await until(() => expect(first.handled).toHaveLength(5));
    await consumer.stop();
    await stage.db.dynamo.remove(keys.shard(stage.label, stage.shard));
    const second = createRecorder();
    await stage.started({ handlers: [second] });
    await until(() => expect(second.handled).toEqual(first.handled));
  });

  it.skipIf(onDynamoDbLocal)('reads at once when woken: nothing on the way waits for a clock', async () => {
    const handler = createRecorder();
    const clock = createTestClock();
    const consumer = await stage.started({ handlers: [handler], clock });
    for (const n of upTo(20)) {
      await stage.put(n);
      consumer.wake();
      await until(() => expect(handler.handled).toHaveLength(n));
    }
    expect(clock.now()).toBe(0);
  });

  it('announces its start, and goes on when that fails', async () => {
    const handler = createRecorder();
    const onStart = vi.fn(() => Promise.reject(new Error('the bus is away')));
    await stage.started({ handlers: [handler], onStart });
    await stage.put(1);
    await until(() => expect(handler.handled).toHaveLength(1));
    expect(onStart).toHaveBeenCalledTimes(1);
  });

  it('writes nothing while idle but its lease, and that does not wake it', async () => {
    const clock = createTestClock();
    const onWrite = vi.fn();
    const quiet = createDynamo({ transport: stage.dynamo.transport, table: stage.db.table, onWrite });
    const consumer = await stage.started({ clock, dynamo: quiet, timing: {} });
    const settled = () => until(() => expect(clock.waiting).toBe(3));
    await settled();
    for (let ms = 0; ms < 1_000; ms += 50) {
      clock.advance(50);
      await settled();
    }
    const [writes, polls] = [stage.requests.writes(), stage.requests.polls()];
    // A minute: the look for shards, the lease's keeper and the reader each wait for the clock.
    for (let ms = 0; ms < 60_000; ms += 50) {
      clock.advance(50);
      await settled();
    }
    expect(stage.requests.writes() - writes).toBeGreaterThanOrEqual(15);
    expect(stage.requests.writes() - writes).toBeLessThanOrEqual(20);
    expect(stage.requests.polls() - polls).toBeLessThanOrEqual(240);
    expect(onWrite).not.toHaveBeenCalled();
    // Each renewal carried the position past the one before.
    expect(BigInt(consumer.checkpoint() ?? 0)).toBeGreaterThan(0n);
  });
});

describe('state', () => {
  it('reports the age of the oldest unhandled change', async () => {
    let finish = () => {};
    const handler = createRecorder({ fail: () => new Promise((resolve) => (finish = resolve)) });
    const consumer = await stage.started({ handlers: [handler], clock: systemClock });
    const before = Date.now();
    await stage.put(1);
    await until(() => expect(handler.calls).toEqual([1]));
    // The embedded database's times are accurate to the second, DynamoDB Local's to the minute.
    await until(() => expect(consumer.state().lagMs).toBeGreaterThan(0));
    const { lagMs } = consumer.state();
    expect(lagMs).toBeLessThanOrEqual(Date.now() - before + (onDynamoDbLocal ? 60_000 : 1_000));
    finish();
    await until(() => expect(consumer.state()).toMatchObject({ lagMs: 0, shards: [{ lagMs: 0 }] }));
  });
});

describe('stop', () => {
  it('lets the batch in hand end, and saves it', async () => {
    let finish = () => {};
    const handler = createRecorder({ fail: () => new Promise((resolve) => (finish = resolve)) });
    const consumer = await stage.started({ handlers: [handler] });
    await stage.put(1);
    await until(() => expect(handler.calls).toEqual([1]));
    const stopped = consumer.stop();
    finish();
    await stopped;
    expect(handler.handled).toHaveLength(1);
    expect(covers((await stage.lease())?.checkpoint, handler.handled[0])).toBe(true);
  });

  it('does not wait for a handler that never ends, and saves nothing of it', async () => {
    const handler = createRecorder({ fail: () => new Promise(() => {}) });
    await stage.put(1);
    const consumer = await stage.started({ handlers: [handler], graceMs: 20 });
    await until(() => expect(handler.calls).toEqual([1]));
    await consumer.stop();
    expect(await stage.lease()).not.toHaveProperty('owner');
    expect(await stage.lease()).not.toHaveProperty('checkpoint');
  });

  it('before the start, and twice, does nothing', async () => {
    const consumer = stage.create();
    await consumer.stop();
    await consumer.stop();
    await consumer.start();
    expect(consumer.state()).toMatchObject({ running: false, shards: [] });
  });
});
