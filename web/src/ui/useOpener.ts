import { type RefObject, useLayoutEffect, useRef } from 'react';

export interface Opener {
  readonly element: HTMLElement;
  /** Whether the browser marked it as the focus: it was reached with the keyboard. */
  readonly isMarked: boolean;
}

/**
 * What had the focus when this pane was opened. In a narrow window the pane covers it, and it loses the focus before
 * the pane's script has run.
 */
export function useOpener(pane: string | undefined): RefObject<Opener | undefined> {
  const opener = useRef<Opener>(undefined);
  useLayoutEffect(() => {
    const element = document.activeElement;
    if (pane === undefined) return;
    opener.current =
      element instanceof HTMLElement && element !== document.body
        ? { element, isMarked: element.matches(':focus-visible') }
        : undefined;
  }, [pane]);
  return opener;
}
