import { Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { Provider } from 'urql';
import { createBackoff } from '../api/backoff.ts';
import { ApiError, asApiError } from '../api/errors.ts';
import { withRetry } from '../api/retry.ts';
import { endDevice, endOthersDevice } from '../delivery/endDevice.ts';
import type { ProfileFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { forgetKept, forgetOthersKept } from '../offline/kept.ts';
import { useOffline } from '../offline/useOffline.ts';
import { useProvider } from '../provider/useProvider.ts';
import { Shell } from '../shell/Shell.tsx';
import { useStore } from '../state/store.ts';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { forgetViewer } from './forgetViewer.ts';
import { NoServer } from './NoServer.tsx';
import type { PageConfig } from './pageConfig.ts';
import styles from './SignIn.module.css';
import { type Session, SessionContext, type StartedSession, startSession } from './session.ts';
import { signInAtStart, signInWith } from './signIn.ts';
import type { SignIn as SignedIn } from './tokens.ts';

const FirstRoom = lazyWithRetry(() => import('../rooms/FirstRoom.tsx'));
const OfflineRooms = lazyWithRetry(() => import('../offline/OfflineRooms.tsx'));
const SignIn = lazyWithRetry(() => import('./SignIn.tsx'));
const Return = lazyWithRetry(() => import('../provider/Return.tsx'));

/** Shows the product to a signed-in user, and the sign-in page to others. */
export function SessionGate({ config }: { readonly config: PageConfig }) {
  const { t } = useI18n();
  const [atStart] = useState(() => signInAtStart(config));
  const [signedInBy, setSignedInBy] = useState(atStart.signIn);
  const [session, setSession] = useState<StartedSession>();
  /** The viewer has just signed in, on this page or by its address. */
  const [isNew, setIsNew] = useState(atStart.isNew);
  const stopBeingNew = useCallback(() => setIsNew(false), []);
  /** The handle in the address, if it is of no demo user. */
  const [unknown, setUnknown] = useState(atStart.unknown);
  const [problem, setProblem] = useState<ApiError>();
  const [retryNow, setRetryNow] = useState<() => void>();

  useEffect(() => {
    if (signedInBy === undefined) return;
    let started: StartedSession | undefined;
    const over = new AbortController();
    const backoff = createBackoff();
    const start = async () => {
      const signedIn = await startSession(signedInBy);
      if (over.signal.aborted) return signedIn.end();
      started = signedIn;
      setProblem(undefined);
      setSession(signedIn);
    };
    withRetry(backoff, start, { signal: over.signal, onFailure: setProblem }).catch((error: unknown) => {
      setProblem(asApiError(error));
      endOf(signedInBy);
      setSignedInBy(undefined);
    });
    addEventListener('online', backoff.retryNow);
    setRetryNow(() => backoff.retryNow);
    return () => {
      over.abort();
      removeEventListener('online', backoff.retryNow);
      started?.end();
      setSession(undefined);
    };
  }, [signedInBy]);

  const signIn = useCallback((next: SignedIn) => {
    setProblem(undefined);
    setUnknown(undefined);
    setIsNew(true);
    setSignedInBy(next);
  }, []);
  const viewerId = session?.viewer.id;
  const end = useCallback(
    (why?: ApiError) => {
      // The provider does not answer. The next page may find that it does.
      if (why?.code !== 'OFFLINE' && signedInBy !== undefined) endOf(signedInBy, viewerId);
      // This tab also receives what it announces, and keeps its reason.
      setProblem((before) => why ?? before);
      setSignedInBy(undefined);
    },
    [signedInBy, viewerId],
  );
  const forgetUnsent = useCallback(() => {
    session?.drafts.forget();
    session?.outbox.forget();
  }, [session]);
  const forget = useCallback(() => {
    forgetUnsent();
    if (viewerId !== undefined) forgetViewer(viewerId);
  }, [forgetUnsent, viewerId]);
  const signOut = (why?: ApiError) => {
    const next = why === undefined ? signedInBy?.signOutUrl() : undefined;
    signedInBy?.signOut();
    forget();
    end(why);
    if (next !== undefined) location.assign(next);
  };
  const provider = useProvider(config.signIn, {
    atStart: atStart.returned,
    isSignedIn: signedInBy !== undefined,
    onSignIn: signIn,
  });
  const { returned, takeKept } = provider;
  useEffect(
    () =>
      signedInBy?.follow({
        onSignedOut() {
          forget();
          end();
        },
        onEnded: end,
        onReplaced: takeKept,
      }),
    [signedInBy, forget, end, takeKept],
  );

  useOffline(session, signedInBy?.id);
  // All windows are the same user there, so what is left of someone else is of a sign-in that has ended.
  const isOnlyUser = config.signIn !== undefined;
  useEffect(() => {
    if (!isOnlyUser || viewerId === undefined) return;
    endOthersDevice(viewerId);
    void forgetOthersKept(viewerId);
  }, [isOnlyUser, viewerId]);

  const changeViewer = useCallback(
    (viewer: ProfileFragment) => setSession((before) => before && { ...before, viewer }),
    [],
  );
  const signedIn = useMemo(
    () => session && ({ ...session, changeViewer } satisfies Session),
    [session, changeViewer],
  );

  if (config.signIn !== undefined && returned !== undefined) {
    return (
      <Suspense>
        <Return config={config.signIn} returned={returned} onOutcome={provider.onOutcome} />
      </Suspense>
    );
  }
  if (signedInBy === undefined) {
    return (
      <Suspense>
        <SignIn
          config={config}
          problem={problem}
          isNew={isNew}
          unknown={unknown}
          error={provider.error}
          onSignIn={(token) => signIn(signInWith(token))}
        />
      </Suspense>
    );
  }
  if (signedIn === undefined) {
    if (problem !== undefined) {
      return (
        <Suspense fallback={<NoServer onRetry={retryNow} />}>
          <OfflineRooms token={signedInBy.id} onRetry={retryNow} />
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
            forgetUnsent();
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

/**
 * Forgets a sign-in that was refused or signed out, with what is kept of its user, or of all if it is not known who it
 * was.
 */
function endOf(signIn: SignedIn, viewerId?: string): void {
  signIn.forget();
  if (!signIn.isInterrupted()) void forgetKept(viewerId);
}
