import { type KeyboardEvent, memo, Suspense, useRef, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { Body } from '../markdown/Body.tsx';
import { useSession } from '../session/session.ts';
import { useSingleKeys } from '../shell/singleKeys.ts';
import { StampCounts } from '../stamps/StampCounts.tsx';
import { lazily } from '../state/lazily.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { EditForm } from './EditForm.tsx';
import styles from './Message.module.css';
import type { Message } from './message.ts';
import { ThreadSummary } from './ThreadSummary.tsx';
import { type MessageDeeds, useMessageDeeds } from './useMessageDeeds.ts';

const MessageActions = lazily(() => import('./MessageActions.tsx'));

export interface MessageViewProps {
  readonly message: Message;
  /** It stands under the name of the message above. */
  readonly isCompact: boolean;
  readonly isActive: boolean;
  readonly in: 'timeline' | 'thread';
}

export const MessageView = memo(function MessageView({
  message,
  isCompact,
  isActive,
  in: place,
}: MessageViewProps) {
  const { t, time, dateTime } = useI18n();
  const { viewer } = useSession();
  const { areOn } = useSingleKeys();
  const deeds = useMessageDeeds(message);
  const [isEditing, setIsEditing] = useState(false);
  // Its buttons are made when somebody comes to it: most messages are only read.
  const [isTouched, setIsTouched] = useState(false);
  const { author, createdAt, body } = message;
  const isMentioned = message.mentions.some(({ id }) => id === viewer.id);
  const article = useRef<HTMLDivElement>(null);
  const stopEditing = () => {
    // The focus would be lost with the form; who has gone elsewhere meanwhile keeps it there.
    if (article.current?.contains(document.activeElement)) article.current.focus({ preventScroll: true });
    setIsEditing(false);
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of a virtual list; articles carry no other meaning here.
    <div
      ref={article}
      role="article"
      data-message={message.id}
      tabIndex={isActive ? 0 : -1}
      aria-label={t('message.label', { name: author.displayName, time: dateTime(createdAt) })}
      className={`${styles.message} ${isCompact ? styles.compact : ''} ${isMentioned ? styles.mentioned : ''}`}
      onPointerEnter={() => setIsTouched(true)}
      onFocus={() => setIsTouched(true)}
      onKeyDown={(event) =>
        onKey(event, { deeds, areSingleOn: areOn, startEditing: () => setIsEditing(true) })
      }
    >
      <div className={styles.margin}>
        {isCompact ? <time dateTime={createdAt}>{time(createdAt)}</time> : <Avatar person={author} />}
      </div>
      <div className={styles.content}>
        {!isCompact && (
          <div className={styles.byline}>
            <strong dir="auto">{author.displayName}</strong>
            <time dateTime={createdAt} title={dateTime(createdAt)}>
              {time(createdAt)}
            </time>
          </div>
        )}
        {isEditing && body !== null ? (
          <EditForm body={body} onSave={deeds.edit} onDone={stopEditing} />
        ) : body === null ? (
          <p className={styles.deleted}>{t('message.deleted')}</p>
        ) : (
          <>
            <Body body={body} mentions={message.mentions} viewerId={viewer.id} />
            {message.editedAt !== null && (
              <span className={styles.edited} title={dateTime(message.editedAt)}>
                {t('message.edited')}
              </span>
            )}
          </>
        )}
        <StampCounts message={message} deeds={deeds} />
        {place === 'timeline' && message.replyCount > 0 && <ThreadSummary message={message} />}
      </div>
      {isTouched && !isEditing && (
        <Suspense>
          <MessageActions message={message} deeds={deeds} in={place} onEdit={() => setIsEditing(true)} />
        </Suspense>
      )}
    </div>
  );
});

interface KeyDeeds {
  readonly deeds: MessageDeeds;
  readonly areSingleOn: boolean;
  readonly startEditing: () => void;
}

/** Keys on the message itself, not on what is in it. */
function onKey(event: KeyboardEvent<HTMLElement>, { deeds, areSingleOn, startEditing }: KeyDeeds): void {
  const { target, currentTarget, key, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey || target !== currentTarget) return;
  if (key !== 'Enter' && !areSingleOn) return;
  const action = {
    t: deeds.openThread,
    Enter: deeds.openThread,
    u: deeds.markUnread,
    l: deeds.toggleLike,
    e: deeds.canEdit ? startEditing : undefined,
    s: () => currentTarget.querySelector<HTMLElement>('[data-stamp-picker]')?.click(),
  }[key];
  if (action === undefined) return;
  event.preventDefault();
  action();
}
