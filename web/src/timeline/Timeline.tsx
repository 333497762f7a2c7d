import { ArrowDown, ArrowUp, CheckCheck } from 'lucide-react';
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { Composer } from '../composer/Composer.tsx';
import { roomDraft } from '../composer/drafts.ts';
import { TypingLine } from '../composer/TypingLine.tsx';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { useAttempt } from '../ui/Toasts.tsx';
import { isPageActive } from '../unread/isPageActive.ts';
import { MessageList } from './MessageList.tsx';
import type { Message } from './message.ts';
import { useRoom } from './RoomContext.ts';
import { RowView } from './RowView.tsx';
import { FEW } from './replay.ts';
import { isSameDay, rowsOf } from './rows.ts';
import styles from './Timeline.module.css';
import { Unsent } from './Unsent.tsx';
import { useEditLast } from './useEditLast.ts';

const DayPill = lazyWithRetry(
  () => import('../dates/DayPill.tsx'),
  () => null,
);

/** The roots of the open room, and the composer for a new one. */
export function Timeline() {
  const { t } = useI18n();
  const { viewer, outbox, badge } = useSession();
  const { store, readTracker, roomId, roomName } = useRoom();
  const attempt = useAttempt();
  const { status, entities, timeline, firstUnread, typing, viewportKey, focus, gaps } = useStore(store);
  const outgoing = useStore(outbox);
  const unread = useStore(badge).rooms.get(roomId) ?? 0;
  const [isAtEnd, setIsAtEnd] = useState(true);
  const [firstAt, setFirstAt] = useState<string>();

  const { optimistic } = entities;
  const unsent = useMemo(
    () => outgoing.filter((one) => one.roomId === roomId && one.replyTo === null),
    [outgoing, roomId],
  );
  const rows = useMemo(() => {
    const messages = timeline.ids.flatMap((id) => optimistic.get(id) ?? []);
    return rowsOf({ messages, outgoing: unsent, viewerId: viewer.id, firstUnread, ...timeline });
  }, [timeline, optimistic, unsent, firstUnread, viewer]);

  const { editing, editLast, onEdited } = useEditLast(rows);
  useUnreadLine(isAtEnd);
  const onSeen = useCallback((messages: readonly Message[]) => readTracker.seen(messages), [readTracker]);
  const onFirst = useCallback(
    (at: string | undefined) =>
      setFirstAt((before) =>
        before !== undefined && at !== undefined && isSameDay(before, at) ? before : at,
      ),
    [],
  );
  // The name comes with another answer than the messages.
  const hasName = roomName !== '';
  const lineIndex = firstUnread === undefined ? -1 : timeline.ids.indexOf(firstUnread);

  const onSend = (body: string) => {
    store.setFirstUnread(undefined);
    const isSent = outbox.send({ roomId, replyTo: null, answered: null, body });
    // If this fails, the message is sent anyway. An offer to try again would have it sent twice.
    if (isSent) store.toNewest().catch(() => {});
    return isSent;
  };

  return (
    <>
      <div className={styles.area}>
        {status === 'failed' && (
          <p className={styles.note} role="status">
            {t('timeline.failed')}
          </p>
        )}
        {status === 'loading' && <p className={styles.note}>{t('app.loading')}</p>}
        {status === 'ready' && (
          <MessageList
            key={viewportKey}
            label={hasName ? t('timeline.label', { name: roomName }) : t('timeline.messages')}
            rows={rows}
            hasOlder={timeline.hasOlder}
            hasNewer={timeline.hasNewer}
            focus={focus}
            shown={editing}
            onOlder={store.older}
            onNewer={store.newer}
            onSeen={onSeen}
            gaps={gaps}
            onAtEnd={setIsAtEnd}
            onFirst={onFirst}
            onLong={store.trim}
          >
            {(row, isActive) => (
              <RowView
                row={row}
                isActive={isActive}
                onEdited={onEdited}
                isEdited={row.key === editing}
                in="timeline"
              />
            )}
          </MessageList>
        )}
        <div className={styles.above}>
          {unread > FEW && firstUnread !== undefined && (lineIndex === -1 || isAtEnd) && (
            <div className={styles.pill}>
              <button type="button" onClick={() => void store.toMessage(firstUnread)}>
                <ArrowUp aria-hidden="true" />
                {t('timeline.unreadAbove', { count: unread })} · {t('timeline.toUnread')}
              </button>
              <button
                type="button"
                aria-label={t('room.markRead')}
                onClick={() => void attempt(readTracker.markAllRead)}
              >
                <CheckCheck aria-hidden="true" />
              </button>
            </div>
          )}
          <Suspense>
            {status === 'ready' && !isAtEnd && <DayPill className={styles.pill} at={firstAt} />}
          </Suspense>
        </div>
        {status === 'ready' && !isAtEnd && (
          <div className={styles.below}>
            <div className={styles.pill}>
              <button type="button" onClick={() => void attempt(store.toNewest)}>
                <ArrowDown aria-hidden="true" /> {t('timeline.toNewest')}
              </button>
            </div>
          </div>
        )}
      </div>
      {timeline.hasNewer && <Unsent outgoing={unsent} />}
      <TypingLine people={typing} />
      <Composer
        draftKey={roomDraft(roomId)}
        label={hasName ? t('composer.room', { name: roomName }) : t('composer.message')}
        onEditLast={editLast}
        onSend={onSend}
      />
    </>
  );
}

/**
 * Draws a line above the first message that arrives while the viewer does not look. It stays there for later messages,
 * until everything has been read and another one arrives.
 */
function useUnreadLine(isAtEnd: boolean): void {
  const { viewer } = useSession();
  const { store, readTracker } = useRoom();
  const newest = useStore(store, newestOf);
  const [seen, setSeen] = useState(newest);
  useEffect(() => {
    if (newest === seen) return;
    setSeen(newest);
    if ((isPageActive() && isAtEnd) || newest === undefined || seen === undefined) return;
    const { firstUnread, entities, timeline } = store.get();
    const first = entities.server.get(timeline.ids[timeline.ids.indexOf(seen) + 1] ?? newest);
    if (first === undefined || first.author.id === viewer.id) return;
    if (firstUnread === undefined || readTracker.hasReadUntil(first)) store.setFirstUnread(first.id);
  }, [newest, seen, isAtEnd, store, readTracker, viewer]);
}

const newestOf = ({ timeline }: { timeline: { ids: readonly string[]; hasNewer: boolean } }) =>
  timeline.hasNewer ? undefined : timeline.ids.at(-1);
