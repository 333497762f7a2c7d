import type { ApiError } from '../api/errors.ts';

/** The token that requests and websockets are sent with, which may be renewed. */
export interface Tokens {
  current(): string;
  /**
   * Resolves with a token in the place of one that the server has refused; undefined if there is none, and the viewer
   * must sign in again. Rejects with `ApiError` (OFFLINE) if the provider does not answer.
   */
  renewed(refused: string): Promise<string | undefined>;
  /** Calls the listener when there is another token. Returns a function that removes the listener. */
  onRenewed(listener: () => void): () => void;
}

/** How this tab is signed in. */
export interface SignIn extends Tokens {
  /**
   * A secret that stays the same when the token is renewed. What is kept for the time without the server belongs to it.
   */
  readonly id: string;
  /** Where to go after the viewer has signed out, to sign out at the provider as well. */
  signOutUrl(): string | undefined;
  /** Signs the other tabs of this user out. */
  signOut(): void;
  /** Signs this tab out, and lets new tabs begin signed out. */
  forget(): void;
  /**
   * Whether it has ended only because a renewal was interrupted. What is kept stays for the same user, who signs in
   * again.
   */
  isInterrupted(): boolean;
  /** Watches other tabs and the life of the token, until the returned function is called. */
  follow(listener: SignInListener): () => void;
}

export interface SignInListener {
  /** The viewer has signed out in another tab. */
  onSignedOut(): void;
  /** Nothing renews the token any more: UNAUTHENTICATED, or OFFLINE if the provider does not answer. */
  onEnded(why: ApiError): void;
  /** Someone has signed in again in another tab. */
  onReplaced(): void;
}

/** A token that is never renewed. */
export const fixedToken = (token: string): Tokens => ({
  current: () => token,
  renewed: async () => undefined,
  onRenewed: () => () => {},
});
