import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { withRetry } from '../api/retry.ts';
import { focusComposer, hasKeyboard } from '../composer/focusComposer.ts';
import { FindMessageDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { nameOf } from '../members/name.ts';
import { RoomHeader } from '../rooms/RoomHeader.tsx';
import { useTitle } from '../rooms/title.ts';
import { useCachedRoom } from '../rooms/useCachedRoom.ts';
import { useSession } from '../session/session.ts';
import { BackLink } from '../shell/BackLink.tsx';
import { membersPath, roomPath } from '../shell/paths.ts';
import { useStore } from '../state/store.ts';
import { isFocusLost } from '../ui/isFocusLost.ts';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import pane from '../ui/pane.module.css';
import { useToast } from '../ui/Toasts.tsx';
import { useOpener } from '../ui/useOpener.ts';
import type { SharedMessage } from './message.ts';
import { RoomContext } from './RoomContext.ts';
import styles from './RoomPage.module.css';
import type { RoomState } from './roomState.ts';
import { Timeline } from './Timeline.tsx';
import { type OpenedRoom, useOpenedRoom } from './useOpenedRoom.ts';

export interface RoomPageProps {
  readonly roomId: string;
  /** A message to scroll to. */
  readonly messageId?: string;
  /** A thread to open beside the timeline. */
  readonly rootId?: string;
  /** Opens the members beside the timeline. They have an address, so that on a phone "Back" leads to the room. */
  readonly showsMembers?: boolean;
}

// Loaded when they are needed for the first time.
const MembersPane = lazyWithRetry(() => import('../members/MembersPane.tsx'));
const ThreadPane = lazyWithRetry(() => import('../thread/ThreadPane.tsx'));
const RoomPreview = lazyWithRetry(() => import('../rooms/RoomPreview.tsx'));

const statusOf = ({ status }: RoomState) => status;

/** A room: its timeline, and beside it a thread or its members. */
export function RoomPage({ roomId, messageId, rootId, showsMembers = false }: RoomPageProps) {
  const [added, setAdded] = useState<SharedMessage>();
  const opened = useOpenedRoom(roomId, setAdded);
  return (
    <main id="main" className={styles.page}>
      {opened !== undefined && (
        <Opened
          opened={opened}
          added={added}
          roomId={roomId}
          messageId={messageId}
          rootId={rootId}
          showsMembers={showsMembers}
        />
      )}
    </main>
  );
}

interface OpenedProps {
  readonly opened: OpenedRoom;
  /** The last message that arrived. */
  readonly added: SharedMessage | undefined;
  readonly roomId: string;
  readonly messageId: string | undefined;
  readonly rootId: string | undefined;
  readonly showsMembers: boolean;
}

function Opened({ opened, added, roomId, messageId, rootId, showsMembers }: OpenedProps) {
  const { t } = useI18n();
  const { api } = useSession();
  const [, navigate] = useLocation();
  const { store } = opened;
  const status = useStore(store, statusOf);
  const thread = useStore(store, threadOf);
  const room = useCachedRoom(roomId);
  const titleOf = useTitle();
  const roomName = room === undefined ? '' : titleOf(room);
  const opener = useOpener(thread ?? (showsMembers ? 'members' : undefined));
  const toast = useToast();
  // A change of the language does not follow the link again.
  const latestT = useRef(t);
  latestT.current = t;

  /** Increases when the viewer joins: they had no access to the target of the address before. */
  const [joins, setJoins] = useState(0);

  // A link leads to a root in the timeline, or to a reply in its thread.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after joining, the link is followed again.
  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    let hasThread = false;
    const findMessage = async (id: string) => {
      const read = () => api.queryUncached(FindMessageDocument, { id });
      const answer = await withRetry(api.connection.backoff, read, { signal }).catch(() => undefined);
      return answer?.node;
    };
    const open = async () => {
      const isReady = () => store.get().status === 'ready';
      if (messageId === undefined) return isReady() ? undefined : store.open();
      const node = await findMessage(messageId);
      if (signal.aborted) return;
      const found = node?.__typename === 'Message' && node.room.id === roomId ? node : undefined;
      const inTimeline = found?.root?.id ?? found?.id;
      if (!isReady()) await store.open(inTimeline);
      else if (inTimeline !== undefined) await store.toMessage(inTimeline);
      if (signal.aborted) return;
      // Only members may know whether there is such a message.
      if (inTimeline === undefined && isReady()) toast(latestT.current('timeline.notFound'));
      if (found?.root == null) return;
      hasThread = true;
      await store.openThread(found.root.id, found.id);
    };
    void open();
    return () => {
      over.abort();
      if (hasThread) store.closeThread();
    };
  }, [api, store, roomId, messageId, toast, joins]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  useEffect(() => {
    if (rootId === undefined) return;
    void store.openThread(rootId);
    // For example when the viewer goes back from its address.
    return store.closeThread;
  }, [store, rootId, joins]);

  // An opened room can be written to at once. A link to a message or a thread is for reading.
  const opensToWrite = messageId === undefined && rootId === undefined && !showsMembers;
  useEffect(() => {
    if (opensToWrite && hasKeyboard() && isFocusFree()) focusComposer();
  }, [opensToWrite]);

  const closeMembers = useCallback(() => navigate(roomPath(roomId)), [navigate, roomId]);
  const closeThread = useCallback(() => {
    store.closeThread();
    navigate(roomPath(roomId));
  }, [store, navigate, roomId]);

  // A thread is shown in the same place.
  const toggleMembers = () => {
    if (showsMembers && thread === undefined) return closeMembers();
    store.closeThread();
    navigate(membersPath(roomId));
  };
  const openAfterJoining = useCallback(() => setJoins((before) => before + 1), []);

  if (status === 'absent') {
    return (
      <Suspense>
        <RoomPreview roomId={roomId} onJoined={openAfterJoining} />
      </Suspense>
    );
  }
  return (
    <RoomContext value={{ ...opened, roomId, room, roomName, role: room?.viewerMembership?.role }}>
      <div className={styles.columns} data-beside={thread !== undefined || showsMembers || undefined}>
        <section className={styles.room} aria-label={roomName}>
          {room === undefined ? (
            <header className={pane.head}>
              <BackLink roomId={roomId} />
            </header>
          ) : (
            <RoomHeader
              room={room}
              showsMembers={showsMembers && thread === undefined}
              onMembers={toggleMembers}
            />
          )}
          <Timeline key={roomId} />
        </section>
        <Suspense>
          {thread !== undefined && <ThreadPane key={thread} opener={opener} onClose={closeThread} />}
          {thread === undefined && showsMembers && room !== undefined && (
            <MembersPane room={room} opener={opener} onClose={closeMembers} />
          )}
        </Suspense>
      </div>
      <Announcement added={added} />
    </RoomContext>
  );
}

/** Whether the focus is where nothing is written and nothing is asked: on the page, or on the link that led here. */
function isFocusFree(): boolean {
  return isFocusLost() || document.activeElement?.matches('nav a') === true;
}

const threadOf = ({ thread }: RoomState) => thread?.root;

/** Has screen readers read out what others write. */
function Announcement({ added }: { readonly added: SharedMessage | undefined }) {
  const { t } = useI18n();
  const { viewer } = useSession();
  const text =
    added === undefined || added.author.id === viewer.id || added.body === null
      ? ''
      : t('timeline.newMessage', { name: nameOf(t, added.author), text: added.body });
  return (
    <div className="visually-hidden" aria-live="polite">
      {text}
    </div>
  );
}
