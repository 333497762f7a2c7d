const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

/**
 * When to try again. Everybody who has failed waits at the same gate; the wait doubles with each failure up
 * to 5 s, with jitter so that the clients of a restarted server do not all come at once, and ends at once
 * when the browser says that it is online again.
 */
export interface RetryGate {
  wait(): Promise<void>;
  /** Something worked: the next wait is a short one. */
  succeeded(): void;
  /** Lets everybody through now. */
  open(): void;
}

export function createRetryGate(random: () => number = Math.random): RetryGate {
  let failures = 0;
  let waiting: { readonly promise: Promise<void>; readonly end: () => void } | undefined;

  function start() {
    let end = () => {};
    const promise = new Promise<void>((resolve) => {
      end = resolve;
    });
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++);
    const timer = setTimeout(open, longest * (0.5 + random() / 2));
    const started = {
      promise,
      end() {
        clearTimeout(timer);
        end();
      },
    };
    waiting = started;
    return started;
  }

  function open(): void {
    const ended = waiting;
    waiting = undefined;
    ended?.end();
  }

  return {
    wait: () => (waiting ?? start()).promise,
    succeeded() {
      failures = 0;
    },
    open,
  };
}
