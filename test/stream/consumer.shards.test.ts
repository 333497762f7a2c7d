import { describe, expect, it, vi } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { compareSequences } from '../../src/stream/records.ts';
import { onDynamoDbLocal } from '../support/dynamo.ts';
import { covers, FAST, owned, until, upTo, useConsumerStage } from './consumerStage.ts';
import { createRecorder, createTestClock, createTestLog, numbers } from './support.ts';

const stage = useConsumerStage();

describe('two consumers', () => {
  it('never read one shard at a time; the second goes on at once when the first is stopped', async () => {
    const [one, two] = [createRecorder(), createRecorder()];
    const first = await stage.started({ handlers: [one] });
    // It does not get it by taking the first one for dead.
    const second = await stage.started({ handlers: [two], timing: { ...FAST, lostAfterMs: 3_600_000 } });
    await stage.put(1);
    await until(() => expect(one.handled).toHaveLength(1));
    expect([owned(first), owned(second)]).toEqual([[stage.shard], []]);
    await first.stop();
    await until(() => expect(owned(second)).toEqual([stage.shard]));
    await stage.put(2);
    await until(() => expect(numbers(two.handled)).toEqual([2]));
    expect(numbers(one.handled)).toEqual([1]);
  });

  it('a frozen one loses its shard, its late checkpoint is refused, and it stops reading', async () => {
    const frozenClock = createTestClock();
    const [one, two] = [createRecorder(), createRecorder()];
    const frozen = await stage.started({ handlers: [one], clock: frozenClock });
    await stage.put(1);
    await until(() => {
      frozenClock.advance(20);
      expect(one.handled).toHaveLength(1);
    });
    await until(() => {
      frozenClock.advance(5);
      expect(frozen.checkpoint()).toBeDefined();
    });
    const onStart = vi.fn(async () => {});
    const awake = await stage.started({ handlers: [two], onStart });
    // From here on the frozen one's clock is stopped.
    await until(() => expect(owned(awake)).toEqual([stage.shard]));
    expect(onStart).toHaveBeenCalledTimes(1);
    await stage.put(2);
    await until(() => expect(numbers(two.handled)).toEqual([2]));
    await until(async () => expect(covers((await stage.lease())?.checkpoint, two.handled[0])).toBe(true));
    expect(owned(frozen)).toEqual([stage.shard]);
    const kept = frozen.checkpoint();
    const before = await stage.lease();
    await until(() => {
      frozenClock.advance(FAST.saveMs);
      expect(owned(frozen)).toEqual([]);
    });
    const after = await stage.lease();
    expect(after?.owner).toBe(before?.owner);
    expect(owned(awake)).toEqual([stage.shard]);
    expect(compareSequences(String(after?.checkpoint), String(before?.checkpoint))).toBeGreaterThanOrEqual(0);
    expect(compareSequences(String(before?.checkpoint), String(kept))).toBe(1);
  });

  it('one that is alone by contract does not wait for a dead owner', async () => {
    await stage.db.dynamo.put({ ...keys.shard(stage.label, stage.shard), v: 1, owner: 'killed', counter: 7 });
    const handler = createRecorder();
    await stage.put(1);
    const patient = { ...FAST, lostAfterMs: 3_600_000, renewMs: 3_600_000 };
    const consumer = await stage.started({ handlers: [handler], alone: true, timing: patient });
    expect(owned(consumer)).toEqual([stage.shard]);
    await until(() => expect(handler.handled).toHaveLength(1));
  });

  it.skipIf(onDynamoDbLocal)('share the shards of a stream, and take over all when one dies', async () => {
    const ids = ['a', 'b', 'c', 'd'].map((name) => `shardId-${name}`);
    stage.proxy.rewrite('DescribeStream', (answer) => ({
      StreamDescription: { ...answer.StreamDescription, Shards: ids.map((ShardId) => ({ ShardId })) },
    }));
    const frozenClock = createTestClock();
    const first = await stage.started({ clock: frozenClock });
    expect(owned(first).sort()).toEqual(ids);
    const second = await stage.started();
    // The first one's clock moves, so it lives, and learns of its losses as it renews.
    await until(() => {
      frozenClock.advance(5);
      expect([owned(first).length, owned(second).length]).toEqual([2, 2]);
    });
    await until(() => expect(owned(second).sort()).toEqual(ids));
  });
});

