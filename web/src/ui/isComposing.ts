/** What an input method says that it deals with itself, in place of the key's own code. */
const PROCESSED = 229;

/**
 * Whether a key was for an input method, which chooses words with Enter and gives up with Escape. Safari has already
 * ended the composition when it tells of the key that did; only the code is left to know it by.
 */
export const isComposing = (event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  event.isComposing || event.keyCode === PROCESSED;
