/** Keeps a line from being logged too often: once in some time for each key. */
export interface SpacedLines {
  /** How many lines were left out since the last one of this key. Undefined: leave out this one as well. */
  next(key: string): number | undefined;
}

export interface SpacedLinesOptions {
  /** Milliseconds from one line of a key to the next. */
  readonly everyMs: number;
  /** Milliseconds. */
  readonly now: () => number;
}

/** It remembers all keys, so there must be a limited number of them. */
export function createSpacedLines({ everyMs, now }: SpacedLinesOptions): SpacedLines {
  const last = new Map<string, { readonly at: number; leftOut: number }>();
  return {
    next(key) {
      const before = last.get(key);
      if (before !== undefined && now() - before.at < everyMs) {
        before.leftOut++;
        return undefined;
      }
      last.set(key, { at: now(), leftOut: 0 });
      return before?.leftOut ?? 0;
    },
  };
}
