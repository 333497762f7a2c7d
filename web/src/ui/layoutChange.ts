const LAYOUT_CHANGE = 'tsudoi:layout';

/**
 * Says that this part has become higher or lower, in the same task. Until the next frame, in which observers are
 * called, it might change back, and a list beside it would not know why the browser has moved its scroll position.
 */
export const layoutChanged = (): boolean => dispatchEvent(new Event(LAYOUT_CHANGE));

/** Calls the listener at each change, until the returned function is called. */
export function onLayoutChange(listener: () => void): () => void {
  addEventListener(LAYOUT_CHANGE, listener);
  return () => removeEventListener(LAYOUT_CHANGE, listener);
}
