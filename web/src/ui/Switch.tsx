import { useId } from 'react';
import styles from './Switch.module.css';
import ui from './ui.module.css';

export interface SwitchProps {
  readonly label: string;
  readonly hint?: string;
  readonly isOn: boolean;
  readonly disabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Something that is on or off, with what it means. */
export function Switch({ label, hint, isOn, disabled, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className={styles.switch}>
      <label>
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          disabled={disabled}
          aria-checked={isOn}
          aria-describedby={hint === undefined ? undefined : id}
          onChange={({ target }) => onChange(target.checked)}
        />
        {label}
      </label>
      {hint !== undefined && (
        <p id={id} className={ui.soft}>
          {hint}
        </p>
      )}
    </div>
  );
}
