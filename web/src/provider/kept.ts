/** A sign-in at the identity provider, which all tabs of this browser share. */
export interface KeptSignIn {
  /** Made at random. It stays when the tokens are renewed, and when the same user signs in again. */
  readonly id: string;
  readonly issuer: string;
  readonly clientId: string;
  /** The user's id at the provider. */
  readonly subject: string;
  /** What the server gets. */
  readonly token: string;
  /** The earliest time at which the token can have been made, in milliseconds since 1970 by this machine's clock. */
  readonly madeAt: number;
  /** How long the token is valid, in milliseconds. Absent: the token does not say. */
  readonly lifeMs?: number;
  /** Says who signs out, at the provider. */
  readonly idToken: string;
  readonly refreshToken?: string;
  /** How many times the provider has renewed it. It may return the same token each time. Absent: never. */
  readonly renewals?: number;
  /** The refresh token was sent to the provider, and no response to it has come. */
  readonly isAsked?: true;
  /** The provider's address for those who sign out. */
  readonly endSession?: string;
  /** The provider's address that ends a refresh token (RFC 7009). */
  readonly revocation?: string;
}

/** How users sign in, as the server's page says (`src/core/signIn.ts`). */
export interface ProviderConfig {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  readonly audience?: string;
}

const PLACE = 'tsudoi:sign-in';
/** A token is renewed this long before it ends, in milliseconds; a short one after two thirds of its life. */
const AHEAD_MS = 60_000;

/** Undefined if no one is signed in, or at another provider than the page names now. */
export function keptSignIn({ issuer, clientId }: ProviderConfig): KeptSignIn | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? 'null') as KeptSignIn | null;
    return kept?.issuer === issuer && kept.clientId === clientId ? kept : undefined;
  } catch {
    return undefined;
  }
}

export const keepSignIn = (kept: KeptSignIn): void => localStorage.setItem(PLACE, JSON.stringify(kept));
export const forgetSignIn = (): void => localStorage.removeItem(PLACE);

/** In the place of a sign-in that its user has ended. Other tabs see by it that it did not end by itself. */
const signedOut = (id: string): string => JSON.stringify({ signedOut: id });
export const keepSignOut = (id: string): void => localStorage.setItem(PLACE, signedOut(id));
export const hasSignedOut = (id: string): boolean => localStorage.getItem(PLACE) === signedOut(id);

/**
 * In the place of a sign-in whose renewal was interrupted: the provider has renewed it, the response was lost, and it
 * refuses the refresh token of before. It has not ended the sign-in for its user, who signs in again.
 */
const interrupted = (id: string): string => JSON.stringify({ interrupted: id });
export const keepInterrupted = (id: string): void => localStorage.setItem(PLACE, interrupted(id));
export const isInterrupted = (id: string): boolean => localStorage.getItem(PLACE) === interrupted(id);

/** Calls the listener when another tab has changed what is kept. */
export function onKeptChange(listener: () => void): () => void {
  const listen = ({ key }: StorageEvent) => {
    if (key === PLACE || key === null) listener();
  };
  addEventListener('storage', listen);
  return () => removeEventListener('storage', listen);
}

/** When the token has to be renewed, in milliseconds since 1970. Undefined if it is not known when the token ends. */
export const renewalAt = ({ madeAt, lifeMs }: KeptSignIn): number | undefined =>
  lifeMs === undefined ? undefined : madeAt + lifeMs - Math.min(AHEAD_MS, lifeMs / 3);

/** How long a JWT that was just received is valid, in milliseconds. Undefined if it does not say, or is none. */
export function lifeOf(token: string, now: number): number | undefined {
  try {
    const bytes = Uint8Array.from(atob(base64Of(token.split('.')[1] ?? '')), (char) => char.charCodeAt(0));
    const { exp, iat } = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
    if (typeof exp !== 'number') return undefined;
    const left = Math.max(0, exp * 1_000 - now);
    if (typeof iat !== 'number') return left;
    // It does not depend on this machine's clock, but some providers say a time some minutes before (Microsoft Entra
    // ID, five).
    const life = Math.max(0, (exp - iat) * 1_000);
    return left > life / 2 ? Math.min(life, left) : life;
  } catch {
    return undefined;
  }
}

const base64Of = (base64url: string): string => base64url.replaceAll('-', '+').replaceAll('_', '/');
