import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createSubscription } from '../../src/live/subscription.ts';
import { createTestClock } from '../support/time/clock.ts';

let clock: ReturnType<typeof createTestClock>;
/** Lets the time pass, and everything happen that follows from it. */
async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await new Promise(setImmediate);
}

/** The values that the source of each test sends. */
let values: number[];
let closings: number;
beforeEach(() => {
  clock = createTestClock();
  values = [];
  closings = 0;
});

const open: Array<{ close(): void }> = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

type Source = Parameters<typeof createSubscription<number>>[0];

function subscribe(source: Partial<Source> = {}) {
  const subscription = createSubscription<number>(
    { take: () => values.shift(), close: () => void closings++, ...source },
    { clock, backoff: { firstMs: 100, longestMs: 100, jitter: 'half' } },
  );
  open.push(subscription);
  return {
    events: subscription.events,
    wake: () => subscription.wake(),
    hold: (stop: () => void) => subscription.hold(stop),
    close: () => subscription.close(),
  };
}

const settled = () => new Promise(setImmediate);
const value = async (result: Promise<IteratorResult<number>>) => (await result).value;

describe('createSubscription', () => {
  test('next: returns a value that is ready at once, and one that is ready after a wake', async () => {
    const { events, wake } = subscribe();
    values = [1];
    expect(await value(events.next())).toBe(1);
    const next = events.next();
    await settled();
    values = [2];
    wake();
    expect(await value(next)).toBe(2);
  });

  test('createSubscription: does not ask the source while the client does not wait', () => {
    let asked = 0;
    const { wake } = subscribe({
      take() {
        asked++;
        return undefined;
      },
    });
    for (let i = 0; i < 1_000; i++) wake();
    expect(asked).toBe(0);
  });

  test('next: several calls get their values in order', async () => {
    const { events, wake } = subscribe();
    const pulls = [events.next(), events.next(), events.next()];
    values = [1, 2];
    wake();
    values = [3];
    wake();
    expect(await Promise.all(pulls.map(value))).toEqual([1, 2, 3]);
  });

  test('work: is called, one step at a time, until a value is ready', async () => {
    let steps = 0;
    let running = 0;
    const { events, wake } = subscribe({
      async work() {
        expect(++running).toBe(1);
        await settled();
        running--;
        if (++steps === 3) values = [7];
      },
    });
    const next = events.next();
    wake();
    wake();
    expect(await value(next)).toBe(7);
    expect(steps).toBe(3);
  });

  test('readyIn: the source is asked again after that time, with one timer however often it is woken', async () => {
    let at = 100;
    const { events, wake } = subscribe({
      take: () => (clock.now() >= at ? values.shift() : undefined),
      readyIn: () => at - clock.now(),
    });
    values = [1, 2];
    const next = events.next();
    for (let i = 0; i < 10; i++) wake();
    expect(clock.waiting).toBe(1);
    await pass(100);
    expect(await value(next)).toBe(1);
    at = 300;
    const later = events.next();
    at = 150;
    wake();
    await pass(50);
    expect(await value(later)).toBe(2);
  });

  test('work: the subscription completes if it fails, and closes the source once', async () => {
    let held = 0;
    const { events, hold, close } = subscribe({ work: () => Promise.reject(new Error('no answer')) });
    hold(() => void held++);
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    close();
    hold(() => void held++);
    expect([closings, held]).toEqual([1, 2]);
  });

  test('retryAfter: work is repeated after a pause, which a wake does not end', async () => {
    let attempts = 0;
    const { events, wake } = subscribe({
      async work() {
        if (++attempts === 1) throw new Error('no answer');
        values = [1];
      },
      retryAfter: () => true,
    });
    const next = events.next();
    await settled();
    wake();
    await settled();
    expect(attempts).toBe(1);
    await pass(100);
    expect(await value(next)).toBe(1);
    expect(attempts).toBe(2);
  });

  test('return: ends a waiting `next`, while the source works, waits or pauses', async () => {
    const waiting = subscribe({ readyIn: () => 1_000 });
    const working = subscribe({ work: () => new Promise(() => {}) });
    const pausing = subscribe({ work: () => Promise.reject(new Error('no')), retryAfter: () => true });
    const all = [waiting, working, pausing];
    const pulls = all.map(({ events }) => events.next());
    await settled();
    for (const { events } of all) await events.return?.();
    expect((await Promise.all(pulls)).map(({ done }) => done)).toEqual([true, true, true]);
    expect([clock.waiting, closings]).toEqual([0, 3]);
  });
});

