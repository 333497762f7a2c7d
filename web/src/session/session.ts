import { createContext, use } from 'react';
import type { Api } from '../api/api.ts';
import { createApi } from '../api/api.ts';
import { createDrafts, type Drafts } from '../composer/drafts.ts';
import { createOutbox, type Outbox } from '../composer/outbox.ts';
import { type PersonFragment, type StampPartsFragment, StartDocument } from '../generated/graphql.ts';
import { createRooms, type Rooms } from '../rooms/rooms.ts';
import { createTurns, type InTurn } from '../state/turns.ts';
import type { RoomLog } from '../timeline/roomLog.ts';
import { type Badge, createBadge } from '../unread/badge.ts';

/** A person who is signed in, and everything that goes on for them until they leave. */
export interface Session {
  readonly viewer: Readonly<PersonFragment>;
  /** The language that the server worded texts in for the viewer when the session began: BCP 47. */
  readonly locale: string;
  /** The catalogue. */
  readonly stamps: readonly Readonly<StampPartsFragment>[];
  readonly api: Api;
  readonly rooms: Rooms;
  readonly badge: Badge;
  readonly outbox: Outbox;
  readonly drafts: Drafts;
  /** For what the viewer does and takes back before the server has answered. */
  readonly inTurn: InTurn;
  /** The room that is open, for what happens elsewhere and concerns it. */
  readonly openLog: { current: RoomLog | undefined; roomId: string | undefined };
  end(): void;
}

/** Rejects with `ApiError` where the token is not good, or the server does not answer. */
export async function startSession(token: string): Promise<Session> {
  const api = createApi(token);
  try {
    const { viewer, stamps } = await api.ask(StartDocument, {});
    return sessionOf(api, { viewer: viewer.user, locale: viewer.locale, stamps });
  } catch (error) {
    api.close();
    throw error;
  }
}

function sessionOf(api: Api, start: Pick<Session, 'viewer' | 'locale' | 'stamps'>): Session {
  const { viewer } = start;
  const openLog: Session['openLog'] = { current: undefined, roomId: undefined };
  const rooms = createRooms(api);
  const badge = createBadge(api, rooms.isKnown);
  badge.onRooms(() => void rooms.refresh());
  const logOf = (roomId: string) => (openLog.roomId === roomId ? openLog.current : undefined);
  const outbox = createOutbox({
    api,
    storage: sessionStorage,
    viewerId: viewer.id,
    sending: (roomId) => logOf(roomId)?.hold() ?? (() => {}),
    onSent: (message, roomId) => logOf(roomId)?.added(message),
  });
  void rooms.refresh();
  return {
    ...start,
    ...{ api, rooms, badge, outbox, openLog },
    drafts: createDrafts(viewer.id),
    inTurn: createTurns(),
    end() {
      badge.stop();
      outbox.stop();
      api.close();
    },
  };
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = use(SessionContext);
  if (session === undefined) throw new Error('Only for who is signed in.');
  return session;
}
