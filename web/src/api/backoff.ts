const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

/**
 * Decides when a failed request is sent again. All failed requests of a page share one wait. It doubles with each
 * failure up to 5 s, has jitter so that the clients of a restarted server do not all return at once, and ends early
 * if the browser is online again. Requests use it through `withRetry`.
 */
export interface Backoff {
  wait(): Promise<void>;
  /** Makes the next wait a short one. */
  succeeded(): void;
  /** Ends the current wait now. */
  retryNow(): void;
}

export function createBackoff(random: () => number = Math.random): Backoff {
  let failures = 0;
  let waiting: { readonly promise: Promise<void>; readonly end: () => void } | undefined;

  function start() {
    let end = () => {};
    const promise = new Promise<void>((resolve) => {
      end = resolve;
    });
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures++);
    const timer = setTimeout(retryNow, longest * (0.5 + random() / 2));
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

  function retryNow(): void {
    const ended = waiting;
    waiting = undefined;
    ended?.end();
  }

  return {
    wait: () => (waiting ?? start()).promise,
    succeeded() {
      failures = 0;
    },
    retryNow,
  };
}
