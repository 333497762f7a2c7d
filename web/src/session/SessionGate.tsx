import { Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { Provider } from 'urql';
import { createBackoff } from '../api/backoff.ts';
import { ApiError, asApiError } from '../api/errors.ts';
import { withRetry } from '../api/retry.ts';
import { endDevice } from '../delivery/endDevice.ts';
import type { PersonFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { forgetKept } from '../offline/kept.ts';
import { useOffline } from '../offline/useOffline.ts';
import { Shell } from '../shell/Shell.tsx';
import { useStore } from '../state/store.ts';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { NoServer } from './NoServer.tsx';
import type { PageConfig } from './pageConfig.ts';
import styles from './SignIn.module.css';
import { type Session, SessionContext, type StartedSession, startSession } from './session.ts';
import { announceSignOut, dropToken, keepToken, shareSignIn, signInAtStart } from './signIn.ts';

const FirstRoom = lazyWithRetry(() => import('../rooms/FirstRoom.tsx'));
const OfflineRooms = lazyWithRetry(() => import('../offline/OfflineRooms.tsx'));
const SignIn = lazyWithRetry(() => import('./SignIn.tsx'));

/** Shows the product to a signed-in user, and the sign-in page to others. */
export function SessionGate({ config }: { readonly config: PageConfig }) {
  const { t } = useI18n();
  const [atStart] = useState(() => signInAtStart(config.people));
  const [token, setToken] = useState(atStart.token);
  const [session, setSession] = useState<StartedSession>();
  /** The viewer has just signed in, on this page or by its address. */
  const [isNew, setIsNew] = useState(atStart.isNew);
  const stopBeingNew = useCallback(() => setIsNew(false), []);
  const [problem, setProblem] = useState<ApiError>();
  const [retryNow, setRetryNow] = useState<() => void>();

  useEffect(() => {
    if (token === undefined) return;
    let started: StartedSession | undefined;
    const over = new AbortController();
    const backoff = createBackoff();
    const start = async () => {
      const signedIn = await startSession(token);
      if (over.signal.aborted) return signedIn.end();
      started = signedIn;
      setProblem(undefined);
      setSession(signedIn);
    };
    withRetry(backoff, start, { signal: over.signal, onFailure: setProblem }).catch((error: unknown) => {
      setProblem(asApiError(error));
      dropToken();
      void forgetKept();
      setToken(undefined);
    });
    addEventListener('online', backoff.retryNow);
    setRetryNow(() => backoff.retryNow);
    return () => {
      over.abort();
      removeEventListener('online', backoff.retryNow);
      started?.end();
      setSession(undefined);
    };
  }, [token]);

  const signIn = (chosen: string) => {
    keepToken(chosen);
    setProblem(undefined);
    setIsNew(true);
    setToken(chosen);
  };
  const viewerId = session?.viewer.id;
  const end = useCallback(
    (why?: ApiError) => {
      dropToken();
      void forgetKept(viewerId);
      // This tab also receives what it announces, and keeps its reason.
      setProblem((before) => why ?? before);
      setToken(undefined);
    },
    [viewerId],
  );
  const signOut = (why?: ApiError) => {
    if (token !== undefined) announceSignOut(token);
    end(why);
  };
  const drafts = session?.drafts;
  useEffect(() => {
    if (token === undefined) return;
    return shareSignIn(token, () => {
      drafts?.forget();
      end();
    });
  }, [token, drafts, end]);

  useOffline(session, token);

  const changeViewer = useCallback(
    (viewer: PersonFragment) => setSession((before) => before && { ...before, viewer }),
    [],
  );
  const signedIn = useMemo(
    () => session && ({ ...session, changeViewer } satisfies Session),
    [session, changeViewer],
  );

  if (token === undefined) {
    return (
      <Suspense>
        <SignIn config={config} problem={problem} onSignIn={signIn} />
      </Suspense>
    );
  }
  if (signedIn === undefined) {
    if (problem !== undefined) {
      return (
        <Suspense fallback={<NoServer onRetry={retryNow} />}>
          <OfflineRooms token={token} onRetry={retryNow} />
        </Suspense>
      );
    }
    return (
      <p className={styles.waiting} role="status">
        {t('app.loading')}
      </p>
    );
  }
  return (
    <Provider value={signedIn.api.client}>
      <SessionContext value={signedIn}>
        <Suspense>{isNew && <FirstRoom onDone={stopBeingNew} />}</Suspense>
        <RefusalWatch session={signedIn} onRefused={end} />
        <Shell
          config={config}
          onSignOut={(why) => {
            signedIn.drafts.forget();
            void endDevice(signedIn).then(() => signOut(why));
          }}
        />
      </SessionContext>
    </Provider>
  );
}

/** Signs out if the token expires or is revoked while the page is open. */
function RefusalWatch({ session, onRefused }: { session: Session; onRefused: (why: ApiError) => void }) {
  const state = useStore(session.api.connection.state);
  useEffect(() => {
    if (state === 'refused') onRefused(new ApiError('UNAUTHENTICATED'));
  }, [state, onRefused]);
  return null;
}
