import type { Clock } from './clock.ts';

/** A moment in the life of this process, on both of its clocks. */
export interface Moment {
  readonly wall: number;
  readonly own: number;
}

/** Before every other moment. */
export const NEVER: Moment = { wall: Number.NEGATIVE_INFINITY, own: Number.NEGATIVE_INFINITY };

/**
 * How old something is, for decisions that are wrong if it seems too young. The longer of two times counts: the wall
 * clock may be set back, and the clock that never jumps does not run while the machine is suspended.
 */
export function createMoments(now: () => number, clock: Clock) {
  return {
    now: (): Moment => ({ wall: now(), own: clock.now() }),
    /** In milliseconds. */
    age: ({ wall, own }: Moment): number => Math.max(now() - wall, clock.now() - own),
  };
}
