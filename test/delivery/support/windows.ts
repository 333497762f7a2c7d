/** How long the model waits with what it sends, and how often it may send it. */
import { expect } from 'vitest';
import type { Delivery } from '../../../src/delivery/delivery.ts';
import { TOLD_KINDS } from './acts.ts';

export const WINDOWS = {
  MENTION: { delaySeconds: 10, windowSeconds: 60 },
  REPLY: { delaySeconds: 30, windowSeconds: 200 },
  LIKE: { delaySeconds: 60, windowSeconds: 300 },
  MESSAGE: { delaySeconds: 40, windowSeconds: 250 },
  // Adding people is not a subject of this test.
  INVITED: { delaySeconds: 0, windowSeconds: 0 },
};

/** No two deliveries of one kind and room are in one window. */
export function expectWindows(sent: readonly Delivery[], rooms: readonly string[]): void {
  for (const kind of TOLD_KINDS) {
    for (const room of rooms) {
      const times = sent
        .filter((one) => one.kinds.includes(kind) && one.kinds.length === 1 && one.rooms.includes(room))
        .map(({ decidedAt }) => decidedAt);
      for (const [i, time] of times.slice(1).entries()) {
        expect(time - (times[i] ?? 0)).toBeGreaterThanOrEqual(WINDOWS[kind].windowSeconds * 1_000);
      }
    }
  }
}
