import { defined } from '../core/defined.ts';
import { newId } from '../core/ids.ts';
import type { Item } from '../dynamo/item.ts';
import { keys } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Guard, Write } from '../dynamo/write.ts';

/**
 * What happens at a time: one item, which exists until it was handled. To move a timer, delete it and write it again
 * with its new due time.
 */
export interface Timer<About extends Item = Item> {
  /** Names what it is for, by letters, digits and `_:.-` (at most 250): `job:` and the job's id. */
  readonly id: string;
  /** The name of the `TimerKind` that handles it. */
  readonly kind: string;
  /** Milliseconds since 1970. */
  readonly due: number;
  /** What the kind needs: bounded and small. */
  readonly about: About;
  /** A user's id, or another name. Timers of one owner have few places, so they do not hold up those of others. */
  readonly owner: string;
  /** Only if it has failed. */
  readonly failures?: TimerFailures;
}

export interface TimerFailures {
  readonly count: number;
  /** When it failed for the first time, in milliseconds since 1970. */
  readonly since: number;
  /** The due time that it was set for. `due` is later, because of the waits between attempts. */
  readonly setFor: number;
  /** The last error: its name, and a bounded part of its message. */
  readonly error: string;
}

/** How the timers of one kind are handled. */
export interface TimerKind<About extends Item = Item> {
  /** Stored with each timer. */
  readonly name: string;
  /**
   * Whether its handlers wait for other systems. Those have places of their own. One owner (the origin of the other
   * system) has at most half of those that the other owners leave, so five systems that hang delay neither the other
   * ones nor the timers of the inside.
   */
  readonly outside?: boolean;
  /**
   * Called when the timer is due; it is deleted after this has resolved. Called again if this rejects, after a pause,
   * and possibly twice at the same time: if the process dies, or two believe that they hold the lease. So it is
   * idempotent, and first reads whether the timer is still wanted: one that has failed is moved, and a caller that
   * cancels it by the time that it was set for (`setFor`) does not find it. `run` is absent if no other timer waits for
   * this one.
   */
  handle(timer: Timer<About>, run?: TimerRun): Promise<void>;
  /**
   * Which timers of one owner one call handles together, by their ids: at most `max` in addition to the first. Default:
   * none. They are taken if they are due and wait in this process.
   */
  readonly together?: {
    readonly max: number;
    isAlike(first: Pick<Timer, 'id'>, other: Pick<Timer, 'id'>): boolean;
  };
  /** How many timers of this kind run at once. Default: all places. */
  readonly places?: number;
  /**
   * Called when a timer has failed for a day and will not be tried again. Idempotent. If it rejects, the timer is tried
   * once more.
   */
  givenUp?(timer: Timer<About>): Promise<void>;
}

/** What a handler may ask of the process that runs it. */
export interface TimerRun {
  /**
   * Whether a handler with more work should set a timer for it: another due one of its kind waits, or the process ends.
   */
  shouldYield(): boolean;
  /**
   * Those that were taken to be handled with this one: see `TimerKind.together`. The handler deletes or moves each of
   * them by itself. The next look finds again those that it left alone.
   */
  readonly also: ReadonlyArray<Pick<Timer, 'id' | 'due'>>;
  /** To be called after a timer was set that is due soon: it does not have to wait for the hint. */
  add(timer: Pick<Timer, 'id' | 'kind' | 'due' | 'owner'>): void;
}

/** This process does not know the kind; another one may, during a rolling update. */
export class UnknownKind extends Error {
  override readonly name = 'UnknownKind';
}

/** `set`: another one each time, also if the same timer is set again. */
export const timerItem = ({ id, kind, due, about, owner, failures }: Timer) => ({
  v: FIRST_SHAPE,
  kind,
  about,
  owner,
  set: newId(),
  ...defined({ failures }),
  ...keys.timer(due, id),
});

/**
 * Holds while the timer is the one that was read, and once it is gone: many handlers move or delete it themselves.
 * Timers of an earlier release do not say which one they are.
 */
export const ifNotSetAgain = ({ set }: Item): Guard =>
  set === undefined
    ? { condition: 'attribute_not_exists(#set)', names: { '#set': 'set' } }
    : {
        condition: 'attribute_not_exists(pk) OR #set = :set',
        names: { '#set': 'set' },
        values: { ':set': set },
      };

/** Sets a timer, as a part of a transaction. Idempotent: set twice, it is one timer. */
export const setTimer = (timer: Timer): Write => ({ put: timerItem(timer) });

export const timerOf = ({ id, due }: Pick<Timer, 'id' | 'due'>, item: Item): Timer => ({
  id,
  due,
  kind: item.kind as string,
  about: item.about as Item,
  owner: item.owner as string,
  ...defined({ failures: item.failures as TimerFailures | undefined }),
});
