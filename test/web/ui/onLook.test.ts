import { afterEach, expect, it, vi } from 'vitest';
import { onLook } from '../../../web/src/ui/onLook.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('onLook: calls back once when the user comes back, although the browser sends two events', () => {
  vi.useFakeTimers();
  const [page, view] = [new EventTarget(), new EventTarget()];
  let visibilityState = 'visible';
  vi.stubGlobal('document', {
    get visibilityState() {
      return visibilityState;
    },
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
  });
  vi.stubGlobal('addEventListener', view.addEventListener.bind(view));
  vi.stubGlobal('removeEventListener', view.removeEventListener.bind(view));
  const see = (state: 'visible' | 'hidden') => {
    visibilityState = state;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  const called = vi.fn();
  const stop = onLook(called);

  for (const times of [1, 2]) {
    see('hidden');
    vi.advanceTimersByTime(5_000);
    see('visible');
    view.dispatchEvent(new Event('focus'));
    expect(called).toHaveBeenCalledTimes(times);
  }
  // From another window beside it, there is only one event.
  vi.advanceTimersByTime(5_000);
  view.dispatchEvent(new Event('focus'));
  expect(called).toHaveBeenCalledTimes(3);

  stop();
  vi.advanceTimersByTime(5_000);
  view.dispatchEvent(new Event('focus'));
  expect(called).toHaveBeenCalledTimes(3);
});
