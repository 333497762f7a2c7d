import { type KeyboardEvent, useState } from 'react';
import { bodyProblem } from '../composer/limits.ts';
import { useI18n } from '../i18n/i18n.ts';
import { isComposing } from '../ui/isComposing.ts';
import ui from '../ui/ui.module.css';
import styles from './Message.module.css';

export interface EditFormProps {
  readonly body: string;
  readonly onSave: (body: string) => Promise<boolean>;
  readonly onDone: () => void;
}

/** A message's text, to be changed where it stands. */
export function EditForm({ body, onSave, onDone }: EditFormProps) {
  const { t } = useI18n();
  const [text, setText] = useState(body);
  const over = bodyProblem(text);
  const save = async () => {
    if (over > 0 || text.trim() === '') return;
    if (text === body) return onDone();
    onDone();
    await onSave(text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape') onDone();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    void save();
  };
  return (
    <div className={styles.edit} data-editing="">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: somebody has just asked to write here.
        autoFocus
        className={ui.input}
        aria-label={t('message.editLabel')}
        dir="auto"
        value={text}
        rows={Math.min(10, text.split('\n').length)}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={ui.dialogFoot}>
        {over > 0 && <span className={ui.error}>{t('composer.tooLong', { over })}</span>}
        <button type="button" className={ui.quiet} onClick={onDone}>
          {t('app.cancel')}
        </button>
        <button type="button" className={ui.button} disabled={over > 0 || text.trim() === ''} onClick={save}>
          {t('app.save')}
        </button>
      </div>
    </div>
  );
}
