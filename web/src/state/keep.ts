/**
 * Keeps a text in the browser, and returns whether it was kept. If the storage is full, the text is lost with the page,
 * and the user's action goes on.
 */
export function keep(storage: Pick<Storage, 'setItem'>, place: string, text: string): boolean {
  try {
    storage.setItem(place, text);
    return true;
  } catch {
    return false;
  }
}
