import type { NotificationPartsFragment } from '../generated/graphql.ts';

/** A notification from the server. Once read, it stays read. */
export type Notification = Readonly<NotificationPartsFragment>;

export type Filter = 'all' | 'unread';

/**
 * A notification's position in the list. It stays when the notification changes, so that no row moves under the
 * pointer.
 */
interface Position {
  readonly id: string;
  /** The notification's `updatedAt` when it was added. */
  readonly at: string;
}

/** What the panel shows: the viewer's notifications from the newest on, without gaps. */
export interface Listing {
  readonly filter: Filter;
  /** Newest first. */
  readonly positions: readonly Position[];
  /** Includes some that are older than the listed ones: a live update arrived before their page. */
  readonly known: ReadonlyMap<string, Notification>;
  /** Those that were unread when the panel was opened, or arrived later. */
  readonly fresh: ReadonlySet<string>;
  /** Whether there are further pages. `unknown` until the first page was read. */
  readonly rest: 'unknown' | 'none' | { readonly after: string };
}

export interface ListingPage {
  readonly nodes: readonly Notification[];
  /** The cursor of the next page. Undefined on the last page. */
  readonly after: string | undefined;
}

/** The most notifications that are listed. Older activity can be found in the rooms. */
export const MAX_LISTED = 1_000;
/** The most notifications that are kept, including those older than the listed ones. */
const MAX_KNOWN = 1_500;

export const emptyListing = (filter: Filter, before?: Listing): Listing => {
  const fresh = before?.fresh ?? new Set<string>();
  // The filter "unread" also keeps those that were read since the panel was opened.
  const known = new Map([...(before?.known ?? [])].filter(([id]) => fresh.has(id)));
  return { filter, positions: [], known, fresh, rest: 'unknown' };
};

/** Adds the first or the next page. */
export function withPage(listing: Listing, { nodes, after }: ListingPage): Listing {
  const known = new Map(listing.known);
  const fresh = new Set(listing.fresh);
  const positions = [...listing.positions];
  const listed = new Set(positions.map(({ id }) => id));
  for (const one of nodes) {
    // A live update is newer than the page, except that a read notification stays read.
    const before = known.get(one.id);
    const now = before === undefined || (before.readAt === null && one.readAt !== null) ? one : before;
    known.set(one.id, now);
    if (one.readAt === null) fresh.add(one.id);
    if (!listed.has(one.id)) positions.push({ id: one.id, at: one.updatedAt });
    listed.add(one.id);
  }
  const isAll = after === undefined || positions.length >= MAX_LISTED;
  return withKnownInRange({ ...listing, known, fresh, positions, rest: isAll ? 'none' : { after } });
}

/** Applies a live update: a changed or a new notification. */
export function withUpdated(listing: Listing, one: Notification): Listing {
  const before = listing.known.get(one.id);
  // It was read in the meantime, so an unread version is out of date.
  if (before !== undefined && before.readAt !== null && one.readAt === null) return listing;
  if (before === undefined && listing.known.size >= MAX_KNOWN) return listing;
  const known = new Map(listing.known).set(one.id, one);
  const fresh = one.readAt === null ? new Set(listing.fresh).add(one.id) : listing.fresh;
  return withKnownInRange({ ...listing, known, fresh });
}

/** Removes a notification because all its activity was undone. */
export function withoutOne(listing: Listing, id: string): Listing {
  if (!listing.known.has(id)) return listing;
  const known = new Map(listing.known);
  known.delete(id);
  const fresh = new Set(listing.fresh);
  fresh.delete(id);
  return { ...listing, known, fresh, positions: listing.positions.filter((position) => position.id !== id) };
}

/** Marks all as read and removes their highlights. */
export const withAllRead = (listing: Listing, readAt: string): Listing => ({
  ...listing,
  fresh: new Set(),
  known: new Map([...listing.known].map(([id, one]) => [id, one.readAt === null ? { ...one, readAt } : one])),
});

/** Reverts `withAllRead` and keeps the live updates since then. */
export const withoutReading = (
  listing: Listing,
  { readAt, fresh }: { readonly readAt: string; readonly fresh: ReadonlySet<string> },
): Listing => ({
  ...listing,
  fresh: new Set([...fresh, ...listing.fresh].filter((id) => listing.known.has(id))),
  known: new Map(
    [...listing.known].map(([id, one]) => [id, one.readAt === readAt ? { ...one, readAt: null } : one]),
  ),
});

export const shownIn = ({ positions, known }: Listing): Notification[] =>
  positions.flatMap(({ id }) => known.get(id) ?? []);

/** Inserts known notifications that fall into the listed range. */
function withKnownInRange(listing: Listing): Listing {
  const { filter, known, fresh, rest } = listing;
  if (rest === 'unknown') return listing;
  const listed = new Set(listing.positions.map(({ id }) => id));
  const end = rest === 'none' ? '' : (listing.positions.at(-1)?.at ?? '');
  const missing = [...known.values()].filter(
    ({ id, updatedAt }) => !listed.has(id) && updatedAt >= end && (filter === 'all' || fresh.has(id)),
  );
  if (missing.length === 0) return listing;
  const positions = [...listing.positions];
  for (const { id, updatedAt } of missing) {
    const index = positions.findIndex(({ at }) => at < updatedAt);
    positions.splice(index === -1 ? positions.length : index, 0, { id, at: updatedAt });
  }
  return { ...listing, positions };
}
