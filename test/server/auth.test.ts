import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, exportSPKI, generateKeyPair, UnsecuredJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AuthConfig } from '../../src/config.ts';
import { defined } from '../../src/core/defined.ts';
import { type ErrorCode, TsudoiError } from '../../src/core/errors.ts';
import { type Authenticator, createAuthenticator } from '../../src/server/access/auth.ts';
import { developmentSecret, developmentToken } from '../../src/server/access/developmentSecret.ts';
import { startOwnTime } from '../support/time/ownTime.ts';
import { createRecordedLog } from './support/log.ts';
import { SECRET, startIdentityProvider, type TokenOptions, tokenOf } from './support/tokens.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tsudoi-auth-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const recorded = createRecordedLog();
const withAuth = (auth: AuthConfig, now?: () => number) =>
  createAuthenticator({ auth, dataDir, log: recorded.log, ...defined({ now }) });
const bySecret = (more: { issuer?: string; audience?: string } = {}) =>
  withAuth({ kind: 'secret', secret: SECRET, issuer: undefined, audience: undefined, ...more });

async function refusal(authenticator: Authenticator, token: string | Promise<string>): Promise<TsudoiError> {
  try {
    await authenticator.verify(await token);
  } catch (error) {
    if (error instanceof TsudoiError) return error;
    throw error;
  }
  throw new Error('The token was accepted.');
}
const codeOf = async (...args: Parameters<typeof refusal>): Promise<ErrorCode> =>
  (await refusal(...args)).code;

describe('verify with a shared secret', () => {
  test('verify: resolves to the identity and the expiry', async () => {
    const token = await tokenOf({ claims: { jti: 'session-1' }, expiresIn: 60 });
    expect(await bySecret().verify(token)).toEqual({
      sub: 'aki',
      handle: 'aki',
      name: 'Aki',
      jti: 'session-1',
      expiresAt: expect.closeTo(Date.now() / 1_000 + 60, -1),
    });
  });

  test('verify: a token needs no expiry, handle and name', async () => {
    const token = tokenOf({ claims: { preferred_username: undefined, name: undefined }, expiresIn: null });
    expect(await bySecret().verify(await token)).toEqual({ sub: 'aki' });
  });

  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
  const bad: Array<[string, () => string | Promise<string>]> = [
    ['is not a token', () => 'garbage'],
    ['is empty', () => ''],
    ['is larger than any token', () => `${'a'.repeat(9_000)}.b.c`],
    ['has expired', () => tokenOf({ expiresIn: -10 })],
    ['is not valid yet', () => tokenOf({ claims: { nbf: inSeconds(60) } })],
    ['has another signature', () => tokenOf({ key: new TextEncoder().encode(`${SECRET}!`) })],
    ['has alg none', () => new UnsecuredJWT({ sub: 'aki' }).setExpirationTime('1m').encode()],
    ['has another HMAC', () => tokenOf({ header: { alg: 'HS512' }, key: new Uint8Array(64) })],
    ['has no subject', () => tokenOf({ claims: { sub: undefined } })],
    ['has an empty subject', () => tokenOf({ claims: { sub: '' } })],
    ['has a subject that is too long', () => tokenOf({ claims: { sub: 'a'.repeat(256) } })],
    ['has a subject with control characters', () => tokenOf({ claims: { sub: 'a\u0000b' } })],
    ['has a subject with half of a surrogate pair', () => tokenOf({ claims: { sub: 'a\ud800' } })],
    ['has a subject that is not a text', () => tokenOf({ claims: { sub: 7 } })],
    ['has an expiry that is not a number', () => tokenOf({ claims: { exp: 'never' } })],
    [
      'has an unknown critical extension',
      () => tokenOf({ header: { crit: ['x'], x: 1 } }).catch(() => 'a.b.c'),
    ],
  ];
  test.each(bad)('verify: refuses a token that %s with the same message', async (_what, make) => {
    const error = await refusal(bySecret(), await make());
    expect(error.code).toBe('UNAUTHENTICATED');
    expect(error.message).toBe((await refusal(bySecret(), 'garbage')).message);
  });

  test('verify: accepts a subject of 255 characters', async () => {
    const sub = '会'.repeat(255);
    expect((await bySecret().verify(await tokenOf({ claims: { sub } }))).sub).toBe(sub);
  });

  test('verify: checks issuer and audience if they are configured', async () => {
    const strict = bySecret({ issuer: 'https://id', audience: 'chat' });
    const claims = { iss: 'https://id', aud: ['other', 'chat'] };
    expect((await strict.verify(await tokenOf({ claims }))).sub).toBe('aki');
    expect(await codeOf(strict, tokenOf({ claims: { ...claims, iss: 'https://other' } }))).toBe(
      'UNAUTHENTICATED',
    );
    expect(await codeOf(strict, tokenOf({ claims: { ...claims, aud: 'other' } }))).toBe('UNAUTHENTICATED');
    expect(await codeOf(strict, tokenOf())).toBe('UNAUTHENTICATED');
  });

  test('verify: refuses a known token after its expiry', async () => {
    let time = Date.now();
    const auth = { kind: 'secret', secret: SECRET, issuer: undefined, audience: undefined } as const;
    const authenticator = withAuth(auth, () => time);
    const token = await tokenOf({ expiresIn: 30 });
    await authenticator.verify(token);
    time += 34_000;
    await authenticator.verify(token);
    time += 2_000;
    expect(await codeOf(authenticator, token)).toBe('UNAUTHENTICATED');
  });

  test('verify: does not log the token', async () => {
    const token = await tokenOf({ expiresIn: -10 });
    await refusal(bySecret(), token);
    expect(recorded.lines().at(-1)).toMatchObject({ err: { code: 'ERR_JWT_EXPIRED' } });
    expect(recorded.lines().at(-1)).not.toHaveProperty('dataDir');
    expect(recorded.text()).not.toContain(token.split('.')[2]);
  });
});

