import { describe, expect, it } from 'vitest';
import { OutageError } from '../../src/core/errors.ts';
import { LeaseLost } from '../../src/stream/leases.ts';
import { freshStream, LOST_AFTER_MS, SHARD, taken, useLeases } from './support/leases.ts';

const fixture = useLeases();

describe('createLeases', () => {
  it('take: the first consumer gets a free shard', async () => {
    const stream = freshStream();
    const [a, b] = [fixture.consumer(stream, 'a'), fixture.consumer(stream, 'b')];
    await Promise.all([a.leases.list(), b.leases.list()]);
    const both = await Promise.all([a.leases.take(SHARD), b.leases.take(SHARD)]);
    expect(both.filter((lease) => lease !== undefined)).toHaveLength(1);
    expect(await fixture.stored(stream)).toMatchObject({ v: 1, counter: 1 });
  });

  it('take: the next owner gets the checkpoint', async () => {
    const stream = freshStream();
    const first = await taken(fixture.consumer(stream, 'a').leases);
    expect(first.checkpoint).toBeUndefined();
    await first.renew('17');
    await first.release('42');
    const second = await taken(fixture.consumer(stream, 'b').leases);
    expect(second.checkpoint).toBe('42');
  });

  it('release: any consumer can take the shard at once, also its former owner', async () => {
    const stream = freshStream();
    const a = fixture.consumer(stream, 'a');
    await (await taken(a.leases)).release();
    expect((await a.leases.list())[0]).toMatchObject({ owner: undefined, stale: false });
    await taken(a.leases);
  });

  it('renew: never moves the checkpoint back', async () => {
    const stream = freshStream();
    const lease = await taken(fixture.consumer(stream, 'a').leases);
    await lease.renew('1000');
    await lease.renew('999');
    await lease.renew();
    expect(lease.checkpoint).toBe('1000');
    expect(await fixture.stored(stream)).toMatchObject({ checkpoint: '1000', counter: 4 });
  });

  it('list: a lease that is seen for the first time has all of its time left, on any clock', async () => {
    const stream = freshStream();
    const [a, b] = [fixture.consumer(stream, 'a'), fixture.consumer(stream, 'b')];
    await taken(a.leases);
    // Adding the limit to this time and subtracting the time again gives 9999.999999999998.
    b.clock.advance(6386.502999999999);
    expect((await b.leases.list())[0]?.staleInMs).toBe(LOST_AFTER_MS);
  });

  it('list: a lease is stale if its counter has not changed for a time on the observer’s clock', async () => {
    const stream = freshStream();
    const [a, b] = [fixture.consumer(stream, 'a'), fixture.consumer(stream, 'b')];
    const lease = await taken(a.leases);
    const staleness = async () => (await b.leases.list()).map(({ stale }) => stale);
    expect(await staleness()).toEqual([false]);
    b.clock.advance(LOST_AFTER_MS - 1);
    expect(await staleness()).toEqual([false]);
    await lease.renew();
    b.clock.advance(1);
    expect(await staleness()).toEqual([false]);
    b.clock.advance(LOST_AFTER_MS - 1);
    expect(await staleness()).toEqual([false]);
    b.clock.advance(1);
    expect(await staleness()).toEqual([true]);
  });

  it('take: takes a stale lease over, and the former owner’s checkpoint is refused', async () => {
    const stream = freshStream();
    const [a, b] = [fixture.consumer(stream, 'a'), fixture.consumer(stream, 'b')];
    const frozen = await taken(a.leases);
    await frozen.renew('5');
    await b.leases.list();
    b.clock.advance(LOST_AFTER_MS);
    const next = await taken(b.leases);
    expect(next.checkpoint).toBe('5');
    await next.renew('7');
    await expect(frozen.renew('100')).rejects.toThrow(LeaseLost);
    await expect(frozen.finish('100')).rejects.toThrow(LeaseLost);
    await expect(frozen.release('100')).rejects.toThrow(LeaseLost);
    expect(await fixture.stored(stream)).toMatchObject({ owner: 'b', checkpoint: '7' });
  });

  it('take: fails if the owner has renewed the lease since it was listed', async () => {
    const stream = freshStream();
    const [a, b] = [fixture.consumer(stream, 'a'), fixture.consumer(stream, 'b')];
    const lease = await taken(a.leases);
    await b.leases.list();
    b.clock.advance(LOST_AFTER_MS);
    expect((await b.leases.list())[0]?.stale).toBe(true);
    await lease.renew('3');
    expect(await b.leases.take(SHARD)).toBeUndefined();
    await lease.renew('4');
  });

  it('finish: a finished shard cannot be taken, and can be removed', async () => {
    const stream = freshStream();
    const a = fixture.consumer(stream, 'a');
    const lease = await taken(a.leases);
    await a.leases.remove(SHARD);
    await lease.finish('9');
    expect(await a.leases.list()).toMatchObject([{ finished: true, owner: undefined, checkpoint: '9' }]);
    expect(await a.leases.take(SHARD)).toBeUndefined();
    await a.leases.remove(SHARD);
    expect(await a.leases.list()).toEqual([]);
  });

  it('list: returns all leases over several pages', async () => {
    const stream = freshStream();
    const { leases } = fixture.consumer(stream, 'a');
    const shards = Array.from({ length: 205 }, (_, i) => `shardId-${String(i).padStart(4, '0')}`);
    for (let i = 0; i < shards.length; i += 25) {
      await Promise.all(shards.slice(i, i + 25).map((shard) => leases.take(shard)));
    }
    expect((await leases.list()).map(({ shard }) => shard)).toEqual(shards);
  });
});

describe('createLeases: lost responses', () => {
  /** Carries out every write, and loses its response on demand. */
  function unreliable() {
    const state = { losing: false, resending: false };
    const wrap =
      <A extends unknown[], R>(send: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        const answer = await send(...args);
        if (state.resending) return send(...args);
        if (state.losing) throw new OutageError();
        return answer;
      };
    const dynamo = { ...fixture.dynamo, put: wrap(fixture.dynamo.put), update: wrap(fixture.dynamo.update) };
    return { state, dynamo };
  }

  it('a write that the SDK repeats after a lost response counts once', async () => {
    const stream = freshStream();
    const { state, dynamo } = unreliable();
    const a = fixture.consumer(stream, 'a', dynamo);
    state.resending = true;
    const lease = await taken(a.leases);
    await lease.renew('5');
    expect(await fixture.stored(stream)).toMatchObject({ counter: 2, checkpoint: '5', owner: 'a' });
    await lease.release('6');
    expect(await fixture.stored(stream)).toMatchObject({ counter: 3, checkpoint: '6' });
    const again = await taken(a.leases);
    await again.finish('7');
    expect(await fixture.stored(stream)).toMatchObject({ counter: 5, checkpoint: '7', finished: true });
  });

  it('a write that is given up after a lost response does not lose the lease', async () => {
    const stream = freshStream();
    const { state, dynamo } = unreliable();
    const lease = await taken(fixture.consumer(stream, 'a', dynamo).leases);
    state.losing = true;
    await expect(lease.renew('5')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    state.losing = false;
    await lease.renew('6');
    expect(lease.checkpoint).toBe('6');
    expect(await fixture.stored(stream)).toMatchObject({ owner: 'a', checkpoint: '6' });
    state.losing = true;
    await expect(lease.release('8')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    state.losing = false;
    await lease.release('8');
    expect(await fixture.stored(stream)).toMatchObject({ checkpoint: '8', counter: 4 });
  });
});
