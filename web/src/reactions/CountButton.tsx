import type { ReactNode } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { Tip } from '../ui/Tip.tsx';
import styles from './reactions.module.css';

export interface CountButtonProps {
  readonly icon: ReactNode;
  readonly count: number;
  /** Whether the viewer has reacted. */
  readonly isOn: boolean;
  readonly label: string;
  /** The names of the users who reacted. */
  readonly names: ReactNode;
  readonly onToggle: () => void;
}

/** How many users reacted to a message in one way, and who. A press adds or removes the viewer's reaction. */
export function CountButton({ icon, count, isOn, label, names, onToggle }: CountButtonProps) {
  const { number } = useI18n();
  return (
    <Tip content={names}>
      <button
        type="button"
        className={styles.count}
        aria-pressed={isOn}
        aria-label={label}
        onClick={onToggle}
      >
        {icon}
        <span>{number(count)}</span>
      </button>
    </Tip>
  );
}
