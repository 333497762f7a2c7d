/** A running server refuses every kind of invalid token, over HTTP and over a websocket. */
import { exportJWK, exportSPKI, generateKeyPair, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer } from '../server/support/server.ts';
import { startIdentityProvider, type TokenOptions, tokenOf } from '../server/support/tokens.ts';

const ISSUER = { iss: 'https://id.example.com', aud: 'chat' };
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

/** The provider that the server trusts, and another one that must receive no requests. */
async function startProviders() {
  const [trusted, foreign] = [await startIdentityProvider(), await startIdentityProvider()];
  const signed = (options: TokenOptions = {}) =>
    tokenOf({
      key: trusted.pair.privateKey,
      claims: ISSUER,
      ...options,
      header: { alg: 'RS256', kid: 'one', ...options.header },
    });
  return { trusted, foreign, signed };
}

type Providers = Awaited<ReturnType<typeof startProviders>>;
type Server = Awaited<ReturnType<typeof startServer>>;

let providers: Providers;
beforeAll(async () => {
  providers = await startProviders();
});
afterAll(async () => {
  await providers?.trusted.stop();
  await providers?.foreign.stop();
});

/** The status and the code over HTTP; the websocket's close code, or its acknowledgement. */
async function answersTo({ post, socket }: Server, token: string): Promise<[number, unknown, unknown]> {
  const authorization = `Bearer ${token}`;
  const response = await post({ query: '{ whoami }' }, { authorization });
  const { errors } = (await response.json()) as {
    errors?: ReadonlyArray<{ extensions: { code: string } }>;
  };
  const opened = await socket();
  opened.send({ type: 'connection_init', payload: { authorization } });
  const acknowledged = opened.next().then(({ type }) => type);
  // It may reject after the race is decided.
  acknowledged.catch(() => {});
  const outcome = await Promise.race([acknowledged, opened.closed.then(({ code }) => code)]);
  return [response.status, errors?.[0]?.extensions.code, outcome];
}

test.each<[string, (providers: Providers) => Promise<string>]>([
  ['has expired', ({ signed }) => signed({ expiresIn: -10 })],
  ['never expires', ({ signed }) => signed({ expiresIn: null })],
  ['is not valid yet', ({ signed }) => signed({ claims: { ...ISSUER, nbf: inSeconds(60) } })],
  ['is of another issuer', ({ signed }) => signed({ claims: { ...ISSUER, iss: 'https://other' } })],
  ['is for another audience', ({ signed }) => signed({ claims: { ...ISSUER, aud: 'other' } })],
  [
    'has another signature',
    async ({ signed }) => signed({ key: (await generateKeyPair('RS256')).privateKey }),
  ],
  ['has alg none', async () => new UnsecuredJWT({ sub: 'aki', ...ISSUER }).setExpirationTime('1m').encode()],
  [
    'is HS256, signed with the public key',
    async ({ trusted }) => {
      const key = new TextEncoder().encode(await exportSPKI(trusted.pair.publicKey));
      return tokenOf({ key, claims: ISSUER, header: { kid: 'one' } });
    },
  ],
  [
    'names an address, and a key, of its own',
    async ({ foreign, signed }) => {
      const jwk = await exportJWK(foreign.pair.publicKey);
      return signed({ key: foreign.pair.privateKey, header: { jku: foreign.url, x5u: foreign.url, jwk } });
    },
  ],
])('tokens: one that %s is refused', async (_what, make) => {
  const { trusted, foreign, signed } = providers;
  const auth = { kind: 'jwks', url: trusted.url, issuer: ISSUER.iss, audience: ISSUER.aud } as const;
  const server = await startServer({ config: { auth } });
  expect(await answersTo(server, await make(providers))).toEqual([401, 'UNAUTHENTICATED', 4403]);
  expect(foreign.requests()).toBe(0);
  expect(await answersTo(server, await signed())).toEqual([200, undefined, 'connection_ack']);
});
