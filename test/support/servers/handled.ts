import { newId } from '../../../src/core/ids.ts';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import type { Change } from '../../../src/stream/change.ts';
import type { Dispatcher } from '../../../src/stream/dispatcher.ts';
import { eventually, PATIENCE_MS } from '../time/eventually.ts';
import { startFairTime } from '../time/fairTime.ts';

/** Observes how an app's consumer handles the records of its stream. */
export interface Handled {
  /** Must be the outermost wrapper between the stream and its handlers. */
  readonly wrapDispatcher: (dispatcher: Dispatcher) => Dispatcher;
  /**
   * Resolves when the consumer has nothing left to derive, and no job is due. Rejects if the table does not stop
   * changing.
   */
  quiet(dynamo: Dynamo): Promise<void>;
}

/** The key of an item that no handler derives anything from. */
const MARKER = keys.idempotencyRecord('marker', 'marker');
const isMarker = ({ key }: Change): boolean => key.type === 'idempotencyRecord' && key.user === 'marker';

/**
 * Writes markers to the table, which reach the handlers after everything that was written before. A handler writes what
 * it derives before it returns, so if no change arrives between two markers, there is nothing left to derive.
 */
export function createHandled(): Handled {
  let last: unknown;
  /** The number of changes that were not markers. */
  let others = 0;
  /** When each open job continues. */
  const jobs = new Map<string, number>();

  function note(changes: readonly Change[]): void {
    for (const { key, new: item } of changes) {
      if (key.type !== 'job') continue;
      if (item === undefined || item.finishedAt !== undefined) jobs.delete(key.id);
      else jobs.set(key.id, Number(item.runAt ?? 0));
    }
    const markers = changes.filter(isMarker);
    others += changes.length - markers.length;
    last = markers.at(-1)?.new?.marker ?? last;
  }

  async function pass(dynamo: Dynamo): Promise<void> {
    const marker = newId();
    await dynamo.put({ ...MARKER, marker });
    await eventually(() => {
      if (last !== marker) throw new Error('The consumer has not handled the marker yet.');
    }, 5);
  }

  return {
    wrapDispatcher: (dispatcher) => ({
      async dispatch(changes, signal) {
        await dispatcher.dispatch(changes, signal);
        note(changes);
      },
      get deadLetterCount() {
        return dispatcher.deadLetterCount;
      },
    }),
    async quiet(dynamo) {
      const leftMs = startFairTime(PATIENCE_MS);
      let before: number;
      await pass(dynamo);
      do {
        if (leftMs() <= 0) throw new Error('The table is still changing.');
        before = others;
        await pass(dynamo);
      } while (others !== before || [...jobs.values()].some((runAt) => runAt <= Date.now()));
      await dynamo.remove(MARKER);
    },
  };
}
