import { randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { keptSecret } from '../../core/keptSecret.ts';

const SECRET_BYTES = 32;
const LIFETIME_DAYS = 365;

/**
 * The secret that signs and verifies tokens if no `AUTH_*` is set: 32 random bytes in `<dataDir>/development-secret`.
 * `onMade` is called if this process made it.
 */
export const developmentSecret = (dataDir: string, onMade?: () => void): Promise<Uint8Array> =>
  keptSecret({
    dataDir,
    name: 'development-secret',
    bytes: SECRET_BYTES,
    onMade,
    make: () => randomBytes(SECRET_BYTES),
  });

export interface DevelopmentUser {
  /** The token's subject, and the handle that the first request asks for. */
  readonly handle: string;
  /** The display name; by default the handle with a capital letter. */
  readonly name?: string;
  /** A verified address. */
  readonly email?: string;
}

/** A token for trying things out. It is signed with the development secret and valid for a year. */
export function developmentToken(
  secret: Uint8Array,
  { handle, name, email }: DevelopmentUser,
): Promise<string> {
  const displayName = name ?? handle.charAt(0).toUpperCase() + handle.slice(1);
  return new SignJWT({
    preferred_username: handle,
    name: displayName,
    ...(email === undefined ? {} : { email, email_verified: true }),
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(handle)
    .setIssuedAt()
    .setExpirationTime(`${LIFETIME_DAYS} days`)
    .sign(secret);
}
