import { useCallback, useEffect, useState } from 'react';
import { Provider } from 'urql';
import { ApiError, asApiError, isTemporary } from '../api/errors.ts';
import { useI18n } from '../i18n/i18n.ts';
import { Shell } from '../shell/Shell.tsx';
import { useStore } from '../state/store.ts';
import type { PageConfig } from './pageConfig.ts';
import styles from './SignIn.module.css';
import { SignIn } from './SignIn.tsx';
import { type Session, SessionContext, startSession } from './session.ts';
import { dropToken, keepToken, tokenAtStart } from './signIn.ts';

const RETRY_MS = 2_000;

/** Shows the product to who is signed in, and the door to who is not. */
export function Gate({ config }: { readonly config: PageConfig }) {
  const { t } = useI18n();
  const [token, setToken] = useState(() => tokenAtStart(config.people));
  const [session, setSession] = useState<Session>();
  const [problem, setProblem] = useState<ApiError>();

  useEffect(() => {
    if (token === undefined) return;
    let started: Session | undefined;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const start = () => {
      startSession(token).then(
        (signedIn) => {
          started = signedIn;
          if (isOver) return signedIn.end();
          setProblem(undefined);
          setSession(signedIn);
        },
        (thrown: unknown) => {
          if (isOver) return;
          const error = asApiError(thrown);
          setProblem(error);
          if (isTemporary(error)) timer = setTimeout(start, RETRY_MS);
          else {
            dropToken();
            setToken(undefined);
          }
        },
      );
    };
    start();
    return () => {
      isOver = true;
      clearTimeout(timer);
      started?.end();
      setSession(undefined);
    };
  }, [token]);

  const signIn = (chosen: string) => {
    keepToken(chosen);
    setProblem(undefined);
    setToken(chosen);
  };
  const signOut = useCallback((why?: ApiError) => {
    dropToken();
    setProblem(why);
    setToken(undefined);
  }, []);

  if (token === undefined) return <SignIn config={config} problem={problem} onSignIn={signIn} />;
  if (session === undefined) {
    return (
      <p className={styles.waiting} role="status">
        {t(problem === undefined ? 'app.loading' : 'connection.away')}
      </p>
    );
  }
  return (
    <Provider value={session.api.client}>
      <SessionContext value={session}>
        <Refusal session={session} onRefused={signOut} />
        <Shell config={config} onSignOut={signOut} />
      </SessionContext>
    </Provider>
  );
}

/** A token that ran out while the page was open. */
function Refusal({ session, onRefused }: { session: Session; onRefused: (why: ApiError) => void }) {
  const state = useStore(session.api.connection.state);
  useEffect(() => {
    if (state === 'refused') onRefused(new ApiError('UNAUTHENTICATED'));
  }, [state, onRefused]);
  return null;
}
