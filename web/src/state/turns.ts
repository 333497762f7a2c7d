/** Runs a deed when the earlier ones with its key are over, however they ended; settles as it does. */
export type InTurn = <T>(key: string, deed: () => Promise<T>) => Promise<T>;

/** For deeds that undo each other: the second must find what the first has done. */
export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (key, deed) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(deed, deed);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
