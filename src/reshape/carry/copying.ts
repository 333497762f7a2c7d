import { type Clock, systemClock } from '../../core/clock.ts';
import { createWakeSignal } from '../../core/signal.ts';
import { keyOf } from '../../dynamo/keys.ts';
import type { Carrier } from './carrier.ts';
import type { Persist } from './persist.ts';
import type { Sides } from './sides.ts';
import { ALL_SEGMENTS, BEGINNING, type Progress, SEGMENTS } from './state.ts';
import { PAGE_UNITS, type Throttle } from './throttle.ts';

/** Items that are carried together. */
export const CHUNK = 25;
const IDLE_MS = 60_000;

export interface CopyingOptions {
  readonly sides: Sides;
  /** That of each segment. */
  readonly carriers: readonly Carrier[];
  readonly throttle: Throttle;
  /** How far an earlier run was. */
  readonly from: Progress;
  readonly persist: Persist;
  readonly clock?: Clock;
}

/**
 * Carries every key of the source, then every key of the target, which removes what the source does not have. A part
 * that was read and not noted is read again by the next run, which is harmless.
 */
export function createCopying(options: CopyingOptions) {
  const { sides, carriers, throttle, from, persist, clock = systemClock } = options;
  const changed = createWakeSignal(clock);
  let progress = from;
  /** Rises when everything begins again. */
  let round = 0;

  async function page(reads: keyof Sides, segment: number, isOver: () => boolean): Promise<void> {
    const part = progress.segments[segment];
    const carrier = carriers[segment];
    if (part === null || part === undefined || carrier === undefined) return;
    await throttle.pay('reads', PAGE_UNITS);
    if (isOver()) return;
    const found = await sides[reads].dynamo.scanPage({}, part.after, { segment, segments: SEGMENTS });
    // Also of an empty page: it says nothing of the part in another round.
    if (isOver()) return;
    for (let i = 0; i < found.items.length; i += CHUNK) {
      const items = found.items.slice(i, i + CHUNK);
      await carrier.carry(items.map(keyOf), { [reads]: items });
      if (isOver()) return;
    }
    const next = found.next === undefined ? null : { after: found.next };
    const { segments, scanned } = progress;
    progress = { ...progress, segments: segments.with(segment, next), scanned: scanned + found.scanned };
  }

  async function pass(reads: keyof Sides, signal: AbortSignal): Promise<void> {
    const mine = round;
    const isOver = () => signal.aborted || round !== mine;
    await Promise.all(
      progress.segments.map(async (_, segment) => {
        while (!isOver() && progress.segments[segment] !== null) {
          await persist(() => page(reads, segment, isOver));
        }
      }),
    );
    if (isOver()) return;
    const next = reads === 'source' ? 'target' : 'nothing';
    progress = { ...progress, reads: next, segments: ALL_SEGMENTS };
  }

  return {
    get progress(): Progress {
      return progress;
    },
    /** Until the signal is aborted. */
    async run(signal: AbortSignal): Promise<void> {
      signal.addEventListener('abort', changed.wake, { once: true });
      while (!signal.aborted) {
        changed.clear();
        if (progress.reads === 'nothing') await changed.wait(IDLE_MS);
        else await pass(progress.reads, signal);
      }
    },
    /** Changes were missed: everything is compared again. */
    again(): void {
      round++;
      const { scanned, written } = progress;
      progress = { ...BEGINNING, scanned, written };
      changed.wake();
    },
  };
}
