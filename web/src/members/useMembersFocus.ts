import { type RefObject, useEffect } from 'react';
import { isFocusLost } from '../ui/isFocusLost.ts';
import type { Opener } from '../ui/useOpener.ts';
import { useHasOnePane } from '../ui/widths.ts';

/**
 * In a narrow window, the members cover the button that opened them: their heading gets the focus. If they close with
 * the focus inside, it returns to that button.
 */
export function useMembersFocus(
  heading: RefObject<HTMLElement | null>,
  opener: RefObject<Opener | undefined>,
): void {
  const coversRoom = useHasOnePane();
  useEffect(() => {
    if (coversRoom) heading.current?.focus();
  }, [heading, coversRoom]);
  useEffect(
    () => () => {
      if (isFocusLost()) opener.current?.element.focus();
    },
    [opener],
  );
}
