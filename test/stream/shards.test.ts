import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ObservedLease } from '../../src/stream/leases.ts';
import { type PlanInput, planShards, type Shard } from '../../src/stream/shards.ts';

const shard = (id: string, parent?: string): Shard => ({ id, parent });
const lease = (shard: string, rest: Partial<ObservedLease> = {}): ObservedLease => ({
  shard,
  owner: undefined,
  counter: 1,
  checkpoint: undefined,
  finished: false,
  stale: false,
  staleInMs: 10_000,
  ...rest,
});
const done = (shard: string) => lease(shard, { finished: true });

const plan = (input: Partial<PlanInput>) =>
  planShards({ listed: [], leases: [], owner: 'me', held: new Set(), alone: false, ...input });
const taken = (input: Partial<PlanInput>) => plan(input).take.map(({ shard, work }) => `${work} ${shard}`);

describe('planShards: take', () => {
  it('planShards: takes all free shards', () => {
    const listed = [shard('a'), shard('b'), shard('c')];
    expect(taken({ listed })).toEqual(['read a', 'read b', 'read c']);
    expect(taken({ listed, leases: [lease('a'), lease('b', { owner: 'other' }), done('c')] })).toEqual([
      'read a',
    ]);
  });

  it('planShards: takes a shard with a stale lease, and one with our own', () => {
    const leases = [
      lease('a', { owner: 'other', stale: true }),
      lease('b', { owner: 'me' }),
      lease('c', { owner: 'other' }),
    ];
    expect(taken({ listed: [shard('a'), shard('b'), shard('c')], leases })).toEqual(['read a', 'read b']);
  });

  it('planShards: does not take a shard that is being worked on here', () => {
    const leases = [lease('a', { owner: 'me' })];
    expect(taken({ listed: [shard('a')], leases, held: new Set(['a']) })).toEqual([]);
  });

  it('planShards: takes all shards if `alone`', () => {
    const leases = [lease('a', { owner: 'killed' })];
    expect(taken({ listed: [shard('a')], leases })).toEqual([]);
    expect(taken({ listed: [shard('a')], leases, alone: true })).toEqual(['read a']);
  });

  it('planShards: takes a child after its parent is finished, in any order of the list', () => {
    const listed = [shard('grandchild', 'child'), shard('child', 'parent'), shard('parent')];
    expect(taken({ listed })).toEqual(['read parent']);
    expect(taken({ listed, leases: [lease('parent', { owner: 'other' })] })).toEqual([]);
    expect(taken({ listed, leases: [done('parent')] })).toEqual(['read child']);
    expect(taken({ listed, leases: [done('parent'), done('child')] })).toEqual(['read grandchild']);
  });

  it('planShards: takes one shard from a consumer that has at least two more', () => {
    const listed = ['a', 'b', 'c', 'd'].map((id) => shard(id));
    const of = (owner: string, ...ids: string[]) => ids.map((id) => lease(id, { owner }));
    expect(taken({ listed, leases: of('other', 'a', 'b', 'c', 'd') })).toEqual(['read a']);
    const shared = (mine: string[], theirs: string[]) =>
      taken({ listed, leases: [...of('me', ...mine), ...of('other', ...theirs)], held: new Set(mine) });
    expect(shared(['a'], ['b', 'c', 'd'])).toEqual(['read b']);
    expect(shared(['a', 'b'], ['c', 'd'])).toEqual([]);
    expect(taken({ listed: [shard('a')], leases: of('other', 'a') })).toEqual([]);
  });
});

describe('planShards: rebuild', () => {
  it('planShards: rebuilds a trimmed shard under its lease before its children are read', () => {
    const listed = [shard('child', 'parent'), shard('unrelated')];
    expect(taken({ listed, leases: [lease('parent', { checkpoint: '5' })] })).toEqual([
      'rebuild parent',
      'read unrelated',
    ]);
    // While another consumer rebuilds it, and while this one does.
    expect(taken({ listed, leases: [lease('parent', { owner: 'other' })] })).toEqual(['read unrelated']);
    const held = new Set(['parent']);
    expect(taken({ listed, leases: [lease('parent', { owner: 'me' })], held })).toEqual(['read unrelated']);
    expect(taken({ listed, leases: [done('parent')] })).toEqual(['read child', 'read unrelated']);
  });

  it('planShards: rebuilds a parent that was never listed', () => {
    expect(taken({ listed: [shard('c', 'b')], leases: [done('a')] })).toEqual(['rebuild b']);
  });

  it('planShards: does not rebuild the parent of a finished shard, whose lease may be forgotten', () => {
    const listed = [shard('c', 'p'), shard('d', 'c')];
    expect(taken({ listed, leases: [done('c')] })).toEqual(['read d']);
    expect(taken({ listed, leases: [lease('c')] })).toEqual(['rebuild p']);
  });

  it('planShards: rebuilds nothing if the stream is complete', () => {
    expect(taken({ listed: [shard('a'), shard('b', 'a')] })).toEqual(['read a']);
  });
});

