import type { Backoff } from './backoff.ts';
import { type ApiError, asApiError, isTemporary } from './errors.ts';

export interface RetryOptions {
  /** Ends the attempts when it is aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Default: `isTemporary`. */
  readonly isRetryable?: (error: ApiError) => boolean;
  /** Called before each wait. */
  readonly onFailure?: (error: ApiError) => unknown;
}

/**
 * Calls `attempt` until it succeeds, and waits after each failure: for the backoff that all requests share, and at
 * least as long as the server asks for (`retryAfterMs`); after RATE_LIMITED exactly that long. Resolves with undefined
 * once the signal is aborted, and then drops the result of an attempt in flight. Rejects with `ApiError` if another
 * attempt would not help.
 */
export async function withRetry<T>(
  backoff: Pick<Backoff, 'wait'>,
  attempt: () => Promise<T>,
  options?: RetryOptions & { readonly signal?: never },
): Promise<T>;
export async function withRetry<T>(
  backoff: Pick<Backoff, 'wait'>,
  attempt: () => Promise<T>,
  options: RetryOptions,
): Promise<T | undefined>;
export async function withRetry<T>(
  backoff: Pick<Backoff, 'wait'>,
  attempt: () => Promise<T>,
  { signal, isRetryable = isTemporary, onFailure }: RetryOptions = {},
): Promise<T | undefined> {
  const isAborted = () => signal?.aborted === true;
  while (!isAborted()) {
    try {
      const result = await attempt();
      return isAborted() ? undefined : result;
    } catch (thrown) {
      if (isAborted()) return undefined;
      const error = asApiError(thrown);
      if (!isRetryable(error)) throw error;
      onFailure?.(error);
      await pauseAfter(error, backoff);
    }
  }
  return undefined;
}

export interface Reading<T> {
  readonly onRead: (answer: T) => void;
  /** Called after each failure, also the last one. */
  readonly onFailure: (error: ApiError) => void;
}

/** Reads for an effect, until it succeeds. Returns what ends it: afterwards neither of the two is called. */
export function readForEffect<T extends object>(
  backoff: Pick<Backoff, 'wait'>,
  read: () => Promise<T>,
  { onRead, onFailure }: Reading<T>,
): () => void {
  const over = new AbortController();
  const { signal } = over;
  withRetry(backoff, read, { signal, onFailure }).then(
    (answer) => answer !== undefined && onRead(answer),
    (thrown: unknown) => signal.aborted || onFailure(asApiError(thrown)),
  );
  return () => over.abort();
}

/** Resolves when the next attempt may begin. */
export async function pauseAfter(error: ApiError | undefined, backoff: Pick<Backoff, 'wait'>): Promise<void> {
  const asked = error?.retryAfterMs;
  const isExact = error?.code === 'RATE_LIMITED' && asked !== undefined;
  await Promise.all([asked === undefined ? undefined : delay(asked), isExact ? undefined : backoff.wait()]);
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
