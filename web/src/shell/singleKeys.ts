import { createContext, use, useMemo, useState } from 'react';

/**
 * Whether keys without Alt or Control do something: who dictates, or hits keys without meaning to, turns them off
 * (WCAG 2.2, 2.1.4).
 */
export interface SingleKeys {
  readonly areOn: boolean;
  /** It is kept in this browser. */
  turn(on: boolean): void;
}

const STORAGE_KEY = 'tsudoi:single-keys';
const OFF = 'off';

export const SingleKeysContext = createContext<SingleKeys | undefined>(undefined);

export function useSingleKeys(): SingleKeys {
  const singleKeys = use(SingleKeysContext);
  if (singleKeys === undefined) throw new Error('Nobody knows whether single keys are on.');
  return singleKeys;
}

/** What was chosen in this browser before, for `SingleKeysContext`. */
export function useKeptSingleKeys(): SingleKeys {
  const [areOn, setAreOn] = useState(() => localStorage.getItem(STORAGE_KEY) !== OFF);
  return useMemo(
    () => ({
      areOn,
      turn(on) {
        if (on) localStorage.removeItem(STORAGE_KEY);
        else localStorage.setItem(STORAGE_KEY, OFF);
        setAreOn(on);
      },
    }),
    [areOn],
  );
}
