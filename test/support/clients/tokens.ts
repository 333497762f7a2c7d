import { SignJWT } from 'jose';

/** The secret that tests sign their tokens with. */
export const SECRET = 'a secret of the tests, and of nothing else: 0123456789';

/** A token as an identity provider makes it. `until` is when it expires, `issued` when it was made. */
export const tokenFor = (handle: string, until = '1 hour', issued = 'now'): Promise<string> =>
  new SignJWT({ preferred_username: handle, name: handle.charAt(0).toUpperCase() + handle.slice(1) })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(handle)
    .setIssuedAt(issued === 'now' ? undefined : issued)
    .setExpirationTime(until)
    .sign(new TextEncoder().encode(SECRET));
