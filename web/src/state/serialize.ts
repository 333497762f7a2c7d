/** Runs an action after all earlier ones with the same key have settled, and settles with its result. */
export type Serialize = <T>(key: string, action: () => Promise<T>) => Promise<T>;

/** For actions that undo each other: the second one must see the effect of the first. */
export function createSerializer(): Serialize {
  const last = new Map<string, Promise<unknown>>();
  return async (key, action) => {
    const before = last.get(key) ?? Promise.resolve();
    const current = before.then(action, action);
    last.set(key, current);
    try {
      return await current;
    } finally {
      if (last.get(key) === current) last.delete(key);
    }
  };
}
