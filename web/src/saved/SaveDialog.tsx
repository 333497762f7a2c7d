import { type FormEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { asApiError } from '../api/errors.ts';
import { readForEffect } from '../api/retry.ts';
import { SavedDetailsDocument, type SaveMessageInput } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { earliest, inTwentyMinutes, localValue, timeOf, tomorrowMorning } from '../scheduled/times.ts';
import { useZone } from '../scheduled/useZone.ts';
import { useSession } from '../session/session.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { FormFoot } from '../ui/FormFoot.tsx';
import { Modal } from '../ui/Modal.tsx';
import { Switch } from '../ui/Switch.tsx';
import ui from '../ui/ui.module.css';
import type { SavedMark } from './marks.ts';
import { RemoveHidden } from './RemoveHidden.tsx';
import styles from './saved.module.css';
import { isRemovedForGood, type Saved } from './saves.ts';
import { TagsField } from './TagsField.tsx';
import { tagsProblem } from './tagProblem.ts';
import { namesIn, tagsChange, tagsValue } from './tagsValue.ts';
import { useSavedTexts } from './texts.ts';
import { type SavingOptions, useSaving } from './useSaving.ts';

const NOTE_MAX = 250;

export interface SaveDialogProps extends Omit<SavingOptions, 'mark'> {
  readonly mark: NonNullable<SavedMark>;
  readonly onClose: () => void;
}

/** The dialog with the tags, the note, the visibility and the reminder of a saved message. */
export default function SaveDialog({ onClose, ...options }: SaveDialogProps) {
  const texts = useSavedTexts();
  const { t, problem } = useI18n();
  const { api } = useSession();
  const { id } = options.mark;
  const [saved, setSaved] = useState<Saved | null>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    const read = () => api.queryUncached(SavedDetailsDocument, { id });
    return readForEffect(api.connection.backoff, read, {
      onRead({ node }) {
        setSaved(node?.__typename === 'SavedMessage' ? node : null);
        setError(undefined);
      },
      onFailure: (failure) => setError(problem(failure)),
    });
  }, [api, id, problem]);
  return (
    <Modal title={texts.dialog} open onClose={onClose}>
      {error !== undefined ? (
        <p className={ui.error} role="alert">
          {error}
        </p>
      ) : saved === undefined ? (
        <p className={ui.soft}>{t('app.loading')}</p>
      ) : saved === null ? (
        <p className={ui.soft}>{texts.gone}</p>
      ) : (
        <Details {...options} saved={saved} onClose={onClose} />
      )}
    </Modal>
  );
}

function Details({ saved, onClose, ...options }: SaveDialogProps & { readonly saved: Saved }) {
  const texts = useSavedTexts();
  const { t, problem } = useI18n();
  const { change, remove } = useSaving(options);
  const isHidden = options.messageId === null;
  const [tags, setTags] = useState(tagsValue(saved.tags));
  const [note, setNote] = useState(saved.note ?? '');
  const [isPublic, setIsPublic] = useState(saved.visibility === 'PUBLIC');
  const { zone, zoneHint } = useZone();
  const hintId = useId();
  const stored = saved.remindAt === null ? '' : localValue(new Date(saved.remindAt), zone);
  const [remindAt, setRemindAt] = useState(stored);
  const [error, setError] = useState<string>();
  const [tagsError, setTagsError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const [confirms, setConfirms] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // The dialog had no field yet when it was opened, so it gave the focus to its first button, or to itself after a
  // touch: then it stays, because a field would open the keyboard.
  useLayoutEffect(() => {
    const focused = document.activeElement;
    const isOnButton =
      focused?.tagName === 'BUTTON' && focused.closest('[role="dialog"]')?.contains(form.current);
    if (isOnButton) form.current?.querySelector<HTMLInputElement>(':scope input')?.focus();
  }, []);
  const removeIt = () => void remove().then((isGone) => isGone && onClose());

  async function submit(event: FormEvent) {
    event.preventDefault();
    setIsBusy(true);
    // Only what the user has changed: another device may have changed the rest in the meantime.
    const changes: SaveMessageInput = {
      ...(note === (saved.note ?? '') ? {} : { note: note.trim() === '' ? null : note }),
      ...(isPublic === (saved.visibility === 'PUBLIC')
        ? {}
        : { visibility: isPublic ? 'PUBLIC' : 'PRIVATE' }),
      ...tagsChange(saved.tags, namesIn(tags)),
      ...(remindAt === stored
        ? {}
        : { remindAt: remindAt === '' ? null : timeOf(remindAt, zone).toISOString() }),
    };
    try {
      if (Object.keys(changes).length > 0) await change(changes);
      onClose();
    } catch (thrown) {
      const failure = asApiError(thrown);
      const wrong = tagsProblem(texts, namesIn(tags), failure);
      setTagsError(wrong);
      setError(wrong === undefined ? problem(failure) : undefined);
      setIsBusy(false);
    }
  }

  return (
    <form ref={form} className={ui.form} onSubmit={(event) => void submit(event)}>
      <TagsField
        value={tags}
        error={tagsError}
        onChange={(next) => {
          setTags(next);
          setTagsError(undefined);
        }}
      />
      <label className={ui.field}>
        <span>{texts.note}</span>
        <textarea
          className={ui.input}
          rows={2}
          dir="auto"
          maxLength={NOTE_MAX}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
      </label>
      <Switch
        label={texts.isPublic}
        hint={isHidden ? texts.hiddenIsPrivate : texts.isPublicHint}
        isOn={isPublic}
        // Only what the viewer can see can be made public. What is public already can be made private.
        disabled={isHidden && saved.visibility === 'PRIVATE'}
        onChange={setIsPublic}
      />
      <fieldset className={`${ui.field} ${styles.reminders}`}>
        <legend>{texts.reminder}</legend>
        <input
          className={ui.input}
          type="datetime-local"
          aria-label={texts.at}
          min={remindAt === stored ? undefined : localValue(earliest(), zone)}
          value={remindAt}
          aria-describedby={zoneHint && hintId}
          onChange={({ target }) => setRemindAt(target.value)}
        />
        {zoneHint !== undefined && (
          <small id={hintId} className={ui.soft}>
            {zoneHint}
          </small>
        )}
        <div className={styles.times}>
          <button type="button" className={ui.quiet} onClick={() => setRemindAt('')}>
            {texts.none}
          </button>
          <button
            type="button"
            className={ui.quiet}
            onClick={() => setRemindAt(localValue(inTwentyMinutes(), zone))}
          >
            {texts.soon}
          </button>
          <button
            type="button"
            className={ui.quiet}
            onClick={() => setRemindAt(localValue(tomorrowMorning(zone), zone))}
          >
            {texts.tomorrow}
          </button>
        </div>
      </fieldset>
      <BusyButton
        className={ui.quiet}
        isBusy={isBusy}
        onClick={() => (isRemovedForGood(options) ? setConfirms(true) : removeIt())}
      >
        {texts.remove}
      </BusyButton>
      <RemoveHidden open={confirms} onConfirm={removeIt} onClose={() => setConfirms(false)} />
      <FormFoot error={error} isBusy={isBusy} submit={t('app.save')} onCancel={onClose} />
    </form>
  );
}