describe('planShards: forget', () => {
  it('planShards: forgets a lease if the stream has neither the shard nor a child of it', () => {
    const leases = [done('a'), done('b'), lease('old')];
    expect(plan({ listed: [shard('c', 'b')], leases }).forget).toEqual(['a']);
    expect(plan({ listed: [shard('b', 'a'), shard('c', 'b')], leases }).forget).toEqual([]);
  });
});

describe('planShards: settled', () => {
  const settled = (input: Partial<PlanInput>) => plan(input).settled;
  it('planShards: settled if every shard is ours, or finished with a child', () => {
    const listed = [shard('a'), shard('b', 'a')];
    expect(settled({ listed, leases: [done('a')], held: new Set(['b']) })).toBe(true);
    expect(settled({ listed, leases: [done('a')], held: new Set() })).toBe(false);
    expect(settled({ listed, leases: [done('a'), lease('b', { owner: 'other' })] })).toBe(false);
    expect(settled({ listed, leases: [done('a'), done('b')] })).toBe(false);
  });
});

describe('planShards: several consumers of a stream that splits and trims shards', () => {
  /** The parent of shard i is an earlier shard or none, as DescribeStream reports for any splits. */
  const tree = fc
    .array(fc.nat(), { minLength: 1, maxLength: 12 })
    .map((picks) =>
      picks.map((pick, i) => shard(`s${i}`, pick % (i + 1) === i ? undefined : `s${pick % (i + 1)}`)),
    );

  it('several consumers: never read a child before its parent, read every shard to its end once, and share evenly', () => {
    fc.assert(
      fc.property(tree, fc.array(fc.nat({ max: 2 }), { minLength: 200, maxLength: 200 }), (listed, turns) => {
        const leases = new Map<string, ObservedLease>();
        const held = [new Set<string>(), new Set<string>(), new Set<string>()];
        const finished: string[] = [];
        for (const who of turns) {
          const mine = held[who] ?? new Set();
          const { take } = planShards({
            listed,
            leases: [...leases.values()],
            owner: String(who),
            held: mine,
            alone: false,
          });
          for (const { shard: id, work } of take) {
            expect(work).toBe('read');
            const parent = listed.find((one) => one.id === id)?.parent;
            if (parent !== undefined) expect(finished).toContain(parent);
            expect(finished).not.toContain(id);
            for (const other of held) other.delete(id);
            mine.add(id);
            leases.set(id, lease(id, { owner: String(who) }));
          }
          const [one] = mine;
          // Sometimes a shard ends.
          if (one !== undefined && take.length === 0) {
            mine.delete(one);
            leases.set(one, done(one));
            finished.push(one);
          }
        }
        expect(new Set(finished).size).toBe(finished.length);
        expect(finished).toHaveLength(listed.length);
      }),
    );
  });

  it('several consumers: share open shards evenly after a few rounds, and then take none from each other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 4 }), (shards, consumers) => {
        const listed = Array.from({ length: shards }, (_, i) => shard(`s${i}`));
        const held = Array.from({ length: consumers }, () => new Set<string>());
        const owners = new Map<string, string>();
        let moves = 0;
        for (let look = 0; look < 60; look++) {
          if (look === 48) moves = 0;
          held.forEach((mine, who) => {
            const leases = [...owners].map(([id, owner]) => lease(id, { owner }));
            for (const { shard: id } of planShards({
              listed,
              leases,
              owner: String(who),
              held: mine,
              alone: false,
            }).take) {
              for (const other of held) other.delete(id);
              mine.add(id);
              owners.set(id, String(who));
              moves++;
            }
          });
        }
        const sizes = held.map(({ size }) => size);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        expect(moves).toBe(0);
      }),
    );
  });
});
