import { Tag, Tags, Trash2, X } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { Confirm } from '../ui/Confirm.tsx';
import { FormFoot } from '../ui/FormFoot.tsx';
import { IconButton } from '../ui/IconButton.tsx';
import { Modal } from '../ui/Modal.tsx';
import { useAttempt, useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import { forEach } from './bulk.ts';
import type { ListedRow } from './listed.ts';
import type { SavedList } from './lists.ts';
import { RemoveHidden } from './RemoveHidden.tsx';
import styles from './SelectionBar.module.css';
import { isRemovedForGood, removeSaved, save } from './saves.ts';
import { TagsField } from './TagsField.tsx';
import { tagsProblem } from './tagProblem.ts';
import { namesIn, type TagsValue, tagsValue } from './tagsValue.ts';
import { useSavedTexts } from './texts.ts';

export interface SelectionBarProps {
  readonly list: SavedList;
  readonly selected: readonly ListedRow[];
  readonly onClear: () => void;
  /** Called when the counts have changed. */
  readonly onChange: () => void;
}

type Restore = () => Promise<void>;

/** What can be done with the selected messages. It goes on if the user leaves the page. */
export function SelectionBar({ list, selected, onClear, onChange }: SelectionBarProps) {
  const { t, language } = useI18n();
  const texts = useSavedTexts();
  const session = useSession();
  const attempt = useAttempt();
  const toast = useToast();
  const [asks, setAsks] = useState<'addTags' | 'removeTags'>();
  const [confirms, setConfirms] = useState(false);
  const [running, setRunning] = useState<{ readonly done: number; readonly of: number }>();
  const stopping = useRef(new AbortController());

  /** Resolves to whether all of it was done. */
  async function all<T>(
    items: readonly T[],
    run: (item: T) => Promise<void>,
    { atOnce, tags = [] }: { readonly atOnce?: number; readonly tags?: readonly string[] } = {},
  ): Promise<boolean> {
    stopping.current = new AbortController();
    const { signal } = stopping.current;
    setRunning({ done: 0, of: items.length });
    const onDone = () => setRunning((now) => now && { ...now, done: now.done + 1 });
    const isDone = await attempt(
      () => forEach(session, items, run, { signal, onDone, ...(atOnce && { atOnce }) }),
      (failure) => tagsProblem(texts, tags, failure),
    );
    setRunning(undefined);
    onChange();
    return isDone && !signal.aborted;
  }

  async function tag(change: { readonly addTags: string[] } | { readonly removeTags: string[] }) {
    setAsks(undefined);
    const of = selected.length;
    const changeOne = async ({ key, messageId, mark }: (typeof selected)[number]) =>
      list.change(key, await save(session, { messageId, mark }, change));
    // After a refusal the messages stay selected for another attempt.
    if (!(await all(selected, changeOne, { tags: Object.values(change).flat() }))) return;
    onClear();
    toast(texts.changed(of));
  }

  async function remove() {
    const restores = new Map<string, Restore>();
    let count = 0;
    const isAllDone = await all(selected, async ({ key, messageId, mark }) => {
      const { isDone, before } = await removeSaved(session, { messageId, mark });
      list.change(key, null);
      if (isDone) count++;
      if (before === undefined) return;
      restores.set(key, async () => list.change(key, await save(session, { messageId, mark: null }, before)));
    });
    if (isAllDone) onClear();
    if (count === 0) return;
    if (restores.size === 0) return toast(texts.removedMany(count));
    // The list has the last one that is saved first. They are saved one by one, so that it has them in their order
    // again.
    const inOrder = selected.flatMap(({ key }) => restores.get(key) ?? []).toReversed();
    toast(texts.removedMany(count), {
      label: inOrder.length === count ? texts.undo : texts.undoOf(inOrder.length),
      run: () => void all(inOrder, (restore) => restore(), { atOnce: 1 }),
    });
  }

  const hidden = selected.filter(isRemovedForGood).length;
  const confirming = {
    open: confirms,
    onConfirm: () => void remove(),
    onClose: () => setConfirms(false),
  };
  // Rows may leave the list while they are changed.
  if (selected.length === 0 && running === undefined) return null;
  return (
    <section className={styles.bar} aria-label={texts.selection}>
      <span role="status">
        {running === undefined
          ? texts.selected(selected.length)
          : texts.progress(running.done.toLocaleString(language), running.of.toLocaleString(language))}
      </span>
      {running !== undefined ? (
        <button type="button" className={ui.quiet} onClick={() => stopping.current.abort()}>
          {t('app.cancel')}
        </button>
      ) : (
        <>
          <button type="button" className={ui.quiet} onClick={() => setAsks('addTags')}>
            <Tag aria-hidden="true" /> {texts.addTags}
          </button>
          <button type="button" className={ui.quiet} onClick={() => setAsks('removeTags')}>
            <Tags aria-hidden="true" /> {texts.takeTags}
          </button>
          <button
            type="button"
            className={ui.quiet}
            onClick={() => (hidden === 0 ? void remove() : setConfirms(true))}
          >
            <Trash2 aria-hidden="true" /> {texts.remove}
          </button>
          <IconButton label={texts.selectNone} onClick={onClear}>
            <X />
          </IconButton>
        </>
      )}
      {selected.length === 1 ? (
        <RemoveHidden {...confirming} />
      ) : (
        <Confirm
          title={texts.removeHiddenMany(selected.length)}
          hint={texts.removeHiddenManyHint(hidden, selected.length)}
          action={texts.remove}
          {...confirming}
        />
      )}
      {asks !== undefined && (
        <TagsDialog
          title={asks === 'addTags' ? texts.addTagsTo(selected.length) : texts.takeTagsFrom(selected.length)}
          onClose={() => setAsks(undefined)}
          onDone={(names) => void tag(asks === 'addTags' ? { addTags: names } : { removeTags: names })}
        />
      )}
    </section>
  );
}

interface TagsDialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly onDone: (names: string[]) => void;
}

function TagsDialog({ title, onClose, onDone }: TagsDialogProps) {
  const { t } = useI18n();
  const texts = useSavedTexts();
  const [value, setValue] = useState(tagsValue([]));
  const [isMissing, setIsMissing] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const names = namesIn(value);
    if (names.length > 0) onDone(names);
    else setIsMissing(true);
  };
  const change = (next: TagsValue) => {
    setValue(next);
    setIsMissing(false);
  };
  return (
    <Modal title={title} open onClose={onClose}>
      <form className={ui.form} onSubmit={submit}>
        <TagsField value={value} onChange={change} error={isMissing ? texts.tagNeeded : undefined} />
        <FormFoot error={undefined} isBusy={false} submit={t('app.save')} onCancel={onClose} />
      </form>
    </Modal>
  );
}
