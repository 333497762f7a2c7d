/**
 * Keeps a text in the browser. What cannot be kept, because the storage is full, is lost with the page: what the user
 * does does not fail because of that. Returns whether it was kept.
 */
export function keep(storage: Pick<Storage, 'setItem'>, place: string, text: string): boolean {
  try {
    storage.setItem(place, text);
    return true;
  } catch {
    return false;
  }
}
