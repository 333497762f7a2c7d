import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/**
 * V8's limit includes the room for young objects, three semi-spaces of 16 MiB. What stays in memory is not there, and
 * the process ends when the rest is full.
 */
const YOUNG = 48 * 1_024 * 1_024;
/** The share of that rest that may be in use after a full collection of garbage. */
const FULL = 0.8;

export interface MemoryWatch {
  /** Whether so little memory is left that the process must not hold more than it does. */
  isLow(): boolean;
  stop(): void;
}

/**
 * For how long the size after a collection is believed, in milliseconds. A process that does little collects rarely,
 * and may have released most of the memory in the meantime. If memory is low, new work causes collections in quick
 * succession.
 */
const VALID_MS = 60_000;

/**
 * Watches the memory of this process. It counts what was left after the last full collection: before one, the heap is
 * often almost full, mostly of garbage. `now`: milliseconds on a clock that never goes back.
 */
export function watchMemory(now = () => performance.now()): MemoryWatch {
  let left = 0;
  let at = Number.NEGATIVE_INFINITY;
  const observer = new PerformanceObserver((list) => {
    if (!list.getEntries().some(isFullCollection)) return;
    left = getHeapStatistics().used_heap_size;
    at = now();
  });
  observer.observe({ entryTypes: ['gc'] });
  return {
    isLow() {
      if (now() - at > VALID_MS) return false;
      const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
      return Math.min(left, used) > FULL * (limit - YOUNG);
    },
    stop: () => observer.disconnect(),
  };
}

function isFullCollection(entry: PerformanceEntry): boolean {
  const { kind } = ('detail' in entry ? entry.detail : {}) as { readonly kind?: number };
  return kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
