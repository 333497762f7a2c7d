import type { ThreadReplyFragment, ThreadRootFragment } from '../generated/graphql.ts';

/** A thread that the viewer follows. */
export interface FollowedThread {
  readonly root: Readonly<ThreadRootFragment>;
  /** Undefined if it could not be read. */
  readonly newest: Readonly<ThreadReplyFragment> | undefined;
  readonly hasUnread: boolean;
}

export type Filter = 'all' | 'unread';

/** The viewer's threads from the newest reply on, without gaps. */
export interface Listing {
  readonly filter: Filter;
  /** The newest reply first. Undefined until the first page was read. */
  readonly threads: readonly FollowedThread[] | undefined;
  /** The cursor of the next page. Undefined on the last page. */
  readonly after: string | undefined;
}

export interface ListingPage {
  readonly threads: readonly FollowedThread[];
  readonly after: string | undefined;
}

export const emptyListing = (filter: Filter): Listing => ({ filter, threads: undefined, after: undefined });

const repliedAt = ({ root }: FollowedThread): string => root.lastReplyAt ?? root.createdAt;

/** Adds the first or the next page. A thread that is listed already has moved up in the meantime. */
export function withPage(listing: Listing, { threads, after }: ListingPage): Listing {
  const before = listing.threads ?? [];
  const listed = new Set(before.map(({ root }) => root.id));
  return { ...listing, threads: [...before, ...threads.filter(({ root }) => !listed.has(root.id))], after };
}

/** Adds a thread, or moves it to its place. One that belongs to a page that was not read yet is left out. */
export function withThread(listing: Listing, thread: FollowedThread): Listing {
  if (listing.threads === undefined) return listing;
  const others = listing.threads.filter(({ root }) => root.id !== thread.root.id);
  const place = others.findIndex((other) => repliedAt(other) < repliedAt(thread));
  if (place === -1 && listing.after !== undefined) return { ...listing, threads: others };
  return { ...listing, threads: others.toSpliced(place === -1 ? others.length : place, 0, thread) };
}

/** Shows whether a thread has something unread. It stays in the list of unread ones, so that no row moves away. */
export const withUnread = (listing: Listing, rootId: string, hasUnread: boolean): Listing => ({
  ...listing,
  threads: listing.threads?.map((one) => (one.root.id === rootId ? { ...one, hasUnread } : one)),
});
