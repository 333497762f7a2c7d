/** If this many receivers time out, with no response in between, nothing is sent to their origin for a while. */
const HANGING_MAX = 5;
/** How long a time-out counts, in milliseconds, if receivers share the origin. */
const COUNTS_MS = 60_000;
/** How many time-outs are kept for each origin: the number of sends that a process has at once. */
const KEPT_MAX = 32;
const OPEN_MS = 30_000;
/** While one send tries whether the origin responds again, the others wait this much longer than it may take. */
const TRIAL_EXTRA_MS = 2_000;

interface Circuit {
  /** The time-outs that count: each one, or the newest of each receiver if there are several at the origin. */
  readonly hanging: ReadonlyArray<{ readonly receiver: string | undefined; readonly at: number }>;
  /** Milliseconds since 1970. Nothing is sent before. Undefined: the circuit is closed. */
  readonly openUntil: number | undefined;
  /** The send that tries whether the origin responds again. */
  readonly trial: { readonly receiver: string | undefined } | undefined;
}

const CLOSED: Circuit = { hanging: [], openUntil: undefined, trial: undefined };

export interface BreakerSend {
  readonly origin: string;
  /**
   * The browser or the e-mail address that it goes to. This may hang while others at its origin respond, so all its
   * time-outs count as one. Undefined: no one else is at this origin, and each time-out counts, however far apart.
   */
  readonly receiver: string | undefined;
}

export interface Breaker {
  /** Returns 0 if a send of at most `timeoutMs` may begin, or the milliseconds until it should ask again. */
  wait(send: BreakerSend, timeoutMs: number): number;
  /** How a send ended: with a response, or a failure that came fast, or without any in time. */
  ended(send: BreakerSend, timedOut: boolean): void;
}

/**
 * A circuit breaker for each origin. An origin that hangs costs a place for ten seconds with each send; time-outs of
 * five receivers, and then one every half minute, are enough to know. A receiver that hangs alone (a push service that
 * holds one browser's requests, a mail server that slows down one recipient) delays no other one. Kept in memory: each
 * process finds out for itself.
 */
export function createBreaker(now: () => number): Breaker {
  /** Origins without a recent time-out are not in it. */
  const circuits = new Map<string, Circuit>();
  return {
    wait({ origin, receiver }, timeoutMs) {
      const circuit = circuits.get(origin) ?? CLOSED;
      const { openUntil } = circuit;
      if (openUntil === undefined) return 0;
      if (now() < openUntil) return openUntil - now();
      circuits.set(origin, {
        ...circuit,
        openUntil: now() + timeoutMs + TRIAL_EXTRA_MS,
        trial: { receiver },
      });
      return 0;
    },
    ended({ origin, receiver }, timedOut) {
      if (!timedOut) return void circuits.delete(origin);
      const { hanging: before, openUntil, trial } = circuits.get(origin) ?? CLOSED;
      const counting = before.filter((one) => one.receiver === undefined || now() - one.at < COUNTS_MS);
      const isKnown = receiver !== undefined && counting.some((one) => one.receiver === receiver);
      const others = counting.filter((one) => receiver === undefined || one.receiver !== receiver);
      const hanging = [...others, { receiver, at: now() }].slice(-KEPT_MAX);
      const isTrial = trial !== undefined && trial.receiver === receiver;
      const opens = !isKnown && (openUntil !== undefined || hanging.length >= HANGING_MAX);
      if (opens) return void circuits.set(origin, { hanging, openUntil: now() + OPEN_MS, trial: undefined });
      // It may hang alone, so the next one tries at once.
      if (isTrial) return void circuits.set(origin, { hanging, openUntil: now(), trial: undefined });
      circuits.set(origin, { hanging, openUntil, trial });
    },
  };
}
