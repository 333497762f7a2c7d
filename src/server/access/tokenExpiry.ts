import type { Identity } from '../../core/identity.ts';

/** The longest timer: 31 bits of milliseconds, almost 25 days. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** The clocks of issuers and servers differ a little, so a token is accepted for this long after its `exp`. */
export const CLOCK_TOLERANCE_S = 5;

/** The time at which the identity's token begins to be refused, in milliseconds since 1970. Undefined: never. */
export const refusedFrom = ({ expiresAt }: Identity): number | undefined =>
  expiresAt === undefined ? undefined : (expiresAt + CLOCK_TOLERANCE_S) * 1_000;

/** Calls the listener once, when the identity's token is refused. Returns the function that prevents it. */
export function whenExpired(identity: Identity, onExpired: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  function start(at: number): void {
    const left = at - Date.now();
    timer = left > TIMER_MAX_MS ? setTimeout(() => start(at), TIMER_MAX_MS) : setTimeout(onExpired, left);
  }
  const at = refusedFrom(identity);
  if (at !== undefined) start(at);
  return () => clearTimeout(timer);
}
