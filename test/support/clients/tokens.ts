import { SignJWT } from 'jose';

/** The secret that tests sign their tokens with. */
export const SECRET = 'a secret of the tests, and of nothing else: 0123456789';

const tokens = new Map<string, Promise<string>>();

/**
 * A token as an identity provider makes it. `until` is when it expires, `issued` when it was made. The same each time:
 * the first request with a newer one may write its time to the profile, at a moment that depends on the clock.
 */
export function tokenFor(handle: string, until = '1 hour', issued: string | Date = 'now'): Promise<string> {
  const name = [handle, until, issued].join(' ');
  const token = tokens.get(name) ?? sign(handle, until, issued);
  tokens.set(name, token);
  return token;
}

/** The name in the tokens of this handle. */
export const nameOf = (handle: string): string => handle.charAt(0).toUpperCase() + handle.slice(1);

const sign = (handle: string, until: string, issued: string | Date): Promise<string> =>
  new SignJWT({ preferred_username: handle, name: nameOf(handle) })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(handle)
    .setIssuedAt(issued === 'now' ? undefined : issued)
    .setExpirationTime(until)
    .sign(new TextEncoder().encode(SECRET));
