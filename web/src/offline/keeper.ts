import type { OpenRoom, Session } from '../session/session.ts';
import type { RoomState } from '../timeline/roomState.ts';
import { dropOld, type KeptRoom, MESSAGES_MAX, openKept } from './keptRooms.ts';
import { refresh } from './refresh.ts';
import { keepPage } from './worker.ts';

type Kept = Pick<Session, 'api' | 'viewer' | 'rooms' | 'openRoom'>;

/** Changes within this time are kept together, in milliseconds. */
const TOGETHER_MS = 1_000;

/**
 * Keeps the page, and the newest messages of the open room while they change, until the returned function is called.
 * The rooms that were kept before are read again at the start, if something has happened in them.
 */
export function keep({ api, viewer, rooms, openRoom }: Kept, token: string): () => void {
  const opened = openKept(viewer, token);
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let followed: OpenRoom | undefined;
  let stopReading = () => {};

  const save = async () => {
    clearTimeout(timer);
    timer = undefined;
    const kept = current();
    if (kept !== undefined) await (await opened).change(kept.room.id, () => kept);
  };
  // A browser without space keeps nothing.
  const trySaving = () => void save().catch(() => {});
  const saveSoon = () => {
    timer ??= setTimeout(trySaving, TOGETHER_MS);
  };
  function current(): KeptRoom | undefined {
    const room = rooms.own.get()?.find((own) => own.room.id === followed?.roomId)?.room;
    const messages = followed && newestOf(followed.store.get());
    if (room === undefined || messages === undefined) return undefined;
    const { id, name, people } = room;
    const now = Date.now();
    return { room: { id, name, people }, at: now, openedAt: now, messages };
  }

  const follow = () => {
    // A message may just have been deleted in the room that is left.
    if (timer !== undefined) trySaving();
    stopReading();
    followed = openRoom.get();
    stopReading = followed === undefined ? () => {} : followed.store.subscribe(saveSoon);
    if (followed !== undefined) saveSoon();
  };
  const drop = () => {
    const own = rooms.own.get();
    if (own === undefined) return;
    const ids = new Set(own.map(({ room }) => room.id));
    void opened.then((kept) => kept.keepOnly((id) => ids.has(id))).catch(() => {});
    saveSoon();
  };
  const saveBeforeHiding = () => {
    if (document.visibilityState === 'hidden') trySaving();
  };

  follow();
  drop();
  // If it fails, the next page that is opened does it.
  void dropOld().catch(() => {});
  void opened.then((kept) => refresh(api, kept, over.signal)).catch(() => {});
  const stops = [openRoom.subscribe(follow), rooms.own.subscribe(drop), keepPage()];
  document.addEventListener('visibilitychange', saveBeforeHiding);
  return () => {
    over.abort();
    clearTimeout(timer);
    stopReading();
    for (const stop of stops) stop();
    document.removeEventListener('visibilitychange', saveBeforeHiding);
  };
}

/** The newest messages of a room, if they are loaded. */
function newestOf({ status, timeline, entities }: RoomState): KeptRoom['messages'] | undefined {
  if (status !== 'ready' || timeline.hasNewer) return undefined;
  return timeline.ids.slice(-MESSAGES_MAX).flatMap((id) => {
    const message = entities.server.get(id);
    if (message === undefined) return [];
    const { author, body, createdAt, mentions, replyCount } = message;
    return [{ id, author, body, createdAt, mentions, replyCount }];
  });
}
