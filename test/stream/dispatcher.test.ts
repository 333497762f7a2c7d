import { getEventListeners } from 'node:events';
import { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { type Clock, sleep } from '../../src/core/clock.ts';
import { ContentionError, OutageError, OverloadError } from '../../src/core/errors.ts';
import { createLog } from '../../src/core/log.ts';
import { TransactionConflicted } from '../../src/dynamo/errors.ts';
import type { Change } from '../../src/stream/change.ts';
import { DispatchStopped } from '../../src/stream/dispatcher.ts';
import { scaled } from '../support/run/budget.ts';
import { createLeapingClock, createTestClock } from '../support/time/clock.ts';
import { eventually } from '../support/time/eventually.ts';
import { isPoison, setup } from './support/dispatching.ts';
import { createRecorder, insertion, insertions } from './support/stream.ts';

/** Longer than any pause. */
const TIMEOUT_MS = 30_000;

describe('dispatch', () => {
  it('dispatch: gives each handler the changes of its item types, in order, in one call', async () => {
    const roots = createRecorder({ name: 'roots' });
    const rooms = createRecorder({ name: 'rooms', itemTypes: ['room', 'root'] });
    const users = createRecorder({ name: 'users', itemTypes: ['user'] });
    const room: Change = { ...insertion(3), key: { type: 'room', room: 'r' } };
    const changes = [insertion(1), insertion(2), room, insertion(4)];
    const { dispatcher } = setup({ handlers: [roots, rooms, users] });
    await dispatcher.dispatch(changes);
    expect(roots.handled.map(({ sequence }) => sequence)).toEqual(['1', '2', '4']);
    expect(rooms.handled).toEqual(changes);
    expect([roots.calls, rooms.calls, users.calls]).toEqual([[3], [4], []]);
  });

  it('dispatch: handlers run at the same time', async () => {
    let release = () => {};
    const first = createRecorder({
      name: 'first',
      fail: () => new Promise((resolve) => (release = resolve)),
    });
    const second = createRecorder({ name: 'second', fail: () => release() });
    const { dispatcher } = setup({ handlers: [first, second] });
    await dispatcher.dispatch(insertions(1));
    expect([first.handled.length, second.handled.length]).toEqual([1, 1]);
  });

  it('dispatch: repeats a failed batch once as a whole', async () => {
    let failures = 1;
    const handler = createRecorder({
      fail: () => {
        if (failures-- > 0) throw new Error('a hiccup');
      },
    });
    const { dispatcher, deadLetters } = setup({ handlers: [handler] });
    await dispatcher.dispatch(insertions(10));
    expect(handler.calls).toEqual([10, 10]);
    expect(deadLetters).toEqual([]);
  });

  it('dispatch: makes a dead letter of a poison change, counts it, and handles all others in order', async () => {
    const handler = createRecorder({ fail: isPoison(new Set(['37'])) });
    const bystander = createRecorder({ name: 'bystander' });
    const onHandled = vi.fn();
    const { dispatcher, deadLetters } = setup({ handlers: [handler, bystander], onHandled, attempts: 3 });
    await dispatcher.dispatch(insertions(100));
    expect(handler.handled.map(({ sequence }) => Number(sequence))).toEqual(
      insertions(100).flatMap(({ sequence }) => (sequence === '37' ? [] : [Number(sequence)])),
    );
    expect(deadLetters).toEqual([
      { change: insertion(37), handler: 'recorder', error: new Error('cannot digest this') },
    ]);
    expect(dispatcher.deadLetterCount).toBe(1);
    expect(bystander.calls).toEqual([100]);
    expect(handler.calls.filter((size) => size === 1).length).toBeGreaterThanOrEqual(3);
    // A few calls for each halving, not one for each change.
    expect(handler.calls.length).toBeLessThan(30);
    expect(onHandled).toHaveBeenCalledWith('bystander', 100, expect.any(Number));
  });

  it('dispatch: handles every change that can be handled, in order, with any failures', async () => {
    const input = fc.record({
      size: fc.integer({ min: 1, max: 40 }),
      poison: fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 5 }),
      outages: fc.array(fc.boolean(), { maxLength: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(input, async ({ size, poison, outages }) => {
        const poisonous = new Set(poison.filter((n) => n <= size).map(String));
        const pending = [...outages];
        const handler = createRecorder({
          fail: (changes) => {
            if (pending.shift() === true) throw new OutageError();
            isPoison(poisonous)(changes);
          },
        });
        const { dispatcher, deadLetters } = setup({ handlers: [handler] });
        const changes = insertions(size);
        await dispatcher.dispatch(changes);
        expect(handler.handled).toEqual(changes.filter(({ sequence }) => !poisonous.has(sequence)));
        expect(deadLetters.map(({ change }) => change.sequence)).toEqual(
          changes.flatMap(({ sequence }) => (poisonous.has(sequence) ? [sequence] : [])),
        );
      }),
      { numRuns: scaled(10) },
    );
  });

  it('dispatch: pauses between two attempts, and not after the last one, for a change and for its dead letter', async () => {
    const pauses: string[] = [];
    const events = (what: string) => () => {
      pauses.push(what);
      throw new Error(what);
    };
    const clock: Clock = {
      now: () => 0,
      after(ms, call) {
        // Each call has a time limit, which is not a pause.
        if (ms === TIMEOUT_MS) return () => {};
        pauses.push('pause');
        setImmediate(call);
        return () => {};
      },
    };
    const handler = createRecorder({ fail: events('attempt') });
    const { dispatcher } = setup({
      handlers: [handler],
      clock,
      timeoutMs: TIMEOUT_MS,
      attempts: 3,
      deadLetter: async () => events('dead letter')(),
    });
    await dispatcher.dispatch(insertions(1));
    const three = (what: string) => [what, 'pause', what, 'pause', what];
    expect(pauses).toEqual([...three('attempt'), ...three('dead letter')]);
  });

  it('dispatch: treats a synchronous throw like a rejection', async () => {
    const handler = {
      name: 'rude',
      itemTypes: ['root' as const],
      handle: () => {
        throw new Error('at once');
      },
    };
    const { dispatcher, deadLetters } = setup({ handlers: [handler] });
    await dispatcher.dispatch(insertions(1));
    expect(deadLetters).toHaveLength(1);
  });

  it('dispatch: a call that exceeds its time limit counts as failed', async () => {
    const clock = createTestClock();
    const handler = createRecorder({ fail: () => new Promise(() => {}) });
    const { dispatcher, deadLetters } = setup({ handlers: [handler], clock, timeoutMs: 500, attempts: 2 });
    let done = false;
    const dispatched = dispatcher.dispatch(insertions(1)).then(() => {
      done = true;
    });
    await eventually(() => {
      clock.advance(500);
      expect(done).toBe(true);
    });
    await dispatched;
    expect(handler.calls).toEqual([1, 1]);
    expect(deadLetters.map(({ error }) => (error as Error).name)).toEqual(['HandlerTimedOut']);
  });
});

describe('dispatch: outages and contention', () => {
  it.each([
    ['OutageError', () => new OutageError()],
    ['one among several errors', () => new AggregateError([new Error('x'), new OutageError()])],
    ['ContentionError', () => new ContentionError()],
    ['a conflict of transactions', () => new TransactionConflicted()],
    ['OverloadError', () => new OverloadError()],
    ['contention among several errors', () => new AggregateError([new ContentionError()])],
  ])('(%s) is waited out, and makes no dead letter', async (_, error) => {
    let left = 30;
    const handler = createRecorder({
      fail: () => {
        if (left-- > 0) throw error();
      },
    });
    const { dispatcher, deadLetters } = setup({ handlers: [handler] });
    await dispatcher.dispatch(insertions(4));
    expect(handler.handled).toEqual(insertions(4));
    expect(deadLetters).toEqual([]);
  });

  it.each([
    ['a refused connection', () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['a parser that fails', () => new SyntaxError('Cannot convert x to a BigInt')],
  ])('is not what a handler itself throws (%s): that change becomes a dead letter', async (_, error) => {
    const handler = createRecorder({
      fail: () => {
        throw error();
      },
    });
    const { dispatcher, deadLetters } = setup({ handlers: [handler] });
    await dispatcher.dispatch(insertions(2));
    expect(deadLetters).toHaveLength(2);
  });

  it('dispatch: a change that meets others for more than 10 s becomes a dead letter; the next one has its own time', async () => {
    const clock = createLeapingClock();
    const calls: Array<{ readonly at: number; readonly sequence: string | undefined }> = [];
    let busyTo: number | undefined;
    const handler = createRecorder({
      fail: ([first, ...others]) => {
        calls.push({ at: clock.now(), sequence: first?.sequence });
        if (first?.sequence === '1' || others.length > 0) throw new ContentionError();
        if (first?.sequence === '2') {
          busyTo ??= clock.now() + 8_000;
          if (clock.now() < busyTo) throw new ContentionError();
        }
      },
    });
    const { dispatcher, deadLetters } = setup({ handlers: [handler], clock });
    await dispatcher.dispatch(insertions(3));
    const lasted = calls.findLast(({ sequence }) => sequence === '1')?.at ?? 0;
    expect(lasted).toBeGreaterThanOrEqual(10_000);
    expect(lasted).toBeLessThan(12_000);
    expect(deadLetters.map(({ change, error }) => [change.sequence, (error as Error).name])).toEqual([
      ['1', 'ContentionError'],
    ]);
    expect(handler.handled).toEqual([insertion(2), insertion(3)]);
  });

  it('dispatch: the others of a batch do not wait for the change that others write', async () => {
    const clock = createLeapingClock();
    const handledAt = new Map<string, number>();
    const handler = createRecorder({
      fail: (changes) => {
        if (changes.some(({ sequence }) => sequence === '8')) throw new ContentionError();
        for (const { sequence } of changes) handledAt.set(sequence, clock.now());
      },
    });
    const { dispatcher } = setup({ handlers: [handler], clock });
    await dispatcher.dispatch(insertions(8));
    expect([...handledAt]).toEqual(insertions(7).map(({ sequence }) => [sequence, 0]));
  });

  it('dispatch: with a handler that takes 5 s, a function of 60 s gets past a change that others write', async () => {
    const clock = createLeapingClock();
    const handler = createRecorder({
      fail: async (changes) => {
        if (!changes.some(({ sequence }) => sequence === '1')) return;
        await sleep(clock, 5_000);
        throw new ContentionError();
      },
    });
    const { dispatcher, deadLetters } = setup({ handlers: [handler], clock });
    // Lambda's batches have at most 100 changes, and no call begins in the last 6 s.
    const stop = new AbortController();
    clock.after(54_000, () => stop.abort());
    await dispatcher.dispatch(insertions(100), stop.signal).catch(() => {});
    expect(deadLetters.map(({ change }) => change.sequence)).toEqual(['1']);
    expect(handler.handled).toEqual(insertions(100).slice(1));
  });

  it('dispatch: also `onSkipped` waits while others write the same items', async () => {
    let left = 30;
    const onSkipped = vi.fn(async () => {
      if (left-- > 0) throw new ContentionError();
    });
    const handler = { ...createRecorder({ fail: isPoison(new Set(['1'])) }), onSkipped };
    const { dispatcher, deadLetters } = setup({ handlers: [handler] });
    await dispatcher.dispatch(insertions(1));
    expect(onSkipped).toHaveBeenCalledTimes(31);
    expect(deadLetters.map(({ handler }) => handler)).toEqual(['recorder']);
  });

  it('dispatch: halves a batch that keeps meeting an outage', async () => {
    const handler = createRecorder({
      fail: ({ length }) => {
        if (length > 3) throw new OutageError();
      },
    });
    const { dispatcher, deadLetters } = setup({ handlers: [handler] });
    await dispatcher.dispatch(insertions(20));
    expect(handler.handled).toEqual(insertions(20));
    expect(deadLetters).toEqual([]);
  });

  it('dispatch: logs an outage once when it starts and once when it is over', async () => {
    const lines: string[] = [];
    let left = 12;
    const handler = createRecorder({
      fail: () => {
        if (left-- > 0) throw new OutageError();
      },
    });
    const to = new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const { dispatcher } = setup({ handlers: [handler], log: createLog({ level: 'info', to }) });
    await dispatcher.dispatch(insertions(2));
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
      expect.stringContaining('is down'),
      expect.stringContaining('is back'),
    ]);
  });

  it('dispatch: repeats the write of a dead letter during an outage', async () => {
    let left = 5;
    const kept: string[] = [];
    const handler = createRecorder({ fail: isPoison(new Set(['1'])) });
    const { dispatcher } = setup({
      handlers: [handler],
      deadLetter: async ({ sequence }) => {
        if (left-- > 0) throw new OutageError();
        kept.push(sequence);
      },
    });
    await dispatcher.dispatch(insertions(2));
    expect(kept).toEqual(['1']);
    expect(handler.handled).toEqual([insertion(2)]);
  });
});

describe('dispatch: aborted signal', () => {
  it('dispatch: an aborted signal ends the wait for an outage, and the error has the first unhandled change', async () => {
    const stop = new AbortController();
    const healthy = createRecorder({ name: 'healthy' });
    const cut = createRecorder({
      name: 'cut',
      fail: (changes) => {
        if (changes.some(({ sequence }) => Number(sequence) >= 6)) {
          if (changes.length === 1) stop.abort();
          throw new OutageError();
        }
      },
    });
    const { dispatcher, deadLetters } = setup({ handlers: [healthy, cut] });
    const stopped = await dispatcher.dispatch(insertions(8), stop.signal).catch((error: unknown) => error);
    expect(stopped).toBeInstanceOf(DispatchStopped);
    expect((stopped as DispatchStopped).firstUnhandled.sequence).toBe('6');
    expect(cut.handled).toEqual(insertions(5));
    expect(healthy.handled).toEqual(insertions(8));
    expect(deadLetters).toEqual([]);
  });

  it('dispatch: a running call may end after the signal, and then resolves', async () => {
    const stop = new AbortController();
    const handler = createRecorder({
      fail: async () => {
        stop.abort();
        await Promise.resolve();
      },
    });
    const { dispatcher } = setup({ handlers: [handler] });
    await dispatcher.dispatch(insertions(3), stop.signal);
    expect(handler.handled).toHaveLength(3);
  });

  it('dispatch: a call that does not end within the grace is abandoned', async () => {
    const clock = createTestClock();
    const stop = new AbortController();
    const handler = createRecorder({ fail: () => new Promise(() => {}) });
    const { dispatcher } = setup({ handlers: [handler], clock, graceMs: 1_000 });
    const outcome = dispatcher.dispatch(insertions(3), stop.signal).catch((error: unknown) => error);
    stop.abort();
    clock.advance(999);
    expect(clock.waiting).toBeGreaterThan(0);
    clock.advance(1);
    expect(await outcome).toBeInstanceOf(DispatchStopped);
    expect(clock.waiting).toBe(0);
  });

  it('dispatch: begins no call after the signal', async () => {
    const handler = createRecorder();
    const { dispatcher } = setup({ handlers: [handler] });
    await expect(dispatcher.dispatch(insertions(2), AbortSignal.abort())).rejects.toThrow(DispatchStopped);
    await expect(dispatcher.dispatch([], AbortSignal.abort())).resolves.toBeUndefined();
    expect(handler.calls).toEqual([]);
  });

  it('dispatch: removes its listeners from the signal, and many handlers cause no warning', async () => {
    const warnings: string[] = [];
    const warn = (warning: Error) => void warnings.push(warning.message);
    process.on('warning', warn);
    const { signal } = new AbortController();
    const handlers = Array.from({ length: 20 }, (_, i) => createRecorder({ name: `handler ${i}` }));
    const { dispatcher } = setup({ handlers });
    await dispatcher.dispatch(insertions(2), signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warn);
    expect(warnings).toEqual([]);
  });
});
