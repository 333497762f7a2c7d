/** OpenID Connect: the code flow with PKCE, and the refresh token. Loaded only by users who sign in at a provider. */
import {
  AuthorizationResponseError,
  type AuthorizationServer,
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  type Client,
  calculatePKCECodeChallenge,
  clockTolerance,
  discoveryRequest,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  getValidatedIdTokenClaims,
  None,
  OperationProcessingError,
  PARSE_ERROR,
  processAuthorizationCodeResponse,
  processDiscoveryResponse,
  processRefreshTokenResponse,
  ResponseBodyError,
  refreshTokenGrantRequest,
  type TokenEndpointResponse,
  validateAuthResponse,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import { ApiError } from '../api/errors.ts';
import { type KeptSignIn, keepSignIn, keptSignIn, lifeOf, type ProviderConfig } from './kept.ts';
import { pathWithin, type Returned, SIGN_IN_PATH } from './returned.ts';

/**
 * Why a sign-in did not succeed. `denied`: the user or the provider refused. `mismatch`: this tab has not begun it.
 * `unreachable`: the provider does not answer. `insecure`: browsers have no cryptography for pages without HTTPS.
 */
export type SignInFailure = 'denied' | 'mismatch' | 'unreachable' | 'insecure' | 'failed';

export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly failure: SignInFailure;
  /** The provider's name for it, such as `invalid_scope`. */
  readonly code: string | undefined;
  constructor(failure: SignInFailure, cause?: unknown) {
    super(failure, { cause });
    this.failure = failure;
    const isAnswer = cause instanceof AuthorizationResponseError || cause instanceof ResponseBodyError;
    this.code = isAnswer ? cause.error : undefined;
  }
}

/** How a sign-in ended. */
export interface Outcome {
  /** The path to open. */
  readonly to: string;
  readonly error?: SignInError;
}

/** A sign-in that this tab has begun. */
interface Begun {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The path to open afterwards. */
  readonly to: string;
}

const PLACE = 'tsudoi:sign-in-begun';
const TIMEOUT_MS = 15_000;
/**
 * The clocks of users' machines are often wrong, by years too. The tokens come from the provider itself, and the server
 * checks their times. In seconds.
 */
const CLOCK_TOLERANCE_S = 100 * 365 * 86_400;

/** The times in tokens are in whole seconds. */
const ROUNDED_MS = 1_000;

const clientOf = ({ clientId }: ProviderConfig): Client => ({
  client_id: clientId,
  [clockTolerance]: CLOCK_TOLERANCE_S,
});

const optionsOf = ({ issuer }: ProviderConfig) => ({
  // The server allows it for providers of this machine only.
  [allowInsecureRequests]: issuer.startsWith('http:'),
  signal: AbortSignal.timeout(TIMEOUT_MS),
});

async function discover(config: ProviderConfig): Promise<AuthorizationServer> {
  const issuer = new URL(config.issuer);
  return processDiscoveryResponse(issuer, await discoveryRequest(issuer, optionsOf(config)));
}

const redirectUri = (): string => `${location.origin}${SIGN_IN_PATH}`;

/** Leaves the page for the provider's. Rejects with `SignInError`. */
export async function begin(config: ProviderConfig): Promise<void> {
  if (!isSecureContext) throw new SignInError('insecure');
  try {
    const { authorization_endpoint: endpoint } = await discover(config);
    if (endpoint === undefined) throw new Error('The provider has no authorization endpoint.');
    const begun: Begun = {
      state: generateRandomState(),
      nonce: generateRandomNonce(),
      verifier: generateRandomCodeVerifier(),
      to: pathWithin(location.href, location.origin),
    };
    sessionStorage.setItem(PLACE, JSON.stringify(begun));
    const url = new URL(endpoint);
    const parameters = {
      client_id: config.clientId,
      redirect_uri: redirectUri(),
      response_type: 'code',
      scope: config.scope,
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: await calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
      ...audienceOf(config),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    location.assign(url);
  } catch (error) {
    throw signInError(error);
  }
}

/** `resource` is the standard (RFC 8707), for which it must be a URL. `audience` is older, and means the same. */
const audienceOf = ({ audience }: ProviderConfig): Readonly<Record<string, string>> =>
  audience === undefined
    ? {}
    : { audience, ...(audience.startsWith('https:') ? { resource: audience } : {}) };

function begunBefore(): Begun | undefined {
  const begun = sessionStorage.getItem(PLACE);
  return begun === null ? undefined : (JSON.parse(begun) as Begun);
}

/** Exchanges the code, once, and keeps the sign-in. */
export async function complete(config: ProviderConfig, returned: Returned): Promise<Outcome> {
  const begun = begunBefore();
  sessionStorage.removeItem(PLACE);
  const to = pathWithin(begun?.to ?? '/', location.origin);
  if (begun === undefined || returned.get('state') !== begun.state) {
    return { to, error: new SignInError('mismatch') };
  }
  try {
    const server = await discover(config);
    const client = clientOf(config);
    const askedAt = Date.now();
    const response = await authorizationCodeGrantRequest(
      ...([server, client, None()] as const),
      validateAuthResponse(server, client, returned, begun.state),
      ...([redirectUri(), begun.verifier, optionsOf(config)] as const),
    );
    const result = await processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: begun.nonce,
      requireIdToken: true,
    });
    const { id_token: idToken = '' } = result;
    const subject = getValidatedIdTokenClaims(result)?.sub ?? '';
    const before = keptSignIn(config);
    keepSignIn({
      id: before?.subject === subject ? before.id : crypto.randomUUID(),
      issuer: config.issuer,
      clientId: config.clientId,
      subject,
      idToken,
      ...tokensOf(config, result, { idToken, askedAt }),
      ...(server.end_session_endpoint === undefined ? {} : { endSession: server.end_session_endpoint }),
      ...(server.revocation_endpoint === undefined ? {} : { revocation: server.revocation_endpoint }),
    });
    return { to };
  } catch (error) {
    return { to, error: signInError(error) };
  }
}

