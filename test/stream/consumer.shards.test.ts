import { describe, expect, it, vi } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { compareSequences } from '../../src/stream/records.ts';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { createTestClock } from '../support/time/clock.ts';
import { covers, FAST, owned, until, upTo, useConsumerFixture } from './support/consumerFixture.ts';
import { createRecorder, createTestLog, numbers } from './support/stream.ts';

const fixture = useConsumerFixture();

describe('createConsumer: two consumers', () => {
  it('two consumers: never read a shard at the same time, and the second continues when the first stops', async () => {
    const [one, two] = [createRecorder(), createRecorder()];
    const first = await fixture.started({ handlers: [one] });
    // The second consumer does not take the lease because it thinks that the first one is dead.
    const second = await fixture.started({ handlers: [two], timing: { ...FAST, lostAfterMs: 3_600_000 } });
    await fixture.put(1);
    await until(() => expect(one.handled).toHaveLength(1));
    expect([owned(first), owned(second)]).toEqual([[fixture.shard], []]);
    await first.stop();
    await until(() => expect(owned(second)).toEqual([fixture.shard]));
    await fixture.put(2);
    await until(() => expect(numbers(two.handled)).toEqual([2]));
    expect(numbers(one.handled)).toEqual([1]);
  });

  it('two consumers: a frozen one loses its shard, its late checkpoint is refused, and it stops reading', async () => {
    const frozenClock = createTestClock();
    const [one, two] = [createRecorder(), createRecorder()];
    // When its clock moves again, it may move fast. It does not take the lease back because of that.
    const timing = { ...FAST, lostAfterMs: 3_600_000 };
    const frozen = await fixture.started({ handlers: [one], clock: frozenClock, timing });
    await fixture.put(1);
    await until(() => {
      frozenClock.advance(20);
      expect(one.handled).toHaveLength(1);
    });
    await until(() => {
      frozenClock.advance(5);
      expect(covers(frozen.checkpoint(), one.handled[0])).toBe(true);
    });
    const onStart = vi.fn(async () => {});
    const awake = await fixture.started({ handlers: [two], onStart });
    // From here on the clock of the frozen consumer is stopped.
    await until(() => expect(owned(awake)).toEqual([fixture.shard]));
    expect(onStart).toHaveBeenCalledTimes(1);
    await fixture.put(2);
    await until(() => expect(numbers(two.handled)).toEqual([2]));
    await until(async () => expect(covers((await fixture.lease())?.checkpoint, two.handled[0])).toBe(true));
    expect(owned(frozen)).toEqual([fixture.shard]);
    const kept = frozen.checkpoint();
    const before = await fixture.lease();
    await until(() => {
      frozenClock.advance(FAST.saveMs);
      expect(owned(frozen)).toEqual([]);
    });
    const after = await fixture.lease();
    expect(after?.owner).toBe(before?.owner);
    expect(owned(awake)).toEqual([fixture.shard]);
    expect(compareSequences(String(after?.checkpoint), String(before?.checkpoint))).toBeGreaterThanOrEqual(0);
    expect(compareSequences(String(before?.checkpoint), String(kept))).toBe(1);
  });

  it('`alone`: takes the lease of another owner at once', async () => {
    await fixture.db.dynamo.put({
      ...keys.shard(fixture.label, fixture.shard),
      v: 1,
      owner: 'killed',
      counter: 7,
    });
    const handler = createRecorder();
    await fixture.put(1);
    const patient = { ...FAST, lostAfterMs: 3_600_000, renewMs: 3_600_000 };
    const consumer = await fixture.started({ handlers: [handler], alone: true, timing: patient });
    expect(owned(consumer)).toEqual([fixture.shard]);
    await until(() => expect(handler.handled).toHaveLength(1));
  });

  it('takes the lease of an owner that died as soon as it counts as lost', async () => {
    await fixture.db.dynamo.put({
      ...keys.shard(fixture.label, fixture.shard),
      v: 1,
      owner: 'killed',
      counter: 7,
    });
    const clock = createTestClock();
    const timing = { saveMs: 1_000, renewMs: 3_000, lostAfterMs: 10_000, discoverMs: 15_000 };
    const consumer = await fixture.started({ clock, timing });
    await until(() => expect(clock.waiting).toBe(1));
    // It looks at the lease after 3, 6, 9 and 10 seconds.
    for (const ms of [3_000, 3_000, 3_000]) {
      clock.advance(ms);
      await until(() => expect(clock.waiting).toBe(1));
      expect(owned(consumer)).toEqual([]);
    }
    clock.advance(1_000);
    await until(() => expect(owned(consumer)).toEqual([fixture.shard]));
  });

  it.skipIf(onDynamoDbLocal)(
    'two consumers: share the shards, and one takes over all when the other dies',
    async () => {
      const ids = ['a', 'b', 'c', 'd'].map((name) => `shardId-${name}`);
      fixture.proxy.rewrite('DescribeStream', (answer) => ({
        StreamDescription: { ...answer.StreamDescription, Shards: ids.map((ShardId) => ({ ShardId })) },
      }));
      const lostAfterMs = 3_600_000;
      const timing = { ...FAST, lostAfterMs };
      const clocks = [createTestClock(), createTestClock()] as const;
      const first = await fixture.started({ clock: clocks[0], timing });
      expect(owned(first).sort()).toEqual(ids);
      const second = await fixture.started({ clock: clocks[1], timing });
      await until(() => {
        for (const clock of clocks) clock.advance(5);
        expect([owned(first).length, owned(second).length]).toEqual([2, 2]);
      });
      // The clock of the first one is stopped from now on, so it renews nothing.
      await until(() => {
        clocks[1].advance(lostAfterMs);
        expect(owned(second).sort()).toEqual(ids);
      });
    },
  );
});

