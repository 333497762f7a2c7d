import { useEffect } from 'react';
import { isComposing } from './isComposing.ts';

/** Elements that handle Escape themselves. */
const ABOVE = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [data-editing]';

/** Closes the pane next to the timeline on Escape and moves the focus to the composer. */
export function useEscape(close: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return;
      if (document.querySelector(ABOVE) !== null) return;
      close();
      document.querySelector<HTMLElement>('[data-composer]')?.focus();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [close]);
}
