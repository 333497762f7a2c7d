import type { NotificationPartsFragment } from '../generated/graphql.ts';

/** As the server told it: unread until it is read, and read for good. */
export type Notification = Readonly<NotificationPartsFragment>;

export type Filter = 'all' | 'unread';

/** Where one stands: it keeps its place when it changes, so that nothing moves under the pointer. */
interface Place {
  readonly id: string;
  /** Its `updatedAt` when it came. */
  readonly at: string;
}

/** What the panel shows: an unbroken part of the viewer's notifications, from the newest on. */
export interface Listing {
  readonly filter: Filter;
  /** Newest first. */
  readonly places: readonly Place[];
  /** Also some that are further back than what is listed: they were told before their page. */
  readonly known: ReadonlyMap<string, Notification>;
  /** Those that were unread when the panel was opened, or have come since. */
  readonly fresh: ReadonlySet<string>;
  /** `unknown` until the first page is there. */
  readonly rest: 'unknown' | 'none' | { readonly after: string };
}

export interface ListingPage {
  readonly nodes: readonly Notification[];
  /** The cursor to go on behind; undefined where this was the last page. */
  readonly after: string | undefined;
}

/** So many are listed at most; who wants to go back further looks in the rooms. */
export const MOST_LISTED = 1_000;
/** Of those further back so many are remembered at most. */
const MOST_KNOWN = 1_500;

export const emptyListing = (filter: Filter, before?: Listing): Listing => {
  const fresh = before?.fresh ?? new Set<string>();
  // Who asks for the unread ones also means those that were so a moment ago.
  const known = new Map([...(before?.known ?? [])].filter(([id]) => fresh.has(id)));
  return { filter, places: [], known, fresh, rest: 'unknown' };
};

/** The next page, or the first one. */
export function withPage(listing: Listing, { nodes, after }: ListingPage): Listing {
  const known = new Map(listing.known);
  const fresh = new Set(listing.fresh);
  const places = [...listing.places];
  const placed = new Set(places.map(({ id }) => id));
  for (const one of nodes) {
    // What was told live is newer than a page, but for being read: that stays.
    const before = known.get(one.id);
    const now = before === undefined || (before.readAt === null && one.readAt !== null) ? one : before;
    known.set(one.id, now);
    if (one.readAt === null) fresh.add(one.id);
    if (!placed.has(one.id)) places.push({ id: one.id, at: one.updatedAt });
    placed.add(one.id);
  }
  const isAll = after === undefined || places.length >= MOST_LISTED;
  return inPlace({ ...listing, known, fresh, places, rest: isAll ? 'none' : { after } });
}

/** One as it has become, or one that is new. */
export function withTold(listing: Listing, one: Notification): Listing {
  const before = listing.known.get(one.id);
  // It was read meanwhile: what says otherwise was on its way.
  if (before !== undefined && before.readAt !== null && one.readAt === null) return listing;
  if (before === undefined && listing.known.size >= MOST_KNOWN) return listing;
  const known = new Map(listing.known).set(one.id, one);
  const fresh = one.readAt === null ? new Set(listing.fresh).add(one.id) : listing.fresh;
  return inPlace({ ...listing, known, fresh });
}

/** Without one of which everything was taken back. */
export function withoutOne(listing: Listing, id: string): Listing {
  if (!listing.known.has(id)) return listing;
  const known = new Map(listing.known);
  known.delete(id);
  const fresh = new Set(listing.fresh);
  fresh.delete(id);
  return { ...listing, known, fresh, places: listing.places.filter((place) => place.id !== id) };
}

/** All of them read, and none of them highlighted any more. */
export const withAllRead = (listing: Listing, readAt: string): Listing => ({
  ...listing,
  fresh: new Set(),
  known: new Map([...listing.known].map(([id, one]) => [id, one.readAt === null ? { ...one, readAt } : one])),
});

/** As it was before `withAllRead`, but for what was told since. */
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

export const shownIn = ({ places, known }: Listing): Notification[] =>
  places.flatMap(({ id }) => known.get(id) ?? []);

/** Gives a place to those that are known and belong among the listed ones. */
function inPlace(listing: Listing): Listing {
  const { filter, known, fresh, rest } = listing;
  if (rest === 'unknown') return listing;
  const placed = new Set(listing.places.map(({ id }) => id));
  const end = rest === 'none' ? '' : (listing.places.at(-1)?.at ?? '');
  const missing = [...known.values()].filter(
    ({ id, updatedAt }) => !placed.has(id) && updatedAt >= end && (filter === 'all' || fresh.has(id)),
  );
  if (missing.length === 0) return listing;
  const places = [...listing.places];
  for (const { id, updatedAt } of missing) {
    const index = places.findIndex(({ at }) => at < updatedAt);
    places.splice(index === -1 ? places.length : index, 0, { id, at: updatedAt });
  }
  return { ...listing, places };
}
