import {
  type KeyboardEvent,
  memo,
  Suspense,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { editDraft } from '../composer/drafts.ts';
import { useI18n } from '../i18n/i18n.ts';
import { Body } from '../markdown/Body.tsx';
import { nameOf } from '../members/name.ts';
import { AvatarButton, PersonButton } from '../people/PersonButton.tsx';
import { ReactionCounts } from '../reactions/ReactionCounts.tsx';
import { TOGGLES } from '../reactions/toggles.ts';
import { MarkLine } from '../saved/MarkLine.tsx';
import { useSession } from '../session/session.ts';
import { useSingleKeys } from '../shell/singleKeys.ts';
import { useStore } from '../state/store.ts';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { MissingScript } from '../ui/MissingScript.tsx';
import { InReplyTo } from './InReplyTo.tsx';
import styles from './Message.module.css';
import type { Message } from './message.ts';
import { useRoom } from './RoomContext.ts';
import { ThreadSummary } from './ThreadSummary.tsx';
import { type MessageActions, useMessageActions } from './useMessageActions.ts';

const EditForm = lazyWithRetry(
  () => import('./EditForm.tsx'),
  ({ body }) => (
    <>
      {body !== null && <p>{body}</p>}
      <MissingScript />
    </>
  ),
);
const MessageToolbar = lazyWithRetry(() => import('./MessageToolbar.tsx'));

export interface MessageViewProps {
  readonly message: Message;
  /** Shown without a name, below a message by the same author. */
  readonly isCompact: boolean;
  readonly isActive: boolean;
  readonly in: 'timeline' | 'thread';
  /** Whether it is edited because the viewer pressed Arrow Up, and what is called at the end of that. */
  readonly isEdited: boolean;
  readonly onEdited: (hasFocus: boolean) => void;
}

export const MessageView = memo(function MessageView({
  message,
  isCompact,
  isActive,
  in: pane,
  isEdited,
  onEdited,
}: MessageViewProps) {
  const { t, time, dateTime } = useI18n();
  const { viewer, drafts } = useSession();
  const { areOn } = useSingleKeys();
  const actions = useMessageActions(message);
  const { store } = useRoom();
  const { id, author, createdAt, body } = message;
  const draftKey = editDraft(id);
  const [isOpen, setIsOpen] = useState(
    () => pane === 'thread' && body === null && drafts.get(draftKey) !== '',
  );
  // The toolbar is created on first hover or focus: most messages are only read.
  const [isTouched, setIsTouched] = useState(false);
  const [isPicking, setIsPicking] = useState(false);
  // For a deleted message, the form shows what was written, until the viewer closes it. A thread's root is there twice:
  // the form stays in the list in which it was opened. If the thread is opened later, the form moves there, and back to
  // the timeline when the thread is closed.
  const isThreadOpen = useStore(store, ({ thread }) => thread?.root === id);
  const isHere = pane === 'timeline' ? !isThreadOpen : message.root !== null;
  const hasUnsaved = useStore(drafts.all, (all) => isHere && body === null && all.has(draftKey));
  const isEditing = isOpen || isEdited || hasUnsaved;
  const isMentioned = message.mentions.some(({ id }) => id === viewer.id);
  const name = nameOf(t, author);
  const article = useRef<HTMLDivElement>(null);
  const edited = useMemo(
    () =>
      message.editedAt === null ? undefined : (
        <span className={styles.edited} title={`${dateTime(message.editedAt)} · ${name}`}>
          {t('message.edited')}
        </span>
      ),
    [message.editedAt, dateTime, name, t],
  );
  const stopEditing = () => {
    // The focus would be lost with the form. If it is elsewhere already, it stays there.
    const hasFocus = article.current?.contains(document.activeElement) === true;
    if (hasFocus) article.current?.focus({ preventScroll: true });
    setIsOpen(false);
    if (isEdited) onEdited(hasFocus);
  };

  const moveToThread = useEffectEvent(() => {
    if (pane === 'timeline' && body === null && isEditing) stopEditing();
  });
  useEffect(() => {
    if (isThreadOpen) moveToThread();
  }, [isThreadOpen]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: a row of a virtual list, without other meaning of an article.
    <div
      ref={article}
      role="article"
      data-message={id}
      tabIndex={isActive ? 0 : -1}
      aria-label={t('message.label', { name, time: dateTime(createdAt) })}
      className={`${styles.message} ${isCompact ? styles.compact : ''} ${isMentioned ? styles.mentioned : ''}`}
      onPointerEnter={() => setIsTouched(true)}
      onFocus={() => setIsTouched(true)}
      onKeyDown={(event) =>
        onKey(event, {
          actions,
          areSingleOn: areOn,
          startEditing: () => setIsOpen(true),
          pickStamp: body === null ? undefined : () => setIsPicking(true),
        })
      }
    >
      <div className={styles.margin}>
        {isCompact ? <time dateTime={createdAt}>{time(createdAt)}</time> : <AvatarButton person={author} />}
      </div>
      <div className={styles.content}>
        {!isCompact && (
          <div className={styles.byline}>
            <PersonButton userId={author.id} name={name} isReached={isActive} />
            <time dateTime={createdAt} title={dateTime(createdAt)}>
              {time(createdAt)}
            </time>
          </div>
        )}
        {pane === 'thread' && message.inReplyTo !== null && (
          <InReplyTo name={nameOf(t, message.inReplyTo.author)} onShow={actions.showAnswered} />
        )}
        {isEditing ? (
          <Suspense>
            <EditForm messageId={id} body={body} onSave={actions.edit} onDone={stopEditing} />
          </Suspense>
        ) : body === null ? (
          <p className={styles.deleted}>{t('message.deleted')}</p>
        ) : (
          <>
            <Body body={body} mentions={message.mentions} viewerId={viewer.id} suffix={edited} />
            <MentionedNames mentions={message.mentions} />
          </>
        )}
        <MarkLine message={message} />
        <ReactionCounts message={message} actions={actions} onAdd={() => setIsPicking(true)} />
        {pane === 'timeline' && <ThreadSummary message={message} />}
      </div>
      {(isTouched || isPicking) && !isEditing && (
        <Suspense>
          <div className={styles.strip}>
            <MessageToolbar
              message={message}
              actions={actions}
              in={pane}
              isPicking={isPicking}
              onEdit={() => setIsOpen(true)}
              onPicking={setIsPicking}
            />
          </div>
        </Suspense>
      )}
    </div>
  );
});

/**
 * The names of mentioned users without a handle. They are beside the text and never in it, because a user chooses their
 * name freely: it must not look like a part of what the author wrote.
 */
function MentionedNames({ mentions }: Pick<Message, 'mentions'>) {
  const { t } = useI18n();
  const withoutHandle = mentions.filter(({ handle }) => handle === null);
  if (withoutHandle.length === 0) return null;
  const names = withoutHandle.map((one) => nameOf(t, one)).join(', ');
  return <p className={styles.mentionedNames}>{t('message.mentioned', { names })}</p>;
}

interface KeyActions {
  readonly actions: MessageActions;
  readonly areSingleOn: boolean;
  readonly startEditing: () => void;
  /** Undefined if the message was deleted. */
  readonly pickStamp: (() => void) | undefined;
}

/** Handles keys on the message itself, not on elements in it. */
function onKey(
  event: KeyboardEvent<HTMLElement>,
  { actions, areSingleOn, startEditing, pickStamp }: KeyActions,
): void {
  const { target, currentTarget, key, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey || target !== currentTarget) return;
  if (key !== 'Enter' && !areSingleOn) return;
  const reaction = TOGGLES.find((toggle) => toggle.key === key);
  const action =
    {
      t: actions.reply,
      Enter: actions.reply,
      u: actions.markUnread,
      e: actions.canEdit ? startEditing : undefined,
      s: pickStamp,
    }[key] ??
    (reaction && (() => actions.toggle(reaction)));
  if (action === undefined) return;
  event.preventDefault();
  action();
}
