import type { KeptMessagePartsFragment, PersonFragment, RoomPartsFragment } from '../generated/graphql.ts';
import { cacheOf, keptCaches } from './kept.ts';

export interface KeptRoom {
  readonly room: Readonly<Pick<RoomPartsFragment, 'id' | 'name' | 'people'>>;
  /** When it was read from the server, in milliseconds since 1970. */
  readonly at: number;
  /** When the viewer had it open. */
  readonly openedAt: number;
  /** Its events follow this cursor. Undefined if it is not known: while it is open, the messages change one by one. */
  readonly cursor?: string;
  /** The newest roots, oldest first. */
  readonly messages: readonly Readonly<KeptMessagePartsFragment>[];
}

interface Owner {
  readonly viewer: Readonly<PersonFragment>;
  /** It is shown only with the token that it was kept with. */
  readonly tokenHash: string;
}

export interface Kept {
  readonly viewer: Readonly<PersonFragment>;
  /** The room that was opened last comes first. */
  readonly rooms: readonly KeptRoom[];
}

/** What a room is replaced with; undefined to delete it. */
type Change = (before: KeptRoom | undefined) => KeptRoom | undefined;

export interface KeptRooms {
  /** The room that was opened last comes first. */
  rooms(): Promise<readonly KeptRoom[]>;
  /** Changes are made one after the other, also those of other tabs. */
  change(roomId: string, change: Change): Promise<void>;
  /** Deletes those that do not pass, for example because the viewer has left them. */
  keepOnly(passes: (roomId: string) => boolean): Promise<void>;
}

const ROOMS_MAX = 10;
/** Messages of a room. */
export const MESSAGES_MAX = 50;
/** A room that has not been open for this time is deleted, in milliseconds: 30 days. */
const AGE_MAX_MS = 30 * 86_400_000;

/** Caches have addresses as keys. Nothing is at these. */
const OWNER = '/offline/owner';
const ROOMS = '/offline/rooms/';
const placeOf = (roomId: string): string => `${ROOMS}${encodeURIComponent(roomId)}`;

/** The room of an entry. Undefined for other entries. */
const roomIn = ({ url }: Request): string | undefined => {
  const { pathname } = new URL(url);
  return pathname.startsWith(ROOMS) ? decodeURIComponent(pathname.slice(ROOMS.length)) : undefined;
};

async function keptIn(cache: Cache, entry: Request | string): Promise<KeptRoom | undefined> {
  return (await (await cache.match(entry))?.json()) as KeptRoom | undefined;
}

/**
 * All rooms of a cache. The room that was opened last comes first. Deletes those that are too many or too old, so it
 * must run alone.
 */
async function roomsIn(cache: Cache): Promise<readonly KeptRoom[]> {
  const entries = (await cache.keys()).filter((entry) => roomIn(entry) !== undefined);
  const read = async (entry: Request) => ({ entry, kept: await keptIn(cache, entry) });
  const found = (await Promise.all(entries.map(read))).flatMap(({ entry, kept }) =>
    kept === undefined ? [] : [{ entry, kept }],
  );
  const oldest = Date.now() - AGE_MAX_MS;
  const current = found
    // One without this time is of an earlier release.
    .filter(({ kept }) => kept.openedAt > oldest)
    .sort((one, other) => other.kept.openedAt - one.kept.openedAt)
    .slice(0, ROOMS_MAX);
  for (const one of found) if (!current.includes(one)) await cache.delete(one.entry);
  return current.map(({ kept }) => kept);
}

/** Runs a change after those of all tabs: a room that is being kept while all are deleted does not come back. */
const alone = <T>(change: () => Promise<T>): Promise<T> => navigator.locks.request('tsudoi:rooms', change);

async function hashOf(token: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return btoa(String.fromCharCode(...new Uint8Array(hash)));
}

/**
 * Opens the cache of a user. If it is deleted later, what is put into this one is gone with it: a room that is being
 * kept while the user signs out does not come back.
 */
export async function openKept(viewer: PersonFragment, token: string): Promise<KeptRooms> {
  const cache = await caches.open(cacheOf(viewer.id));
  const owner: Owner = { viewer, tokenHash: await hashOf(token) };
  await cache.put(OWNER, new Response(JSON.stringify(owner)));
  return {
    rooms: () => alone(() => roomsIn(cache)),
    change: (roomId, change) =>
      alone(async () => {
        const place = placeOf(roomId);
        const before = await keptIn(cache, place);
        const next = change(before);
        if (next === before) return;
        if (next === undefined) await cache.delete(place);
        // It replaces the former one in one step: the page may be closed at any time.
        else await cache.put(place, new Response(JSON.stringify(next)));
        await roomsIn(cache);
      }),
    keepOnly: (passes) =>
      alone(async () => {
        for (const entry of await cache.keys()) {
          const room = roomIn(entry);
          if (room !== undefined && !passes(room)) await cache.delete(entry);
        }
      }),
  };
}

/** The caches of all users of this browser. */
async function* openAll(): AsyncGenerator<Cache> {
  // `open` would create one again that was deleted in the meantime.
  for (const name of await keptCaches()) if (await caches.has(name)) yield await caches.open(name);
}

/** Deletes what is too old, of all users of this browser. */
export const dropOld = (): Promise<void> =>
  alone(async () => {
    // A cache stays, also without rooms: another tab may be about to keep some in it.
    for await (const cache of openAll()) await roomsIn(cache);
  });

/**
 * Deletes the rooms of all users of this browser, and who the other users are. Open pages go on keeping: a room that is
 * open in another tab comes back when it changes or that tab is hidden. Pages of the other users do so when they are
 * opened again.
 */
export const deleteRooms = (viewerId: string): Promise<void> =>
  alone(async () => {
    const own = cacheOf(viewerId);
    for (const name of await keptCaches()) if (name !== own) await caches.delete(name);
    // The viewer's pages have this one open, and what they keep must stay readable.
    const cache = await caches.open(own);
    for (const entry of await cache.keys()) if (roomIn(entry) !== undefined) await cache.delete(entry);
  });

/** What was kept with this token. */
export async function readKept(token: string): Promise<Kept | undefined> {
  const tokenHash = await hashOf(token);
  return alone(async () => {
    for await (const cache of openAll()) {
      const owner = (await (await cache.match(OWNER))?.json()) as Owner | undefined;
      if (owner?.tokenHash !== tokenHash) continue;
      return { viewer: owner.viewer, rooms: await roomsIn(cache) };
    }
    return undefined;
  });
}
