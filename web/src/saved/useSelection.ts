import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { ListedRow } from './listed.ts';
import type { Rows } from './rowStore.ts';

export interface Toggle {
  readonly index: number;
  readonly isOn: boolean;
  /** Also the rows between this one and the last one that was chosen or not. */
  readonly isRange: boolean;
}

/** The keys of the rows that the user has selected. Rows that are gone do not matter. */
export function useSelection(rows: Rows<ListedRow>) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string>(undefined);
  const shown = useRef(rows);
  useLayoutEffect(() => {
    shown.current = rows;
  }, [rows]);
  const toggle = useCallback(({ index, isOn, isRange }: Toggle) => {
    const { current: rows } = shown;
    const from = isRange ? rows.find(last.current ?? '') : -1;
    const [first, end] = from === -1 ? [index, index] : [Math.min(from, index), Math.max(from, index)];
    last.current = rows.at(index)?.key;
    setChosen((before) => {
      const next = new Set(before);
      for (const { key, saved } of rows.slice(first, end + 1)) {
        if (isOn && saved !== null) next.add(key);
        else next.delete(key);
      }
      return next;
    });
  }, []);
  const clear = useCallback(() => setChosen(new Set()), []);
  return { chosen, toggle, clear };
}