describe('verify with an identity provider', () => {
  let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
  beforeEach(async () => {
    provider = await startIdentityProvider();
  });
  afterEach(() => provider.stop());

  const claims = { iss: 'https://id', aud: 'chat' };
  const byKeys = (url = provider.url) =>
    withAuth({ kind: 'jwks', url, issuer: claims.iss, audience: claims.aud });
  const signed = (more: TokenOptions = {}) =>
    tokenOf({
      key: provider.pair.privateKey,
      claims,
      ...more,
      header: { alg: 'RS256', kid: 'one', ...more.header },
    });

  test('verify: accepts a token signed with a published key, and fetches the keys once', async () => {
    const authenticator = byKeys();
    const tokens = await Promise.all([signed(), signed({ claims: { ...claims, jti: '2' } })]);
    for (const token of tokens) expect((await authenticator.verify(token)).sub).toBe('aki');
    expect(provider.requests()).toBe(1);
  });

  test('verify: refuses a token without an expiry', async () => {
    expect(await codeOf(byKeys(), signed({ expiresIn: null }))).toBe('UNAUTHENTICATED');
  });

  test('verify: refuses HS256 signed with the public key as its secret', async () => {
    const key = new TextEncoder().encode(await exportSPKI(provider.pair.publicKey));
    expect(await codeOf(byKeys(), tokenOf({ key, claims, header: { kid: 'one' } }))).toBe('UNAUTHENTICATED');
  });

  test('verify: refuses another issuer, another audience, another key and alg none', async () => {
    const unknown = await generateKeyPair('RS256');
    const refused = [
      signed({ claims: { ...claims, iss: 'https://other' } }),
      signed({ claims: { ...claims, aud: 'other' } }),
      signed({ key: unknown.privateKey }),
      signed({ key: unknown.privateKey, header: { kid: 'two' } }),
      new UnsecuredJWT({ sub: 'aki', ...claims }).setExpirationTime('1m').encode(),
    ];
    const authenticator = byKeys();
    for (const token of refused) expect(await codeOf(authenticator, token)).toBe('UNAUTHENTICATED');
  });

  test('verify: sends no request to a URL in a token', async () => {
    const other = await startIdentityProvider();
    try {
      const header = {
        kid: 'one',
        jku: other.url,
        x5u: other.url,
        jwk: await exportJWK(other.pair.publicKey),
      };
      const token = signed({ key: other.pair.privateKey, header });
      expect(await codeOf(byKeys(), token)).toBe('UNAUTHENTICATED');
      expect(other.requests()).toBe(0);
    } finally {
      await other.stop();
    }
  });

  test('verify: tries keys without an id one after the other', async () => {
    const next = await generateKeyPair('RS256', { extractable: true });
    const published = await Promise.all(
      [next.publicKey, provider.pair.publicKey].map((key) => exportJWK(key)),
    );
    provider.publish(published.map((key) => ({ ...key, alg: 'RS256', use: 'sig' })) as never);
    const authenticator = byKeys();
    const bare = (key: TokenOptions['key']) =>
      tokenOf({ claims, header: { alg: 'RS256' }, ...(key && { key }) });
    expect((await authenticator.verify(await bare(provider.pair.privateKey))).sub).toBe('aki');
    expect((await authenticator.verify(await bare(next.privateKey))).sub).toBe('aki');
    const unknown = await generateKeyPair('RS256');
    expect(await codeOf(authenticator, bare(unknown.privateKey))).toBe('UNAUTHENTICATED');
  });

  test('verify: throws UNAVAILABLE within 3 s if the provider refuses connections or does not answer', async () => {
    expect(await codeOf(byKeys('http://127.0.0.1:1/keys'), signed())).toBe('UNAVAILABLE');
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = silent.address() as { port: number };
      const token = await signed();
      const took = startOwnTime();
      expect(await codeOf(byKeys(`http://127.0.0.1:${port}/keys`), token)).toBe('UNAVAILABLE');
      expect(took()).toBeLessThan(3_000);
    } finally {
      silent.close();
    }
  });
});

