import { X } from 'lucide-react';
import {
  type KeyboardEvent,
  type KeyboardEventHandler,
  type Ref,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { TagPartsFragment } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { isComposing } from '../ui/isComposing.ts';
import ui from '../ui/ui.module.css';
import styles from './saved.module.css';
import { cleanTag, tagsNamed } from './tagNames.ts';
import { hasSeparator, type TagsValue, withTag, withText } from './tagsValue.ts';
import { useSavedTexts } from './texts.ts';

export interface TagsFieldProps {
  readonly value: TagsValue;
  readonly onChange: (value: TagsValue) => void;
  /** Why the tags were refused. */
  readonly error?: string | undefined;
}

/** The names of tags, each with a button that removes it. The one that is typed is completed from the viewer's tags. */
export function TagsField({ value, onChange, error }: TagsFieldProps) {
  const texts = useSavedTexts();
  const input = useRef<HTMLInputElement>(null);
  const { chosen, text } = value;
  const takeAway = (name: string) => {
    onChange({ chosen: chosen.filter((other) => other !== name), text });
    // The button that had the focus is gone.
    input.current?.focus();
  };
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (isComposing(event.nativeEvent)) return;
    const last = chosen.at(-1);
    // Holding Backspace to clear the text must not remove tags.
    if (event.key === 'Backspace' && !event.repeat && text === '' && last !== undefined) takeAway(last);
    // An empty field leaves the key to the form.
    if (event.key !== 'Enter' || text.trim() === '') return;
    event.preventDefault();
    onChange(withTag(value, text));
  }
  return (
    <div className={styles.tagsField}>
      {chosen.length > 0 && (
        <ul className={`plain ${styles.chips}`}>
          {chosen.map((name) => (
            <li key={name} className={styles.chip}>
              <span dir="auto">{name}</span>
              <IconButton label={texts.takeTag(name)} onClick={() => takeAway(name)}>
                <X aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <CompletedField
        label={texts.tags}
        hint={texts.tagsHint}
        error={error}
        input={input}
        onKeyDown={onKeyDown}
        value={text}
        onChange={(next, { isTag, isComposing }) => {
          if (isComposing) onChange({ chosen, text: next });
          else onChange(isTag && hasSeparator(next) ? withTag(value, next) : withText(value, next));
        }}
        prefix={cleanTag(text).trim()}
      />
    </div>
  );
}

export interface CompletedFieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly value: string;
  /** `isTag`: the value is the name of a tag that completes it. `isComposing`: an input method is not done with it. */
  readonly onChange: (
    value: string,
    about: { readonly isTag: boolean; readonly isComposing: boolean },
  ) => void;
  /** The beginning of a name. */
  readonly prefix: string;
  readonly input?: Ref<HTMLInputElement>;
  readonly onKeyDown?: KeyboardEventHandler<HTMLInputElement>;
}

const LIST_ID = 'own-tags';
/** After the last key, before tags are looked up. */
const PAUSE_MS = 150;

/** A field in which the beginning of a tag's name is completed. */
export function CompletedField({
  label,
  hint,
  error,
  value,
  onChange,
  prefix,
  input,
  onKeyDown,
}: CompletedFieldProps) {
  const { api } = useSession();
  const errorId = useId();
  const [found, setFound] = useState<readonly TagPartsFragment[]>([]);
  useEffect(() => {
    if (prefix === '') return setFound([]);
    let isOver = false;
    const timer = setTimeout(() => {
      tagsNamed(api, prefix).then(
        (tags) => isOver || setFound(tags),
        // Without completion, tags can still be written.
        () => isOver || setFound([]),
      );
    }, PAUSE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [api, prefix]);
  const change = (next: string, isComposing: boolean) =>
    onChange(next, { isTag: found.some(({ name }) => name === next), isComposing });
  return (
    <>
      <label className={ui.field}>
        <span>{label}</span>
        <input
          ref={input}
          className={ui.input}
          dir="auto"
          list={LIST_ID}
          autoComplete="off"
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error !== undefined ? errorId : undefined}
          value={value}
          onKeyDown={onKeyDown}
          onChange={({ target, nativeEvent }) =>
            change(target.value, nativeEvent instanceof InputEvent && nativeEvent.isComposing)
          }
          onCompositionEnd={({ currentTarget }) => change(currentTarget.value, false)}
        />
        <datalist id={LIST_ID}>
          {found.map(({ id, name }) => (
            <option key={id} value={name} />
          ))}
        </datalist>
        {hint !== undefined && <small className={ui.soft}>{hint}</small>}
      </label>
      {error !== undefined && (
        <p id={errorId} className={ui.error} role="alert">
          {error}
        </p>
      )}
    </>
  );
}
