import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createClient, createStreamsClient } from '../../src/dynamo/client.ts';
import { createDynamo, type Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import type { Change, StreamHandler } from '../../src/stream/change.ts';
import { systemClock } from '../../src/stream/clock.ts';
import { type Consumer, type ConsumerOptions, createConsumer } from '../../src/stream/consumer.ts';
import { createDispatcher, type Dispatcher } from '../../src/stream/dispatcher.ts';
import { compareSequences, streamLabel } from '../../src/stream/records.ts';
import { asides, createSetAside } from '../../src/stream/setAside.ts';
import { listShards } from '../../src/stream/shards.ts';
import { onDynamoDbLocal, openTestDynamo, type TestDynamo } from '../support/dynamo.ts';
import { type FaultProxy, startFaultProxy } from './faultProxy.ts';
import { createRecorder, createTestClock, createTestLog, numbers, rootKey, silent } from './support.ts';

/** Everything about a hundred times faster than in production. */
const FAST = { saveMs: 10, renewMs: 30, lostAfterMs: 150, discoverMs: 150 };

let db: TestDynamo;
let proxy: FaultProxy;
/** Over the proxy, whatever it does. */
let dynamo: Dynamo;
let streams: ReturnType<typeof createStreamsClient>;
let label: string;
let shard: string;
let consumers: Consumer[];

beforeEach(async () => {
  db = await openTestDynamo();
  proxy = await startFaultProxy(db.endpoint);
  dynamo = createDynamo({ client: createClient({ endpoint: proxy.endpoint }), table: db.table });
  streams = createStreamsClient({ endpoint: proxy.endpoint });
  label = streamLabel(db.streamArn);
  shard = (await listShards(db.streams, db.streamArn))[0]?.id ?? '';
  consumers = [];
});

afterEach(async () => {
  proxy.mode = 'pass';
  await Promise.all(consumers.map((consumer) => consumer.stop()));
  dynamo.client.destroy();
  streams.destroy();
  await proxy.stop();
  await db.stop();
});

type Setup = Partial<ConsumerOptions> & {
  readonly handlers?: readonly StreamHandler[];
  readonly graceMs?: number;
};

/** A consumer over the proxy, stopped at the end of the test. */
function create({ handlers = [], graceMs = 5_000, ...options }: Setup = {}): Consumer {
  const consumer = createConsumer({
    ...{ streams, dynamo, streamArn: db.streamArn, timing: FAST, log: silent },
    dispatcher: createDispatcher({
      ...{ handlers, log: options.log ?? silent, graceMs },
      setAside: createSetAside({ dynamo }),
    }),
    onTrimmed: () => Promise.reject(new Error('Nothing was to be repaired.')),
    ...options,
  });
  consumers.push(consumer);
  return consumer;
}

async function started(setup: Setup = {}): Promise<Consumer> {
  const consumer = create(setup);
  await consumer.start();
  return consumer;
}

const put = (n: number) => db.dynamo.put({ ...rootKey('r', n), v: 1, n });
const until = (condition: () => void | Promise<void>) =>
  vi.waitFor(condition, { interval: 2, timeout: 10_000 });
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);
const lease = (id = shard) => db.dynamo.get(keys.shard(label, id));
/** Whether a checkpoint covers a change. What the consumer itself wrote since may have moved it further. */
const covers = (checkpoint: unknown, change: Change | undefined) =>
  typeof checkpoint === 'string' &&
  change !== undefined &&
  compareSequences(checkpoint, change.sequence) >= 0;
const owned = (consumer: Consumer) => consumer.state().shards.map((state) => state.shard);

