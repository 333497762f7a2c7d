import { keys } from '../../dynamo/keys.ts';
import type { Counter } from '../../verify/counter.ts';
import { listenersIn } from './listeners.ts';

/** A room's counter item has the number of those who listen to it, which may be none. */
export const listenersCounter: Counter = {
  name: 'listeners',
  stored: (key, item) =>
    key.type === 'counter'
      ? { counts: { listeners: listenersIn(item) }, version: String(item.listenersRev ?? 0) }
      : undefined,
  contributions: (key) =>
    key.type === 'listener' ? [{ in: keys.counter(key.room), name: 'listeners' }] : [],
  fix: ({ listenersRev = 0 }, { listeners }) => ({
    update: 'SET listeners = :listeners, listenersRev = :next',
    condition: listenersRev === 0 ? 'attribute_not_exists(listenersRev)' : 'listenersRev = :rev',
    values: {
      ...{ ':listeners': listeners, ':next': Number(listenersRev) + 1 },
      ...(listenersRev === 0 ? {} : { ':rev': listenersRev }),
    },
  }),
};
