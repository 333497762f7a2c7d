import { type RefObject, useEffect } from 'react';
import { isFocusLost } from '../ui/isFocusLost.ts';
import type { Opener } from '../ui/useOpener.ts';
import { useHasOnePane } from '../ui/widths.ts';

/**
 * In a narrow window, the members cover the button that opened them: their heading gets the focus. It stays in the
 * members, and in a dialog or menu of theirs, if the window becomes narrow. If they close with the focus inside, it
 * returns to that button.
 */
export function useMembersFocus(
  heading: RefObject<HTMLElement | null>,
  opener: RefObject<Opener | undefined>,
): void {
  const coversRoom = useHasOnePane();
  useEffect(() => {
    if (coversRoom && (isFocusLost() || isCovered(document.activeElement))) heading.current?.focus();
  }, [heading, coversRoom]);
  useEffect(
    () => () => {
      if (isFocusLost()) opener.current?.element.focus();
    },
    [opener],
  );
}

/** A covered element loses the focus only in the next frame. */
const isCovered = (element: Element | null): boolean =>
  element?.checkVisibility({ visibilityProperty: true }) === false;