describe('a consumer', () => {
  it('hands on everything, from before its start and from after, and counts what it read', async () => {
    const handler = createRecorder();
    for (const n of upTo(3)) await put(n);
    const consumer = await started({ handlers: [handler] });
    for (const n of [4, 5]) await put(n);
    await until(() => expect(numbers(handler.handled)).toEqual(upTo(5)));
    expect(handler.handled.every(({ stream }) => stream === label)).toBe(true);
    await until(() => expect(consumer.recordsRead).toBeGreaterThanOrEqual(5));
    expect(consumer.state()).toMatchObject({ running: true, reachable: true, lagMs: 0, setAside: 0 });
  });

  it('goes on, after it was stopped, where it was', async () => {
    const before = createRecorder();
    const first = await started({ handlers: [before] });
    for (const n of upTo(3)) await put(n);
    await until(() => expect(before.handled).toHaveLength(3));
    await first.stop();
    expect(first.state()).toMatchObject({ running: false, shards: [] });
    expect(covers((await lease())?.checkpoint, before.handled[2])).toBe(true);
    expect(await lease()).not.toHaveProperty('owner');
    for (const n of [4, 5]) await put(n);
    const after = createRecorder();
    await started({ handlers: [after] });
    await until(() => expect(numbers(after.handled)).toEqual([4, 5]));
  });

  it('saves its checkpoint soon after changes, and tells what it saved', async () => {
    const handler = createRecorder();
    const consumer = create({ handlers: [handler] });
    expect(consumer.checkpoint()).toBeUndefined();
    await consumer.start();
    await put(1);
    await until(() => expect(handler.handled).toHaveLength(1));
    await until(() => expect(covers(consumer.checkpoint(), handler.handled[0])).toBe(true));
    expect(covers((await lease())?.checkpoint, handler.handled[0])).toBe(true);
  });

  it.skipIf(onDynamoDbLocal)(
    'writes its lease once a second while there are changes, however many',
    async () => {
      const clock = createTestClock();
      const handler = createRecorder();
      const consumer = await started({ handlers: [handler], clock, timing: {} });
      const waiting = () => until(() => expect(clock.waiting).toBe(3));
      await waiting();
      const before = proxy.count('UpdateItem');
      for (const n of upTo(40)) {
        await put(n);
        consumer.wake();
        await until(() => expect(handler.handled).toHaveLength(n));
        await waiting();
        clock.advance(50);
        await waiting();
      }
      // Two seconds.
      expect(proxy.count('UpdateItem') - before).toBe(2);
      expect(covers((await lease())?.checkpoint, handler.handled[35])).toBe(true);
    },
  );

  it('replays the same changes when it begins at the horizon again', async () => {
    const first = createRecorder();
    const consumer = await started({ handlers: [first] });
    for (const n of upTo(4)) await put(n);
    await db.dynamo.remove(rootKey('r', 2));
    await until(() => expect(first.handled).toHaveLength(5));
    await consumer.stop();
    await db.dynamo.remove(keys.shard(label, shard));
    const second = createRecorder();
    await started({ handlers: [second] });
    await until(() => expect(second.handled).toEqual(first.handled));
  });

  it.skipIf(onDynamoDbLocal)('reads at once when woken: nothing on the way waits for a clock', async () => {
    const handler = createRecorder();
    const clock = createTestClock();
    const consumer = await started({ handlers: [handler], clock });
    for (const n of upTo(20)) {
      await put(n);
      consumer.wake();
      await until(() => expect(handler.handled).toHaveLength(n));
    }
    expect(clock.now()).toBe(0);
  });

  it('announces its start, and goes on when that fails', async () => {
    const handler = createRecorder();
    const onStart = vi.fn(() => Promise.reject(new Error('the bus is away')));
    await started({ handlers: [handler], onStart });
    await put(1);
    await until(() => expect(handler.handled).toHaveLength(1));
    expect(onStart).toHaveBeenCalledTimes(1);
  });

  it('writes nothing while idle but its lease, and that does not wake it', async () => {
    const clock = createTestClock();
    const onWrite = vi.fn();
    const quiet = createDynamo({ client: dynamo.client, table: db.table, onWrite });
    const consumer = await started({ clock, dynamo: quiet, timing: {} });
    const settled = () => until(() => expect(clock.waiting).toBe(3));
    await settled();
    for (let ms = 0; ms < 1_000; ms += 50) {
      clock.advance(50);
      await settled();
    }
    const [writes, polls] = [proxy.count('UpdateItem'), proxy.count('GetRecords')];
    // A minute: the look for shards, the lease's keeper and the reader each wait for the clock.
    for (let ms = 0; ms < 60_000; ms += 50) {
      clock.advance(50);
      await settled();
    }
    expect(proxy.count('UpdateItem') - writes).toBeGreaterThanOrEqual(15);
    expect(proxy.count('UpdateItem') - writes).toBeLessThanOrEqual(20);
    expect(proxy.count('GetRecords') - polls).toBeLessThanOrEqual(240);
    expect(onWrite).not.toHaveBeenCalled();
    // Each renewal carried the position past the one before.
    expect(BigInt(consumer.checkpoint() ?? 0)).toBeGreaterThan(0n);
  }, 60_000);
});

