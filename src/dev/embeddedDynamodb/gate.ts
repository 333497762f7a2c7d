import type { Gate } from '../../dynamo/client.ts';

export interface Doorkeeper {
  readonly gate: Gate;
  /** From now on requests wait. */
  close(): void;
  /** Those who wait go on, and nobody waits any more. */
  open(): void;
}

/**
 * A gate that holds requests back while the database is started again, so that they do not use up the
 * SDK's few attempts on refused connections. It stays closed for `waitMs` at most: then those who waited
 * fail with a `TimeoutError`, which callers hear as UNAVAILABLE, and it is open again.
 */
export function createGate({ waitMs = 1_000 } = {}): Doorkeeper {
  let closed: { readonly opened: Promise<void>; readonly end: (error?: Error) => void } | undefined;

  function close() {
    if (closed !== undefined) return;
    let end = (_error?: Error) => {};
    const opened = new Promise<void>((resolve, reject) => {
      end = (error) => (error === undefined ? resolve() : reject(error));
    });
    // Those who wait hear of it; where nobody waits it is no unhandled rejection either.
    opened.catch(() => {});
    const timer = setTimeout(() => open(tooLong()), waitMs);
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

const tooLong = () =>
  Object.assign(new Error('The embedded database is being started again.'), { name: 'TimeoutError' });
