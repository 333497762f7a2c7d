import { type Clock, sleep } from '../../core/clock.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, keyName } from '../../dynamo/keys.ts';
import { hashTextOf } from './hash.ts';
import { createQuestions, type Reach } from './reach.ts';
import { alive, type Sides } from './sides.ts';

/**
 * A difference counts if the source has not changed for this long, and if the carrier has said since then that it has
 * carried everything. The time is for requests that were sent twice, of which the first one arrives late. Milliseconds.
 */
const SETTLED_MS = 5_000;
/** From one look at all open keys to the next. */
const LOOK_MS = 250;
/** A key that is neither equal nor different after this time is undecided. */
const SETTLE_MAX_MS = 60_000;
/** Keys that are read at a time. */
const CHUNK = 100;
/**
 * Keys that are open at a time: if there are more, the reading waits. So memory does not depend on how much differs.
 */
const OPEN_MAX = 1_000;
/** With this number of items that are not equal, the table is not a copy. */
const FOUND_MAX = 1_000;
/** Keys that are kept of each outcome. */
const SHOWN = 10;

export interface Settled {
  /** Items that differ while the source does not change. */
  readonly differences: number;
  /**
   * Items that have changed all the time, or whose changes the carrier has not reached: it is not known whether they
   * are equal.
   */
  readonly undecided: number;
  /** Some of the keys, those of differences first. */
  readonly examples: readonly Key[];
  /** How long the carrier has not answered the last question, in milliseconds. 0: it has. */
  readonly unansweredMs: number;
  /** It ended early, because this much is enough to know. */
  readonly isEarly: boolean;
}

export interface SettlingOptions {
  readonly sides: Sides;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly clock: Clock;
  /** Repeats a read while a database does not respond. */
  readonly read: <T>(work: () => Promise<T>) => Promise<T>;
  /** What the carrier has carried. */
  readonly reach: Reach;
  /** Resolves when that number of items may be read. */
  readonly pay: (items: number) => Promise<void>;
}

/** A key whose items were not equal when they were read. */
interface Open {
  readonly key: Key;
  readonly addedAt: number;
  /**
   * What the source had, as hashes. The copy of an item that changes all the time has what the source had a moment ago.
   */
  readonly seen: Set<string>;
  /** What the source had at the last look. */
  text: string;
  /** When that was seen first. */
  since: number;
}

/**
 * Looks at keys side by side until it is known whether they are equal, all of them together, and each for at most a
 * minute, or a little longer at a low rate. At most `OPEN_MAX` are looked at; the reading waits for a place.
 */
export function createSettling({ sides, now, clock, read, reach, pay }: SettlingOptions) {
  const open = new Map<string, Open>();
  const different: Key[] = [];
  const undecided: Key[] = [];
  const questions = createQuestions(
    { ask: () => read(reach.ask), answered: () => read(reach.answered) },
    clock,
  );
  let isComplete = false;
  let isOver = false;

  const isEnough = () => different.length + undecided.length >= FOUND_MAX;
  const isDone = () => isOver || isEnough() || (isComplete && open.size === 0);

  const isQuiet = (one: Open) => clock.now() - one.since >= SETTLED_MS;

  /** If a key would be different with an answer that is not known yet. */
  const isAskWanted = () =>
    [...open.values()].some((one) => isQuiet(one) && one.since >= questions.reachedAt);

  function decide(one: Open, old: Item | undefined, copy: Item | undefined): void {
    const at = clock.now();
    const text = hashTextOf(alive(old, now()));
    one.seen.add(text);
    if (one.text !== text) {
      one.text = text;
      one.since = at;
    }
    const name = keyName(one.key);
    if (one.seen.has(hashTextOf(alive(copy, now())))) open.delete(name);
    else if (isQuiet(one) && one.since < questions.reachedAt) {
      different.push(one.key);
      open.delete(name);
    } else if (at - one.addedAt >= SETTLE_MAX_MS) {
      undecided.push(one.key);
      open.delete(name);
    }
  }

  async function look(): Promise<void> {
    // In this order: what is read now, after the answer, has what was carried before it.
    await questions.look(isAskWanted);
    const all = [...open.values()];
    for (let i = 0; i < all.length && !isEnough(); i += CHUNK) {
      const some = all.slice(i, i + CHUNK);
      const keys = some.map(({ key }) => key);
      await pay(2 * keys.length);
      // The copy first: if the source has not changed when it is read, the copy that was read before should have been
      // the same.
      const copies = await read(() => sides.target.dynamo.batchGet(keys));
      const olds = await read(() => sides.source.dynamo.batchGet(keys));
      for (const [n, one] of some.entries()) decide(one, olds[n], copies[n]);
    }
  }

  return {
    /** Whether nothing needs to be added: enough is found, or it has ended. */
    get isOver() {
      return isOver;
    },
    /** Adds a key, with what the source had just now. Waits while too many are open. */
    async add(key: Key, old: Item | undefined): Promise<void> {
      while (open.size >= OPEN_MAX && !isOver) await sleep(clock, LOOK_MS);
      const text = hashTextOf(alive(old, now()));
      const at = clock.now();
      open.set(keyName(key), { key, addedAt: at, since: at, text, seen: new Set([text]) });
    },
    /** Nothing is added any more. */
    complete(): void {
      isComplete = true;
    },
    /** The reading has failed. */
    stop(): void {
      isOver = true;
    },
    /** Looks until all keys that were added are settled, and `complete` was called, or enough is found. */
    async run(): Promise<Settled> {
      try {
        for (; !isDone(); await sleep(clock, LOOK_MS)) if (open.size > 0) await look();
      } finally {
        isOver = true;
      }
      const examples = [...different.slice(0, SHOWN), ...undecided.slice(0, SHOWN)].slice(0, SHOWN);
      return {
        differences: different.length,
        undecided: undecided.length,
        examples,
        unansweredMs: questions.unansweredMs,
        isEarly: isEnough(),
      };
    },
  };
}
