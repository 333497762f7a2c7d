import type { Api } from '../api/api.ts';
import { withRetry } from '../api/retry.ts';
import type { Store } from '../state/store.ts';
import { withoutUncertain } from './entities.ts';
import type { Message } from './message.ts';
import { messagesById } from './pages.ts';
import type { RoomState } from './roomState.ts';

export interface Clock {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  /** Starts a timer. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
}

const browserClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** While a message gets one reaction after the other, it is not read again and again. */
const QUIET_MS = 500;
/**
 * The readers of a room do not all ask at the same moment: of 1,000, about 120 in a second. Until then only a reaction
 * is missing that the viewer gave on another device while others reacted, too.
 */
const SPREAD_MS = 8_000;
/** If the reactions do not end, the message is read about this often. */
const LONGEST_MS = 20_000;

export interface ReactionsReaderOptions {
  readonly api: Pick<Api, 'queryUncached' | 'connection'>;
  readonly state: Store<RoomState>;
  /** Aborted when the room is closed. */
  readonly closed: AbortSignal;
  applyMessage(message: Message): void;
  readonly clock?: Clock | undefined;
  readonly random?: () => number;
}

/**
 * Reads the messages again of which it is not known how the viewer has reacted: all of them in one request, a moment
 * after the last event.
 */
export function createReactionsReader(options: ReactionsReaderOptions) {
  const { api, state, closed, applyMessage, clock = browserClock, random = Math.random } = options;
  let waiting: { readonly since: number; readonly cancel: () => void } | undefined;
  let isReading = false;

  /** Call it after each event. */
  function schedule(): void {
    if (state.get().entities.uncertain.size === 0 || closed.aborted) return;
    const now = clock.now();
    const since = waiting?.since ?? now;
    if (now - since >= LONGEST_MS) return;
    waiting?.cancel();
    const cancel = clock.after(QUIET_MS + random() * SPREAD_MS, () => void read());
    waiting = { since, cancel };
  }

  async function read(): Promise<void> {
    waiting = undefined;
    if (isReading || closed.aborted) return;
    isReading = true;
    try {
      const ids = [...state.get().entities.uncertain];
      const found = await withRetry(api.connection.backoff, () => messagesById(api, ids), { signal: closed });
      if (found === undefined) return;
      found.forEach(applyMessage);
      const gone = new Set(ids.filter((id) => !found.some((message) => message.id === id)));
      state.update((now) => ({ ...now, entities: withoutUncertain(now.entities, gone) }));
    } catch {
      // The room is not accessible any more. Its subscription will find out.
      return;
    } finally {
      isReading = false;
    }
    // A message may have changed again after it was read.
    schedule();
  }

  return { schedule };
}
