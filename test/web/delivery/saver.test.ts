import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../../web/src/api/errors.ts';
import { createSaver, GATHER_MS } from '../../../web/src/delivery/saver.ts';
import type {
  DeliverySettingsPartsFragment,
  UpdateDeliverySettingsInput,
} from '../../../web/src/generated/graphql.ts';
import { createSerializer } from '../../../web/src/state/serialize.ts';

type Settings = Readonly<DeliverySettingsPartsFragment>;

const channels = ['WEB_PUSH' as const];
const like = { kind: 'LIKE', mode: 'ON', delaySeconds: 60, windowSeconds: 60, channels } as const;
const saved: Settings = {
  hideText: false,
  pausedUntil: null,
  sendsEmail: true,
  ...({ emailDigest: 'NEVER', email: null, emailRefusedAt: null } as const),
  kinds: [
    { ...like, channels },
    { ...like, kind: 'STAMP', channels },
  ],
  quietHours: null,
};
const hours = { from: '22:00', to: '07:00', timeZone: 'UTC', days: ['SUNDAY' as const] };
const turned = (settings: Settings, kind: 'LIKE' | 'STAMP', mode: 'ON' | 'OFF'): Settings => ({
  ...settings,
  kinds: settings.kinds.map((one) => (one.kind === kind ? { ...one, mode } : one)),
});

/** A saver, with a server that answers when the test says so. */
function started() {
  let server = saved;
  const inputs: UpdateDeliverySettingsInput[] = [];
  const waiting: { readonly answer: () => void; readonly refuse: (error: ApiError) => void }[] = [];
  const told: unknown[] = [];
  const saver = createSaver({
    saved,
    serialize: createSerializer(),
    backoff: { wait: () => Promise.resolve() },
    send: (input) =>
      new Promise((resolve, refuse) => {
        inputs.push(input);
        const answer = () => {
          const { kinds, ...others } = input;
          server = {
            ...server,
            ...(others as Partial<Settings>),
            kinds: server.kinds.map((one) => ({
              ...one,
              ...(kinds?.find(({ kind }) => kind === one.kind) as Partial<typeof one>),
            })),
          };
          resolve(server);
        };
        waiting.push({ answer, refuse });
      }),
    onSaved: () => told.push('saved'),
    onWait: () => told.push('wait'),
    onFailure: ({ code }) => told.push(code),
  });
  /** Ends the request that is on its way. */
  const next = async (end: (one: (typeof waiting)[number]) => void) => {
    const one = waiting.shift();
    if (one === undefined) throw new Error('Nothing is on its way.');
    end(one);
    await vi.advanceTimersByTimeAsync(0);
  };
  return {
    saver,
    inputs,
    told,
    server: () => server,
    shown: () => saver.get().shown,
    answer: () => next((one) => one.answer()),
    refuse: (error: ApiError) => next((one) => one.refuse(error)),
    gathered: () => vi.advanceTimersByTimeAsync(GATHER_MS),
  };
}

