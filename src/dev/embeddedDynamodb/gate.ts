import type { Gate } from '../../dynamo/client.ts';

export interface RequestGate {
  readonly gate: Gate;
  /** New requests wait from now on. */
  close(): void;
  /** The requests that wait continue, and new ones do not wait. */
  open(): void;
}

/**
 * A gate that holds requests back while the database restarts, because otherwise the SDK would use up its few
 * attempts on refused connections. It stays closed for at most `waitMs`. Then the waiting requests fail with a
 * `TimeoutError`, which callers receive as UNAVAILABLE, and the gate opens.
 */
export function createGate({ waitMs = 1_000 } = {}): RequestGate {
  let closed: { readonly opened: Promise<void>; readonly end: (error?: Error) => void } | undefined;

  function close() {
    if (closed !== undefined) return;
    let end = (_error?: Error) => {};
    const opened = new Promise<void>((resolve, reject) => {
      end = (error) => (error === undefined ? resolve() : reject(error));
    });
    // If no request waits, a rejection must not count as unhandled. Requests that wait still receive it.
    opened.catch(() => {});
    const timer = setTimeout(() => open(timeoutError()), waitMs);
    closed = {
      opened,
      end(error) {
        clearTimeout(timer);
        end(error);
      },
    };
  }

  function open(error?: Error) {
    closed?.end(error);
    closed = undefined;
  }

  return {
    gate: (run) => (closed === undefined ? run() : closed.opened.then(run)),
    close,
    open: () => open(),
  };
}

const timeoutError = () =>
  Object.assign(new Error('The embedded database is restarting.'), { name: 'TimeoutError' });
