import { ApiError } from './errors.ts';

/**
 * Guards against answers that events overtook. The server may have read an answer before an event that arrives while
 * the answer is in flight. Applied alone, such an answer would undo the event, or leave out what it added.
 *
 *     request ──────── event ──────── answer
 *                        │              └─ apply(answer, [event])
 *                        └─ push(event), and shown at once
 */
export interface InFlightUpdates<T> {
  /** Remembers an update for all answers that are in flight. */
  push(update: T): void;
  /** Something changed, and it is unknown what: answers in flight are dropped and read again. */
  invalidate(): void;
  /**
   * Calls `read`, then synchronously `apply` with the answer and the updates that arrived meanwhile, in their order.
   * Reads again after `invalidate`, or if more than 500 updates arrived. Rejects as `read` does, or with UNAVAILABLE
   * after three answers that had to be dropped.
   */
  read<A, R>(read: () => Promise<A>, apply: (answer: A, updates: readonly T[]) => R): Promise<R>;
}

interface Flight<T> {
  readonly updates: T[];
  isOutdated: boolean;
}

/** More events than a busy room has in the second that an answer takes. */
const MAX_UPDATES = 500;
const MAX_READS = 3;

export function createInFlightUpdates<T>(): InFlightUpdates<T> {
  const flights = new Set<Flight<T>>();
  return {
    push(update) {
      for (const flight of flights) {
        if (flight.updates.length < MAX_UPDATES) flight.updates.push(update);
        else flight.isOutdated = true;
      }
    },
    invalidate() {
      for (const flight of flights) flight.isOutdated = true;
    },
    async read(read, apply) {
      for (let reads = 0; reads < MAX_READS; reads++) {
        const flight: Flight<T> = { updates: [], isOutdated: false };
        flights.add(flight);
        try {
          const answer = await read();
          if (!flight.isOutdated) return apply(answer, flight.updates);
        } finally {
          flights.delete(flight);
        }
      }
      throw new ApiError('UNAVAILABLE');
    },
  };
}
