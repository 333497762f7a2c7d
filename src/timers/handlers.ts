import { topic } from '../bus/bus.ts';
import type { Publisher } from '../bus/publisher.ts';
import type { StreamHandler } from '../stream/change.ts';
import { type QueuedTimer, queuedTimer } from './queue.ts';
import { AHEAD_MS } from './runner.ts';

/**
 * A hint to the process that handles the timers: one was set that is due before it looks again. If the hint is lost,
 * the timer runs at the next look.
 */
export const timersTopic = topic<{
  readonly id: string;
  readonly due: number;
  readonly owner: string;
  readonly kind?: string;
}>('timers');

export interface TimersHandlerOptions {
  readonly publisher: Pick<Publisher, 'publish'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Publishes the timers that were set for the next seconds, so that the code that sets a timer need not. */
export const createTimersHandler = ({ publisher, now }: TimersHandlerOptions): StreamHandler => ({
  name: 'timers',
  itemTypes: ['timer'],
  async handle(changes) {
    const hints = changes.flatMap(({ key, old, new: item }): QueuedTimer[] => {
      if (key.type !== 'timer' || item === undefined || old !== undefined) return [];
      return key.due <= now() + AHEAD_MS ? [queuedTimer(key, item)] : [];
    });
    await Promise.all(hints.map((hint) => publisher.publish(timersTopic, { ...hint })));
  },
});
