import { createBackoff } from '../api/backoff.ts';
import { withRetry } from '../api/retry.ts';

/** After this many failures while the server is up, the server has another version, without the page's scripts. */
const MAX_REFUSALS = 5;

/** What a script exports: a component, or the texts of a language. */
export interface Script<T> {
  readonly default: T;
}

/** Loads a script, again after failures. Rejects if the server has another version, without this script. */
export async function loadWithRetry<T>(load: () => Promise<Script<T>>): Promise<Script<T>> {
  const backoff = createBackoff();
  let refusals = 0;
  let failures = 0;
  let next = load;
  const attempt = async (): Promise<Script<T>> => {
    try {
      return await next();
    } catch (error) {
      const address = addressIn(error);
      failures++;
      if (address !== undefined) next = () => loadFrom<T>(`${address}?retry=${failures}`);
      if (await isServerUp()) refusals++;
      throw error;
    }
  };
  addEventListener('online', backoff.retryNow);
  try {
    return await withRetry(backoff, attempt, { isRetryable: () => refusals < MAX_REFUSALS });
  } finally {
    removeEventListener('online', backoff.retryNow);
  }
}

/**
 * The address of a script that could not be loaded. Some browsers remember the failure, and never request this address
 * again (https://github.com/whatwg/html/issues/6768). Undefined if the browser does not say it, as Safari, which does
 * not remember failures.
 */
function addressIn(error: unknown): string | undefined {
  const address = /https?:\/\/\S+\.js(?=\?|$|\s)/.exec(error instanceof Error ? error.message : '')?.[0];
  return address?.startsWith(`${location.origin}/`) === true ? address : undefined;
}

async function loadFrom<T>(address: string): Promise<Script<T>> {
  const script: Partial<Script<T>> = await import(/* @vite-ignore */ address);
  // The build may put several modules into one script, under other names.
  if (script.default === undefined) throw new Error(`There is no default export in ${address}`);
  return { default: script.default };
}

const isServerUp = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
