/**
 * Deletes what this browser's local storage has about a user who signs out, such as the rooms that they opened last:
 * all places of the form `tsudoi:<what>:<id of the user>`. What belongs to the browser stays, such as its look.
 */
export function forgetViewer(viewerId: string): void {
  const isTheirs = (place: string) => place.startsWith('tsudoi:') && place.endsWith(`:${viewerId}`);
  for (const place of Object.keys(localStorage).filter(isTheirs)) localStorage.removeItem(place);
}
