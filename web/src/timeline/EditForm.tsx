import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { editDraft } from '../composer/drafts.ts';
import { formatSelection, isInCode, pasteAsLink } from '../composer/formatting.ts';
import { bodyProblem, isBlank } from '../composer/limits.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { isComposing } from '../ui/isComposing.ts';
import { isFocusLost } from '../ui/isFocusLost.ts';
import ui from '../ui/ui.module.css';
import { useCopy } from '../ui/useCopy.ts';
import { useTextHeight } from '../ui/useTextHeight.ts';
import { useActionTexts } from './actionTexts.ts';
import styles from './Message.module.css';

export interface EditFormProps {
  readonly messageId: string;
  /** Null if the message was deleted. */
  readonly body: string | null;
  /** Resolves with false if it was not saved. The reason has been shown. */
  readonly onSave: (body: string) => Promise<boolean>;
  readonly onDone: () => void;
}

/**
 * Edits a message's text in place. The form stays open until the text is saved. A text that was not saved or cancelled
 * is a draft: the form has it when it is opened again, also after a reload or a sign-in. If the message is deleted, what
 * was written can be read and copied until the form is closed.
 */
export default function EditForm({ messageId, body, onSave, onDone }: EditFormProps) {
  const { t } = useI18n();
  const { drafts } = useSession();
  const texts = useActionTexts();
  const copy = useCopy();
  const draftKey = editDraft(messageId);
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => drafts.get(draftKey) || (body ?? ''));
  /** The draft as this form wrote it. The stored one is lost if the viewer deletes the message in another tab. */
  const written = useRef(drafts.get(draftKey));
  const [isSaving, setIsSaving] = useState(false);
  const isDeleted = body === null;
  useTextHeight(field, text);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the viewer has just opened it to write here.
  useLayoutEffect(() => {
    const area = field.current;
    if (area === null || isDeleted) return;
    area.setSelectionRange(text.length, text.length);
    area.focus();
  }, []);
  const isOpen = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: in the moment of the deletion, before the focus is lost.
  useLayoutEffect(() => {
    if (!isDeleted) return;
    if (written.current === '') onDone();
    // The button that had it is gone.
    else if (isOpen.current && isFocusLost()) field.current?.focus();
  }, [isDeleted]);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const write = (next: string) => {
    setText(next);
    written.current = next === body ? '' : next;
    drafts.set(draftKey, written.current);
  };
  const over = bodyProblem(text);
  const cannotSave = over > 0 || isBlank(text);
  const cancel = () => {
    // What is being saved may be refused.
    if (!isSaving) drafts.set(draftKey, '');
    onDone();
  };
  const save = async () => {
    if (cannotSave || isSaving || isDeleted) return;
    if (text === body) return cancel();
    setIsSaving(true);
    const isSaved = await onSave(text);
    // A form that was opened meanwhile may have another draft, or have cleared this one.
    const draft = drafts.get(draftKey);
    if (isSaved && draft === text) drafts.set(draftKey, '');
    else if (!isSaved && draft === '') drafts.set(draftKey, text);
    // After it was closed, another form may be open already.
    if (!isOpen.current) return;
    if (isSaved) onDone();
    else setIsSaving(false);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event.nativeEvent) || formatSelection(event)) return;
    if (event.key === 'Escape') {
      // Escape closes only the form.
      event.preventDefault();
      cancel();
    }
    if (event.key !== 'Enter' || event.shiftKey) return;
    if (isInCode(event.currentTarget) && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    void save();
  };
  return (
    <div className={styles.edit} data-editing="" aria-busy={isSaving}>
      <textarea
        ref={field}
        className={ui.input}
        aria-label={t('message.editLabel')}
        dir="auto"
        // Not `disabled`, which would take the focus away.
        readOnly={isSaving || isDeleted}
        value={text}
        rows={1}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
        onPaste={pasteAsLink}
      />
      {isDeleted ? (
        <>
          <p className={ui.error} role="alert">
            {texts.unsavedEdit}
          </p>
          <div className={ui.dialogFoot}>
            <button type="button" className={ui.quiet} onClick={() => copy(text, texts.copied)}>
              {texts.copyText}
            </button>
            <button type="button" className={ui.button} onClick={cancel}>
              {t('app.close')}
            </button>
          </div>
        </>
      ) : (
        <div className={ui.dialogFoot}>
          {over > 0 && <span className={ui.error}>{t('composer.tooLong', { over })}</span>}
          <button type="button" className={ui.quiet} onClick={cancel}>
            {t('app.cancel')}
          </button>
          <button type="button" className={ui.button} disabled={cannotSave} onClick={save}>
            {t('app.save')}
          </button>
        </div>
      )}
    </div>
  );
}