describe('development tokens', () => {
  test('developmentSecret: is the same for every process with the same data directory', async () => {
    let made = 0;
    const secrets = await Promise.all(
      Array.from({ length: 8 }, () => developmentSecret(dataDir, () => made++)),
    );
    expect(made).toBe(1);
    for (const secret of secrets) expect(secret).toEqual(secrets[0]);
    expect(secrets[0]).toHaveLength(32);
    expect(await readdir(dataDir)).toEqual(['development-secret']);
    expect((await stat(join(dataDir, 'development-secret'))).mode & 0o777).toBe(0o600);
  });

  test('developmentToken: creates a valid token for a handle', async () => {
    const token = await developmentToken(await developmentSecret(dataDir), { handle: 'aki' });
    const identity = await withAuth({ kind: 'development' }).verify(token);
    expect(identity).toMatchObject({ sub: 'aki', handle: 'aki', name: 'Aki' });
    const named = await developmentToken(await developmentSecret(dataDir), {
      handle: 'ren',
      name: 'Ren Ito',
    });
    expect((await withAuth({ kind: 'development' }).verify(named)).name).toBe('Ren Ito');
  });

  test('developmentToken: is not valid with another data directory', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'tsudoi-auth-'));
    try {
      const token = await developmentToken(await developmentSecret(elsewhere), { handle: 'aki' });
      expect(await codeOf(withAuth({ kind: 'development' }), token)).toBe('UNAUTHENTICATED');
      expect(recorded.lines().at(-1)).toMatchObject({ msg: 'A token was refused', dataDir });
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  });

  test('developmentSecret: rejects if the file is damaged, and does not replace it', async () => {
    const path = join(dataDir, 'development-secret');
    await writeFile(path, 'short');
    await expect(developmentSecret(dataDir)).rejects.toThrow(/delete it/);
    expect(await readFile(path, 'utf8')).toBe('short');
    expect(await codeOf(withAuth({ kind: 'development' }), tokenOf())).toBe('UNAVAILABLE');
  });
});
