import { resolve } from 'node:path';
import {
  type CryptoKey,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { LRUCache } from 'lru-cache';
import type { AuthConfig } from '../../config.ts';
import { accountDeleted, invalidToken, TsudoiError, unavailable } from '../../core/errors.ts';
import { type Identity, isSubject, type RevokedTokens } from '../../core/identity.ts';
import type { Log } from '../../core/log.ts';
import { developmentSecret } from './developmentSecret.ts';
import { ASYMMETRIC, createPublishedKeys } from './publishedKeys.ts';
import { CLOCK_TOLERANCE_S, refusedFrom } from './tokenExpiry.ts';

export interface Authenticator {
  /**
   * Resolves to the claims of a valid token. Throws UNAUTHENTICATED, with one text for everything that can be wrong
   * with a token, ACCOUNT_DELETED, and UNAVAILABLE if the keys of the identity provider cannot be fetched.
   */
  verify(token: string): Promise<Identity>;
  /** Throws UNAUTHENTICATED and ACCOUNT_DELETED if the token was revoked since it was verified. Reads nothing. */
  checkRevoked(identity: Identity): void;
}

export interface AuthenticatorOptions {
  readonly auth: AuthConfig;
  /** The folder of the development secret. */
  readonly dataDir: string;
  readonly log: Log;
  /** Asked for every token, every time. Absent: no token is revoked. */
  readonly revoked?: Pick<RevokedTokens, 'has' | 'isDeleted'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const TOKEN_MAX = 8_192;
/** The signature of a valid token is not verified again for a minute, so most HTTP requests cost no verification. */
const VERIFIED_MS = 60_000;
const VERIFIED_MAX = 5_000;

/**
 * Verifies bearer tokens (JWT). Only the configuration chooses the key: a token's own `jku`, `x5u`, `jwk` and
 * `alg: none` are ignored. Tokens of an identity provider must have `exp`; a token signed with a shared secret may
 * leave it out.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { auth, log, revoked, now = Date.now } = options;
  const keyOf = keySource(options);
  const verified = new LRUCache<string, Identity>({ max: VERIFIED_MAX, ttl: VERIFIED_MS });
  // Tokens that were made with another directory are refused.
  const ofDevelopment = auth.kind === 'development' ? { dataDir: resolve(options.dataDir) } : {};
  const checks: JWTVerifyOptions = {
    algorithms: auth.kind === 'jwks' ? ASYMMETRIC : ['HS256'],
    clockTolerance: CLOCK_TOLERANCE_S,
    requiredClaims: auth.kind === 'jwks' ? ['sub', 'exp'] : ['sub'],
    ...(auth.kind !== 'development' && auth.issuer !== undefined ? { issuer: auth.issuer } : {}),
    ...(auth.kind !== 'development' && auth.audience !== undefined ? { audience: auth.audience } : {}),
  };

  async function identityFrom(token: string): Promise<Identity> {
    const known = verified.get(token);
    if (known !== undefined && !hasExpired(known, now())) return known;
    if (token.length > TOKEN_MAX) throw invalidToken();
    try {
      const { payload } = await jwtVerify(token, keyOf, { ...checks, currentDate: new Date(now()) });
      const identity = identityOf(payload);
      verified.set(token, identity);
      return identity;
    } catch (error) {
      if (error instanceof TsudoiError) throw error;
      log.debug({ err: error, ...ofDevelopment }, 'A token was refused');
      throw invalidToken();
    }
  }

  function checkRevoked(identity: Identity): void {
    if (revoked?.isDeleted(identity.sub) === true) throw accountDeleted();
    if (revoked?.has(identity) === true) throw invalidToken();
  }

  return {
    checkRevoked,
    async verify(token) {
      const identity = await identityFrom(token);
      checkRevoked(identity);
      return identity;
    },
  };
}

/**
 * The token of an `authorization` value, from a header or a websocket's `connectionParams`. Undefined if the value is
 * absent or empty. Throws UNAUTHENTICATED if it is not a bearer token.
 */
export function bearerToken(authorization: unknown): string | undefined {
  if (authorization === undefined || authorization === null || authorization === '') return undefined;
  const token = typeof authorization === 'string' ? /^bearer +(\S+)$/i.exec(authorization)?.[1] : undefined;
  if (token === undefined) throw invalidToken();
  return token;
}

const hasExpired = (identity: Identity, now: number) =>
  now >= (refusedFrom(identity) ?? Number.POSITIVE_INFINITY);

/** Finds the key for a token. Throws UNAVAILABLE if the keys cannot be read or fetched. */
function keySource({ auth, dataDir, log, now = Date.now }: AuthenticatorOptions): JWTVerifyGetKey {
  if (auth.kind === 'secret') return sharedKey(async () => new TextEncoder().encode(auth.secret));
  const source =
    auth.kind === 'jwks' ? createPublishedKeys({ url: auth.url, log, now }) : developmentKey(dataDir, log);
  return async (header, token) => {
    try {
      return await source(header, token);
    } catch (error) {
      throw isAboutTheToken(error) ? error : unavailable(error);
    }
  };
}

const developmentKey = (dataDir: string, log: Log): JWTVerifyGetKey =>
  sharedKey(async () => {
    try {
      return await developmentSecret(dataDir);
    } catch (err) {
      log.warn({ err }, 'The secret that verifies tokens cannot be read');
      throw err;
    }
  });

/** Imported once: with the bytes of a secret, jose would import them for each token. */
function sharedKey(secret: () => Promise<Uint8Array>): JWTVerifyGetKey {
  let key: CryptoKey | undefined;
  return async () => {
    key ??= await crypto.subtle.importKey('raw', new Uint8Array(await secret()), HS256, false, ['verify']);
    return key;
  };
}

const HS256 = { name: 'HMAC', hash: 'SHA-256' };

/** The key set has no such key, or no key set can have one for this algorithm. */
const isAboutTheToken = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JOSENotSupported;

/**
 * Throws if the subject is missing or not valid. Half of a surrogate pair is refused: ids are made of the subject's
 * UTF-8, in which all of these are the same character. Other claims of the wrong type are left out.
 */
function identityOf(payload: JWTPayload): Identity {
  const { sub, preferred_username: handle, name, picture, locale, jti, iat, exp } = payload;
  const { email, email_verified: verified } = payload;
  if (typeof sub !== 'string' || !isSubject(sub)) {
    throw new errors.JWTInvalid('"sub" must be a text of 1 to 255 characters without control characters');
  }
  return {
    sub,
    ...(typeof handle === 'string' ? { handle } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof picture === 'string' ? { picture } : {}),
    ...(typeof locale === 'string' ? { locale } : {}),
    ...(typeof email === 'string' ? { email } : {}),
    // Some providers write it as a text.
    ...(verified === undefined ? {} : { emailVerified: verified === true || verified === 'true' }),
    ...(typeof jti === 'string' ? { jti } : {}),
    ...(typeof iat === 'number' ? { issuedAt: iat } : {}),
    ...(typeof exp === 'number' ? { expiresAt: exp } : {}),
  };
}
