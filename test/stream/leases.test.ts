import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OutageError } from '../../src/core/errors.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createLeases, type Lease, LeaseLost, type Leases } from '../../src/stream/leases.ts';
import { budget } from '../support/budget.ts';
import { createTestClock } from '../support/clock.ts';
import { openTestDynamo, type TestDynamo } from '../support/dynamo.ts';

const SHARD = 'shardId-1';
const LOST_AFTER_MS = 10_000;

let db: TestDynamo;
let streams = 0;
/** Each test has its own stream, so the leases in one table are separate. */
const freshStream = () => `stream.${++streams}`;

beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());

function consumer(
  stream: string,
  owner: string,
  dynamo: Pick<Dynamo, 'query' | 'put' | 'update' | 'remove'> = db.dynamo,
) {
  const clock = createTestClock();
  return { clock, leases: createLeases({ dynamo, stream, owner, lostAfterMs: LOST_AFTER_MS, clock }) };
}

const stored = (stream: string) => db.dynamo.get(keys.shard(stream, SHARD));

async function taken(leases: Leases): Promise<Lease> {
  await leases.list();
  const lease = await leases.take(SHARD);
  if (lease === undefined) throw new Error('The shard was not to be had.');
  return lease;
}

describe('createLeases', () => {
  it('take: the first consumer gets a free shard', async () => {
    const stream = freshStream();
    const [a, b] = [consumer(stream, 'a'), consumer(stream, 'b')];
    await Promise.all([a.leases.list(), b.leases.list()]);
    const both = await Promise.all([a.leases.take(SHARD), b.leases.take(SHARD)]);
    expect(both.filter((lease) => lease !== undefined)).toHaveLength(1);
    expect(await stored(stream)).toMatchObject({ v: 1, counter: 1 });
  });

  it('take: the next owner gets the checkpoint', async () => {
    const stream = freshStream();
    const first = await taken(consumer(stream, 'a').leases);
    expect(first.checkpoint).toBeUndefined();
    await first.renew('17');
    await first.release('42');
    const second = await taken(consumer(stream, 'b').leases);
    expect(second.checkpoint).toBe('42');
  });

  it('release: any consumer can take the shard at once, also its former owner', async () => {
    const stream = freshStream();
    const a = consumer(stream, 'a');
    await (await taken(a.leases)).release();
    expect((await a.leases.list())[0]).toMatchObject({ owner: undefined, stale: false });
    await taken(a.leases);
  });

  it('renew: never moves the checkpoint back', async () => {
    const stream = freshStream();
    const lease = await taken(consumer(stream, 'a').leases);
    await lease.renew('1000');
    await lease.renew('999');
    await lease.renew();
    expect(lease.checkpoint).toBe('1000');
    expect(await stored(stream)).toMatchObject({ checkpoint: '1000', counter: 4 });
  });

  it('list: a lease is stale if its counter has not changed for a time on the observer’s clock', async () => {
    const stream = freshStream();
    const [a, b] = [consumer(stream, 'a'), consumer(stream, 'b')];
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
    const [a, b] = [consumer(stream, 'a'), consumer(stream, 'b')];
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
    expect(await stored(stream)).toMatchObject({ owner: 'b', checkpoint: '7' });
  });

  it('take: fails if the owner has renewed the lease since it was listed', async () => {
    const stream = freshStream();
    const [a, b] = [consumer(stream, 'a'), consumer(stream, 'b')];
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
    const a = consumer(stream, 'a');
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
    const { leases } = consumer(stream, 'a');
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
    const dynamo = { ...db.dynamo, put: wrap(db.dynamo.put), update: wrap(db.dynamo.update) };
    return { state, dynamo };
  }

  it('a write that the SDK repeats after a lost response counts once', async () => {
    const stream = freshStream();
    const { state, dynamo } = unreliable();
    const a = consumer(stream, 'a', dynamo);
    state.resending = true;
    const lease = await taken(a.leases);
    await lease.renew('5');
    expect(await stored(stream)).toMatchObject({ counter: 2, checkpoint: '5', owner: 'a' });
    await lease.release('6');
    expect(await stored(stream)).toMatchObject({ counter: 3, checkpoint: '6' });
    const again = await taken(a.leases);
    await again.finish('7');
    expect(await stored(stream)).toMatchObject({ counter: 5, checkpoint: '7', finished: true });
  });

  it('a write that is given up after a lost response does not lose the lease', async () => {
    const stream = freshStream();
    const { state, dynamo } = unreliable();
    const lease = await taken(consumer(stream, 'a', dynamo).leases);
    state.losing = true;
    await expect(lease.renew('5')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    state.losing = false;
    await lease.renew('6');
    expect(lease.checkpoint).toBe('6');
    expect(await stored(stream)).toMatchObject({ owner: 'a', checkpoint: '6' });
    state.losing = true;
    await expect(lease.release('8')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    state.losing = false;
    await lease.release('8');
    expect(await stored(stream)).toMatchObject({ checkpoint: '8', counter: 4 });
  });
});

describe('createLeases: two consumers in any order', () => {
  type Step = { readonly who: 0 | 1 } & (
    | { readonly do: 'take' | 'look' | 'renew' | 'release' }
    | { readonly do: 'handle'; readonly records: number }
    | { readonly do: 'pass'; readonly ms: number }
  );
  const step = fc.record({ who: fc.constantFrom(0 as const, 1 as const) }).chain(({ who }) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant<Step>({ who, do: 'take' }) },
      { weight: 1, arbitrary: fc.constant<Step>({ who, do: 'look' }) },
      { weight: 3, arbitrary: fc.constant<Step>({ who, do: 'renew' }) },
      { weight: 1, arbitrary: fc.constant<Step>({ who, do: 'release' }) },
      { weight: 3, arbitrary: fc.constant<Step>({ who, do: 'pass', ms: LOST_AFTER_MS }) },
      {
        weight: 2,
        arbitrary: fc.integer({ min: 1, max: 9 }).map((records): Step => ({ who, do: 'handle', records })),
      },
    ),
  );

  const { numRuns, timeout, within } = budget({ runs: 6, seconds: 2 });

  it('two consumers: write each counter once, and move the checkpoint only forward', {
    timeout,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 10, maxLength: 40 }),
        within(async (steps) => {
          const stream = freshStream();
          const sides = ['a', 'b'].map((owner) => ({
            ...consumer(stream, owner),
            owner,
            lease: undefined as Lease | undefined,
            position: 0,
          }));
          const history: Array<{ counter: number; checkpoint: number }> = [];
          for (const one of steps) {
            const side = sides[one.who];
            if (side === undefined) throw new Error('There are two.');
            if (one.do === 'pass') side.clock.advance(one.ms);
            if (one.do === 'look') await side.leases.list();
            if (one.do === 'handle' && side.lease !== undefined) side.position += one.records;
            if (one.do === 'take' && side.lease === undefined) {
              const [lease] = await side.leases.list();
              if (
                lease === undefined ||
                lease.owner === undefined ||
                lease.owner === side.owner ||
                lease.stale
              ) {
                side.lease = await side.leases.take(SHARD);
                side.position = Number(side.lease?.checkpoint ?? 0);
              }
            }
            if ((one.do === 'renew' || one.do === 'release') && side.lease !== undefined) {
              const before = await stored(stream);
              const mine = before?.owner === side.owner;
              try {
                await side.lease[one.do](String(side.position));
                expect(mine).toBe(true);
                if (one.do === 'release') side.lease = undefined;
              } catch (error) {
                expect(error).toBeInstanceOf(LeaseLost);
                expect(mine).toBe(false);
                side.lease = undefined;
              }
            }
            const now = await stored(stream);
            if (now === undefined) continue;
            const state = { counter: Number(now.counter), checkpoint: Number(now.checkpoint ?? 0) };
            const last = history.at(-1);
            if (last?.counter === state.counter) {
              expect(state).toEqual(last);
            } else {
              expect(state.counter).toBe((last?.counter ?? 0) + 1);
              expect(state.checkpoint).toBeGreaterThanOrEqual(last?.checkpoint ?? 0);
              history.push(state);
            }
          }
        }),
      ),
      // A counterexample is shrunk until the test's time is over.
      { numRuns },
    );
  });

  it('two consumers: exactly one of the concurrent writes from one counter succeeds', async () => {
    const stream = freshStream();
    const [a, b] = [consumer(stream, 'a'), consumer(stream, 'b')];
    for (let round = 1; round <= 20; round++) {
      const lease = await taken(round % 2 === 0 ? a.leases : b.leases);
      const rival = round % 2 === 0 ? b : a;
      await rival.leases.list();
      rival.clock.advance(LOST_AFTER_MS);
      const [renewed, stolen] = await Promise.all([
        lease.renew(String(round)).then(
          () => true,
          () => false,
        ),
        rival.leases.take(SHARD),
      ]);
      expect([renewed, stolen !== undefined].filter(Boolean)).toHaveLength(1);
      await (stolen ?? lease).release(String(round));
      expect(await stored(stream)).toMatchObject({ checkpoint: String(round) });
    }
  });
});
