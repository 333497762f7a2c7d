import type { Api } from '../api/api.ts';
import type { Backoff } from '../api/backoff.ts';
import { type ApiError, asApiError, isTemporary } from '../api/errors.ts';
import { withRetry } from '../api/retry.ts';
import { SendMessageDocument } from '../generated/graphql.ts';
import { keep } from '../state/keep.ts';
import { randomId } from '../state/randomId.ts';
import { createStore, type Store } from '../state/store.ts';
import type { Message } from '../timeline/message.ts';

/** A message that the viewer has sent and the server has not acknowledged. */
export interface Outgoing {
  /** The idempotency key: however often the message is sent, the server stores it once. */
  readonly key: string;
  readonly roomId: string;
  /** The root of the thread that the message goes to. */
  readonly replyTo: string | null;
  /** The reply in the thread that it answers, and the name of its author. */
  readonly answered: { readonly id: string; readonly author: string } | null;
  readonly body: string;
  /** When it was written (RFC 3339). */
  readonly at: string;
  /** `refused`: an automatic retry would not help. The message stays until the viewer retries or discards it. */
  readonly state: 'waiting' | 'refused';
  readonly why?: ApiError['code'];
  readonly reason?: ApiError['reason'];
}

export interface Outbox extends Pick<Store<readonly Outgoing[]>, 'get' | 'subscribe'> {
  /** Returns false if the outbox is full. */
  send(message: Pick<Outgoing, 'roomId' | 'replyTo' | 'answered' | 'body'>): boolean;
  /** Sends a refused message again. */
  retry(key: string): void;
  /** Removes a message. If a request is in flight, the message may still arrive. */
  discard(key: string): void;
  /** Calls the listener when the server has stored a message. Returns a function that removes the listener. */
  onSent(listener: () => void): () => void;
  /** Calls the listener on each refusal. Returns a function that removes the listener. */
  onRefused(listener: (refused: Outgoing) => void): () => void;
  /** Observes the messages of a room while they are being sent, until the returned function is called. */
  follow(roomId: string, follower: OutboxFollower): () => void;
  /**
   * Deletes all messages, and keeps no others: another person may use this browser next. What is in flight may still
   * arrive.
   */
  forget(): void;
  stop(): void;
}

export interface OutboxFollower {
  /** Called before a message is sent. What it returns is called when the attempt has succeeded or failed. */
  onSending(): () => void;
  onSent(message: Message): void;
}

