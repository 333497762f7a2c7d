import { createContext, use, useMemo, useState } from 'react';
import { keep } from '../state/keep.ts';

/**
 * Whether keys without Alt or Control are shortcuts. Users who dictate, or press keys by accident, can turn them off
 * (WCAG 2.2, success criterion 2.1.4).
 */
export interface SingleKeys {
  readonly areOn: boolean;
  /** Stored in this browser. */
  turn(on: boolean): void;
}

const STORAGE_KEY = 'tsudoi:single-keys';
const OFF = 'off';

export const SingleKeysContext = createContext<SingleKeys | undefined>(undefined);

export function useSingleKeys(): SingleKeys {
  const singleKeys = use(SingleKeysContext);
  if (singleKeys === undefined) throw new Error('useSingleKeys needs a SingleKeysContext.');
  return singleKeys;
}

/** The choice stored in this browser, as the value for `SingleKeysContext`. */
export function useKeptSingleKeys(): SingleKeys {
  const [areOn, setAreOn] = useState(() => localStorage.getItem(STORAGE_KEY) !== OFF);
  return useMemo(
    () => ({
      areOn,
      turn(on) {
        if (on) localStorage.removeItem(STORAGE_KEY);
        else keep(localStorage, STORAGE_KEY, OFF);
        setAreOn(on);
      },
    }),
    [areOn],
  );
}
