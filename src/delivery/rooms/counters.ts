import { keys } from '../../dynamo/keys.ts';
import type { Counter } from '../../verify/counter.ts';
import { LISTENED_KINDS, LISTENERS, listenersIn } from './listener.ts';

/** A room's counter item has the number of those who listen to it, which may be none. */
export const listenersCounter: Counter = {
  name: 'listeners',
  stored: (key, item) =>
    key.type === 'counter'
      ? {
          counts: Object.fromEntries(
            LISTENED_KINDS.map((kind) => [LISTENERS[kind], listenersIn(kind, item)] as const),
          ),
          version: String(item.listenersRev ?? 0),
        }
      : undefined,
  contributions(key) {
    const kind = LISTENED_KINDS.find((one) => key.type === 'listener' && one === key.kind);
    return key.type === 'listener' && kind !== undefined
      ? [{ in: keys.counter(key.room), name: LISTENERS[kind] }]
      : [];
  },
  fix: ({ listenersRev = 0 }, { listeners = 0, joinListeners = 0 }) => ({
    update: 'SET listeners = :listeners, joinListeners = :joinListeners, listenersRev = :next',
    condition: listenersRev === 0 ? 'attribute_not_exists(listenersRev)' : 'listenersRev = :rev',
    values: {
      ':listeners': listeners,
      ':joinListeners': joinListeners,
      ':next': Number(listenersRev) + 1,
      ...(listenersRev === 0 ? {} : { ':rev': listenersRev }),
    },
  }),
};
