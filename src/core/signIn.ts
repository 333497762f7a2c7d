import { isLoopback } from './loopback.ts';

/** How users of the web client sign in at an identity provider: OpenID Connect, the code flow with PKCE. */
export interface SignInConfig {
  /** The provider's issuer, below which its discovery document is. */
  readonly issuer: string;
  /** The web client's id at the provider. It is a public client: it has no secret. */
  readonly clientId: string;
  /** What the client asks for; with spaces between. */
  readonly scope: string;
  /**
   * The audience that the provider is asked to write into access tokens. Undefined: the server accepts tokens for
   * `clientId`, so the client sends it the ID token, which has that audience at every provider.
   */
  readonly audience?: string;
}

const SCOPE = 'openid profile offline_access';

/** The page's policy names the host, so it must have no other meaning there. */
const HOST = /^([a-z0-9.-]+|\[[0-9a-f:]+\])$/;

/**
 * Whether it can be an issuer: an `https:` URL without a query and without credentials, or an `http:` URL of this
 * machine.
 */
export function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username, password } = new URL(text);
  const isPrivate = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isPrivate && HOST.test(hostname) && [search, hash, username, password].every((part) => part === '');
}

type SignInVariables = Readonly<
  Partial<Record<'SIGN_IN_URL' | 'SIGN_IN_CLIENT_ID' | 'SIGN_IN_SCOPE' | 'AUTH_AUDIENCE', string | undefined>>
>;

/** Undefined if users of the web client enter a token. */
export function signInOf(variables: SignInVariables): SignInConfig | undefined {
  const { SIGN_IN_URL: issuer, SIGN_IN_CLIENT_ID: clientId, AUTH_AUDIENCE: audience } = variables;
  if (issuer === undefined || clientId === undefined) return undefined;
  const { SIGN_IN_SCOPE: scope = SCOPE } = variables;
  return {
    issuer,
    clientId,
    scope,
    ...(audience === undefined || audience === clientId ? {} : { audience }),
  };
}
