import type { Clock } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import { ContentionError, OutageError } from '../../core/errors.ts';
import { CONSUMER_BACKOFF, retryUntilDone } from '../../core/retry.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { readTableShape, type TableShape } from '../tableShape.ts';
import { changeUse, refuse, type Use } from './marks.ts';

export interface UseChangesOptions {
  readonly clock: Clock;
  /** Whether something is begun that is not decided: it is taken back after a failure. */
  readonly isBegun: (shape: TableShape) => boolean;
  /** How long an outage may last before it is said that the outcome is not known, in milliseconds. */
  readonly settleMs: number;
  /** What is said then. */
  readonly unknown: string;
}

/**
 * What one command changes of `SHAPE`. Each change has the version of the one before as its condition, so all of them
 * are without effect as soon as another process has changed it, whenever they arrive.
 */
export interface UseChanges {
  /** The version that was read or written last. */
  readonly version: number;
  read(): Promise<TableShape>;
  /**
   * Throws `StartError` if any process has changed it meanwhile. After any other error it may be done, or still be on
   * its way.
   */
  change(use: Use): Promise<void>;
  /**
   * After a failure: takes back what was begun, and resolves to what is stored when no change of this command can have
   * an effect any more. So what it says is final. Throws `StartError` if the table does not respond.
   */
  settle(): Promise<TableShape>;
}

export function createUseChanges(
  dynamo: Dynamo,
  { clock, isBegun, settleMs, unknown }: UseChangesOptions,
): UseChanges {
  let version = 0;
  /** A change was sent. */
  let changed = false;

  async function settled(): Promise<TableShape> {
    for (;;) {
      const found = await readTableShape(dynamo);
      const isOpen = isBegun(found);
      // It was done, and its response was lost.
      if (isOpen && found.version === version + 1) version++;
      if (!changed || found.version !== version) return found;
      await changeUse(dynamo, defined({ notInUse: isOpen ? undefined : found.notInUse }), version);
    }
  }

  return {
    get version() {
      return version;
    },
    async read() {
      const found = await readTableShape(dynamo);
      version = found.version;
      changed = false;
      return found;
    },
    async change(use) {
      changed = true;
      version =
        (await changeUse(dynamo, use, version)) ??
        refuse('A server or another command has taken it back. See `status`, and run this again.');
    },
    async settle() {
      const over = new AbortController();
      const cancel = clock.after(settleMs, () => over.abort());
      let outcome: TableShape | undefined;
      await retryUntilDone(
        async () => {
          outcome = await settled();
        },
        {
          clock,
          policy: CONSUMER_BACKOFF,
          signal: over.signal,
          onFailure(error) {
            if (!(error instanceof OutageError || error instanceof ContentionError)) throw error;
          },
        },
      ).finally(cancel);
      return outcome ?? refuse(unknown);
    },
  };
}
