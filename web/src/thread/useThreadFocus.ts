import { type RefObject, useEffect, useRef } from 'react';

/**
 * Whoever opened a thread by keyboard, on a message, goes on in its composer; a finger would only be shown a keyboard
 * that nobody asked for. Where the focus is lost with the thread, it goes to the message that the thread is about.
 */
export function useThreadFocus(
  pane: RefObject<HTMLElement | null>,
  root: string | undefined,
  isReady: boolean,
) {
  const opener = useRef<Element>(null);

  useEffect(() => {
    const active = document.activeElement;
    if (active?.matches('[data-message]:focus-visible, [data-message] :focus-visible'))
      opener.current = active;
  }, []);

  useEffect(() => {
    // Nor is it taken from where they have gone in the meantime.
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
