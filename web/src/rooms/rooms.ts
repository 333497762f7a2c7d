import type { Api } from '../api/api.ts';
import { asApiError, isTemporary } from '../api/errors.ts';
import { RoomDocument } from '../generated/graphql.ts';
import { createRoomList, type RoomList } from './list.ts';
import { createNews, type RoomNews } from './news.ts';

/** Keeps what the client knows of the viewer's rooms true. */
export interface Rooms extends Pick<RoomNews, 'onNews' | 'lost' | 'waits'> {
  readonly own: Pick<RoomList, 'get' | 'subscribe'>;
  /** Reads the list again; a call while it is being read makes it be read once more. */
  refresh(): Promise<void>;
  /** Reads one room again: its name, topic or number of members are other ones, or the viewer's part in it. */
  refreshRoom(id: string): Promise<void>;
  /** Whether the list has this room, muted or not. */
  isKnown(roomId: string, muted: boolean): boolean;
  /** Does what brings the viewer into a room or out of one, and reads the list: to themselves it is no news. */
  deed<T>(act: () => Promise<T>, roomOf: (answer: T) => string): Promise<T>;
}

export function createRooms(api: Pick<Api, 'client' | 'ask' | 'connection'>): Rooms {
  const own = createRoomList(api);
  const news = createNews(own.get);

  const refresh = coalesced(async () => {
    for (;;) {
      try {
        await own.read();
        return news.look();
      } catch (error) {
        if (!isTemporary(asApiError(error))) return;
        await api.connection.gate.wait();
      }
    }
  });

  const readers = new Map<string, () => Promise<void>>();

  return {
    own,
    refresh,
    refreshRoom(id) {
      let read = readers.get(id);
      if (read === undefined) {
        // A room that cannot be read now is read when it is opened again.
        read = coalesced(() => api.ask(RoomDocument, { id }).then(nothing, nothing));
        readers.set(id, read);
      }
      return read();
    },
    isKnown: (roomId, muted) =>
      own.get()?.some(({ room, muted: now }) => room.id === roomId && now === muted) ?? true,
    deed: (act, roomOf) =>
      news.quietly(async () => {
        const answer = await act();
        await refresh();
        return answer;
      }, roomOf),
    onNews: news.onNews,
    lost: news.lost,
    waits: news.waits,
  };
}

const nothing = () => {};

/** Of calls while it runs, all are one more run behind it: what they were made for is in what that reads. */
function coalesced(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  function start(): Promise<void> {
    running = run().finally(() => {
      running = undefined;
    });
    return running;
  }
  return () => {
    if (running === undefined) return start();
    next ??= running.then(() => {
      next = undefined;
      return start();
    });
    return next;
  };
}
