import { createContext, use } from 'react';
import type { Api } from '../api/api.ts';
import { createApi } from '../api/api.ts';
import { createDrafts, type Drafts } from '../composer/drafts.ts';
import { createOutbox, type Outbox } from '../composer/outbox.ts';
import { type ProfileFragment, type StampPartsFragment, StartDocument } from '../generated/graphql.ts';
import { createRooms, type Rooms } from '../rooms/rooms.ts';
import { createSavedMarks, type SavedMarks } from '../saved/marks.ts';
import { createScheduledFailures, type ScheduledFailures } from '../scheduled/failures.ts';
import { createSerializer, type Serialize } from '../state/serialize.ts';
import { createStore, type Store } from '../state/store.ts';
import type { RoomStore } from '../timeline/roomStore.ts';
import { type Badge, createBadge } from '../unread/badge.ts';
import type { Tokens } from './tokens.ts';

/** Without what the page adds. */
export type StartedSession = Omit<Session, 'changeViewer'>;

/** A signed-in user, and everything that runs for them until they sign out. */
export interface Session {
  readonly viewer: Readonly<ProfileFragment>;
  /** The language of the texts that the server sends, as of the start of the session: BCP 47. */
  readonly locale: string;
  /** The catalogue. */
  readonly stamps: readonly Readonly<StampPartsFragment>[];
  readonly api: Api;
  readonly rooms: Rooms;
  readonly badge: Badge;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  readonly savedMarks: SavedMarks;
  readonly scheduledFailures: ScheduledFailures;
  /** For actions that the viewer can undo before the server has answered. */
  readonly serialize: Serialize;
  /** The room on the screen, if one is open. Its page sets it. */
  readonly openRoom: Store<OpenRoom | undefined>;
  /**
   * Whether the page makes the sound for news of one of these kinds. Its alerts set it, and until they run it makes
   * none.
   */
  readonly ringsFor: Store<((kinds: readonly string[]) => boolean) | undefined>;
  /** The viewer has changed their profile on this page. */
  changeViewer(viewer: ProfileFragment): void;
  /** Aborted by `end`. What outlives the session must not speak to the next user of the page. */
  readonly ended: AbortSignal;
  end(): void;
}

export interface OpenRoom {
  readonly roomId: string;
  readonly store: RoomStore;
}

/** Rejects with `ApiError` if the server refuses the token or does not answer. */
export async function startSession(tokens: Tokens): Promise<StartedSession> {
  const api = createApi(tokens);
  try {
    const { viewer, stamps } = await api.query(StartDocument, {});
    return sessionOf(api, { viewer: viewer.user, locale: viewer.locale, stamps });
  } catch (error) {
    api.close();
    throw error;
  }
}

function sessionOf(api: Api, start: Pick<Session, 'viewer' | 'locale' | 'stamps'>): StartedSession {
  const { viewer } = start;
  const over = new AbortController();
  const rooms = createRooms(api);
  const badge = createBadge(api, rooms.isKnown);
  badge.onRooms(() => void rooms.refresh());
  const outbox = createOutbox({ api, storage: sessionStorage, viewerId: viewer.id });
  const drafts = createDrafts(viewer.id);
  const openRoom = createStore<OpenRoom | undefined>(undefined);
  const ringsFor = createStore<ReturnType<Session['ringsFor']['get']>>(undefined);
  const savedMarks = createSavedMarks(api, () => [
    ...(openRoom.get()?.store.get().entities.server.values() ?? []),
  ]);
  const scheduledFailures = createScheduledFailures(api);
  void rooms.refresh();
  // So that a seat that the viewer waited for is announced as one, also after a reload.
  void rooms.refreshWaitlists();
  return {
    ...start,
    api,
    rooms,
    badge,
    outbox,
    openRoom,
    ringsFor,
    drafts,
    savedMarks,
    scheduledFailures,
    serialize: createSerializer(),
    ended: over.signal,
    end() {
      over.abort();
      rooms.stop();
      badge.stop();
      outbox.stop();
      drafts.stop();
      savedMarks.stop();
      scheduledFailures.stop();
      api.close();
    },
  };
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('useSession is only available to signed-in users.');
  return session;
}
