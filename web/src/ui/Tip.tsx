import { type ReactNode, useId, useState } from 'react';
import styles from './Tip.module.css';

export interface TipProps {
  /** Made when somebody comes to it, by pointer or keyboard. */
  readonly content: ReactNode;
  readonly children: ReactNode;
}

/** Says more about a button while somebody is on it. */
export function Tip({ content, children }: TipProps) {
  const id = useId();
  const [isShown, setIsShown] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches what happens to the button in it.
    <span
      className={styles.around}
      aria-describedby={isShown ? id : undefined}
      onPointerEnter={() => setIsShown(true)}
      onPointerLeave={() => setIsShown(false)}
      onFocus={() => setIsShown(true)}
      onBlur={() => setIsShown(false)}
    >
      {children}
      {isShown && (
        <span id={id} role="tooltip" className={styles.tip}>
          {content}
        </span>
      )}
    </span>
  );
}
