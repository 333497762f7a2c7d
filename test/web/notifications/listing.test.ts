import { describe, expect, it } from 'vitest';
import {
  emptyListing,
  type Listing,
  MAX_LISTED,
  type Notification,
  shownIn,
  withAllRead,
  withoutOne,
  withoutReading,
  withPage,
  withUpdated,
} from '../../../web/src/notifications/listing.ts';

const at = (minute: number) => new Date(minute * 60_000).toISOString();

const one = (id: string, minute: number, change: Partial<Notification> = {}): Notification => ({
  id,
  kind: 'LIKE',
  text: `${id} liked your message`,
  actorCount: 1,
  updatedAt: at(minute),
  readAt: null,
  actors: [],
  stamps: [],
  room: null,
  message: null,
  latestReply: null,
  ...change,
});

const read = { readAt: at(100) };
const ids = (listing: Listing) => shownIn(listing).map(({ id }) => id);
const listed = (...nodes: Notification[]) =>
  withPage(emptyListing('all'), { nodes, after: 'behind the last' });

describe('web notifications', () => {
  it('listing: keeps the position of a changed notification, adds a new one on top, and removes one', () => {
    let listing = listed(one('c', 3), one('b', 2), one('a', 1));
    listing = withUpdated(listing, one('a', 9, { text: 'a and d liked your message' }));
    expect(ids(listing)).toEqual(['c', 'b', 'a']);
    expect(shownIn(listing)[2]?.text).toBe('a and d liked your message');
    listing = withUpdated(listing, one('e', 10));
    expect(ids(listing)).toEqual(['e', 'c', 'b', 'a']);
    expect(ids(withoutOne(listing, 'b'))).toEqual(['e', 'c', 'a']);
  });

  it('listing: hides an update for an older page until that page is read', () => {
    let listing = withUpdated(listed(one('c', 5)), one('a', 1, { text: 'newer' }));
    expect(ids(listing)).toEqual(['c']);
    listing = withPage(listing, { nodes: [one('b', 2), one('a', 1)], after: undefined });
    expect(ids(listing)).toEqual(['c', 'b', 'a']);
    expect(shownIn(listing)[2]?.text).toBe('newer');
  });

  it('listing: shows updates received before the first page, if that is the only page', () => {
    const early = withUpdated(emptyListing('all'), one('b', 2));
    expect(ids(early)).toEqual([]);
    expect(ids(withPage(early, { nodes: [one('a', 1)], after: undefined }))).toEqual(['b', 'a']);
  });

  it('listing: keeps a read notification read when an older version arrives', () => {
    const listing = withUpdated(listed(one('a', 1)), one('a', 1, read));
    expect(shownIn(withUpdated(listing, one('a', 2)))[0]?.readAt).toBe(read.readAt);
    expect(shownIn(withPage(listing, { nodes: [one('a', 1)], after: undefined }))[0]?.readAt).toBe(
      read.readAt,
    );
  });

  it('listing: highlights notifications that arrived unread, until all are marked as read', () => {
    const listing = withUpdated(listed(one('b', 2), one('a', 1, read)), one('b', 2, read));
    expect([...listing.fresh]).toEqual(['b']);
    const allRead = withAllRead(withUpdated(listing, one('c', 3)), at(200));
    expect(allRead.fresh.size).toBe(0);
    expect(shownIn(allRead).every(({ readAt }) => readAt !== null)).toBe(true);
    const undone = withoutReading(withoutOne(allRead, 'b'), { readAt: at(200), fresh: new Set(['b', 'c']) });
    expect([...undone.fresh]).toEqual(['c']);
    expect(shownIn(undone).map(({ readAt }) => readAt)).toEqual([null, read.readAt]);
  });

  it('listing: the unread filter keeps those read since the panel was opened, and no other read ones', () => {
    const before = withUpdated(listed(one('c', 3), one('b', 2), one('a', 1, read)), one('c', 3, read));
    let listing = withPage(emptyListing('unread', before), { nodes: [one('b', 2)], after: undefined });
    listing = withUpdated(listing, one('z', 9, read));
    expect(ids(listing)).toEqual(['c', 'b']);
  });

  it('listing: ends at MAX_LISTED notifications', () => {
    const nodes = Array.from({ length: MAX_LISTED }, (_, index) => one(`n${index}`, MAX_LISTED - index));
    expect(withPage(emptyListing('all'), { nodes, after: 'more' }).rest).toBe('none');
  });
});