// The emulators' shards have no children: the proxy gives them some.
describe.skipIf(onDynamoDbLocal)('shards that end', () => {
  const listing = (shards: ReadonlyArray<{ ShardId: string; ParentShardId?: string }>) =>
    stage.proxy.rewrite('DescribeStream', (answer) => ({
      StreamDescription: { ...answer.StreamDescription, Shards: shards },
    }));

  it('are finished before their children are begun', async () => {
    listing([{ ShardId: 'shardId-child', ParentShardId: stage.shard }, { ShardId: stage.shard }]);
    let ending = false;
    const order: string[] = [];
    stage.proxy.rewrite('GetRecords', ({ NextShardIterator, ...page }, { ShardIterator }) => {
      const child = Buffer.from(ShardIterator, 'base64').toString().includes('shardId-child');
      return ending && !child ? page : { NextShardIterator, ...page };
    });
    stage.proxy.onRequest('GetShardIterator', ({ ShardId }) => void order.push(`read ${ShardId}`));
    const handler = createRecorder({ fail: (changes) => void order.push(...numbers(changes).map(String)) });
    for (const n of upTo(3)) await stage.put(n);
    const { log, lines } = createTestLog();
    const consumer = await stage.started({ handlers: [handler], log });
    await until(() => expect(handler.handled).toHaveLength(3));
    expect(owned(consumer)).toEqual([stage.shard]);
    ending = true;
    await until(() => expect(owned(consumer)).toEqual(['shardId-child']));
    await until(() => expect(order).toEqual([`read ${stage.shard}`, '1', '2', '3', 'read shardId-child']));
    // The child goes on where its parent ended; of the parent nothing said how far it had been read.
    const unsaid = lines.filter(({ message }) => message.startsWith('The shard has no checkpoint'));
    expect(unsaid.map(({ fields }) => fields)).toEqual([{ shard: stage.shard }]);
    expect(await stage.lease()).toMatchObject({ finished: true });
    expect(covers((await stage.lease())?.checkpoint, handler.handled[2])).toBe(true);
    // When the stream drops the parent, and then the child's link to it, the lease is forgotten.
    listing([{ ShardId: 'shardId-child' }]);
    await until(async () => expect(await stage.lease()).toBeUndefined());
  });

  it('and were trimmed unread start the repair, again until it is done', async () => {
    const missed = 'shardId-missed';
    await stage.db.dynamo.put({ ...keys.shard(stage.label, missed), v: 1, counter: 5, checkpoint: '17' });
    listing([{ ShardId: stage.shard, ParentShardId: missed }]);
    const handler = createRecorder();
    let attempts = 0;
    const onTrimmed = async () => {
      if (++attempts < 3) throw new Error('not yet');
    };
    await stage.put(1);
    const consumer = await stage.started({ handlers: [handler], onTrimmed });
    await until(() => expect(handler.handled).toHaveLength(1));
    await until(() => expect(attempts).toBe(3));
    await until(async () => expect(await stage.lease(missed)).toMatchObject({ finished: true }));
    await until(() => expect(owned(consumer)).toEqual([stage.shard]));
    expect(attempts).toBe(3);
  });

  it('a repair that takes its time does not keep the consumer from stopping, and is done again', async () => {
    const missed = 'shardId-missed';
    listing([{ ShardId: stage.shard, ParentShardId: missed }]);
    let signal: AbortSignal | undefined;
    const first = await stage.started({
      onTrimmed: (given) => {
        signal = given;
        return new Promise(() => {});
      },
    });
    await until(() => expect(signal).toBeDefined());
    await first.stop();
    expect(signal?.aborted).toBe(true);
    expect(await stage.lease(missed)).not.toHaveProperty('finished');
    const onTrimmed = vi.fn(async () => {});
    await stage.started({ onTrimmed });
    await until(async () => expect(await stage.lease(missed)).toMatchObject({ finished: true }));
    expect(onTrimmed).toHaveBeenCalledTimes(1);
  });
});
