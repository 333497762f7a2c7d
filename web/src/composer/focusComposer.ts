/** The composer where the focus is, or that of the room. */
function composer(): HTMLElement | null {
  const pane = document.activeElement?.closest('aside')?.querySelector<HTMLElement>('[data-composer]');
  return pane ?? document.querySelector<HTMLElement>('main [data-composer]');
}

/** The composer of the list that has a message: of the room, or of the open thread. */
export const composerOf = (pane: 'timeline' | 'thread'): HTMLElement | null =>
  document.querySelector<HTMLElement>(pane === 'thread' ? 'aside [data-composer]' : 'main [data-composer]');

export const focusComposer = (): void => composer()?.focus({ preventScroll: true });

/** On a device of which the keyboard covers half of the screen, the focus in a field is a choice of its own. */
export const hasKeyboard = (): boolean => !matchMedia('(pointer: coarse)').matches;

/** Elements that keep letters: fields, and what has a use for them of its own. */
const KEEPS_LETTERS =
  'input, textarea, select, [contenteditable], [role="dialog"] *, [role="menu"] *, [data-message]';

/** Whether a key pressed here begins a message, as if the composer had the focus. */
export function beginsMessage({
  key,
  target,
  altKey,
  ctrlKey,
  metaKey,
  defaultPrevented,
}: KeyboardEvent): boolean {
  if (defaultPrevented || altKey || ctrlKey || metaKey) return false;
  // Names of other keys are longer. The space bar presses buttons and scrolls.
  if ([...key].length !== 1 || key === ' ') return false;
  if (document.querySelector('[role="dialog"], [role="alertdialog"]') !== null) return false;
  return !(target instanceof Element && target.matches(KEEPS_LETTERS));
}
