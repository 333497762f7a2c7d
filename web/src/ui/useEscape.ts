import { useEffect } from 'react';

/** What is above everything else hears of Escape first. */
const ABOVE = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [data-editing]';

/** Escape closes what stands beside the timeline, and leads back to writing. */
export function useEscape(close: () => void): void {
  useEffect(() => {
    const listen = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key !== 'Escape' || defaultPrevented || document.querySelector(ABOVE) !== null) return;
      close();
      document.querySelector<HTMLElement>('[data-composer]')?.focus();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [close]);
}
