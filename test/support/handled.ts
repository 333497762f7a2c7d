import { newId } from '../../src/core/ids.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import type { Change } from '../../src/stream/change.ts';
import type { Dispatcher } from '../../src/stream/dispatcher.ts';
import { eventually, PATIENCE_MS } from './eventually.ts';

/** Looks on as an app's consumer handles what its stream brings. */
export interface Handled {
  /** Goes around what else stands between the stream and its handlers. */
  readonly dispatching: (dispatcher: Dispatcher) => Dispatcher;
  /** Resolves when the consumer has nothing left to derive. Rejects where it does not come to that. */
  quiet(dynamo: Dynamo): Promise<void>;
}

/** Of a type that nobody derives anything from. */
const MARKER = keys.sent('nobody', 'marker');
const isMarker = ({ key }: Change): boolean => key.type === 'sent' && key.user === 'nobody';

/**
 * By markers, which pass through the table and its stream to the handlers behind all that was written before. What a
 * handler derives it writes before it is done: where nothing came between two markers, there is nothing more to come.
 */
export function createHandled(): Handled {
  let last: unknown;
  /** Changes that were no markers. */
  let others = 0;

  function note(changes: readonly Change[]): void {
    const markers = changes.filter(isMarker);
    others += changes.length - markers.length;
    last = markers.at(-1)?.new?.marker ?? last;
  }

  async function pass(dynamo: Dynamo): Promise<void> {
    const marker = newId();
    await dynamo.put({ ...MARKER, marker });
    await eventually(() => {
      if (last !== marker) throw new Error('The consumer has not come to what was written last.');
    }, 5);
  }

  return {
    dispatching: (dispatcher) => ({
      async dispatch(changes, signal) {
        await dispatcher.dispatch(changes, signal);
        note(changes);
      },
      get deadLetterCount() {
        return dispatcher.deadLetterCount;
      },
    }),
    async quiet(dynamo) {
      const until = performance.now() + PATIENCE_MS;
      let before: number;
      await pass(dynamo);
      do {
        if (performance.now() > until) throw new Error('The table is still changing.');
        before = others;
        await pass(dynamo);
      } while (others !== before);
      await dynamo.remove(MARKER);
    },
  };
}