describe('a poison change', () => {
  it('is set aside with its error; the others flow, and it can be listed', async () => {
    const poisoned = createRecorder({
      name: 'picky',
      fail: (changes) => {
        if (changes.some((change) => change.new?.n === 3)) throw new RangeError('three '.repeat(1_000));
      },
    });
    const other = createRecorder({ name: 'other' });
    for (const n of upTo(6)) await put(n);
    const consumer = await started({ handlers: [poisoned, other] });
    await until(() => expect(numbers(poisoned.handled)).toEqual([1, 2, 4, 5, 6]));
    expect(numbers(other.handled)).toEqual(upTo(6));
    expect(consumer.state().setAside).toBe(1);
    const page = await asides({ dynamo: db.dynamo, stream: label });
    expect(page).toEqual({
      more: false,
      asides: [
        {
          sequence: other.handled[2]?.sequence,
          kind: 'INSERT',
          item: rootKey('r', 3),
          failures: [
            { handler: 'picky', error: 'RangeError', message: expect.any(String), at: expect.any(Number) },
          ],
        },
      ],
    });
    expect(page.asides[0]?.failures[0]?.message).toHaveLength(1_000);
    const [item] = (await db.dynamo.query(ranges.aside(label), { limit: 1 })).items;
    expect(Number(item?.expiresAt) - Date.now() / 1000).toBeGreaterThan(29 * 24 * 3600);
  });

  it('that two handlers refuse is kept with both errors, once, after a replay too', async () => {
    const refuse = (name: string) =>
      createRecorder({
        name,
        fail: () => {
          throw new Error(`${name} refuses`);
        },
      });
    await put(1);
    for (const _ of upTo(2)) {
      const consumer = await started({ handlers: [refuse('a'), refuse('b')] });
      await until(() => expect(consumer.state().setAside).toBe(2));
      await consumer.stop();
      await db.dynamo.remove(keys.shard(label, shard));
    }
    const page = await asides({ dynamo: db.dynamo, stream: label });
    expect(page.asides.map(({ failures }) => failures.map(({ message }) => message).sort())).toEqual([
      ['a refuses', 'b refuses'],
    ]);
  });

  it('is listed page by page', async () => {
    const setAside = createSetAside({ dynamo: db.dynamo });
    for (const n of [9, 100, 10]) {
      const change = { stream: label, sequence: String(n), kind: 'REMOVE' as const, expired: false };
      await setAside(
        { ...change, key: { type: 'unknown' }, old: { ...rootKey('r', n) } },
        'h',
        'not even an error',
      );
    }
    const first = await asides({ dynamo: db.dynamo, stream: label, limit: 2 });
    expect(first.more).toBe(true);
    expect(first.asides.map(({ sequence }) => sequence)).toEqual(['9', '10']);
    const second = await asides({ dynamo: db.dynamo, stream: label, limit: 2, after: '10' });
    expect(second).toMatchObject({ more: false, asides: [{ sequence: '100', item: rootKey('r', 100) }] });
  });
});

