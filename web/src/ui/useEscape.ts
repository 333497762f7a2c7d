import { useEffect } from 'react';
import { isComposing } from './isComposing.ts';

/** What is above everything else hears of Escape first. */
const ABOVE = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [data-editing]';

/** Escape closes what stands beside the timeline, and leads back to writing. */
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
