import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { OutageError } from '../../src/core/errors.ts';
import { createLog } from '../../src/core/log.ts';
import type { Change } from '../../src/stream/change.ts';
import type { DispatchStopped } from '../../src/stream/dispatcher.ts';
import { isPoison, setup } from './support/dispatching.ts';
import { createRecorder, insertion, insertions } from './support/stream.ts';

describe('dispatch: dead letters', () => {
  it('dispatch: continues and logs an error if a dead letter cannot be stored', async () => {
    const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const handler = createRecorder({ fail: isPoison(new Set(['1'])) });
    const { dispatcher } = setup({
      handlers: [handler],
      log,
      deadLetter: async () => {
        throw new Error('refused');
      },
    });
    await dispatcher.dispatch(insertions(2));
    expect(handler.handled).toEqual([insertion(2)]);
    expect(dispatcher.deadLetterCount).toBe(1);
    expect(log.error).toHaveBeenCalledWith(
      expect.anything(),
      expect.stringContaining('The dead letter could not be stored'),
    );
  });

  it('dispatch: logs the key of a dead letter, and nothing that users wrote', async () => {
    const lines: string[] = [];
    const to = new Writable({
      write(chunk, _, done) {
        lines.push(String(chunk));
        done();
      },
    });
    const secret = 'meet me at seven';
    const handler = createRecorder({
      fail: ([change]) => {
        throw new Error(`cannot digest ${String(change?.new?.body)}`);
      },
    });
    const { dispatcher } = setup({ handlers: [handler], log: createLog({ level: 'info', to }) });
    await dispatcher.dispatch([{ ...insertion(7), new: { ...insertion(7).new, body: secret } }]);
    const logged = lines.join('');
    expect(logged).toContain('"sequence":"7"');
    expect(logged).not.toContain(secret);
  });

  it('dispatch: writes a dead letter for an unreadable change without an attempt, for each handler of its type', async () => {
    const unreadable: Change = { ...insertion(2), unreadable: { item: { pk: 'a', sk: 'b' }, error: 'odd' } };
    const handlers = [createRecorder({ name: 'a' }), createRecorder({ name: 'b' })];
    const users = createRecorder({ name: 'users', itemTypes: ['user'] });
    const { dispatcher, deadLetters } = setup({ handlers: [...handlers, users] });
    await dispatcher.dispatch([insertion(1), unreadable, insertion(3)]);
    expect(deadLetters.sort((a, b) => (a.handler < b.handler ? -1 : 1))).toEqual([
      { change: unreadable, handler: 'a', error: 'odd' },
      { change: unreadable, handler: 'b', error: 'odd' },
    ]);
    for (const { calls, handled } of handlers) {
      expect(calls).toEqual([2]);
      expect(handled).toEqual([insertion(1), insertion(3)]);
    }
    expect(dispatcher.deadLetterCount).toBe(2);
  });

  it('dispatch: if the signal comes before a dead letter is stored, all changes of that handler are unhandled', async () => {
    const stop = new AbortController();
    const unreadable: Change = { ...insertion(2), unreadable: { item: { pk: 'a', sk: 'b' }, error: 'odd' } };
    const { dispatcher } = setup({
      handlers: [createRecorder()],
      deadLetter: async () => {
        stop.abort();
        throw new OutageError();
      },
    });
    const stopped = await dispatcher
      .dispatch([insertion(1), unreadable], stop.signal)
      .catch((error: unknown) => error);
    expect((stopped as DispatchStopped).firstUnhandled.sequence).toBe('1');
  });

  it('onSkipped: is called after a dead letter, again until it resolves', async () => {
    let outages = 2;
    const skipped: Change[] = [];
    const handler = {
      ...createRecorder({ fail: isPoison(new Set(['2'])) }),
      onSkipped: async (change: Change) => {
        if (outages-- > 0) throw new OutageError();
        skipped.push(change);
      },
    };
    const { dispatcher, deadLetters } = setup({ handlers: [handler] });
    await dispatcher.dispatch(insertions(3));
    expect(skipped).toEqual([insertion(2)]);
    expect(deadLetters).toHaveLength(1);
    expect(handler.handled).toEqual([insertion(1), insertion(3)]);
  });

  it('onSkipped: if it keeps failing, the dead letter and the log say so, and dispatch continues', async () => {
    const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const handler = {
      ...createRecorder({ fail: isPoison(new Set(['1'])) }),
      onSkipped: () => Promise.reject(new Error('nor this')),
    };
    const { dispatcher, deadLetters } = setup({ handlers: [handler], log });
    await dispatcher.dispatch(insertions(2));
    expect(deadLetters.map((letter) => letter.handler)).toEqual([handler.name, `${handler.name}: onSkipped`]);
    expect(deadLetters[1]?.error).toEqual(new Error('nor this'));
    const alarms = log.error.mock.calls.filter(([fields]) => fields.event === 'set_aside');
    expect(alarms.map(([{ handler: name }]) => name)).toEqual([`${handler.name}: onSkipped`, handler.name]);
    expect(dispatcher.deadLetterCount).toBe(1);
    expect(handler.handled).toEqual([insertion(2)]);
  });
});