describe('web delivery settings, saved at once', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('changes are shown at once, and quick ones are one request', async () => {
    const { saver, inputs, told, shown, server, gathered, answer } = started();
    saver.change(turned(shown(), 'LIKE', 'OFF'));
    saver.change({ ...shown(), hideText: true });
    expect(shown()).toEqual({ ...turned(saved, 'LIKE', 'OFF'), hideText: true });
    expect(saver.get().isSaved).toBe(false);
    await gathered();
    expect(inputs).toEqual([{ hideText: true, kinds: [{ kind: 'LIKE', mode: 'OFF' }] }]);
    await answer();
    expect(saver.get()).toEqual({ shown: server(), isSaved: true });
    expect(told).toEqual(['saved']);
  });

  test('a change that is undone before it is sent sends nothing', async () => {
    const { saver, inputs, shown, gathered } = started();
    saver.change(turned(shown(), 'LIKE', 'OFF'));
    saver.change(turned(shown(), 'LIKE', 'ON'));
    await gathered();
    expect(inputs).toEqual([]);
    expect(saver.get().isSaved).toBe(true);
  });

  test('what is changed back while it is on its way is sent afterwards', async () => {
    const { saver, inputs, shown, server, gathered, answer } = started();
    saver.change(turned(shown(), 'LIKE', 'OFF'));
    await gathered();
    saver.change(turned(shown(), 'LIKE', 'ON'));
    await answer();
    expect(shown()).toEqual(saved);
    await answer();
    expect(inputs.map(({ kinds }) => kinds?.[0]?.mode)).toEqual(['OFF', 'ON']);
    expect([server(), saver.get().isSaved]).toEqual([saved, true]);
    await gathered();
    expect(inputs).toHaveLength(2);
  });

  test('after RATE_LIMITED nothing is lost: all that was changed is sent as soon as the server allows it', async () => {
    const { saver, inputs, told, shown, server, gathered, answer, refuse } = started();
    saver.change(turned(shown(), 'LIKE', 'OFF'));
    await gathered();
    await refuse(new ApiError('RATE_LIMITED', { retryAfterMs: 20_000 }));
    saver.change(turned(shown(), 'STAMP', 'OFF'));
    saver.leave();
    await vi.advanceTimersByTimeAsync(19_000);
    expect(inputs).toHaveLength(1);
    expect(saver.get().isSaved).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    await answer();
    expect(inputs.at(-1)?.kinds?.map(({ kind }) => kind)).toEqual(['LIKE', 'STAMP']);
    expect(saver.get()).toEqual({ shown: server(), isSaved: true });
    expect(told).toEqual(['wait', 'saved']);
  });

  test('any other error shows the settings as they were, with what was changed since', async () => {
    const { saver, told, shown, server, gathered, answer, refuse } = started();
    saver.change(turned(shown(), 'LIKE', 'OFF'));
    await gathered();
    saver.change({ ...shown(), hideText: true });
    await refuse(new ApiError('UNAVAILABLE'));
    expect(shown()).toEqual({ ...saved, hideText: true });
    expect(told).toEqual(['UNAVAILABLE']);
    await gathered();
    await answer();
    expect([server(), saver.get().isSaved]).toEqual([{ ...saved, hideText: true }, true]);
  });

  test('quiet hours that cannot be saved wait, the rest does not, and they are forgotten at the end', async () => {
    const { saver, inputs, shown, server, gathered, answer } = started();
    saver.change({ ...shown(), quietHours: { ...hours, to: '22:00' }, hideText: true });
    await gathered();
    await answer();
    expect(inputs).toEqual([{ hideText: true }]);
    expect(shown().quietHours?.to).toBe('22:00');
    expect(saver.get().isSaved).toBe(false);
    saver.change({ ...shown(), quietHours: hours });
    await gathered();
    await answer();
    expect(server().quietHours).toEqual(hours);
    saver.change({ ...shown(), quietHours: { ...hours, days: [] } });
    saver.leave();
    expect(saver.get()).toEqual({ shown: server(), isSaved: true });
    expect(inputs).toHaveLength(2);
  });

  test('leaving saves what was changed just now', async () => {
    const { saver, inputs, shown, answer } = started();
    saver.change({ ...shown(), hideText: true });
    saver.leave();
    await vi.advanceTimersByTimeAsync(0);
    expect(inputs).toEqual([{ hideText: true }]);
    await answer();
    expect(saver.get().isSaved).toBe(true);
  });

  test('what is saved elsewhere is shown, and what was changed here stays', async () => {
    const { saver, shown } = started();
    saver.change({ ...shown(), hideText: true });
    const paused = { ...saved, pausedUntil: '2027-01-01T00:00:00.000Z' };
    saver.receive(paused);
    expect(saver.get()).toEqual({ shown: { ...paused, hideText: true }, isSaved: false });
  });
});
