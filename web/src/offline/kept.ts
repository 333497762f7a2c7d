/**
 * What this browser keeps of the rooms that a user has read last, for the time without the server: in the browser's
 * caches, one for each user, until they sign out. The service worker never sees it.
 */
const PREFIX = 'tsudoi:rooms:';

/** Without HTTPS there are no caches. */
export const canKeep = (): boolean => 'caches' in window && 'serviceWorker' in navigator;

export const cacheOf = (userId: string): string => `${PREFIX}${encodeURIComponent(userId)}`;

export const keptCaches = async (): Promise<readonly string[]> =>
  canKeep() ? (await caches.keys()).filter((name) => name.startsWith(PREFIX)) : [];

/** Deletes what is kept for a user who signs out; without one, what is kept for all. Never rejects. */
export async function forgetKept(userId?: string): Promise<void> {
  try {
    const names = userId === undefined ? await keptCaches() : [cacheOf(userId)];
    await Promise.all(names.map((name) => caches.delete(name)));
  } catch {
    // Without HTTPS, or with storage turned off, nothing is kept.
  }
}
