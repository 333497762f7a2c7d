import { X } from 'lucide-react';
import { type RefObject, useMemo, useRef } from 'react';
import { Composer } from '../composer/Composer.tsx';
import { threadDraft } from '../composer/drafts.ts';
import { useI18n } from '../i18n/i18n.ts';
import { nameOf } from '../members/name.ts';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import { AnswerContext } from '../timeline/AnswerContext.ts';
import { MessageList } from '../timeline/MessageList.tsx';
import { useRoom } from '../timeline/RoomContext.ts';
import { RowView } from '../timeline/RowView.tsx';
import { rowsOf } from '../timeline/rows.ts';
import { Unsent } from '../timeline/Unsent.tsx';
import { useEditLast } from '../timeline/useEditLast.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { PaneTitle } from '../ui/PaneTitle.tsx';
import pane from '../ui/pane.module.css';
import { useEscape } from '../ui/useEscape.ts';
import type { Opener } from '../ui/useOpener.ts';
import { FollowButton } from './FollowButton.tsx';
import { useAnswer } from './useAnswer.ts';
import { useThreadFocus } from './useThreadFocus.ts';
import { useThreadRead } from './useThreadRead.ts';

export interface ThreadPaneProps {
  readonly opener: RefObject<Opener | undefined>;
  readonly onClose: () => void;
}

/** A root message and its replies, next to the timeline. */
export default function ThreadPane({ opener, onClose }: ThreadPaneProps) {
  const { t } = useI18n();
  const { viewer, outbox } = useSession();
  const { store, roomId, roomName } = useRoom();
  const { thread, entities } = useStore(store);
  const outgoing = useStore(outbox);
  const root = thread?.root;
  const { optimistic } = entities;
  const replies = thread?.replies;

  const unsent = useMemo(
    () => outgoing.filter((one) => one.roomId === roomId && one.replyTo === root),
    [outgoing, roomId, root],
  );
  const rows = useMemo(() => {
    if (replies === undefined || root === undefined) return [];
    const ids = replies.hasOlder ? replies.ids : [root, ...replies.ids];
    const messages = ids.flatMap((id) => optimistic.get(id) ?? []);
    return rowsOf({ messages, outgoing: unsent, viewerId: viewer.id, ...replies });
  }, [replies, root, optimistic, unsent, viewer]);

  const aside = useRef<HTMLElement>(null);
  useEscape(onClose);
  useThreadFocus({ pane: aside, opener, root, isReady: thread?.status === 'ready' });
  const { answered, answer, clear } = useAnswer(aside, root, optimistic);
  const { editing, editLast, onEdited } = useEditLast(rows);
  const onAtEnd = useThreadRead(root, replies?.ids.at(-1) ?? root);
  if (thread === undefined || root === undefined) return null;
  const send = (body: string) => {
    const to = answered === undefined ? null : { id: answered.id, author: nameOf(t, answered.author) };
    const isSent = outbox.send({ roomId, replyTo: root, answered: to, body });
    if (isSent) clear();
    return isSent;
  };

  return (
    <aside ref={aside} className={pane.pane} aria-label={t('thread.title')}>
      <header className={pane.head}>
        <div>
          <PaneTitle>{t('thread.title')}</PaneTitle>
          <p dir="auto">{roomName}</p>
        </div>
        {thread.status === 'ready' && (
          <FollowButton root={root} replies={thread.replies.ids.flatMap((id) => optimistic.get(id) ?? [])} />
        )}
        <IconButton label={t('thread.close')} onClick={onClose}>
          <X />
        </IconButton>
      </header>
      {thread.status === 'ready' ? (
        <>
          <AnswerContext value={answer}>
            <MessageList
              label={t('thread.label')}
              rows={rows}
              hasOlder={thread.replies.hasOlder}
              hasNewer={thread.replies.hasNewer}
              focus={thread.focus}
              shown={editing}
              few="top"
              onOlder={store.olderReplies}
              onNewer={store.newerReplies}
              onLong={store.trimReplies}
              onAtEnd={onAtEnd}
            >
              {(row, isActive) => (
                <RowView
                  row={row}
                  isActive={isActive}
                  onEdited={onEdited}
                  isEdited={row.key === editing}
                  in="thread"
                />
              )}
            </MessageList>
          </AnswerContext>
          {thread.replies.hasNewer && <Unsent outgoing={unsent} />}
          <Composer
            draftKey={threadDraft(root)}
            label={t('composer.thread')}
            onEditLast={editLast}
            onSend={send}
            replyTo={answered?.id ?? root}
            answering={answered && { name: nameOf(t, answered.author), onCancel: clear }}
          />
        </>
      ) : (
        <p className={pane.note}>
          {t(
            thread.status === 'absent'
              ? 'thread.notFound'
              : thread.status === 'failed'
                ? 'timeline.failed'
                : 'app.loading',
          )}
        </p>
      )}
    </aside>
  );
}
