import { type RefObject, useEffect, useRef } from 'react';
import { hasKeyboard } from '../composer/focusComposer.ts';

/**
 * Moves the focus to the thread's composer if the thread was opened on a message. After a touch, that would only open
 * the on-screen keyboard. If the thread closes with the focus inside, the focus returns to its root message.
 */
export function useThreadFocus(
  pane: RefObject<HTMLElement | null>,
  root: string | undefined,
  isReady: boolean,
) {
  const opener = useRef<Element>(null);

  useEffect(() => {
    const active = document.activeElement;
    const isOnMessage = active?.matches('[data-message], [data-message] *') === true;
    if (isOnMessage && (hasKeyboard() || active.matches(':focus-visible'))) opener.current = active;
  }, []);

  useEffect(() => {
    // Do not take the focus if the viewer has moved it in the meantime.
    if (!isReady || opener.current === null || opener.current !== document.activeElement) return;
    pane.current?.querySelector<HTMLElement>('[data-composer]')?.focus();
  }, [pane, isReady]);

  useEffect(() => {
    if (root === undefined) return;
    return () => {
      if (document.activeElement !== document.body) return;
      const message = `[data-message="${CSS.escape(root)}"]`;
      document.querySelector<HTMLElement>(message)?.focus({ preventScroll: true });
    };
  }, [root]);
}
