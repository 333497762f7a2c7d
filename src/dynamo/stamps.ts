import { type Stamp, stampOf } from './keys.ts';

/** Makes time stamps in microseconds: this process never gives out the same one twice, unless for a floor. */
export interface Stamps {
  /**
   * At least `floor` microseconds: what must come after something is later than it whatever the clocks
   * say. A floor ahead of the clock is given back as it is and moves nothing else, so one may clash there;
   * every key made of a stamp is written with a condition.
   */
  next(floor?: number): Stamp;
}

export function createStamps(now: () => number = Date.now): Stamps {
  let last = 0;
  return {
    next(floor = 0) {
      const next = Math.max(now() * 1000, last + 1);
      if (floor > next) return stampOf(floor);
      last = next;
      return stampOf(next);
    },
  };
}
