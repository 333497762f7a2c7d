import { useId } from 'react';
import styles from './settings.module.css';

export interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly choices: readonly T[];
  readonly names: Readonly<Record<T, string>>;
  readonly chosen: T;
  readonly onChoose: (choice: T) => void;
}

/** One of a few. It applies at once. */
export function Choice<T extends string>({ label, choices, names, chosen, onChoose }: ChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset className={styles.choice}>
      <legend>{label}</legend>
      {choices.map((choice) => (
        <label key={choice}>
          <input type="radio" name={name} checked={choice === chosen} onChange={() => onChoose(choice)} />
          {names[choice]}
        </label>
      ))}
    </fieldset>
  );
}
