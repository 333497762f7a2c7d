import { type RefObject, useEffect, useRef } from 'react';
import { hasKeyboard } from '../composer/focusComposer.ts';
import { isFocusLost } from '../ui/isFocusLost.ts';
import type { Opener } from '../ui/useOpener.ts';

export interface ThreadFocusOptions {
  readonly pane: RefObject<HTMLElement | null>;
  readonly opener: RefObject<Opener | undefined>;
  readonly root: string | undefined;
  readonly isReady: boolean;
}

/**
 * Moves the focus to the thread's composer if the thread was opened on a message. After a touch, that would only open
 * the on-screen keyboard. If the thread closes with the focus inside, the focus returns to its root message.
 */
export function useThreadFocus({ pane, opener, root, isReady }: ThreadFocusOptions) {
  const message = useRef<HTMLElement>(undefined);

  useEffect(() => {
    const { element, isMarked = false } = opener.current ?? {};
    const isOnMessage = element?.matches('[data-message], [data-message] *') === true;
    if (isOnMessage && (hasKeyboard() || isMarked)) message.current = element;
  }, [opener]);

  useEffect(() => {
    if (!isReady || message.current === undefined) return;
    // Do not take the focus if the viewer has moved it in the meantime.
    if (message.current !== document.activeElement && !isFocusLost()) return;
    pane.current?.querySelector<HTMLElement>('[data-composer]')?.focus();
  }, [pane, isReady]);

  useEffect(() => {
    if (root === undefined) return;
    return () => {
      if (!isFocusLost()) return;
      const message = `[data-message="${CSS.escape(root)}"]`;
      document.querySelector<HTMLElement>(message)?.focus({ preventScroll: true });
    };
  }, [root]);
}
