import { type Clock, sleep, systemClock } from '../../core/clock.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { changeUse } from '../carry/marks.ts';
import { type Moving, readTableShape } from '../tableShape.ts';

/** From one look to the next while servers are about to use another table, in milliseconds. */
export const MOVING_LOOK_MS = 50;

export interface WaitOptions {
  readonly dynamo: Pick<Dynamo, 'get' | 'tryTransact'>;
  readonly clock?: Clock;
  /** Called if it has to wait. */
  readonly onWait?: (moving: Moving) => void;
}

/**
 * Waits while servers have no table, and takes the switch back when it has taken longer than it may: if every process
 * of the switch was killed, no other one can.
 */
export async function waitForSwitch({ dynamo, clock = systemClock, onWait }: WaitOptions): Promise<void> {
  const began = clock.now();
  const first = await readTableShape(dynamo);
  let isSaid = false;
  for (let found = first; found.version === first.version; found = await readTableShape(dynamo)) {
    if (found.moving?.phase !== 'frozen') return;
    if (!isSaid) onWait?.(found.moving);
    isSaid = true;
    if (clock.now() - began >= found.moving.withinMs) await changeUse(dynamo, {}, found.version);
    else await sleep(clock, MOVING_LOOK_MS);
  }
}
