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
export const forgetKept = (userId?: string): Promise<void> =>
  deleteCaches((name) => userId === undefined || name === cacheOf(userId));

/**
 * Deletes what is kept for former users, whose sign-in ended without a sign-out. Only to be called where all windows of
 * the browser are the same user. Never rejects.
 */
export const forgetOthersKept = (userId: string): Promise<void> =>
  deleteCaches((name) => name !== cacheOf(userId));

async function deleteCaches(isWanted: (name: string) => boolean): Promise<void> {
  try {
    const names = (await keptCaches()).filter(isWanted);
    await Promise.all(names.map((name) => caches.delete(name)));
  } catch {
    // Without HTTPS, or with storage turned off, nothing is kept.
  }
}
