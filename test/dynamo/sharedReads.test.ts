import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSharedReads } from '../../src/dynamo/sharedReads.ts';
import { createTestClock } from '../support/time/clock.ts';

/** A database of one number. A read is executed at some time after it was sent, and its response comes later still. */
function openStore() {
  const clock = createTestClock();
  const shared = createSharedReads<number>({ clock });
  const onTheWay: Array<{ executed?: number; resolve(value: number): void; reject(error: Error): void }> = [];
  let stored = 0;
  let sends = 0;
  return {
    clock,
    sends: () => sends,
    write: () => ++stored,
    read: (key = 'a') =>
      shared(key, () => {
        sends++;
        return new Promise((resolve, reject) => onTheWay.push({ resolve, reject }));
      }),
    execute(index: number): void {
      const one = onTheWay[index];
      if (one !== undefined) one.executed ??= stored;
    },
    async respond(index: number, error?: Error): Promise<void> {
      const [one] = onTheWay.splice(index, 1);
      if (error !== undefined) one?.reject(error);
      else one?.resolve(one.executed ?? stored);
      await settled();
    },
    onTheWay: () => onTheWay.length,
  };
}

/** All promises that can go on have gone on. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('shared reads', () => {
  it('those who ask while a read is on its way share the next one', async () => {
    const store = openStore();
    const first = store.read();
    store.execute(0);
    store.write();
    const later = [store.read(), store.read(), store.read()];
    const other = store.read('b');
    expect(store.sends()).toBe(2);
    await store.respond(0);
    expect(await first).toBe(0);
    expect(store.sends()).toBe(3);
    await store.respond(1);
    expect(await Promise.all(later)).toEqual([1, 1, 1]);
    await store.respond(0);
    expect(await other).toBe(1);
    // Nothing is kept when the last one has ended.
    void store.read();
    expect(store.sends()).toBe(4);
  });

  it('a read that fails fails for those who share it, and not for those who wait for it', async () => {
    const store = openStore();
    const first = expect(store.read()).rejects.toThrow('down');
    const later = Promise.allSettled([store.read(), store.read()]);
    await store.respond(0, new Error('down'));
    await first;
    expect(store.onTheWay()).toBe(1);
    await store.respond(0, new Error('still down'));
    const failed = { status: 'rejected', reason: new Error('still down') };
    expect(await later).toEqual([failed, failed]);
    void store.read();
    expect(store.onTheWay()).toBe(1);
  });

  it('a read that is stuck is waited for 20 ms', async () => {
    const store = openStore();
    const stuck = store.read();
    const later = store.read();
    store.clock.advance(19);
    await settled();
    expect(store.sends()).toBe(1);
    store.clock.advance(1);
    await settled();
    expect(store.sends()).toBe(2);
    store.write();
    await store.respond(1);
    expect(await later).toBe(1);
    expect(store.clock.waiting).toBe(0);
    await store.respond(0);
    await stuck;
    void store.read();
    expect(store.sends()).toBe(3);
  });

  it('property: no result is older than its question, and all get one', async () => {
    const index = fc.nat(9);
    const step = fc.oneof(
      fc.constant({ kind: 'write' } as const),
      fc.record({ kind: fc.constant('read' as const), key: fc.constantFrom('a', 'b') }),
      fc.record({ kind: fc.constant('execute' as const), index }),
      fc.record({ kind: fc.constant('respond' as const), index, fails: fc.nat(5).map((n) => n === 0) }),
      fc.record({ kind: fc.constant('advance' as const), ms: fc.constantFrom(5, 20) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const store = openStore();
        let newest = 0;
        const questions: Array<Promise<void>> = [];
        let asked = 0;
        for (const one of steps) {
          if (one.kind === 'write') newest = store.write();
          else if (one.kind === 'read') {
            const before = newest;
            asked++;
            questions.push(
              store.read(one.key).then(
                (value) => expect(value).toBeGreaterThanOrEqual(before),
                (error) => expect(error.message).toBe('down'),
              ),
            );
          } else if (one.kind === 'advance') store.clock.advance(one.ms);
          else if (store.onTheWay() > 0) {
            const at = one.index % store.onTheWay();
            if (one.kind === 'execute') store.execute(at);
            else await store.respond(at, one.fails ? new Error('down') : undefined);
          }
          await settled();
        }
        while (store.onTheWay() > 0) await store.respond(0);
        await Promise.all(questions);
        expect(store.sends()).toBeLessThanOrEqual(asked);
        expect(store.clock.waiting).toBe(0);
      }),
    );
  });
});
