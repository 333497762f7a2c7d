import { withRetry } from '../api/retry.ts';
import type { Session } from '../session/session.ts';

const AT_ONCE = 4;

export interface BulkOptions {
  readonly signal: AbortSignal;
  /** How many requests are sent at a time. Default: 4. With 1 they are done in their order. */
  readonly atOnce?: number;
  /** Called after each one that is done. */
  readonly onDone: () => void;
}

/**
 * Does the same with each of several saved messages. What the server asks to send later is sent later. Resolves when
 * all are done or the signal is aborted; the first refusal ends it and rejects.
 */
export async function forEach<T>(
  { api }: Pick<Session, 'api'>,
  items: readonly T[],
  run: (item: T) => Promise<void>,
  { signal, atOnce = AT_ONCE, onDone }: BulkOptions,
): Promise<void> {
  const left = [...items];
  const stopping = new AbortController();
  const ending = AbortSignal.any([signal, stopping.signal]);
  const work = async () => {
    for (let item = left.shift(); item !== undefined && !ending.aborted; item = left.shift()) {
      const next = item;
      await withRetry(api.connection.backoff, () => run(next), { signal: ending });
      if (!ending.aborted) onDone();
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    stopping.abort();
  }
}
