import type { Api } from '../api/api.ts';
import { type ApiError, asApiError, isTemporary } from '../api/errors.ts';
import { SendMessageDocument } from '../generated/graphql.ts';
import { createStore, type Store } from '../state/store.ts';
import type { Message } from '../timeline/message.ts';

/** A message that the viewer has sent and the server has not acknowledged. */
export interface Outgoing {
  /** The idempotency key: however often it goes out, it is stored once. */
  readonly key: string;
  readonly roomId: string;
  readonly replyTo: string | null;
  readonly body: string;
  /** When it was written: RFC 3339. */
  readonly at: string;
  /** `refused`: trying again as it is would not help, or not now; it stays until somebody decides. */
  readonly state: 'waiting' | 'refused';
  readonly why?: ApiError['code'];
}

export interface Outbox extends Pick<Store<readonly Outgoing[]>, 'get' | 'subscribe'> {
  /** False where it is full. */
  send(message: Pick<Outgoing, 'roomId' | 'replyTo' | 'body'>): boolean;
  /** Sends a refused one again. */
  retry(key: string): void;
  discard(key: string): void;
  stop(): void;
}

export interface OutboxOptions {
  readonly api: Pick<Api, 'fetch' | 'connection'>;
  readonly viewerId: string;
  /** Called before a message goes out; what it returns, after it was answered or was not. */
  sending(roomId: string): () => void;
  onSent(message: Message, roomId: string): void;
}

/** So many wait at most; more than anybody writes while a train is in a tunnel. */
const MOST = 100;

/**
 * Sends in the order of writing, one at a time, so that they also arrive in it. What is not acknowledged
 * outlives a reload of the page: it is kept in the tab's session storage.
 */
export function createOutbox({ api, viewerId, sending, onSent }: OutboxOptions): Outbox {
  const place = `tsudoi:outbox:${viewerId}`;
  const state = createStore<readonly Outgoing[]>(restored(place));
  let stopped = false;
  let running = false;
  const stopKeeping = state.subscribe(() => sessionStorage.setItem(place, JSON.stringify(state.get())));

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    while (!stopped) {
      const next = state.get().find((outgoing) => outgoing.state === 'waiting');
      if (next === undefined) break;
      await attempt(next);
    }
    running = false;
  }

  async function attempt(outgoing: Outgoing): Promise<void> {
    const { key, roomId, replyTo, body } = outgoing;
    const done = sending(roomId);
    try {
      const input = { roomId, body, idempotencyKey: key, ...(replyTo === null ? {} : { replyTo }) };
      const { message } = (await api.fetch(SendMessageDocument, { input })).sendMessage;
      onSent(message, roomId);
      remove(key);
      done();
    } catch (thrown) {
      done();
      const error = asApiError(thrown);
      if (!isTemporary(error)) return replace(key, { state: 'refused', why: error.code });
      if (error.retryAfterMs === undefined) await api.connection.gate.wait();
      else await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs));
    }
  }

  const remove = (key: string) => state.update((all) => all.filter((other) => other.key !== key));
  const replace = (key: string, change: Partial<Outgoing>) =>
    state.update((all) => all.map((other) => (other.key === key ? { ...other, ...change } : other)));

  void run();
  return {
    get: state.get,
    subscribe: state.subscribe,
    send({ roomId, replyTo, body }) {
      if (state.get().length >= MOST) return false;
      const at = new Date().toISOString();
      const outgoing = { key: crypto.randomUUID(), roomId, replyTo, body, at, state: 'waiting' } as const;
      state.update((all) => [...all, outgoing]);
      void run();
      return true;
    },
    retry(key) {
      replace(key, { state: 'waiting' });
      void run();
    },
    discard: remove,
    stop() {
      stopped = true;
      stopKeeping();
    },
  };
}

function restored(place: string): readonly Outgoing[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(place) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isOutgoing).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

const isOutgoing = (value: unknown): value is Outgoing =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  'roomId' in value &&
  'body' in value &&
  'state' in value;
