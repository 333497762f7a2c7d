import type { BusLog, Json, Unsubscribe } from '../bus.ts';
import { createListeners, type Listeners } from '../listeners.ts';

/** Where channels are subscribed: one connection while it lasts. */
export interface ChannelWire {
  subscribe(names: readonly string[]): Promise<unknown>;
  unsubscribe(names: readonly string[]): Promise<unknown>;
  /** The channels could not be brought about: give the connection up. */
  drop(cause: unknown): void;
}

export interface Channels {
  /** Brings a new connection to hear every channel that is listened to; resolves when it does, or is lost. */
  attach(wire: ChannelWire): Promise<void>;
  /** The connection is lost: nothing is heard until the next `attach`. */
  detach(): void;
  /** From now on the listener gets what is heard. */
  add(name: string, listener: (payload: Json) => void): Unsubscribe;
  /** Resolves once the channel is heard, or the connection was lost. */
  heard(name: string): Promise<void>;
  /** A message came in: parsed once, however many listen. */
  deliver(name: string, text: string): void;
  clear(): void;
}

interface Channel {
  readonly listeners: Listeners<Json>;
  /** Redis has confirmed, on the present connection, that we hear it, and we have not asked to leave. */
  heard: boolean;
  /** Something that is not JSON came in, and was logged. */
  garbled: boolean;
}

/** Names in one command. Redis buffers a confirmation for each; too large a buffer ends the connection. */
const NAMES_PER_COMMAND = 500;

/**
 * Which channels a connection hears is brought into line with which are listened to, in rounds: one round
 * takes what changed since the last one and sends at most what is needed (a listener that came and went in
 * between costs nothing), and the next begins when Redis has confirmed it. So there is never a SUBSCRIBE
 * and an UNSUBSCRIBE of the same channel under way at once, and a thousand subscriptions in one turn are
 * two commands.
 */
export function createChannels(log: BusLog): Channels {
  const channels = new Map<string, Channel>();
  const changed = new Set<string>();
  let wire: ChannelWire | undefined;
  let round: Promise<void> = Promise.resolve();
  let planned = false;

  /** The next round: it begins after the present one and sees everything that changed until then. */
  function nextRound(): Promise<void> {
    if (!planned) {
      planned = true;
      round = round.then(reconcile);
    }
    return round;
  }

  async function reconcile(): Promise<void> {
    planned = false;
    const { join, leave } = takeChanges();
    const used = wire;
    if (used === undefined) return;
    try {
      await Promise.all([
        inChunks(join, (names) => used.subscribe(names)),
        inChunks(leave, (names) => used.unsubscribe(names)),
      ]);
      if (wire !== used) return;
      for (const name of join) {
        const channel = channels.get(name);
        if (channel !== undefined) channel.heard = true;
      }
    } catch (error) {
      used.drop(error);
    }
  }

  function takeChanges() {
    const join: string[] = [];
    const leave: string[] = [];
    for (const name of changed) {
      const channel = channels.get(name);
      if (channel === undefined) continue;
      if (channel.listeners.size > 0) {
        if (!channel.heard) join.push(name);
      } else {
        if (channel.heard) leave.push(name);
        channels.delete(name);
      }
    }
    changed.clear();
    return { join, leave };
  }

  function touch(name: string): void {
    changed.add(name);
    void nextRound();
  }

  return {
    async attach(to) {
      for (const [name, channel] of channels) {
        channel.heard = false;
        changed.add(name);
      }
      wire = to;
      await nextRound();
    },

    detach() {
      wire = undefined;
    },

    add(name, listener) {
      const channel = channels.get(name) ?? {
        listeners: createListeners<Json>(log),
        heard: false,
        garbled: false,
      };
      channels.set(name, channel);
      const remove = channel.listeners.add(listener);
      touch(name);
      return () => {
        remove();
        touch(name);
      };
    },

    async heard(name) {
      if (wire === undefined || channels.get(name)?.heard === true) return;
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
        if (!channel.garbled) log.error({ channel: name }, 'What came over the bus is not JSON; ignored');
        channel.garbled = true;
        return;
      }
      channel.listeners.tell(payload);
    },

    clear() {
      for (const { listeners } of channels.values()) listeners.clear();
      channels.clear();
      changed.clear();
      wire = undefined;
    },
  };
}

async function inChunks(names: readonly string[], send: (names: readonly string[]) => Promise<unknown>) {
  for (let i = 0; i < names.length; i += NAMES_PER_COMMAND) await send(names.slice(i, i + NAMES_PER_COMMAND));
}
