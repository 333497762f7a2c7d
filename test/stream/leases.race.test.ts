import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Lease, LeaseLost } from '../../src/stream/leases.ts';
import { budget } from '../support/run/budget.ts';
import { freshStream, LOST_AFTER_MS, SHARD, taken, useLeases } from './support/leases.ts';

const fixture = useLeases();

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
            ...fixture.consumer(stream, owner),
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
              const before = await fixture.stored(stream);
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
            const now = await fixture.stored(stream);
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
    const [a, b] = [fixture.consumer(stream, 'a'), fixture.consumer(stream, 'b')];
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
      expect(await fixture.stored(stream)).toMatchObject({ checkpoint: String(round) });
    }
  });
});
