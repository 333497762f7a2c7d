import type { Dynamo } from '../dynamo/dynamo.ts';
import { setTimer, type TimerKind } from '../timers/timer.ts';

export interface ExpiryOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const KIND = 'expiry';
const EVERY_MS = 3_600_000;

/** Deletes expired items every hour, for databases that do not do it. */
export function createExpiry({ dynamo, now }: ExpiryOptions) {
  /** At the next full hour, so that any number of processes set one timer. */
  async function setNext(): Promise<void> {
    const due = (Math.floor(now() / EVERY_MS) + 1) * EVERY_MS;
    await dynamo.transact([setTimer({ id: KIND, kind: KIND, owner: KIND, due, about: {} })]);
  }

  const kind: TimerKind = {
    name: KIND,
    async handle() {
      const { deleteExpired } = await import('../dev/deleteExpired.ts');
      await deleteExpired({ dynamo, now });
      await setNext();
    },
  };
  return { kind, start: setNext };
}
