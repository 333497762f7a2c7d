import { useCallback, useEffect, useState } from 'react';
import type { SignIn } from '../session/tokens.ts';
import { keptSignIn, onKeptChange, type ProviderConfig } from './kept.ts';
import type { Outcome, SignInError } from './provider.ts';
import { providerSignIn } from './providerSignIn.ts';
import type { Returned } from './returned.ts';

interface ProviderOptions {
  /** The provider has sent the user back to this page. */
  readonly atStart: Returned | undefined;
  readonly isSignedIn: boolean;
  readonly onSignIn: (signIn: SignIn) => void;
}

/** Signs in what the provider has sent back, and what another tab has kept. */
export function useProvider(
  config: ProviderConfig | undefined,
  { atStart, isSignedIn, onSignIn }: ProviderOptions,
) {
  const [returned, setReturned] = useState(atStart);
  const [error, setError] = useState<SignInError>();

  /** Signs in as who is kept, if anyone. Returns whether someone is. */
  const takeKept = useCallback((): boolean => {
    const kept = config && keptSignIn(config);
    if (config === undefined || kept === undefined) return false;
    setError(undefined);
    onSignIn(providerSignIn(config, kept));
    return true;
  }, [config, onSignIn]);

  const onOutcome = useCallback(
    (outcome: Outcome) => {
      history.replaceState(history.state, '', outcome.to);
      setReturned(undefined);
      // Someone who is signed in stays so, also if an address with a wrong state was opened.
      if (!takeKept()) setError(outcome.error);
    },
    [takeKept],
  );

  const isWaiting = !isSignedIn && returned === undefined;
  useEffect(() => (isWaiting ? onKeptChange(takeKept) : undefined), [isWaiting, takeKept]);

  return { returned, error, takeKept, onOutcome };
}
