import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from './trace.ts';

/** What the code that runs now works for. */
export interface Work {
  /** The user whose operation it is. Undefined in background work. */
  readonly user?: string | undefined;
  /**
   * Its name in the metrics of DynamoDB's calls, as in `docs/data-model.md`: a field (`sendMessage`, `Room.messages`),
   * or what happens in the background (`consumer: events`). Never from a client, and one of a few hundred.
   */
  readonly pattern: string;
  /** Its span, if it is traced and has not ended. */
  span?: Span | undefined;
}

const works = new AsyncLocalStorage<Work>();

/**
 * Runs some work with its name. A user's requests to the database wait in the user's queue: see `transport/pool.ts`. A
 * page of 50 messages takes 2 % more CPU with it.
 */
export const asWork = <T>(work: Work, run: () => T): T => works.run(work, run);

/** The user whose operation this code runs in. Undefined in background work. */
export const currentCaller = (): string | undefined => works.getStore()?.user;

/** The name of the work that this code is part of. */
export const currentPattern = (): string | undefined => works.getStore()?.pattern;

/** The span of the work that this code is part of, if it is traced. */
export const currentSpan = (): Span | undefined => works.getStore()?.span;

/**
 * Ends the work's span. What the work has left behind (a subscription's timers, what it waits for) belongs to it as
 * long as it exists: it adds nothing to the span, and does not keep it.
 */
export function endSpan(work: Work, error?: unknown): void {
  work.span?.end(error);
  work.span = undefined;
}

/** What open subscriptions read for events and comparisons, which are not one user's. */
export const LIVE: Work = { pattern: 'live' };
