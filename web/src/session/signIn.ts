import { keptSignIn } from '../provider/kept.ts';
import { providerSignIn } from '../provider/providerSignIn.ts';
import { type Returned, takeReturned } from '../provider/returned.ts';
import { keep } from '../state/keep.ts';
import type { PageConfig } from './pageConfig.ts';
import { fixedToken, type SignIn } from './tokens.ts';

/**
 * Session storage has the token of this tab, so two tabs can be two users. Local storage has the token of the tab that
 * was used last: a new tab begins with it. `?as=ben` signs in as one of the demo users, and is then removed from the
 * address. With any other name the page says that there is none, and asks who to sign in as.
 *
 * If users sign in at a provider, all tabs are the same user (`provider/kept.ts`).
 */
const STORAGE_KEY = 'tsudoi:token';
/** The tabs of this browser send the token that has signed out. */
const SIGNED_OUT = 'tsudoi:signed-out';

export interface SignInAtStart {
  readonly signIn: SignIn | undefined;
  /** The address has signed in, so nothing was open before. */
  readonly isNew: boolean;
  /** The handle in the address. None of the demo users has it. */
  readonly unknown?: string;
  /** The provider has sent the user back here. */
  readonly returned?: Returned;
}

export function signInAtStart({ people, signIn: provider }: PageConfig): SignInAtStart {
  if (provider !== undefined) {
    const returned = takeReturned();
    if (returned !== undefined) return { signIn: undefined, isNew: false, returned };
    const kept = keptSignIn(provider);
    return { signIn: kept && providerSignIn(provider, kept), isNew: false };
  }
  const url = new URL(location.href);
  const as = url.searchParams.get('as');
  if (as === null) {
    const token = sessionStorage.getItem(STORAGE_KEY) ?? localStorage.getItem(STORAGE_KEY) ?? undefined;
    return { signIn: token === undefined ? undefined : signInWith(token), isNew: false };
  }
  url.searchParams.delete('as');
  history.replaceState(history.state, '', url);
  const token = people.find(({ handle }) => handle === as)?.token;
  if (token !== undefined) return { signIn: signInWith(token), isNew: true };
  sessionStorage.removeItem(STORAGE_KEY);
  const isWrong = as !== '' && people.length > 0;
  return { signIn: undefined, isNew: false, ...(isWrong ? { unknown: as } : {}) };
}

/** Signs this tab in. */
export function signInWith(token: string): SignIn {
  keep(sessionStorage, STORAGE_KEY, token);
  return {
    ...fixedToken(token),
    id: token,
    signOutUrl: () => undefined,
    signOut() {
      const channel = new BroadcastChannel(SIGNED_OUT);
      channel.postMessage(token);
      channel.close();
    },
    forget() {
      sessionStorage.removeItem(STORAGE_KEY);
      if (localStorage.getItem(STORAGE_KEY) === token) localStorage.removeItem(STORAGE_KEY);
    },
    isInterrupted: () => false,
    follow: ({ onSignedOut }) => {
      const stops = [rememberWhileUsed(token), onSignOutOf(token, onSignedOut)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** Lets new tabs begin with this user while this tab is the one that is used. */
function rememberWhileUsed(token: string): () => void {
  const remember = () => keep(localStorage, STORAGE_KEY, token);
  if (document.hasFocus() || localStorage.getItem(STORAGE_KEY) === null) remember();
  addEventListener('focus', remember);
  return () => removeEventListener('focus', remember);
}

/** Calls back when the user has signed out in a tab, this one included. */
function onSignOutOf(token: string, onSignedOut: () => void): () => void {
  const channel = new BroadcastChannel(SIGNED_OUT);
  channel.onmessage = ({ data }) => {
    if (data === token) onSignedOut();
  };
  return () => channel.close();
}
