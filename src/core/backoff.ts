export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Milliseconds to wait after so many failures in a row (1, 2, …): between half and the whole of a span that
 * doubles, so that a hundred servers that lost the same thing do not come back in the same instant.
 */
export function backoffMs({ firstMs, longestMs }: Backoff, failures: number): number {
  const span = Math.min(longestMs, firstMs * 2 ** Math.max(0, failures - 1));
  return span / 2 + Math.random() * (span / 2);
}
