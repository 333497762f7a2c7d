import { useEffect, useRef } from 'react';
import styles from '../session/SignIn.module.css';
import type { ProviderConfig } from './kept.ts';
import { complete, type Outcome } from './provider.ts';
import type { Returned } from './returned.ts';
import { useProviderTexts } from './texts.ts';

export interface ReturnProps {
  readonly config: ProviderConfig;
  readonly returned: Returned;
  readonly onOutcome: (outcome: Outcome) => void;
}

/** Shown while the code that the provider has sent is exchanged. */
export default function Return({ config, returned, onOutcome }: ReturnProps) {
  const texts = useProviderTexts();
  /** A code can be exchanged once. */
  const exchange = useRef<Promise<Outcome>>(undefined);
  useEffect(() => {
    let isOver = false;
    exchange.current ??= complete(config, returned);
    void exchange.current.then((outcome) => isOver || onOutcome(outcome));
    return () => {
      isOver = true;
    };
  }, [config, returned, onOutcome]);
  return (
    <p className={styles.waiting} role="status">
      {texts.signingIn}
    </p>
  );
}