describe('two consumers', () => {
  it('never read one shard at a time; the second goes on at once when the first is stopped', async () => {
    const [one, two] = [createRecorder(), createRecorder()];
    const first = await started({ handlers: [one] });
    const second = await started({ handlers: [two] });
    await put(1);
    await until(() => expect(one.handled).toHaveLength(1));
    expect([owned(first), owned(second)]).toEqual([[shard], []]);
    await first.stop();
    const stopped = performance.now();
    await until(() => expect(owned(second)).toEqual([shard]));
    expect(performance.now() - stopped).toBeLessThan(FAST.lostAfterMs);
    await put(2);
    await until(() => expect(numbers(two.handled)).toEqual([2]));
    expect(numbers(one.handled)).toEqual([1]);
  });

  it('a frozen one loses its shard, its late checkpoint is refused, and it stops reading', async () => {
    const frozenClock = createTestClock();
    const [one, two] = [createRecorder(), createRecorder()];
    const frozen = await started({ handlers: [one], clock: frozenClock });
    await put(1);
    await until(() => {
      frozenClock.advance(20);
      expect(one.handled).toHaveLength(1);
    });
    await until(() => {
      frozenClock.advance(5);
      expect(frozen.checkpoint()).toBeDefined();
    });
    const onStart = vi.fn(async () => {});
    const awake = await started({ handlers: [two], onStart });
    // From here on the frozen one's clock stands still.
    await until(() => expect(owned(awake)).toEqual([shard]));
    expect(onStart).toHaveBeenCalledTimes(1);
    await put(2);
    await until(() => expect(numbers(two.handled)).toEqual([2]));
    await until(async () => expect(covers((await lease())?.checkpoint, two.handled[0])).toBe(true));
    expect(owned(frozen)).toEqual([shard]);
    const kept = frozen.checkpoint();
    const before = await lease();
    await until(() => {
      frozenClock.advance(FAST.saveMs);
      expect(owned(frozen)).toEqual([]);
    });
    const after = await lease();
    expect(after?.owner).toBe(before?.owner);
    expect(owned(awake)).toEqual([shard]);
    expect(compareSequences(String(after?.checkpoint), String(before?.checkpoint))).toBeGreaterThanOrEqual(0);
    expect(compareSequences(String(before?.checkpoint), String(kept))).toBe(1);
  });

  it('one that is alone by contract does not wait for a dead owner', async () => {
    await db.dynamo.put({ ...keys.shard(label, shard), v: 1, owner: 'killed', counter: 7 });
    const handler = createRecorder();
    await put(1);
    const patient = { ...FAST, lostAfterMs: 3_600_000, renewMs: 3_600_000 };
    const consumer = await started({ handlers: [handler], alone: true, timing: patient });
    expect(owned(consumer)).toEqual([shard]);
    await until(() => expect(handler.handled).toHaveLength(1));
  });

  it.skipIf(onDynamoDbLocal)('share the shards of a stream, and take over all when one dies', async () => {
    const ids = ['a', 'b', 'c', 'd'].map((name) => `shardId-${name}`);
    proxy.rewrite('DescribeStream', (answer) => ({
      StreamDescription: { ...answer.StreamDescription, Shards: ids.map((ShardId) => ({ ShardId })) },
    }));
    const frozenClock = createTestClock();
    const first = await started({ clock: frozenClock });
    expect(owned(first).sort()).toEqual(ids);
    const second = await started();
    // The first one's clock moves, so it lives, and learns of its losses as it renews.
    await until(() => {
      frozenClock.advance(5);
      expect([owned(first).length, owned(second).length]).toEqual([2, 2]);
    });
    await until(() => expect(owned(second).sort()).toEqual(ids));
  });
});

