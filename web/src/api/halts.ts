/** One subscription ends and the next begins: that is no halt yet. */
const NOTICED_AFTER_MS = 1_000;

/** Which subscriptions the server has ended and not begun again: what they would tell is not on the screen. */
export interface Halts {
  ended(subscription: object): void;
  /** It tells again, or is not wanted any more. */
  over(subscription: object): void;
}

/** `changed` is called when there comes to be a halt that lasts, and when there is none any more. */
export function createHalts(changed: (isHalted: boolean) => void): Halts {
  const halted = new Set<object>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    ended(subscription) {
      halted.add(subscription);
      timer ??= setTimeout(changed, NOTICED_AFTER_MS, true);
    },
    over(subscription) {
      if (!halted.delete(subscription) || halted.size > 0) return;
      clearTimeout(timer);
      timer = undefined;
      changed(false);
    },
  };
}
