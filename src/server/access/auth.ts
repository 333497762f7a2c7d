import {
  type CryptoKey,
  createRemoteJWKSet,
  errors,
  type FlattenedJWSInput,
  flattenedVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { LRUCache } from 'lru-cache';
import type { AuthConfig } from '../../config.ts';
import { TsudoiError, unauthenticated, unavailable } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { developmentSecret } from './developmentSecret.ts';

/** Who a good token speaks for. */
export interface Identity {
  /** The token's subject: 1 to 255 characters without control characters. */
  readonly sub: string;
  /** `preferred_username`, as it was sent: whether it is a handle is for the users to decide. */
  readonly handle?: string;
  readonly name?: string;
  readonly jti?: string;
  /** Seconds since 1970; absent where the token does not say. */
  readonly issuedAt?: number;
  /** Seconds since 1970; absent where the token never expires. */
  readonly expiresAt?: number;
}

export interface Authenticator {
  /**
   * Throws UNAUTHENTICATED, with one text for everything that can be wrong with a token, and UNAVAILABLE
   * where the identity provider's keys cannot be had just now.
   */
  verify(token: string): Promise<Identity>;
}

/** Which tokens are refused although nothing is wrong with them. */
export interface RevokedTokens {
  has(identity: Identity): boolean;
  /** The listener is called after more have become known. */
  onMore(listener: () => void): () => void;
}

export interface AuthenticatorOptions {
  readonly auth: AuthConfig;
  /** Where the development secret is. */
  readonly dataDir: string;
  readonly log: Log;
  /** Asked for every token, every time. Absent: none is revoked. */
  readonly revoked?: Pick<RevokedTokens, 'has'>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const SUBJECT_MAX = 255;
const TOKEN_MAX = 8_192;
/** Clocks of issuers and servers differ a little. */
const CLOCK_TOLERANCE_S = 5;
const JWKS_TIMEOUT_MS = 2_000;
/** Tokens with keys nobody knows make the server look for new keys this often at most. */
const JWKS_COOLDOWN_MS = 30_000;
const JWKS_MAX_AGE_MS = 600_000;
/** A good token is not checked again for a minute: most of an HTTP request's identity costs nothing then. */
const REMEMBERED_MS = 60_000;
const REMEMBERED_MAX = 5_000;

/** Never HMAC: a published key must not be usable as a shared secret. */
const ASYMMETRIC = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

/**
 * Checks bearer tokens (JWT). The key is chosen by configuration alone: nothing that a token says (`jku`,
 * `x5u`, `jwk`, `alg: none`) is followed. `exp` is required of identity providers' tokens; whoever signs
 * with a secret of their own may leave it out.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { auth, log, revoked, now = Date.now } = options;
  const keyOf = keySource(options);
  const remembered = new LRUCache<string, Identity>({ max: REMEMBERED_MAX, ttl: REMEMBERED_MS });
  const checks: JWTVerifyOptions = {
    algorithms: auth.kind === 'jwks' ? ASYMMETRIC : ['HS256'],
    clockTolerance: CLOCK_TOLERANCE_S,
    requiredClaims: auth.kind === 'jwks' ? ['sub', 'exp'] : ['sub'],
    ...(auth.kind !== 'development' && auth.issuer !== undefined ? { issuer: auth.issuer } : {}),
    ...(auth.kind !== 'development' && auth.audience !== undefined ? { audience: auth.audience } : {}),
  };

  async function identified(token: string): Promise<Identity> {
    const known = remembered.get(token);
    if (known !== undefined && !isPast(known, now())) return known;
    if (token.length > TOKEN_MAX) throw badToken();
    try {
      const { payload } = await jwtVerify(token, keyOf, { ...checks, currentDate: new Date(now()) });
      const identity = identityOf(payload);
      remembered.set(token, identity);
      return identity;
    } catch (error) {
      if (error instanceof TsudoiError) {
        log.warn({ err: error }, 'the key that checks tokens cannot be had');
        throw error;
      }
      log.debug({ err: error }, 'a token was refused');
      throw badToken();
    }
  }

  return {
    async verify(token) {
      const identity = await identified(token);
      if (revoked?.has(identity) === true) throw badToken();
      return identity;
    },
  };
}

/**
 * The token of an `authorization` value, from a header or a websocket's `connectionParams`. Undefined where
 * there is none at all; throws UNAUTHENTICATED where there is something else than a bearer token.
 */
export function bearerToken(authorization: unknown): string | undefined {
  if (authorization === undefined || authorization === null || authorization === '') return undefined;
  const token = typeof authorization === 'string' ? /^bearer +(\S+)$/i.exec(authorization)?.[1] : undefined;
  if (token === undefined) throw badToken();
  return token;
}

const badToken = () => unauthenticated('The token is not, or no longer, good. Sign in again.');

const isPast = ({ expiresAt }: Identity, now: number) =>
  expiresAt !== undefined && now >= (expiresAt + CLOCK_TOLERANCE_S) * 1_000;

/** The key for a token. Throws UNAVAILABLE where there may be one but it cannot be had. */
function keySource({ auth, dataDir }: AuthenticatorOptions): JWTVerifyGetKey {
  if (auth.kind === 'secret') {
    const secret = new TextEncoder().encode(auth.secret);
    return () => secret;
  }
  const source = auth.kind === 'jwks' ? publishedKeys(auth.url) : developmentKey(dataDir);
  return async (header, token) => {
    try {
      return await source(header, token);
    } catch (error) {
      throw isAboutTheToken(error) ? error : unavailable(error);
    }
  };
}

function publishedKeys(url: string): JWTVerifyGetKey {
  const keySet = createRemoteJWKSet(new URL(url), {
    timeoutDuration: JWKS_TIMEOUT_MS,
    cooldownDuration: JWKS_COOLDOWN_MS,
    cacheMaxAge: JWKS_MAX_AGE_MS,
  });
  return async (header, token) => {
    try {
      return await keySet(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      // Keys without a `kid`, as during a rotation: it is the one that verifies, if any does.
      for await (const key of error) if (await verifies(token, key)) return key;
      throw new errors.JWKSNoMatchingKey();
    }
  };
}

const verifies = (token: FlattenedJWSInput, key: CryptoKey) =>
  flattenedVerify(token, key, { algorithms: ASYMMETRIC }).then(
    () => true,
    () => false,
  );

function developmentKey(dataDir: string): JWTVerifyGetKey {
  let secret: Uint8Array | undefined;
  return async () => {
    secret ??= await developmentSecret(dataDir);
    return secret;
  };
}

/** There is no such key, or no key set could have one for such an algorithm. */
const isAboutTheToken = (error: unknown) =>
  error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JOSENotSupported;

/** Throws where a claim that is there has the wrong form. */
function identityOf({ sub, preferred_username: handle, name, jti, iat, exp }: JWTPayload): Identity {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it refuses.
  if (typeof sub !== 'string' || sub.length > SUBJECT_MAX || !/^[^\u0000-\u001f\u007f]+$/.test(sub)) {
    throw new errors.JWTInvalid('"sub" must be a text of 1 to 255 characters');
  }
  return {
    sub,
    ...(typeof handle === 'string' ? { handle } : {}),
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof jti === 'string' ? { jti } : {}),
    ...(typeof iat === 'number' ? { issuedAt: iat } : {}),
    ...(typeof exp === 'number' ? { expiresAt: exp } : {}),
  };
}
