import { type Clock, systemClock } from '../core/clock.ts';
import { BoundedMap } from './boundedMap.ts';

/** How long a value is shared after it is ready, in milliseconds, and how many values are kept. */
const SHARED_MS = 100;
const SHARED_MAX = 256;

/** Returns the value that was made for this key a moment ago, or makes one. */
export type BriefCache<K, V> = (key: K, make: () => V) => V;

/**
 * Lets clients who arrive together (after a restart, for example) share what the first of them has made. For a short
 * time only, because a value does not follow what changes later. A promise is shared until SHARED_MS after it has
 * resolved; one that rejects is forgotten at once.
 */
export function createBriefCache<K, V>({ now, after }: Clock = systemClock): BriefCache<K, V> {
  const kept = new BoundedMap<K, { readonly value: V; until: number }>(SHARED_MAX);

  return (key, make) => {
    const known = kept.get(key);
    if (known !== undefined && now() < known.until) return known.value;
    const value = make();
    const fresh = { value, until: Number.POSITIVE_INFINITY };
    kept.set(key, fresh);
    const forget = () => {
      if (kept.get(key) === fresh) kept.delete(key);
    };
    const ready = () => {
      fresh.until = now() + SHARED_MS;
      after(SHARED_MS, forget);
    };
    if (value instanceof Promise) value.then(ready, forget);
    else ready();
    return value;
  };
}
