import { useEffect, useState } from 'react';
import type { TagPartsFragment } from '../generated/graphql.ts';
import { useSession } from '../session/session.ts';
import ui from '../ui/ui.module.css';
import { tagsNamed } from './tagNames.ts';
import { useSavedTexts } from './texts.ts';

export interface TagsFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The names of tags, separated by commas. The last one is completed from the viewer's tags. */
export function TagsField({ value, onChange }: TagsFieldProps) {
  const texts = useSavedTexts();
  const at = Math.max(value.lastIndexOf(','), value.lastIndexOf('、'), value.lastIndexOf('，')) + 1;
  const others = value.slice(0, at);
  return (
    <CompletedField
      label={texts.tags}
      hint={texts.tagsHint}
      {...{ value, onChange }}
      prefix={value.slice(at).trim()}
      complete={(name) => `${others}${others === '' ? '' : ' '}${name}`}
    />
  );
}

export const namesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,、，]/)
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];

export interface CompletedFieldProps extends TagsFieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** The beginning of a name. */
  readonly prefix: string;
  /** The value with a completed name. */
  readonly complete: (name: string) => string;
}

const LIST_ID = 'own-tags';
/** After the last key, before tags are looked up. */
const PAUSE_MS = 150;

/** A field in which the beginning of a tag's name is completed. */
export function CompletedField({ label, hint, value, onChange, prefix, complete }: CompletedFieldProps) {
  const { api } = useSession();
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
  return (
    <label className={ui.field}>
      <span>{label}</span>
      <input
        className={ui.input}
        dir="auto"
        list={LIST_ID}
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id={LIST_ID}>
        {found.map(({ id, name }) => (
          <option key={id} value={complete(name)} />
        ))}
      </datalist>
      {hint !== undefined && <small className={ui.soft}>{hint}</small>}
    </label>
  );
}