describe('an outage', () => {
  it('is waited out: nothing is lost or set aside, and it is said once', async () => {
    const { log, lines } = createTestLog();
    const handler = createRecorder();
    const consumer = await started({ handlers: [handler], log });
    await put(1);
    await until(() => expect(handler.handled).toHaveLength(1));
    proxy.mode = 'refuse';
    const said = () =>
      lines.filter(({ message }) => message.startsWith('The stream ')).map(({ level }) => level);
    await until(() => expect(said()).toEqual(['warn']));
    expect(consumer.state().reachable).toBe(false);
    for (const n of [2, 3]) await put(n);
    proxy.mode = 'pass';
    await until(() => expect(numbers(handler.handled)).toEqual([1, 2, 3]));
    await until(() => expect(consumer.state()).toMatchObject({ reachable: true, setAside: 0 }));
    expect(said()).toEqual(['warn', 'info']);
  });

  it('that is there at the start is waited out, too', async () => {
    proxy.mode = 'refuse';
    const handler = createRecorder();
    await put(1);
    const consumer = await started({ handlers: [handler] });
    expect(consumer.state()).toMatchObject({ running: true, reachable: false, shards: [] });
    proxy.mode = 'pass';
    await until(() => expect(handler.handled).toHaveLength(1));
  });

  it('of what the handlers need holds the checkpoint back', async () => {
    let away = true;
    const handler = createRecorder({
      fail: () => {
        if (away) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      },
    });
    await put(1);
    const consumer = await started({ handlers: [handler] });
    await until(() => expect(handler.calls.length).toBeGreaterThan(2));
    await until(async () => expect(Number((await lease())?.counter)).toBeGreaterThan(2));
    expect(await lease()).not.toHaveProperty('checkpoint');
    expect(consumer.state().shards[0]?.position).toBeUndefined();
    away = false;
    await until(() => expect(handler.handled).toHaveLength(1));
    expect(consumer.state().setAside).toBe(0);
  });

  it('does not keep it from stopping', async () => {
    const consumer = await started();
    proxy.mode = 'refuse';
    await until(() => expect(consumer.state().reachable).toBe(false));
    await consumer.stop();
    expect(owned(consumer)).toEqual([]);
  });
});

describe('a shard that cannot be read', () => {
  it.each(['gone', 'failed'])('(%s) is tried again, after a while', async (end) => {
    const { log, lines } = createTestLog();
    const handler = createRecorder();
    const setAside = () => Promise.reject(new Error('Nothing was to be set aside.'));
    const sound = createDispatcher({ handlers: [handler], setAside, log });
    let breaking = false;
    const dispatcher: Dispatcher = {
      setAsideCount: 0,
      async dispatch(changes, signal) {
        if (breaking && end === 'failed') throw new Error('A fault of the program');
        return sound.dispatch(changes, signal);
      },
    };
    const consumer = await started({ dispatcher, log, timing: { ...FAST, discoverMs: 3_600_000 } });
    await put(1);
    await until(() => expect(handler.handled).toHaveLength(1));
    breaking = true;
    if (end === 'gone') proxy.fail('GetRecords', 'ResourceNotFoundException');
    await put(2);
    const ended = { level: 'info', message: 'Done with a shard', fields: { shard, end } };
    await until(() => expect(lines).toContainEqual(ended));
    breaking = false;
    await until(() => expect(numbers(handler.handled).at(-1)).toBe(2));
    expect(owned(consumer)).toEqual([shard]);
    // It waits before it takes the shard again: a shard that stays broken must not keep everybody busy.
    expect(lines.filter(({ message }) => message === 'Done with a shard').length).toBeLessThan(10);
  });
});

describe('stop', () => {
  it('lets the batch in hand end, and saves it', async () => {
    let finish = () => {};
    const handler = createRecorder({ fail: () => new Promise((resolve) => (finish = resolve)) });
    const consumer = await started({ handlers: [handler] });
    await put(1);
    await until(() => expect(handler.calls).toEqual([1]));
    const stopped = consumer.stop();
    finish();
    await stopped;
    expect(handler.handled).toHaveLength(1);
    expect(covers((await lease())?.checkpoint, handler.handled[0])).toBe(true);
  });

  it('does not wait for a handler that never ends, and saves nothing of it', async () => {
    const handler = createRecorder({ fail: () => new Promise(() => {}) });
    await put(1);
    const consumer = await started({ handlers: [handler], graceMs: 20 });
    await until(() => expect(handler.calls).toEqual([1]));
    await consumer.stop();
    expect(await lease()).not.toHaveProperty('owner');
    expect(await lease()).not.toHaveProperty('checkpoint');
  });

  it('before the start, and twice, does nothing', async () => {
    const consumer = create();
    await consumer.stop();
    await consumer.stop();
    await consumer.start();
    expect(consumer.state()).toMatchObject({ running: false, shards: [] });
  });
});

