import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSharedReads } from '../../src/dynamo/sharedReads.ts';
import { createTestClock } from '../support/time/clock.ts';

/** A database of one number. A read is executed at some time after it was sent, and its response comes later still. */
function openStore() {
  const clock = createTestClock();
  let open = 0;
  const shared = createSharedReads<number>({ clock, open: () => open });
  const onTheWay: Array<{ executed?: number; resolve(value: number): void; reject(error: Error): void }> = [];
  const senders: string[] = [];
  let stored = 0;
  return {
    clock,
    /** The users who have sent the reads so far. */
    senders,
    sends: () => senders.length,
    write: () => ++stored,
    /** By a user who has this many calls open. */
    read: (key = 'a', user = 'aki', calls = 0) => {
      open = calls;
      return shared(key, () => {
        senders.push(user);
        return new Promise((resolve, reject) => onTheWay.push({ resolve, reject }));
      });
    },
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
  it('those who ask in one turn share a read, and those who ask while it is on its way share the next one', async () => {
    const store = openStore();
    const first = [store.read(), Promise.resolve().then(() => store.read())];
    await settled();
    expect(store.sends()).toBe(1);
    store.execute(0);
    store.write();
    const later = [store.read(), store.read(), store.read()];
    const other = store.read('b');
    await settled();
    expect(store.sends()).toBe(2);
    await store.respond(0);
    expect(await Promise.all(first)).toEqual([0, 0]);
    expect(store.sends()).toBe(3);
    await store.respond(1);
    expect(await Promise.all(later)).toEqual([1, 1, 1]);
    await store.respond(0);
    expect(await other).toBe(1);
    // Nothing is kept when the last one has ended.
    void store.read();
    await settled();
    expect(store.sends()).toBe(4);
  });

  it('a read that fails fails for those who share it, and not for those who wait for it', async () => {
    const store = openStore();
    const first = expect(store.read()).rejects.toThrow('down');
    await settled();
    const later = Promise.allSettled([store.read(), store.read()]);
    await store.respond(0, new Error('down'));
    await first;
    expect(store.onTheWay()).toBe(1);
    await store.respond(0, new Error('still down'));
    const failed = { status: 'rejected', reason: new Error('still down') };
    expect(await later).toEqual([failed, failed]);
    void store.read();
    await settled();
    expect(store.onTheWay()).toBe(1);
  });

  it('a read that is stuck is waited for 20 ms', async () => {
    const store = openStore();
    const stuck = store.read();
    await settled();
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
    await settled();
    expect(store.sends()).toBe(3);
  });

  it('a shared read is sent by the user with the fewest calls open, also if another one has asked for it first', async () => {
    const store = openStore();
    void store.read('a', 'ben', 2_000);
    await settled();
    void store.read('a', 'ben', 2_000);
    void store.read('a', 'chie', 3);
    void store.read('a', 'aki', 3);
    void store.read('a', 'ben', 2_000);
    await store.respond(0);
    expect(store.senders).toEqual(['ben', 'chie']);
  });

  it('property: no result is older than its question, and all get one', async () => {
    const index = fc.nat(9);
    const step = fc.oneof(
      fc.constant({ kind: 'write' } as const),
      fc.record({ kind: fc.constant('read' as const), key: fc.constantFrom('a', 'b'), calls: fc.nat(3) }),
      fc.record({ kind: fc.constant('execute' as const), index }),
      fc.record({ kind: fc.constant('respond' as const), index, fails: fc.nat(5).map((n) => n === 0) }),
      fc.record({ kind: fc.constant('advance' as const), ms: fc.constantFrom(5, 20) }),
      fc.constant({ kind: 'turn' } as const),
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
              store.read(one.key, 'aki', one.calls).then(
                (value) => expect(value).toBeGreaterThanOrEqual(before),
                (error) => expect(error.message).toBe('down'),
              ),
            );
          } else if (one.kind === 'advance') store.clock.advance(one.ms);
          else if (one.kind === 'turn') await settled();
          else if (store.onTheWay() > 0) {
            const at = one.index % store.onTheWay();
            if (one.kind === 'execute') store.execute(at);
            else await store.respond(at, one.fails ? new Error('down') : undefined);
          }
        }
        await settled();
        while (store.onTheWay() > 0) await store.respond(0);
        await Promise.all(questions);
        expect(store.sends()).toBeLessThanOrEqual(asked);
        expect(store.clock.waiting).toBe(0);
      }),
    );
  });
});
