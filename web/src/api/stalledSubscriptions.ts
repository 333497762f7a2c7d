/** Shorter gaps, while one subscription ends and the next begins, are not reported. */
const NOTICED_AFTER_MS = 1_000;

/** The subscriptions that the server has ended and not begun again: their events are missing on the screen. */
export interface StalledSubscriptions {
  add(subscription: object): void;
  /** The subscription receives events again, or was closed by the client. */
  remove(subscription: object): void;
}

/** `onChange` is called when at least one subscription has stalled for a second, and when none is stalled any more. */
export function createStalledSubscriptions(onChange: (isStalled: boolean) => void): StalledSubscriptions {
  const stalled = new Set<object>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    add(subscription) {
      stalled.add(subscription);
      timer ??= setTimeout(onChange, NOTICED_AFTER_MS, true);
    },
    remove(subscription) {
      if (!stalled.delete(subscription) || stalled.size > 0) return;
      clearTimeout(timer);
      timer = undefined;
      onChange(false);
    },
  };
}