// The emulators' shards have no children: the proxy gives them some.
describe.skipIf(onDynamoDbLocal)('shards that end', () => {
  const listing = (shards: ReadonlyArray<{ ShardId: string; ParentShardId?: string }>) =>
    proxy.rewrite('DescribeStream', (answer) => ({
      StreamDescription: { ...answer.StreamDescription, Shards: shards },
    }));

  it('are finished before their children are begun', async () => {
    listing([{ ShardId: 'shardId-child', ParentShardId: shard }, { ShardId: shard }]);
    let ending = false;
    const order: string[] = [];
    proxy.rewrite('GetRecords', ({ NextShardIterator, ...page }, { ShardIterator }) => {
      const child = Buffer.from(ShardIterator, 'base64').toString().includes('shardId-child');
      return ending && !child ? page : { NextShardIterator, ...page };
    });
    proxy.onRequest('GetShardIterator', ({ ShardId }) => void order.push(`read ${ShardId}`));
    const handler = createRecorder({ fail: (changes) => void order.push(...numbers(changes).map(String)) });
    for (const n of upTo(3)) await put(n);
    const consumer = await started({ handlers: [handler] });
    await until(() => expect(handler.handled).toHaveLength(3));
    expect(owned(consumer)).toEqual([shard]);
    ending = true;
    await until(() => expect(owned(consumer)).toEqual(['shardId-child']));
    await until(() => expect(order).toEqual([`read ${shard}`, '1', '2', '3', 'read shardId-child']));
    expect(await lease()).toMatchObject({ finished: true });
    expect(covers((await lease())?.checkpoint, handler.handled[2])).toBe(true);
    // When the stream drops the parent, and then the child's link to it, the lease is forgotten.
    listing([{ ShardId: 'shardId-child' }]);
    await until(async () => expect(await lease()).toBeUndefined());
  });

  it('and were trimmed unread start the repair, again until it is done', async () => {
    const missed = 'shardId-missed';
    await db.dynamo.put({ ...keys.shard(label, missed), v: 1, counter: 5, checkpoint: '17' });
    listing([{ ShardId: shard, ParentShardId: missed }]);
    const handler = createRecorder();
    let attempts = 0;
    const onTrimmed = async () => {
      if (++attempts < 3) throw new Error('not yet');
    };
    await put(1);
    const consumer = await started({ handlers: [handler], onTrimmed });
    await until(() => expect(handler.handled).toHaveLength(1));
    await until(() => expect(attempts).toBe(3));
    await until(async () => expect(await lease(missed)).toMatchObject({ finished: true }));
    await until(() => expect(owned(consumer)).toEqual([shard]));
    expect(attempts).toBe(3);
  });

  it('a repair that takes its time does not keep the consumer from stopping, and is done again', async () => {
    const missed = 'shardId-missed';
    listing([{ ShardId: shard, ParentShardId: missed }]);
    let signal: AbortSignal | undefined;
    const first = await started({
      onTrimmed: (given) => {
        signal = given;
        return new Promise(() => {});
      },
    });
    await until(() => expect(signal).toBeDefined());
    await first.stop();
    expect(signal?.aborted).toBe(true);
    expect(await lease(missed)).not.toHaveProperty('finished');
    const onTrimmed = vi.fn(async () => {});
    await started({ onTrimmed });
    await until(async () => expect(await lease(missed)).toMatchObject({ finished: true }));
    expect(onTrimmed).toHaveBeenCalledTimes(1);
  });
});

describe('state', () => {
  it('tells how old the oldest change in hand is', async () => {
    let finish = () => {};
    const handler = createRecorder({ fail: () => new Promise((resolve) => (finish = resolve)) });
    const consumer = await started({ handlers: [handler], clock: systemClock });
    await put(1);
    await until(() => expect(handler.calls).toEqual([1]));
    // The embedded database tells the time to the second, DynamoDB Local to the minute.
    await until(() => expect(consumer.state().lagMs).toBeGreaterThan(0));
    expect(consumer.state().lagMs).toBeLessThan(onDynamoDbLocal ? 65_000 : 5_000);
    finish();
    await until(() => expect(consumer.state()).toMatchObject({ lagMs: 0, shards: [{ lagMs: 0 }] }));
  });
});