/** What changes with each answer of the provider. */
function tokensOf(
  { audience }: ProviderConfig,
  { access_token, expires_in: expiresIn, refresh_token: refreshToken }: TokenEndpointResponse,
  { idToken, askedAt }: { readonly idToken: string; readonly askedAt: number },
) {
  const token = audience === undefined ? idToken : access_token;
  const said = lifeOf(token, Date.now());
  // A provider may return an access token that it has made before.
  const isSooner = audience !== undefined && said !== undefined && expiresIn !== undefined;
  const lifeMs = isSooner ? Math.min(said, expiresIn * 1_000) : said;
  const madeAt = askedAt - ROUNDED_MS;
  return {
    token,
    madeAt,
    ...(lifeMs === undefined ? {} : { lifeMs }),
    ...(refreshToken === undefined ? {} : { refreshToken }),
  };
}

export interface RefreshListener {
  /** Called before the provider gets the refresh token. */
  onAsking(): void;
  /** Called if the provider itself has put it off: its response has come, and the refresh token is still valid. */
  onPutOff(): void;
}

/**
 * Gets another token. Resolves with undefined if the provider refuses it for good. Rejects with `ApiError` (OFFLINE) if
 * another attempt may succeed.
 */
export async function refresh(
  config: ProviderConfig,
  kept: KeptSignIn,
  { onAsking, onPutOff }: RefreshListener,
): Promise<KeptSignIn | undefined> {
  if (kept.refreshToken === undefined) return undefined;
  const offline = (cause: unknown) => new ApiError('OFFLINE', {}, { cause });
  const server = await discover(config).catch((error: unknown) => {
    throw offline(error);
  });
  try {
    const client = clientOf(config);
    const options = { ...optionsOf(config), additionalParameters: audienceOf(config) };
    const askedAt = Date.now();
    onAsking();
    const response = await refreshTokenGrantRequest(server, client, None(), kept.refreshToken, options);
    const result = await processRefreshTokenResponse(server, client, response);
    const subject = getValidatedIdTokenClaims(result)?.sub ?? kept.subject;
    // Providers need not send an ID token again. Without it the server gets nothing new.
    const isUseful = config.audience !== undefined || result.id_token !== undefined;
    if (subject !== kept.subject || !isUseful) return undefined;
    const idToken = result.id_token ?? kept.idToken;
    const next = tokensOf(config, result, { idToken, askedAt });
    const { refreshToken = kept.refreshToken } = next;
    // The provider has returned the token that it has made before, which ends when that one does.
    const renewals = (kept.renewals ?? 0) + 1;
    if (next.token === kept.token) return { ...kept, idToken, refreshToken, renewals };
    const { lifeMs: _, ...before } = { ...kept, renewals };
    return { ...before, idToken, ...next };
  } catch (error) {
    if (isFinal(error)) return undefined;
    if (error instanceof ResponseBodyError) onPutOff();
    throw offline(error);
  }
}

const isStatusFinal = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;

/**
 * Whether the provider would answer the same to another attempt. A response that is none of its own is from a proxy.
 * One that cannot be read to its end was interrupted: the page is left, or the network is lost.
 */
function isFinal(error: unknown): boolean {
  if (error instanceof ResponseBodyError || error instanceof WWWAuthenticateChallengeError) {
    return isStatusFinal(error.status);
  }
  if (!(error instanceof OperationProcessingError)) return false;
  return error.code !== PARSE_ERROR && !(error.cause instanceof Response);
}

function signInError(error: unknown): SignInError {
  if (error instanceof SignInError) return error;
  if (error instanceof AuthorizationResponseError) {
    return new SignInError(error.error === 'access_denied' ? 'denied' : 'failed', error);
  }
  const isUnreachable = error instanceof TypeError || error instanceof DOMException;
  return new SignInError(isUnreachable ? 'unreachable' : 'failed', error);
}
