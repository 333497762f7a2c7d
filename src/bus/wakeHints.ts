import { singleFlight } from '../core/singleFlight.ts';
import { type Bus, wakeTopic } from './bus.ts';

/**
 * Notifies the stream consumers of other processes that something was written, so that they do not wait for their
 * next poll. Only a hint: at most one is in flight, one more follows if something was written meanwhile, and a
 * lost one costs a poll interval.
 */
export function createWakeHints(bus: Bus): () => void {
  const send = singleFlight(() => bus.publish(wakeTopic, null));
  return () => {
    if (!bus.up) return;
    send().catch(() => {
      // The bus logs its own outages.
    });
  };
}
