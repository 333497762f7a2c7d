import { startTransition, useId, useOptimistic } from 'react';
import ui from '../ui/ui.module.css';
import styles from './settings.module.css';

export interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly hint?: string;
  readonly choices: readonly T[];
  readonly names: Readonly<Record<T, string>>;
  readonly chosen: T;
  /** A promise resolves when the choice applies. */
  readonly onChoose: (choice: T) => void | Promise<void>;
}

/** One of a few. It applies at once, or is shown until it does. */
export function Choice<T extends string>({ label, hint, choices, names, chosen, onChoose }: ChoiceProps<T>) {
  const name = useId();
  const [shown, show] = useOptimistic(chosen);
  const choose = (choice: T) =>
    startTransition(async () => {
      show(choice);
      await onChoose(choice);
    });
  return (
    <fieldset className={styles.choice} aria-describedby={hint === undefined ? undefined : `${name}-hint`}>
      <legend>{label}</legend>
      {choices.map((choice) => (
        <label key={choice}>
          <input type="radio" name={name} checked={choice === shown} onChange={() => choose(choice)} />
          {names[choice]}
        </label>
      ))}
      {hint !== undefined && (
        <p id={`${name}-hint`} className={ui.soft}>
          {hint}
        </p>
      )}
    </fieldset>
  );
}
