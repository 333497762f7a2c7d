import type { Bus, Json, Topic, Unsubscribe } from '../bus/bus.ts';
import type { LivePart } from './resync.ts';

/** How values of one kind are loaded and kept current. They are changed in place, so all holders see every change. */
export interface LiveCacheOptions<T, U extends Json, C> {
  readonly name: string;
  readonly bus: Bus;
  readonly topicOf: (id: string) => Topic<U>;
  /** Reads the values with these ids. Values that do not exist are left out. */
  readonly load: (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>;
  /**
   * Applies an update to the value and returns the change. Versions decide: updates may arrive late, twice or out of
   * order.
   */
  readonly apply: (value: T, update: U) => C;
  /** Applies a fresh read and returns the change. Undefined if nothing changed. */
  readonly merge: (value: T, fresh: T) => C | undefined;
  /** A value that is shown does not exist any more. Returns the change as `merge` does. Absent: values never end. */
  readonly gone?: (value: T) => C | undefined;
  /** How many values are read together when all are read again. */
  readonly partSize: number;
}

/** Called after a value has changed. `update` is undefined if a fresh read changed it. */
export type LiveListener<T, U, C> = (value: T, update: U | undefined, change: C) => void;

/** Values that this server shows: loaded once, then kept current by the bus while they have listeners. */
export interface LiveCache<T, U extends Json, C> extends LivePart {
  /**
   * Subscribes to the topics, then loads the values that are not loaded yet, also those that did not exist when they
   * were read before. Values that do not exist are left out. If it rejects, the listener has the topics that it had
   * before.
   */
  subscribe(ids: readonly string[], listener: LiveListener<T, U, C>): Promise<void>;
  unsubscribe(id: string, listener: LiveListener<T, U, C>): void;
  get(id: string): T | undefined;
  /**
   * Reads these values (by default all) again, and calls the listeners of those that have changed. A value that exists
   * only now has changed for no one: its listeners receive the updates that have arrived meanwhile.
   */
  refresh(ids?: readonly string[]): Promise<void>;
  readonly size: number;
}

interface Entry<T, U, C> {
  readonly listeners: Set<LiveListener<T, U, C>>;
  /** Set once loaded. */
  value: T | undefined;
  /** It was read and did not exist. It may exist by now: others can ask for a value before it does. */
  absent: boolean;
  /** The newest updates since the subscription, until there is a value. */
  early: readonly U[];
  ready: Promise<void>;
  detach: Unsubscribe;
}

/** How many updates are kept while a value is being loaded. Each is a whole value, so the newest are enough. */
const EARLY_MAX = 64;
const NONE: readonly never[] = [];

export function createLiveCache<T, U extends Json, C>(
  options: LiveCacheOptions<T, U, C>,
): LiveCache<T, U, C> {
  const { name, bus, topicOf, load, apply, merge, gone, partSize } = options;
  type E = Entry<T, U, C>;
  const entries = new Map<string, E>();

  async function subscribe(ids: readonly string[], listener: LiveListener<T, U, C>): Promise<void> {
    const fresh = ids.filter((id) => !entries.has(id));
    if (fresh.length > 0) {
      const opening = open(fresh);
      for (const id of fresh) {
        const entry = entries.get(id);
        if (entry !== undefined) entry.ready = opening;
      }
    }
    const wanted = ids.flatMap((id) => entries.get(id) ?? []);
    const added = ids.filter((id) => entries.get(id)?.listeners.has(listener) === false);
    for (const entry of wanted) entry.listeners.add(listener);
    try {
      await Promise.all(wanted.map((entry) => entry.ready));
      const justRead = new Set(fresh);
      const absent = ids.filter((id) => entries.get(id)?.absent === true && !justRead.has(id));
      if (absent.length > 0) await refresh(absent);
    } catch (error) {
      for (const id of added) unsubscribe(id, listener);
      throw error;
    }
  }

  async function open(ids: readonly string[]): Promise<void> {
    const opened = ids.map((id): E => {
      const entry: E = {
        listeners: new Set(),
        value: undefined,
        absent: false,
        early: NONE,
        ready: Promise.resolve(),
        detach: () => {},
      };
      entries.set(id, entry);
      return entry;
    });
    // Subscribed before it is read: a change in between arrives as an update, and the higher version wins.
    await Promise.all(
      ids.map(async (id, i) => {
        const entry = opened[i] as E;
        entry.detach = await bus.subscribe(topicOf(id), (update) => {
          if (entry.value !== undefined) return receive(entry, entry.value, update);
          entry.early = [...entry.early.slice(1 - EARLY_MAX), update];
        });
        // Its last listener left while it was subscribing.
        if (entries.get(id) !== entry) entry.detach();
      }),
    );
    const loaded = await load(ids);
    ids.forEach((id, i) => {
      begin(opened[i] as E, loaded.get(id));
    });
  }

  /** `value`: what was read after the subscription. */
  function begin(entry: E, value: T | undefined): void {
    entry.value = value;
    entry.absent = value === undefined;
    if (value === undefined) return;
    const { early } = entry;
    entry.early = NONE;
    for (const update of early) receive(entry, value, update);
  }

  function receive(entry: E, value: T, update: U): void {
    const change = apply(value, update);
    for (const listener of entry.listeners) listener(value, update, change);
  }

  function unsubscribe(id: string, listener: LiveListener<T, U, C>): void {
    const entry = entries.get(id);
    if (entry === undefined) return;
    entry.listeners.delete(listener);
    if (entry.listeners.size > 0) return;
    entries.delete(id);
    entry.detach();
  }

  async function refresh(ids: readonly string[] = [...entries.keys()]): Promise<void> {
    for (let i = 0; i < ids.length; i += partSize) await refreshPart(ids.slice(i, i + partSize));
  }

  async function refreshPart(ids: readonly string[]): Promise<void> {
    const known = new Set(ids.filter((id) => entries.get(id)?.value !== undefined));
    const loaded = await load(ids);
    for (const id of ids) {
      const entry = entries.get(id);
      const fresh = loaded.get(id);
      // Another read may have found it meanwhile: then it is not gone.
      if (fresh === undefined && !known.has(id)) continue;
      if (entry?.absent === true) begin(entry, fresh);
      if (entry?.value === undefined || entry.value === fresh) continue;
      const change = fresh === undefined ? gone?.(entry.value) : merge(entry.value, fresh);
      if (change === undefined) continue;
      for (const listener of entry.listeners) listener(entry.value, undefined, change);
    }
  }

  return {
    name,
    subscribe,
    unsubscribe,
    get: (id) => entries.get(id)?.value,
    refresh,
    resync: () => refresh(),
    compare: () => refresh(),
    get size() {
      return entries.size;
    },
  };
}
