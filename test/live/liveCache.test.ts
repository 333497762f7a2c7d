import { expect, test } from 'vitest';
import { topic } from '../../src/bus/bus.ts';
import { createMemoryBus } from '../../src/bus/memory.ts';
import { createLiveCache } from '../../src/live/liveCache.ts';
import { recordingLog } from '../bus/support/bus.ts';

type Counted = { readonly count: number };

const topicOf = topic<Counted>;

/** Values whose count is what was published last. Those in `failing` cannot be read. */
function createCounts() {
  const bus = createMemoryBus({ log: recordingLog().log });
  const failing = new Set<string>();
  const cache = createLiveCache<{ count: number }, Counted, undefined>({
    name: 'counts',
    bus,
    topicOf,
    partSize: 10,
    async load(ids) {
      if (ids.some((id) => failing.has(id))) throw new Error('cannot be read');
      return new Map(ids.map((id) => [id, { count: 0 }]));
    },
    apply(value, { count }) {
      value.count = count;
      return undefined;
    },
    merge: () => undefined,
  });
  const publish = (id: string, count: number) => bus.publish(topicOf(id), { count });
  return { failing, cache, publish };
}

test('subscribe: after a failed read, a listener keeps the values that it had before', async () => {
  const { failing, cache, publish } = createCounts();
  const counts: number[] = [];
  const listener = ({ count }: Counted) => void counts.push(count);
  await cache.subscribe(['known'], listener);
  failing.add('new');
  await expect(cache.subscribe(['known', 'new'], listener)).rejects.toThrow('cannot be read');
  await publish('known', 1);
  expect(counts).toEqual([1]);
  expect(cache.get('known')).toEqual({ count: 1 });
  expect(cache.size).toBe(1);
  // The next attempt works.
  failing.clear();
  await cache.subscribe(['known', 'new'], listener);
  await publish('new', 2);
  expect(counts).toEqual([1, 2]);
  for (const id of ['known', 'new']) cache.unsubscribe(id, listener);
  expect(cache.size).toBe(0);
});
