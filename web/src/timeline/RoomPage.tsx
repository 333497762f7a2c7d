import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useQuery } from 'urql';
import { useLocation } from 'wouter';
import { type Api, errorOf } from '../api/api.ts';
import { asApiError, isTemporary } from '../api/errors.ts';
import { FindMessageDocument, RoomDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { RoomHeader } from '../rooms/RoomHeader.tsx';
import { useTitle } from '../rooms/title.ts';
import { useSession } from '../session/session.ts';
import { roomPath } from '../shell/paths.ts';
import { lazily } from '../state/lazily.ts';
import { useStore } from '../state/store.ts';
import { ThreadPane } from '../thread/ThreadPane.tsx';
import { useToast } from '../ui/Toasts.tsx';
import type { Message } from './message.ts';
import { RoomContext } from './RoomContext.ts';
import styles from './RoomPage.module.css';
import type { RoomState } from './roomState.ts';
import { Timeline } from './Timeline.tsx';
import { type OpenedRoom, useOpenedRoom } from './useRoomLog.ts';

export interface RoomPageProps {
  readonly roomId: string;
  /** A message to bring onto the screen. */
  readonly messageId?: string;
  /** A thread to open beside the timeline. */
  readonly rootId?: string;
}

// What is not there at first has its script when it is needed.
const MembersPane = lazily(() => import('../members/MembersPane.tsx'));
const Outside = lazily(() => import('../rooms/Outside.tsx'));

const statusOf = ({ status }: RoomState) => status;

/** A room: its timeline, and beside it a thread or its members. */
export function RoomPage({ roomId, messageId, rootId }: RoomPageProps) {
  const [news, setNews] = useState<Message>();
  const opened = useOpenedRoom(roomId, setNews);
  return (
    <main id="main" className={styles.page}>
      {opened !== undefined && <Opened opened={opened} news={news} {...{ roomId, messageId, rootId }} />}
    </main>
  );
}

interface OpenedProps {
  readonly opened: OpenedRoom;
  readonly news: Message | undefined;
  readonly roomId: string;
  readonly messageId: string | undefined;
  readonly rootId: string | undefined;
}

function Opened({ opened, news, roomId, messageId, rootId }: OpenedProps) {
  const { t } = useI18n();
  const { api, rooms } = useSession();
  const [, navigate] = useLocation();
  const { log } = opened;
  const status = useStore(log, statusOf);
  const thread = useStore(log, threadOf);
  const [showsMembers, setShowsMembers] = useState(false);
  const room = useRoomParts(roomId);
  const titleOf = useTitle();
  const roomName = room === undefined ? '' : titleOf(room);
  const toast = useToast();
  // In another language it is the same link.
  const inWords = useRef(t);
  inWords.current = t;

  // What the address leads to was not for them before they came in.
  const [entrances, setEntrances] = useState(0);

  // A link leads to a root in the timeline, or to a reply in its thread.
  // biome-ignore lint/correctness/useExhaustiveDependencies: who has come in follows it again.
  useEffect(() => {
    let isOver = false;
    let hasThread = false;
    const open = async () => {
      const isReady = () => log.get().status === 'ready';
      if (messageId === undefined) return isReady() ? undefined : log.open();
      const node = await findMessage(api, messageId, () => isOver);
      if (isOver) return;
      const found = node?.__typename === 'Message' && node.room.id === roomId ? node : undefined;
      const inTimeline = found?.root?.id ?? found?.id;
      if (!isReady()) await log.open(inTimeline);
      else if (inTimeline !== undefined) await log.toMessage(inTimeline);
      if (isOver) return;
      // Outside it is for nobody to say whether there is such a message.
      if (inTimeline === undefined && isReady()) toast(inWords.current('timeline.notFound'));
      if (found?.root == null) return;
      hasThread = true;
      await log.openThread(found.root.id, found.id);
    };
    void open();
    return () => {
      isOver = true;
      if (hasThread) log.closeThread();
    };
  }, [api, log, roomId, messageId, toast, entrances]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    if (rootId === undefined) return;
    void log.openThread(rootId);
    setShowsMembers(false);
    // As when somebody goes back from its address.
    return log.closeThread;
  }, [log, rootId, entrances]);

  const closeMembers = useCallback(() => setShowsMembers(false), []);
  const closeThread = useCallback(() => {
    log.closeThread();
    navigate(roomPath(roomId));
  }, [log, navigate, roomId]);

  // A thread stands in the same place.
  const toggleMembers = () => {
    setShowsMembers(thread !== undefined || !showsMembers);
    if (thread !== undefined) closeThread();
  };
  const comeIn = useCallback(() => {
    void rooms.refreshRoom(roomId);
    setEntrances((before) => before + 1);
  }, [rooms, roomId]);

  if (status === 'absent') {
    return (
      <Suspense>
        <Outside roomId={roomId} onIn={comeIn} />
      </Suspense>
    );
  }
  return (
    <RoomContext value={{ ...opened, roomId, room, roomName, role: room?.viewerMembership?.role }}>
      <div className={styles.columns} data-beside={thread !== undefined || showsMembers || undefined}>
        <section className={styles.room} aria-label={roomName}>
          {room !== undefined && (
            <RoomHeader
              room={room}
              showsMembers={showsMembers && thread === undefined}
              onMembers={toggleMembers}
            />
          )}
          <Timeline key={roomId} />
        </section>
        {thread !== undefined && <ThreadPane key={thread} onClose={closeThread} />}
        <Suspense>
          {thread === undefined && showsMembers && room !== undefined && (
            <MembersPane room={room} onClose={closeMembers} />
          )}
        </Suspense>
      </div>
      <Announcement news={news} />
    </RoomContext>
  );
}

/** What is known of the room; asked for again until there is an answer. */
function useRoomParts(id: string) {
  const { api } = useSession();
  const [{ data, error }, ask] = useQuery({
    query: RoomDocument,
    variables: { id },
    requestPolicy: 'cache-and-network',
  });
  useEffect(() => {
    if (error === undefined || !isTemporary(errorOf(error))) return;
    let isOver = false;
    void api.connection.gate.wait().then(() => isOver || ask({ requestPolicy: 'network-only' }));
    return () => {
      isOver = true;
    };
  }, [api, error, ask]);
  return data?.room ?? undefined;
}

/** Asks until there is an answer, or it is over; undefined where there is no such message. */
async function findMessage(api: Api, id: string, isOver: () => boolean) {
  while (!isOver()) {
    try {
      return (await api.fetch(FindMessageDocument, { id })).node;
    } catch (error) {
      if (!isTemporary(asApiError(error))) return undefined;
      await api.connection.gate.wait();
    }
  }
  return undefined;
}

const threadOf = ({ thread }: RoomState) => thread?.root;

/** What somebody else says is read out by screen readers. */
function Announcement({ news }: { readonly news: Message | undefined }) {
  const { t } = useI18n();
  const { viewer } = useSession();
  const text =
    news === undefined || news.author.id === viewer.id || news.body === null
      ? ''
      : t('timeline.newMessage', { name: news.author.displayName, text: news.body });
  return (
    <div className="visually-hidden" aria-live="polite">
      {text}
    </div>
  );
}
