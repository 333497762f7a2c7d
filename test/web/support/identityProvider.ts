/** An OpenID provider on loopback, as operators have one: `oidc-provider`, with a page of its own to sign in. */

import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Configuration } from 'oidc-provider';
import { defined } from '../../../src/core/defined.ts';

export const CLIENT = 'tsudoi-web';

export interface IdentityProvider {
  readonly url: string;
  /** The address of the keys of its tokens. */
  readonly jwksUrl: string;
  /** How long tokens are valid, in seconds. */
  life: number;
  /** It closes all connections without a response. */
  isAway: boolean;
  /** How many times a refresh token was exchanged. */
  readonly renewals: number;
  /** How many refresh tokens a client has ended. */
  readonly revocations: number;
  /** The response to the next exchange of a refresh token is cut off, or does not come. */
  loseResponse(how: LostResponse): void;
  /** The next exchange of a refresh token is put off: the provider has too much to do. */
  putOff(): void;
  /** Lets the web client at this address use it. Must be called before the first sign-in. */
  allow(origin: string): void;
  /** Resolves at the next exchange of a refresh token. */
  renewed(): Promise<unknown>;
  /** Refuses all refresh tokens from now on. */
  revoke(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * `held`: the connection stays open without a response. One that is closed would not do: Chromium sends the request
 * again by itself, and the page gets the response to that.
 */
export type LostResponse = 'cut' | 'held';

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const DAY_S = 86_400;
/** The response to token requests for an audience. */
const TOKENS_FOR_AUDIENCE = { scope: '', accessTokenFormat: 'jwt' } as const;

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwks = { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'test' }] };
  const grants = new Set<string>();
  const events = new EventEmitter();
  let provider: Provider | undefined;
  let handle: Handler = async () => {};
  let life = 3_600;
  let isAway = false;
  let serial = 0;
  let renewals = 0;
  let revocations = 0;
  let losing: LostResponse | undefined;
  let isPuttingOff = false;

  const server = createServer((request, response) => {
    if (isAway) return void request.socket.destroy();
    if (request.method === 'POST' && request.url === '/token') {
      if (isPuttingOff) {
        isPuttingOff = false;
        response.writeHead(429, { 'content-type': 'application/json', 'access-control-allow-origin': '*' });
        return void response.end('{"error":"temporarily_unavailable"}');
      }
      if (losing !== undefined) lose(response, losing);
      losing = undefined;
    }
    handle(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const configuration = (origin: string): Configuration => ({
    clients: [
      {
        client_id: CLIENT,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`${origin}/sign-in`],
        post_logout_redirect_uris: [`${origin}/`],
      },
    ],
    jwks,
    cookies: { keys: ['of the tests'] },
    clientBasedCORS: () => true,
    scopes: ['openid', 'profile', 'offline_access'],
    claims: { profile: ['name', 'preferred_username', 'serial'] },
    conformIdTokenClaims: false,
    findAccount: (_context, accountId) => ({
      accountId,
      claims: () => ({
        sub: accountId,
        preferred_username: accountId,
        name: nameOf(accountId),
        // Two tokens of one second would be the same.
        serial: ++serial,
      }),
    }),
    issueRefreshToken: async () => true,
    ttl: {
      IdToken: () => life,
      AccessToken: () => life,
      Grant: DAY_S,
      Interaction: DAY_S,
      RefreshToken: DAY_S,
      Session: DAY_S,
    },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, audience) => ({
          ...TOKENS_FOR_AUDIENCE,
          audience,
          accessTokenTTL: life,
        }),
        useGrantedResource: () => true,
      },
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    // All clients are the operator's own, so users are not asked for their consent.
    async loadExistingGrant({ oidc }) {
      if (provider === undefined || oidc.client === undefined) return undefined;
      const { accountId } = oidc.session ?? {};
      const grant = new provider.Grant({
        clientId: oidc.client.clientId,
        ...defined({ accountId }),
      });
      grant.addOIDCScope('openid profile offline_access');
      for (const resource of [oidc.params?.resource].flat()) {
        if (typeof resource === 'string') grant.addResourceScope(resource, '');
      }
      grants.add(await grant.save());
      return grant;
    },
  });

  /** The provider's page: a name and two buttons. */
  async function interact(request: IncomingMessage, response: ServerResponse, provider: Provider) {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
      return;
    }
    const form = new URLSearchParams(await textOf(request));
    const result = form.has('cancel')
      ? { error: 'access_denied', error_description: 'The user cancelled.' }
      : { login: { accountId: form.get('name') ?? '' } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }

  return {
    url,
    jwksUrl: `${url}/jwks`,
    get life() {
      return life;
    },
    set life(seconds) {
      life = seconds;
    },
    get isAway() {
      return isAway;
    },
    set isAway(is) {
      isAway = is;
    },
    get renewals() {
      return renewals;
    },
    get revocations() {
      return revocations;
    },
    allow(origin) {
      const made = new Provider(url, configuration(origin));
      provider = made;
      made.on('grant.success', ({ oidc }) => {
        if (oidc.params?.grant_type !== 'refresh_token') return;
        renewals++;
        events.emit('renewed');
      });
      made.on('refresh_token.destroyed', () => revocations++);
      const answer = made.callback();
      handle = async (request, response) => {
        if (request.url?.startsWith('/interaction/')) await interact(request, response, made);
        else await answer(request, response);
      };
    },
    loseResponse(how) {
      losing = how;
    },
    putOff() {
      isPuttingOff = true;
    },
    renewed: () => once(events, 'renewed'),
    async revoke() {
      for (const id of grants) await (await provider?.Grant.find(id))?.destroy();
      grants.clear();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The provider does its work, and the page does not get all of the response. */
function lose(response: ServerResponse, how: LostResponse): void {
  const write = response.write.bind(response);
  response.end = (body?: unknown) => {
    if (how === 'cut') write(String(body).slice(0, 20), () => response.socket?.destroy());
    return response;
  };
}

const PAGE = `<!doctype html><html lang="en"><title>Identity provider</title><link rel="icon" href="data:,">
<form method="post"><label>Your name <input name="name"></label>
<button>Continue</button><button name="cancel" value="yes">Cancel</button></form></html>`;

const nameOf = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1);

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
