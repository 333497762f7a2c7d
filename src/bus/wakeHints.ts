import { type Bus, wakeTopic } from './bus.ts';

/**
 * Tells the stream consumers of other processes that something was written, so that they need not wait for
 * their next poll. Only a hint: at most one is under way, one more follows when something was written
 * meanwhile, and a lost one costs a poll interval.
 */
export function createWakeHints(bus: Bus): () => void {
  let underWay = false;
  let again = false;

  function send(): void {
    underWay = true;
    bus
      .publish(wakeTopic, null)
      .catch(() => {
        // The bus says itself when it is down.
      })
      .finally(() => {
        underWay = false;
        if (again) {
          again = false;
          send();
        }
      });
  }

  return () => {
    if (!bus.up) return;
    if (underWay) again = true;
    else send();
  };
}
