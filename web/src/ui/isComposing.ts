/** The key code that browsers report for keys that an input method handles. */
const PROCESSED = 229;

/**
 * Whether a key was handled by an input method (IME), which confirms words with Enter and cancels with Escape. Safari
 * ends the composition before it sends the key event, so only the key code identifies such a key there.
 */
export const isComposing = (event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  event.isComposing || event.keyCode === PROCESSED;
