import type { Item } from '../dynamo/item.ts';
import { type Key, keyName, keys } from '../dynamo/keys.ts';
import type { Timer } from './timer.ts';

/** What the queue knows of a timer. The rest is read when it runs, because it may have changed by then. */
export interface QueuedTimer extends Pick<Timer, 'id' | 'due' | 'owner'> {
  /** Hints of an earlier release do not have it. */
  readonly kind?: string | undefined;
}

export interface TimerQueueOptions {
  /** How many timers run at once. */
  readonly places: number;
  /**
   * How many timers of one owner run at once. `half`: half of the places that other owners leave, so no owner has the
   * last ones.
   */
  readonly placesOfOwner: number | 'half';
  /** How many timers of one kind run at once. */
  readonly placesOfKind?: ((kind: string) => number) | undefined;
  /** How many timers of one owner wait here. The others stay in the table. */
  readonly waitingOfOwner: number;
}

/** Timers that were read from the table and are not handled yet. It decides which one runs next. */
export interface TimerQueue {
  /** Adds the new ones, except those whose owner has too many waiting here. Returns how many it added. */
  add(timers: readonly QueuedTimer[]): number;
  /**
   * Takes the oldest one that is due by `until` and whose owner and kind have a free place. Undefined if there is none.
   * It keeps its place until `done`.
   */
  take(until: number): QueuedTimer | undefined;
  /**
   * Takes further ones of the same kind and owner that are due by `until` and match. They need no places, and are done
   * together with the first one.
   */
  takeAlso(first: QueuedTimer, options: TakeAlsoOptions): readonly QueuedTimer[];
  /** Whether one of this kind is due by `until` and could run if another one of the kind ended. */
  isCrowded(kind: string, until: number): boolean;
  done(timer: QueuedTimer): void;
  /** Forgets those that wait. Those that run keep their places. */
  clear(): void;
  /** The due time of the oldest one that waits for its time only, and not for a place of its owner or kind. */
  nextDue(): number | undefined;
  /** The due time of the oldest one that waits. */
  oldestDue(): number | undefined;
  /** How many are due by `until`, including those that wait for a place. */
  dueBy(until: number): number;
  readonly waiting: number;
  readonly running: number;
}

export interface TakeAlsoOptions {
  readonly until: number;
  readonly max: number;
  readonly matches: (timer: QueuedTimer) => boolean;
}

export const timerKey = ({ due, id }: Pick<Timer, 'id' | 'due'>): Key => keys.timer(due, id);
const nameOf = (timer: QueuedTimer): string => keyName(timerKey(timer));

/** A timer's item as the queue knows it. */
export const queuedTimer = (
  key: { readonly timer: string; readonly due: number },
  item: Item,
): QueuedTimer => ({
  id: key.timer,
  due: key.due,
  owner: String(item.owner),
  kind: String(item.kind),
});

export function createTimerQueue(options: TimerQueueOptions): TimerQueue {
  const { places, placesOfOwner, waitingOfOwner, placesOfKind = () => places } = options;
  /** In the order of their due times. */
  let waiting: QueuedTimer[] = [];
  const known = new Set<string>();
  const waitingBy = new Map<string, number>();
  const runningBy = new Map<string, number>();
  const runningOf = new Map<string, number>();
  /** Those that were taken with another one, by its name. */
  const takenWith = new Map<string, readonly QueuedTimer[]>();
  let running = 0;

  const count = (counts: Map<string, number>, owner: string, change: 1 | -1) => {
    const next = (counts.get(owner) ?? 0) + change;
    if (next === 0) counts.delete(owner);
    else counts.set(owner, next);
  };
  const ownerHasPlace = ({ owner }: QueuedTimer) => {
    const own = runningBy.get(owner) ?? 0;
    return own < (placesOfOwner === 'half' ? Math.ceil((places - (running - own)) / 2) : placesOfOwner);
  };
  const hasPlace = (timer: QueuedTimer) =>
    ownerHasPlace(timer) &&
    (timer.kind === undefined || (runningOf.get(timer.kind) ?? 0) < placesOfKind(timer.kind));

  return {
    add(timers) {
      const before = waiting.length;
      for (const { id, due, owner, kind } of timers) {
        const timer = { id, due, owner, kind };
        const name = nameOf(timer);
        if (known.has(name) || (waitingBy.get(owner) ?? 0) >= waitingOfOwner) continue;
        known.add(name);
        count(waitingBy, owner, 1);
        waiting.push(timer);
      }
      const added = waiting.length - before;
      if (added > 0) waiting.sort((a, b) => a.due - b.due);
      return added;
    },
    take(until) {
      if (running >= places) return undefined;
      const index = waiting.findIndex((timer) => timer.due > until || hasPlace(timer));
      const timer = waiting[index];
      if (timer === undefined || timer.due > until) return undefined;
      waiting.splice(index, 1);
      count(waitingBy, timer.owner, -1);
      count(runningBy, timer.owner, 1);
      if (timer.kind !== undefined) count(runningOf, timer.kind, 1);
      running++;
      return timer;
    },
    takeAlso(first, { until, max, matches }) {
      const isAlike = (one: QueuedTimer) => one.kind === first.kind && one.owner === first.owner;
      const also = waiting.filter((one) => one.due <= until && isAlike(one) && matches(one)).slice(0, max);
      waiting = waiting.filter((one) => !also.includes(one));
      for (const { owner } of also) count(waitingBy, owner, -1);
      takenWith.set(nameOf(first), also);
      return also;
    },
    done(timer) {
      for (const one of takenWith.get(nameOf(timer)) ?? []) known.delete(nameOf(one));
      takenWith.delete(nameOf(timer));
      running--;
      count(runningBy, timer.owner, -1);
      if (timer.kind !== undefined) count(runningOf, timer.kind, -1);
      known.delete(nameOf(timer));
    },
    isCrowded: (kind, until) =>
      waiting.some((timer) => timer.kind === kind && timer.due <= until && ownerHasPlace(timer)),
    clear() {
      for (const timer of waiting) known.delete(nameOf(timer));
      waiting = [];
      waitingBy.clear();
    },
    nextDue: () => waiting.find(hasPlace)?.due,
    oldestDue: () => waiting[0]?.due,
    dueBy(until) {
      const next = waiting.findIndex(({ due }) => due > until);
      return next === -1 ? waiting.length : next;
    },
    get waiting() {
      return waiting.length;
    },
    get running() {
      return running;
    },
  };
}