describe('pushTo', () => {
  test('pushTo: pushes at once what is ready, and what is ready after a wake', () => {
    const { events, wake } = subscribe();
    const received: number[] = [];
    values = [1, 2];
    void events.pushTo((one) => void received.push(one));
    expect(received).toEqual([1, 2]);
    values = [3];
    wake();
    expect(received).toEqual([1, 2, 3]);
  });

  test('pushTo: does not ask the source while the sink has no room', async () => {
    const { events, wake } = subscribe();
    const received: number[] = [];
    let makeRoom = () => {};
    values = [1, 2, 3];
    void events.pushTo((one) => {
      received.push(one);
      return new Promise((resolve) => {
        makeRoom = resolve;
      });
    });
    wake();
    expect([received, values]).toEqual([[1], [2, 3]]);
    makeRoom();
    await settled();
    expect([received, values]).toEqual([[1, 2], [3]]);
  });

  test('pushTo: works between values, and pushes the results', async () => {
    let steps = 0;
    const { events } = subscribe({
      work() {
        if (++steps > 3) return undefined;
        return settled().then(() => void values.push(steps));
      },
    });
    const received: number[] = [];
    void events.pushTo((one) => void received.push(one));
    for (let i = 0; i < 6; i++) await settled();
    expect(received).toEqual([1, 2, 3]);
  });

  test('pushTo: resolves when the subscription ends, by itself or because the client leaves', async () => {
    const failing = subscribe({ work: () => Promise.reject(new Error('no')) });
    await failing.events.pushTo(() => {});
    const left = subscribe();
    const ended = left.events.pushTo(() => {});
    await left.events.return?.();
    await ended;
    await left.events.pushTo(() => {});
    expect(closings).toBe(2);
  });

  test('pushTo: rejects with the error of the sink', async () => {
    const { events } = subscribe();
    values = [1, 2];
    await expect(events.pushTo(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect([closings, values]).toEqual([1, [2]]);
  });

  test('pushTo: rejects with what the sink throws, and the one who woke it goes on', async () => {
    const { events, wake } = subscribe();
    const ended = events.pushTo(() => {
      throw new Error('broken');
    });
    values = [1, 2];
    wake();
    await expect(ended).rejects.toThrow('broken');
    expect([closings, values]).toEqual([1, [2]]);
  });

  test('pushTo: resolves after a slow sink has finished, and that sink may not send any more', async () => {
    const { events, close } = subscribe();
    let finish = () => {};
    let maySend: boolean | undefined;
    values = [1];
    let ended = false;
    const end = events
      .pushTo((one, mayStillSend) =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }).then(() => {
          maySend = mayStillSend(one);
        }),
      )
      .then(() => {
        ended = true;
      });
    close();
    await settled();
    expect(ended).toBe(false);
    finish();
    await end;
    expect(maySend).toBe(false);
  });

  test('pushTo: a value that may not be sent any more is taken again when it may', async () => {
    let isOpen = true;
    const { events, wake } = subscribe({
      take: () => (isOpen ? values.shift() : undefined),
      mayStillSend(one) {
        if (!isOpen) values.unshift(one);
        return isOpen;
      },
    });
    const sent: number[] = [];
    values = [1, 2];
    void events.pushTo(async (one, mayStillSend) => {
      await settled();
      if (mayStillSend(one)) sent.push(one);
    });
    isOpen = false;
    for (let i = 0; i < 3; i++) await settled();
    expect(sent).toEqual([]);
    isOpen = true;
    wake();
    for (let i = 0; i < 3; i++) await settled();
    expect(sent).toEqual([1, 2]);
  });

  test('pushTo: pushes nothing after the sink has closed the subscription', async () => {
    const { events, close } = subscribe();
    const received: number[] = [];
    values = [1, 2];
    await events.pushTo((one) => {
      received.push(one);
      close();
    });
    expect(received).toEqual([1]);
  });
});
