import { type KeyboardEvent, useRef, useState } from 'react';
import styles from './emoji.module.css';

/** What can be picked: a character with its name. */
export interface Pickable {
  readonly character: string;
  readonly name: string;
}

export interface EmojiGridProps {
  readonly label: string;
  readonly shown: readonly Pickable[];
  readonly onPick: (character: string) => void;
}

/** Buttons in rows. One of them is in the tab order, and arrow keys move between them. */
export function EmojiGrid({ label, shown, onPick }: EmojiGridProps) {
  const grid = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(0);
  const last = shown.length - 1;

  const onKeyDown = (event: KeyboardEvent) => {
    if (grid.current === null) return;
    const columns = getComputedStyle(grid.current).gridTemplateColumns.split(' ').length;
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowDown: columns,
      ArrowUp: -columns,
      Home: -last,
      End: last,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(Math.max(current + step, 0), last);
    setCurrent(next);
    const button = grid.current.children[next];
    if (button instanceof HTMLElement) button.focus();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields.
    <div ref={grid} role="group" aria-label={label} className={styles.grid} onKeyDown={onKeyDown}>
      {shown.map(({ character, name }, index) => (
        <button
          key={character}
          type="button"
          data-choice=""
          tabIndex={index === Math.min(current, last) ? 0 : -1}
          title={name}
          aria-label={name}
          onFocus={() => setCurrent(index)}
          onClick={() => onPick(character)}
        >
          {character}
        </button>
      ))}
    </div>
  );
}
