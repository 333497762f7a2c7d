import type { PersonFragment, RoomPartsFragment } from '../generated/graphql.ts';
import type { SharedMessage } from '../timeline/message.ts';
import { cacheOf, keptCaches } from './kept.ts';

type KeptMessage = Readonly<
  Pick<SharedMessage, 'id' | 'author' | 'body' | 'createdAt' | 'mentions' | 'replyCount'>
>;

export interface KeptRoom {
  readonly room: Readonly<Pick<RoomPartsFragment, 'id' | 'name' | 'people'>>;
  /** When it was kept, in milliseconds since 1970. */
  readonly at: number;
  /** The newest roots, oldest first. */
  readonly messages: readonly KeptMessage[];
}

interface Owner {
  readonly viewer: Readonly<PersonFragment>;
  /** It is shown only with the token that it was kept with. */
  readonly tokenHash: string;
}

export interface Kept {
  readonly viewer: Readonly<PersonFragment>;
  /** The one that was read last comes first. */
  readonly rooms: readonly KeptRoom[];
}

export interface KeptRooms {
  put(room: KeptRoom): Promise<void>;
  /** Deletes those that do not pass, for example because the viewer has left them. */
  keepOnly(passes: (roomId: string) => boolean): Promise<void>;
}

const ROOMS_MAX = 10;
/** Messages of a room. */
export const MESSAGES_MAX = 50;

/** Caches have addresses as keys. Nothing is at these. */
const OWNER = '/offline/owner';
const ROOMS = '/offline/rooms/';

/** The room of an entry. Undefined for other entries. */
const roomIn = ({ url }: Request): string | undefined => {
  const { pathname } = new URL(url);
  return pathname.startsWith(ROOMS) ? decodeURIComponent(pathname.slice(ROOMS.length)) : undefined;
};

/** All rooms of a cache. The one that was kept last comes first. */
async function roomsIn(cache: Cache): Promise<readonly { entry: Request; kept: KeptRoom }[]> {
  const entries = (await cache.keys()).filter((entry) => roomIn(entry) !== undefined);
  const read = async (entry: Request) => {
    const kept = (await (await cache.match(entry))?.json()) as KeptRoom | undefined;
    return kept === undefined ? [] : [{ entry, kept }];
  };
  const found = (await Promise.all(entries.map(read))).flat();
  return found.sort((one, other) => other.kept.at - one.kept.at);
}

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
    async put(kept) {
      // It replaces the former one in one step: the page may be closed at any time.
      await cache.put(`${ROOMS}${encodeURIComponent(kept.room.id)}`, new Response(JSON.stringify(kept)));
      for (const { entry } of (await roomsIn(cache)).slice(ROOMS_MAX)) await cache.delete(entry);
    },
    async keepOnly(passes) {
      for (const entry of await cache.keys()) {
        const room = roomIn(entry);
        if (room !== undefined && !passes(room)) await cache.delete(entry);
      }
    },
  };
}

/** What was kept with this token. */
export async function readKept(token: string): Promise<Kept | undefined> {
  const tokenHash = await hashOf(token);
  for (const name of await keptCaches()) {
    const cache = await caches.open(name);
    const owner = (await (await cache.match(OWNER))?.json()) as Owner | undefined;
    if (owner?.tokenHash !== tokenHash) continue;
    return { viewer: owner.viewer, rooms: (await roomsIn(cache)).map(({ kept }) => kept) };
  }
  return undefined;
}
