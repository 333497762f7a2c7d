import type { KeyboardEvent } from 'react';
import { isComposing } from '../ui/isComposing.ts';
import ui from '../ui/ui.module.css';

export interface SearchFieldProps {
  readonly label: string;
  readonly wanted: string;
  readonly onChange: (wanted: string) => void;
}

/** The search of a picker. Enter picks the first choice, and Arrow Down moves to it. */
export function SearchField({ label, wanted, onChange }: SearchFieldProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (isComposing(event.nativeEvent)) return;
    const first = event.currentTarget.parentElement?.querySelector<HTMLElement>('[data-choice]');
    if (first == null) return;
    if (event.key === 'Enter' && wanted.trim() !== '') first.click();
    else if (event.key === 'ArrowDown') first.focus();
    else return;
    event.preventDefault();
  };
  return (
    <input
      className={ui.input}
      type="search"
      placeholder={label}
      aria-label={label}
      value={wanted}
      onChange={({ target }) => onChange(target.value)}
      onKeyDown={onKeyDown}
    />
  );
}