// The emulators' shards have no children, so the proxy adds some.
describe.skipIf(onDynamoDbLocal)('createConsumer: shards that end', () => {
  const listing = (shards: ReadonlyArray<{ ShardId: string; ParentShardId?: string }>) =>
    fixture.proxy.rewrite('DescribeStream', (answer) => ({
      StreamDescription: { ...answer.StreamDescription, Shards: shards },
    }));

  /** The stream does not know this shard any more. */
  const dropping = (shard: string) =>
    fixture.proxy.onRequest('GetShardIterator', ({ ShardId }) => {
      if (ShardId === shard) fixture.proxy.fail('GetShardIterator', 'ResourceNotFoundException');
    });
  const putLease = (shard: string, fields: object) =>
    fixture.db.dynamo.put({ ...keys.shard(fixture.label, shard), v: 1, counter: 5, ...fields });

  it('createConsumer: reads a child shard after its parent is finished', async () => {
    listing([{ ShardId: 'shardId-child', ParentShardId: fixture.shard }, { ShardId: fixture.shard }]);
    let ending = false;
    const order: string[] = [];
    fixture.proxy.rewrite('GetRecords', ({ NextShardIterator, ...page }, { ShardIterator }) => {
      const child = Buffer.from(ShardIterator, 'base64').toString().includes('shardId-child');
      return ending && !child ? page : { NextShardIterator, ...page };
    });
    fixture.proxy.onRequest('GetShardIterator', ({ ShardId }) => void order.push(`read ${ShardId}`));
    const handler = createRecorder({ fail: (changes) => void order.push(...numbers(changes).map(String)) });
    for (const n of upTo(3)) await fixture.put(n);
    const { log, lines } = createTestLog();
    const consumer = await fixture.started({ handlers: [handler], log });
    await until(() => expect(handler.handled).toHaveLength(3));
    expect(owned(consumer)).toEqual([fixture.shard]);
    ending = true;
    await until(() => expect(owned(consumer)).toEqual(['shardId-child']));
    await until(() => expect(order).toEqual([`read ${fixture.shard}`, '1', '2', '3', 'read shardId-child']));
    // No log line says that the child has no checkpoint, because it continues its parent. One says it of the parent.
    const unsaid = lines.filter(({ message }) => message.startsWith('The shard has no checkpoint'));
    expect(unsaid.map(({ fields }) => fields)).toEqual([{ shard: fixture.shard }]);
    expect(await fixture.lease()).toMatchObject({ finished: true });
    expect(covers((await fixture.lease())?.checkpoint, handler.handled[2])).toBe(true);
    // When the stream drops the parent, and then the child's link to it, the lease is forgotten.
    listing([{ ShardId: 'shardId-child' }]);
    await until(async () => expect(await fixture.lease()).toBeUndefined());
  });

  it('createConsumer: shards that were trimmed unread start the rebuild, which is repeated until it succeeds', async () => {
    const missed = 'shardId-missed';
    await putLease(missed, { checkpoint: '17' });
    dropping(missed);
    listing([{ ShardId: fixture.shard, ParentShardId: missed }]);
    const handler = createRecorder();
    let attempts = 0;
    const handledBefore: number[] = [];
    const onTrimmed = async () => {
      handledBefore.push(handler.handled.length);
      if (++attempts < 3) throw new Error('not yet');
    };
    await fixture.put(1);
    const consumer = await fixture.started({ handlers: [handler], onTrimmed });
    await until(() => expect(handler.handled).toHaveLength(1));
    // The child's records come after what the rebuild restores.
    expect(handledBefore).toEqual([0, 0, 0]);
    await until(async () => expect(await fixture.lease(missed)).toMatchObject({ finished: true }));
    await until(() => expect(owned(consumer)).toEqual([fixture.shard]));
    expect(attempts).toBe(3);
  });

  it('createConsumer: stops during a rebuild, and repeats it after the next start', async () => {
    const missed = 'shardId-missed';
    dropping(missed);
    listing([{ ShardId: fixture.shard, ParentShardId: missed }]);
    let signal: AbortSignal | undefined;
    const first = await fixture.started({
      onTrimmed: (given) => {
        signal = given;
        return new Promise(() => {});
      },
    });
    await until(() => expect(signal).toBeDefined());
    await first.stop();
    expect(signal?.aborted).toBe(true);
    expect(await fixture.lease(missed)).not.toHaveProperty('finished');
    const onTrimmed = vi.fn(async () => {});
    await fixture.started({ onTrimmed });
    await until(async () => expect(await fixture.lease(missed)).toMatchObject({ finished: true }));
    expect(onTrimmed).toHaveBeenCalledTimes(1);
  });

  it('createConsumer: reads a shard that the list lacks, if the stream knows it', async () => {
    // A list may have a closed shard without its child.
    listing([{ ShardId: 'shardId-parent' }]);
    await putLease('shardId-parent', { finished: true });
    await putLease(fixture.shard, {});
    const handler = createRecorder();
    const consumer = await fixture.started({ handlers: [handler] });
    await fixture.put(1);
    await until(() => expect(numbers(handler.handled)).toEqual([1]));
    expect(owned(consumer)).toEqual([fixture.shard]);
    expect(await fixture.lease()).not.toHaveProperty('finished');
  });

  it('createConsumer: rebuilds a shard that has no records any more, unless a checkpoint says that it was read', async () => {
    // Their children, so that the leases are not forgotten as soon as they are finished.
    listing([
      { ShardId: 'shardId-1', ParentShardId: 'shardId-unread' },
      { ShardId: 'shardId-2', ParentShardId: 'shardId-read' },
    ]);
    await putLease('shardId-unread', {});
    await putLease('shardId-read', { checkpoint: '17' });
    fixture.proxy.rewrite('GetRecords', () => ({ Records: [] }));
    const onTrimmed = vi.fn(async () => {});
    await fixture.started({ onTrimmed });
    for (const shard of ['shardId-unread', 'shardId-read'])
      await until(async () => expect(await fixture.lease(shard)).toMatchObject({ finished: true }));
    expect(onTrimmed).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['between the reads of a round', 'Query'],
    ['after a round that took a shard', 'PutItem'],
  ] as const)(
    'createConsumer: a shard that begins %s, and that another consumer gives back, is not taken as dropped',
    async (_, request) => {
      const [parent, child] = ['shardId-parent', 'shardId-child'];
      await putLease(parent, { owner: 'other' });
      listing([{ ShardId: fixture.shard }, { ShardId: parent }]);
      let hasBegun = false;
      fixture.proxy.onRequest(request, async () => {
        if (hasBegun) return;
        hasBegun = true;
        await putLease(parent, { finished: true });
        await putLease(child, { checkpoint: '17' });
        listing([{ ShardId: fixture.shard }, { ShardId: parent }, { ShardId: child, ParentShardId: parent }]);
      });
      const { log, lines } = createTestLog();
      const consumer = await fixture.started({ log });
      await until(() => expect(owned(consumer).sort()).toEqual([child, fixture.shard].sort()));
      expect(hasBegun).toBe(true);
      const took = lines.filter(({ message }) => message === 'Took a shard');
      expect(took.map(({ fields }) => fields)).not.toContainEqual(
        expect.objectContaining({ work: 'rebuild' }),
      );
    },
  );
});