export interface OutboxOptions {
  readonly api: {
    readonly mutateUncached: Api['mutateUncached'];
    readonly connection: { readonly backoff: Pick<Backoff, 'wait'> };
  };
  /** Stores unacknowledged messages. Must be the tab's own storage, or another tab would send them as well. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly viewerId: string;
}

/** The most messages that can wait. No one writes more while a train is in a tunnel. */
const MOST = 100;
/** After this many INTERNAL errors a message is refused, because later messages wait for it. */
const INTERNAL_TRIES = 3;

/**
 * Sends the messages of a room one at a time, so that they arrive in the order of writing. Rooms do not wait for each
 * other. Unacknowledged messages are kept in `storage`, so they survive a reload of the page, unless it is full.
 */
export function createOutbox({ api, storage, viewerId }: OutboxOptions): Outbox {
  const storageKey = `tsudoi:outbox:${viewerId}`;
  const state = createStore(restored(storage, storageKey));
  const stopping = new AbortController();
  /** The rooms that something goes out to. */
  const running = new Set<string>();
  /** The number of INTERNAL errors per message key. */
  const failures = new Map<string, number>();
  const listeners = new Set<(refused: Outgoing) => void>();
  const sentListeners = new Set<() => void>();
  const followers = new Map<string, Set<OutboxFollower>>();
  const stopKeeping = state.subscribe(() => keep(storage, storageKey, JSON.stringify(state.get())));

  async function run(roomId: string): Promise<void> {
    if (running.has(roomId)) return;
    running.add(roomId);
    while (!stopping.signal.aborted) {
      const next = state.get().find((one) => one.roomId === roomId && one.state === 'waiting');
      if (next === undefined) break;
      await deliver(next);
    }
    running.delete(roomId);
  }

  /** Sends a message until it is stored, refused or discarded. */
  async function deliver(outgoing: Outgoing): Promise<void> {
    const { key } = outgoing;
    const isWaiting = () => state.get().some((one) => one.key === key);
    try {
      await withRetry(api.connection.backoff, async () => isWaiting() && attempt(outgoing), {
        signal: stopping.signal,
        isRetryable: (error) => isTemporary(error) && !hasNoTriesLeft(key, error),
      });
    } catch (thrown) {
      refuse(key, asApiError(thrown));
    }
  }

  async function attempt({ key, roomId, replyTo, answered, body }: Outgoing): Promise<void> {
    const followersOf = () => [...(followers.get(roomId) ?? [])];
    const ends = followersOf().map(({ onSending }) => onSending());
    try {
      const to = answered?.id ?? replyTo;
      const input = { roomId, body, idempotencyKey: key, ...(to === null ? {} : { replyTo: to }) };
      const { message } = (await api.mutateUncached(SendMessageDocument, { input })).sendMessage;
      for (const { onSent } of followersOf()) onSent(message);
      remove(key);
      for (const listener of [...sentListeners]) listener();
    } finally {
      for (const end of ends) end();
    }
  }

  function hasNoTriesLeft(key: string, { code }: ApiError): boolean {
    if (code !== 'INTERNAL') return false;
    const times = (failures.get(key) ?? 0) + 1;
    failures.set(key, times);
    return times >= INTERNAL_TRIES;
  }

  function refuse(key: string, { code: why, reason }: ApiError): void {
    failures.delete(key);
    replace(key, { state: 'refused', why, reason });
    const refused = state.get().find((one) => one.key === key);
    if (refused === undefined || stopping.signal.aborted) return;
    for (const listener of [...listeners]) listener(refused);
  }

  function remove(key: string): void {
    failures.delete(key);
    state.update((all) => all.filter((other) => other.key !== key));
  }

  const replace = (key: string, change: Partial<Outgoing>) =>
    state.update((all) => all.map((other) => (other.key === key ? { ...other, ...change } : other)));

  const stop = () => {
    stopping.abort();
    stopKeeping();
  };

  for (const { roomId } of state.get()) void run(roomId);
  return {
    get: state.get,
    subscribe: state.subscribe,
    send({ roomId, replyTo, answered, body }) {
      if (state.get().length >= MOST) return false;
      const at = new Date().toISOString();
      const key = randomId();
      const outgoing = { key, roomId, replyTo, answered, body, at, state: 'waiting' } as const;
      state.update((all) => [...all, outgoing]);
      void run(roomId);
      return true;
    },
    retry(key) {
      replace(key, { state: 'waiting' });
      const again = state.get().find((one) => one.key === key);
      if (again !== undefined) void run(again.roomId);
    },
    discard: remove,
    onSent(listener) {
      sentListeners.add(listener);
      return () => sentListeners.delete(listener);
    },
    onRefused(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    follow(roomId, follower) {
      const inRoom = followers.get(roomId) ?? new Set();
      followers.set(roomId, inRoom.add(follower));
      return () => {
        inRoom.delete(follower);
        if (inRoom.size === 0 && followers.get(roomId) === inRoom) followers.delete(roomId);
      };
    },
    forget() {
      stop();
      storage.removeItem(storageKey);
      state.set([]);
    },
    stop,
  };
}

function restored(storage: OutboxOptions['storage'], storageKey: string): readonly Outgoing[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(storageKey) ?? '[]');
    return Array.isArray(kept)
      ? kept
          .filter(isOutgoing)
          .map((one) => ({ ...one, answered: one.answered ?? null }))
          // The viewer has signed in again since then.
          .map((one) => (one.why === 'UNAUTHENTICATED' ? ({ ...one, state: 'waiting' } as const) : one))
          .slice(0, MOST)
      : [];
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
