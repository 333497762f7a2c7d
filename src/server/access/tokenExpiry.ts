import type { Identity } from '../../core/identity.ts';

/** The longest timer: 31 bits of milliseconds, almost 25 days. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** Calls the listener once, when the identity's token expires. Returns the function that prevents it. */
export function whenExpired({ expiresAt }: Identity, onExpired: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  function start(at: number): void {
    const left = at * 1_000 - Date.now();
    timer = left > TIMER_MAX_MS ? setTimeout(() => start(at), TIMER_MAX_MS) : setTimeout(onExpired, left);
  }
  if (expiresAt !== undefined) start(expiresAt);
  return () => clearTimeout(timer);
}
