import { type RefObject, useLayoutEffect } from 'react';
import { layoutChanged } from './layoutChange.ts';

/** Gives a field the height of its text, up to the `max-height` of its style. */
export function useTextHeight(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text.
  useLayoutEffect(() => {
    const area = field.current;
    const box = area?.parentElement;
    if (area === null || !box) return;
    const before = area.style.height;
    // The list around or above must not change its height meanwhile: that would change its scroll position.
    box.style.height = `${box.offsetHeight}px`;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight + 2}px`;
    box.style.height = '';
    if (area.style.height !== before) layoutChanged();
  }, [text]);
}
