import { createBackoff } from '../api/backoff.ts';
import { ApiError, isTemporary } from '../api/errors.ts';
import { withRetry } from '../api/retry.ts';
import type { SignIn, SignInListener } from '../session/tokens.ts';
import {
  forgetSignIn,
  hasSignedOut,
  isInterrupted,
  type KeptSignIn,
  keepInterrupted,
  keepSignIn,
  keepSignOut,
  keptSignIn,
  onKeptChange,
  type ProviderConfig,
  renewalAt,
} from './kept.ts';

/** While the server refuses the token and the provider does not answer, it is asked this many times. */
const TRIES = 4;
const LOCK = 'tsudoi:sign-in';
/** The shortest time between two renewals by the timer, in milliseconds. */
const REST_MS = 1_000;
/** If the provider has returned the same token, it is asked again after this time, in milliseconds. */
const SAME_REST_MS = 10_000;
/** The longest timer of a browser. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** A sign-in at the provider. Only one tab at a time renews the token. The others take what it has kept. */
export function providerSignIn(config: ProviderConfig, first: KeptSignIn): SignIn {
  const { id, subject } = first;
  const renewals = new Set<() => void>();
  const backoff = createBackoff();
  let kept = first;
  let listener: SignInListener | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let following = new AbortController();
  let renewing: Promise<KeptSignIn | undefined> | undefined;
  let urgent: Promise<KeptSignIn | undefined> | undefined;
  let restUntil = 0;

  /** What is kept of this sign-in, perhaps by another tab. */
  function adopted(): KeptSignIn | undefined {
    const stored = keptSignIn(config);
    if (stored?.id !== id || stored.subject !== subject) return undefined;
    const isRenewed = stored.token !== kept.token;
    kept = stored;
    if (isRenewed) {
      backoff.succeeded();
      restUntil = Date.now() + REST_MS;
      schedule();
      for (const renewed of [...renewals]) renewed();
    }
    return kept;
  }

  /**
   * Resolves with undefined if the viewer has to sign in again. One at a time, for everyone in this tab who waits for
   * it.
   */
  function renew(refused: string): Promise<KeptSignIn | undefined> {
    renewing ??= renewAlone(refused)
      .then((renewed) => {
        if (renewed?.token === refused) restUntil = Date.now() + SAME_REST_MS;
        return renewed;
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  }

  function renewAlone(refused: string): Promise<KeptSignIn | undefined> {
    const { renewals: seen } = kept;
    return navigator.locks.request(LOCK, async () => {
      const stored = adopted();
      if (stored?.token !== refused) return stored;
      // Another tab has just asked, and the provider has returned the same token.
      if (stored.renewals !== seen) return stored;
      const { refresh } = await loadProvider().catch(offline);
      // Of an attempt before this one, perhaps of a page that was left meanwhile.
      const { isAsked = false, ...before } = stored;
      const keep = (state: KeptSignIn) => {
        // Not if the viewer has just signed out in another tab.
        if (adopted()?.token === refused) keepSignIn(state);
      };
      const next = await refresh(config, before, {
        onAsking: () => keep({ ...before, isAsked: true }),
        onPutOff: () => keep(stored),
      });
      // Meanwhile the viewer may have signed out, or signed in again.
      const now = adopted();
      // Signing out has ended the refresh token before this one.
      if (now === undefined && next !== undefined) revoke(next);
      if (now?.token !== refused) return now;
      if (next !== undefined) keepSignIn(next);
      else if (isAsked) keepInterrupted(id);
      else forgetSignIn();
      return adopted();
    });
  }

  function schedule(): void {
    clearTimeout(timer);
    const at = kept.refreshToken === undefined ? undefined : renewalAt(kept);
    if (listener === undefined || at === undefined) return;
    const left = Math.max(0, Math.max(at, restUntil) - Date.now());
    timer = setTimeout(left > TIMER_MAX_MS ? schedule : renewAhead, Math.min(left, TIMER_MAX_MS));
  }

  function renewAhead(): void {
    // The timer was set while an attempt was under way.
    if (Date.now() < restUntil) {
      schedule();
      return;
    }
    const { signal } = following;
    const { token } = kept;
    withRetry(backoff, () => renew(token), { signal }).then(
      (renewed) => {
        if (signal.aborted) return;
        if (renewed === undefined) return end('UNAUTHENTICATED');
        if (renewed.token === token) schedule();
      },
      () => end('UNAUTHENTICATED'),
    );
  }

  const end = (why: 'UNAUTHENTICATED' | 'OFFLINE') => listener?.onEnded(new ApiError(why));

  /**
   * For those who cannot go on without another token. They share the attempts: one that goes on after the page has
   * given up would be lost with its refresh token if the page is loaded again.
   */
  function renewNow(refused: string): Promise<KeptSignIn | undefined> {
    urgent ??= attemptNow(refused).finally(() => {
      urgent = undefined;
    });
    return urgent;
  }

  /** The same token may be of an attempt that began before the server has refused it. */
  async function renewForCertain(refused: string): Promise<KeptSignIn | undefined> {
    const renewed = await renew(refused);
    return renewed?.token === refused ? renew(refused) : renewed;
  }

  async function attemptNow(refused: string): Promise<KeptSignIn | undefined> {
    let tries = 0;
    const isRetryable = (error: ApiError) => isTemporary(error) && ++tries < TRIES;
    try {
      // Not the waits of the timer, which may be long by now: users wait for this one.
      const renewed = await withRetry(createBackoff(), () => renewForCertain(refused), { isRetryable });
      if (renewed === undefined) end('UNAUTHENTICATED');
      return renewed;
    } catch (error) {
      end('OFFLINE');
      throw error;
    }
  }

  return {
    id,
    current: () => kept.token,
    signOutUrl: () => signOutUrl(kept, config),
    async renewed(refused) {
      const stored = adopted();
      if (stored === undefined) return undefined;
      if (stored.token !== refused) return stored.token;
      // It is refused although it has not ended, so it was revoked. A new sign-in was wanted.
      if (Date.now() < (renewalAt(stored) ?? Number.POSITIVE_INFINITY)) return undefined;
      return (await renewNow(refused))?.token;
    },
    onRenewed(renewed) {
      renewals.add(renewed);
      return () => renewals.delete(renewed);
    },
    signOut() {
      keepSignOut(id);
      revoke(kept);
    },
    forget() {
      if (keptSignIn(config)?.id === id) forgetSignIn();
    },
    isInterrupted: () => isInterrupted(id),
    follow(next) {
      listener = next;
      following = new AbortController();
      const changed = () => {
        if (adopted() !== undefined) return;
        if (hasSignedOut(id)) next.onSignedOut();
        else if (keptSignIn(config) === undefined) next.onEnded(new ApiError('UNAUTHENTICATED'));
        else next.onReplaced();
      };
      const stop = onKeptChange(changed);
      // A page that was suspended may have missed what another tab has kept, and its timer is late.
      const awake = () => {
        if (document.visibilityState === 'hidden') return;
        changed();
        schedule();
      };
      addEventListener('online', backoff.retryNow);
      addEventListener('online', awake);
      document.addEventListener('visibilitychange', awake);
      // When the token has to be renewed, the server may have a later release, without this script.
      loadProvider().catch(() => {});
      schedule();
      return () => {
        stop();
        removeEventListener('online', backoff.retryNow);
        removeEventListener('online', awake);
        document.removeEventListener('visibilitychange', awake);
        following.abort();
        clearTimeout(timer);
        listener = undefined;
      };
    },
  };
}

const loadProvider = () => import('./provider.ts');

function offline(cause: unknown): never {
  throw new ApiError('OFFLINE', {}, { cause });
}

/**
 * Has the provider end the refresh token (RFC 7009). The page may leave meanwhile. Nothing depends on the response,
 * which some providers do not let pages read. The page's policy allows requests to the issuer's origin only.
 */
function revoke({ issuer, clientId, refreshToken, revocation }: KeptSignIn): void {
  if (refreshToken === undefined || revocation === undefined) return;
  if (!URL.canParse(revocation) || new URL(revocation).origin !== new URL(issuer).origin) return;
  const body = new URLSearchParams({
    token: refreshToken,
    token_type_hint: 'refresh_token',
    client_id: clientId,
  });
  fetch(revocation, { method: 'POST', body, keepalive: true, credentials: 'omit' }).catch(() => {});
}

/** The provider's page for those who sign out, which sends them back here. */
function signOutUrl(
  { endSession, idToken, clientId }: KeptSignIn,
  { audience }: ProviderConfig,
): string | undefined {
  if (endSession === undefined || !URL.canParse(endSession)) return undefined;
  const url = new URL(endSession);
  // Not one that the server accepts: addresses are in histories and logs. Without it the provider may ask.
  if (audience !== undefined) url.searchParams.set('id_token_hint', idToken);
  url.searchParams.set('client_id', clientId);
  url.searchParams.set('post_logout_redirect_uri', `${location.origin}/`);
  return url.href;
}
