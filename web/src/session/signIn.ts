import type { DemoPerson } from './pageConfig.ts';

/**
 * Session storage has the token of this tab, so two tabs can be two users. Local storage has the token of the tab that
 * was used last: a new tab begins with it. `?as=ben` signs in as one of the demo users, and is then removed from the
 * address. With any other name the page asks who to sign in as.
 */
const STORAGE_KEY = 'tsudoi:token';
/** The tabs of this browser send the token that has signed out. */
const SIGNED_OUT = 'tsudoi:signed-out';

export interface SignInAtStart {
  readonly token: string | undefined;
  /** The address has signed in, so nothing was open before. */
  readonly isNew: boolean;
}

export function signInAtStart(people: readonly DemoPerson[]): SignInAtStart {
  const url = new URL(location.href);
  const as = url.searchParams.get('as');
  if (as === null) {
    const token = sessionStorage.getItem(STORAGE_KEY) ?? localStorage.getItem(STORAGE_KEY) ?? undefined;
    if (token !== undefined) keepToken(token);
    return { token, isNew: false };
  }
  url.searchParams.delete('as');
  history.replaceState(history.state, '', url);
  const token = people.find(({ handle }) => handle === as)?.token;
  if (token === undefined) sessionStorage.removeItem(STORAGE_KEY);
  else keepToken(token);
  return { token, isNew: token !== undefined };
}

/** Signs this tab in. */
export const keepToken = (token: string): void => sessionStorage.setItem(STORAGE_KEY, token);

/** Signs this tab out, and lets new tabs begin signed out. */
export function dropToken(): void {
  const token = sessionStorage.getItem(STORAGE_KEY);
  sessionStorage.removeItem(STORAGE_KEY);
  if (localStorage.getItem(STORAGE_KEY) === token) localStorage.removeItem(STORAGE_KEY);
}

/** Signs the other tabs of this user out. */
export function announceSignOut(token: string): void {
  const channel = new BroadcastChannel(SIGNED_OUT);
  channel.postMessage(token);
  channel.close();
}

/**
 * Lets new tabs begin with this user while this tab is the one that is used. Calls back when the user has signed out in
 * another tab. Returns a function that ends both.
 */
export function shareSignIn(token: string, onSignedOut: () => void): () => void {
  const remember = () => localStorage.setItem(STORAGE_KEY, token);
  if (document.hasFocus() || localStorage.getItem(STORAGE_KEY) === null) remember();
  addEventListener('focus', remember);
  const channel = new BroadcastChannel(SIGNED_OUT);
  channel.onmessage = ({ data }) => {
    if (data === token) onSignedOut();
  };
  return () => {
    removeEventListener('focus', remember);
    channel.close();
  };
}
