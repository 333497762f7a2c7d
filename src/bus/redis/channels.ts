import type { OutageLog } from '../../core/log.ts';
import type { Json, Unsubscribe } from '../bus.ts';
import { createListeners, type Listeners } from '../listeners.ts';

/** One connection while it lasts. Channels are subscribed on it. */
export interface ChannelSession {
  subscribe(names: readonly string[]): Promise<unknown>;
  unsubscribe(names: readonly string[]): Promise<unknown>;
  /** Gives the connection up, because its subscriptions could not be changed. */
  drop(cause: unknown): void;
}

export interface RedisChannels {
  /**
   * Subscribes a new connection to every channel with listeners. Resolves when that is done or the connection is lost.
   */
  attach(session: ChannelSession): Promise<void>;
  /** The connection is lost: no message arrives until the next `attach`. */
  detach(): void;
  /** From now on the listener receives the channel's messages. */
  add(name: string, listener: (payload: Json) => void): Unsubscribe;
  /** Subscribes every channel once more: the session means more by a name than before. Resolves as `attach`. */
  renew(): Promise<void>;
  /** Calls with all names, in portions, one after the other. */
  each(send: (names: readonly string[]) => Promise<unknown>): Promise<void>;
  /** Resolves once the channel is subscribed, or the connection was lost. */
  subscribed(name: string): Promise<void>;
  /** Delivers an incoming message, which is parsed once for all listeners. */
  deliver(name: string, text: string): void;
  clear(): void;
}

interface Channel {
  readonly listeners: Listeners<Json>;
  /** Redis has confirmed the subscription on the present connection, and we have not asked to leave. */
  confirmed: boolean;
  /** A message that is not JSON arrived and was logged. */
  malformed: boolean;
}

/** Names in one command. Redis buffers a confirmation for each; too large a buffer ends the connection. */
const NAMES_PER_COMMAND = 500;

/**
 * Keeps a connection's subscriptions equal to the channels that have listeners, in rounds. A round takes the
 * changes since the last one and sends only what is needed: a listener that was added and removed in between
 * costs nothing. The next round begins when Redis has confirmed this one. So a SUBSCRIBE and an UNSUBSCRIBE of
 * the same channel are never in flight together, and a thousand subscriptions in one turn are two commands.
 */
export function createRedisChannels(log: OutageLog): RedisChannels {
  const channels = new Map<string, Channel>();
  const changed = new Set<string>();
  let session: ChannelSession | undefined;
  let round: Promise<void> = Promise.resolve();
  let roundPlanned = false;
  let renewing = false;

  /** The next round: it begins after the present one and takes everything that changed until then. */
  function nextRound(): Promise<void> {
    if (!roundPlanned) {
      roundPlanned = true;
      round = round.then(reconcile);
    }
    return round;
  }

  async function reconcile(): Promise<void> {
    roundPlanned = false;
    const { join, leave } = takeChanges();
    const used = session;
    if (used === undefined) return;
    try {
      await Promise.all([
        inChunks(join, (names) => used.subscribe(names)),
        inChunks(leave, (names) => used.unsubscribe(names)),
      ]);
      if (session !== used) return;
      for (const name of join) {
        const channel = channels.get(name);
        if (channel !== undefined) channel.confirmed = true;
      }
    } catch (error) {
      used.drop(error);
    }
  }

  function takeChanges() {
    const join: string[] = [];
    const leave: string[] = [];
    const all = renewing;
    renewing = false;
    for (const name of all ? [...channels.keys()] : changed) {
      const channel = channels.get(name);
      if (channel === undefined) continue;
      if (channel.listeners.size > 0) {
        if (all || !channel.confirmed) join.push(name);
      } else {
        if (channel.confirmed) leave.push(name);
        channels.delete(name);
      }
    }
    changed.clear();
    return { join, leave };
  }

  function markChanged(name: string): void {
    changed.add(name);
    void nextRound();
  }

  return {
    async attach(to) {
      for (const [name, channel] of channels) {
        channel.confirmed = false;
        changed.add(name);
      }
      session = to;
      await nextRound();
    },

    detach() {
      session = undefined;
    },

    async renew() {
      renewing = true;
      await nextRound();
    },

    each: (send) => inChunks([...channels.keys()], send),

    add(name, listener) {
      const channel = channels.get(name) ?? {
        listeners: createListeners<Json>(log),
        confirmed: false,
        malformed: false,
      };
      channels.set(name, channel);
      const remove = channel.listeners.add(listener);
      markChanged(name);
      return () => {
        remove();
        markChanged(name);
      };
    },

    async subscribed(name) {
      if (session === undefined || channels.get(name)?.confirmed === true) return;
      changed.add(name);
      await nextRound();
    },

    deliver(name, text) {
      const channel = channels.get(name);
      if (channel === undefined || channel.listeners.size === 0) return;
      let payload: Json;
      try {
        payload = JSON.parse(text);
      } catch {
        if (!channel.malformed) log.error({ channel: name }, 'A message on the bus is not JSON; ignored');
        channel.malformed = true;
        return;
      }
      channel.listeners.emit(payload);
    },

    clear() {
      for (const { listeners } of channels.values()) listeners.clear();
      channels.clear();
      changed.clear();
      session = undefined;
    },
  };
}

async function inChunks(names: readonly string[], send: (names: readonly string[]) => Promise<unknown>) {
  for (let i = 0; i < names.length; i += NAMES_PER_COMMAND) await send(names.slice(i, i + NAMES_PER_COMMAND));
}
