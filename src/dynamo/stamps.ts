import { type Stamp, stampOf } from './keys.ts';

/** Makes time stamps in microseconds: this process never gives out the same or an earlier one twice. */
export interface Stamps {
  /** At least `floor` microseconds (a reply is later than its root whatever the clocks say). */
  next(floor?: number): Stamp;
}

export function createStamps(now: () => number = Date.now): Stamps {
  let last = 0;
  return {
    next(floor = 0) {
      last = Math.max(now() * 1000, last + 1, floor);
      return stampOf(last);
    },
  };
}
