import { useEffect, useState } from 'react';
import styles from '../session/SignIn.module.css';
import { BusyButton } from '../ui/BusyButton.tsx';
import ui from '../ui/ui.module.css';
import type { ProviderConfig } from './kept.ts';
import { begin, SignInError } from './provider.ts';
import { useProviderTexts } from './texts.ts';

export interface ProviderButtonProps {
  readonly config: ProviderConfig;
  /** Why the last sign-in did not succeed. */
  readonly error: SignInError | undefined;
  /** Why the viewer has to sign in. */
  readonly reason: string | undefined;
}

/** Leaves for the provider's page. */
export default function ProviderButton({ config, error, reason }: ProviderButtonProps) {
  const texts = useProviderTexts();
  const [isOpening, setIsOpening] = useState(false);
  const [failed, setFailed] = useState<SignInError>();
  const shown = failed ?? error;

  useEffect(() => {
    // The browser shows this page again, as it was, to users who go back.
    const shownAgain = () => setIsOpening(false);
    addEventListener('pageshow', shownAgain);
    return () => removeEventListener('pageshow', shownAgain);
  }, []);

  const open = () => {
    setIsOpening(true);
    setFailed(undefined);
    begin(config).catch((why: unknown) => {
      setIsOpening(false);
      setFailed(why instanceof SignInError ? why : new SignInError('failed', why));
    });
  };
  const text = shown === undefined ? reason : texts.failure(shown.failure, shown.code);
  return (
    <div className={styles.token}>
      {text !== undefined && !isOpening && (
        <p className={ui.error} role="alert">
          {text}
        </p>
      )}
      <p className={ui.soft}>{texts.hint}</p>
      <BusyButton className={ui.button} isBusy={isOpening} onClick={open}>
        {isOpening ? texts.opening : texts.submit}
      </BusyButton>
    </div>
  );
}
