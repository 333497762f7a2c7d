import { SendHorizontal, X } from 'lucide-react';
import {
  type ChangeEvent,
  type KeyboardEvent,
  Suspense,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import { InReplyTo } from '../timeline/InReplyTo.tsx';
import { useRoom } from '../timeline/RoomContext.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { isComposing } from '../ui/isComposing.ts';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import { useTextHeight } from '../ui/useTextHeight.ts';
import { CompletionList } from './CompletionList.tsx';
import styles from './Composer.module.css';
import { formatSelection, isInCode, pasteAsLink } from './formatting.ts';
import { bodyProblem, isBlank } from './limits.ts';
import { createTyping } from './typing.ts';
import { useCompletion } from './useCompletion.ts';

const EmojiButton = lazyWithRetry(() => import('../emoji/EmojiButton.tsx'));
const LaterButton = lazyWithRetry(() => import('../scheduled/LaterButton.tsx'));

export interface ComposerProps {
  /** Names the draft that is kept while the viewer is elsewhere. */
  readonly draftKey: string;
  readonly label: string;
  /** Arrow Up in an empty composer: edits the viewer's last message. */
  readonly onEditLast: () => void;
  /** Returns false if the message was not accepted. */
  readonly onSend: (body: string) => boolean;
  /** The message that one that is sent later answers. */
  readonly replyTo?: string | undefined;
  /** The author of the reply that the message will answer, and what removes that choice. */
  readonly answering?: { readonly name: string; onCancel(): void } | undefined;
}

/** The field for a new message: Enter sends, Shift+Enter adds a line, @ completes a member, : an emoji, # a room. */
export function Composer({ draftKey, label, onEditLast, onSend, replyTo, answering }: ComposerProps) {
  const { t } = useI18n();
  const { api, drafts } = useSession();
  const { roomId } = useRoom();
  const toast = useToast();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => drafts.get(draftKey));
  const typing = useMemo(() => createTyping(api, roomId), [api, roomId]);
  const over = bodyProblem(text);
  const problemId = useId();

  const write = (next: string) => {
    setText(next);
    drafts.set(draftKey, next);
  };
  const kept = useStore(drafts.all, (all) => all.get(draftKey) ?? '');
  // Written, or sent, in another tab. What is being written here stays.
  useEffect(() => {
    if (document.activeElement !== field.current || !document.hasFocus()) setText(kept);
  }, [kept]);
  const completion = useCompletion({ field, text, write });

  useEffect(() => () => typing.stopped(), [typing]);
  useTextHeight(field, text);

  const send = () => {
    if (isBlank(text) || over > 0) return;
    typing.stopped();
    if (onSend(bodyOf(text))) write('');
    else toast(t('composer.full'));
  };

  const onChange = ({ target }: ChangeEvent<HTMLTextAreaElement>) => {
    write(target.value);
    completion.update();
    if (isBlank(target.value)) typing.stopped();
    else typing.typed();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter that confirms a word in an input method must not send.
    if (isComposing(event.nativeEvent) || completion.onKey(event) || formatSelection(event)) return;
    if (event.key === 'Escape' && answering !== undefined) {
      // Otherwise Escape would close the thread.
      event.preventDefault();
      answering.onCancel();
    }
    if (event.key === 'ArrowUp' && text === '') {
      event.preventDefault();
      onEditLast();
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    if (isInCode(event.currentTarget) && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    send();
  };

  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <CompletionList completion={completion} />
      {answering !== undefined && (
        <div className={styles.answering}>
          <InReplyTo name={answering.name} />
          <IconButton
            label={t('composer.answerThread')}
            onClick={() => {
              answering.onCancel();
              field.current?.focus();
            }}
          >
            <X />
          </IconButton>
        </div>
      )}
      <div className={styles.box}>
        <textarea
          ref={field}
          data-composer=""
          rows={1}
          dir="auto"
          placeholder={label}
          aria-label={label}
          aria-describedby={over > 0 ? problemId : undefined}
          title={t('composer.format')}
          value={text}
          {...completion.attributes}
          onChange={onChange}
          onKeyDown={onKeyDown}
          onPaste={pasteAsLink}
          onSelect={completion.update}
          onBlur={() => {
            typing.stopped();
            completion.close();
          }}
        />
        <span className={styles.tools}>
          <Suspense>
            <EmojiButton field={field} />
            <LaterButton
              roomId={roomId}
              replyTo={replyTo}
              body={bodyOf(text)}
              disabled={over > 0}
              onScheduled={() => {
                write('');
                answering?.onCancel();
                field.current?.focus();
              }}
            />
          </Suspense>
        </span>
        <button
          type="submit"
          className={styles.send}
          aria-label={t('composer.send')}
          disabled={isBlank(text) || over > 0}
        >
          <SendHorizontal aria-hidden="true" />
        </button>
      </div>
      {over > 0 && (
        <p id={problemId} className={ui.error} role="alert">
          {t('composer.tooLong', { over })}
        </p>
      )}
    </form>
  );
}

/** The indentation of the first line stays. */
const bodyOf = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
