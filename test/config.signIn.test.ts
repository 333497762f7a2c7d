/** Settings of the sign-in of the web client. */
import { expect, test } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { problemsOf, SECRET } from './support/run/config.ts';

const PROVIDER = {
  AUTH_JWKS_URL: 'https://id.example.com/keys',
  AUTH_ISSUER: 'https://id.example.com/',
  AUTH_AUDIENCE: 'chat',
  SIGN_IN_URL: 'https://id.example.com/',
  SIGN_IN_CLIENT_ID: 'web',
};

test('SIGN_IN_*: access tokens for AUTH_AUDIENCE, or the ID token if that is the client', () => {
  const scope = 'openid profile offline_access';
  const signIn = { issuer: 'https://id.example.com/', clientId: 'web', scope };
  expect(loadConfig(PROVIDER).signIn).toEqual({ ...signIn, audience: 'chat' });
  expect(loadConfig({ ...PROVIDER, AUTH_AUDIENCE: 'web' }).signIn).toEqual(signIn);
  expect(loadConfig({ ...PROVIDER, SIGN_IN_SCOPE: 'openid' }).signIn).toMatchObject({ scope: 'openid' });
  expect(loadConfig({}).signIn).toBeUndefined();
});

test('SIGN_IN_*: wrong combinations are refused', () => {
  const { SIGN_IN_CLIENT_ID: _, ...withoutClient } = PROVIDER;
  expect(problemsOf(withoutClient)).toEqual(['SIGN_IN_URL and SIGN_IN_CLIENT_ID need each other: set both.']);
  const { SIGN_IN_URL, ...withoutUrl } = PROVIDER;
  expect(problemsOf({ ...withoutUrl, SIGN_IN_SCOPE: 'openid' })).toEqual([
    'SIGN_IN_URL and SIGN_IN_CLIENT_ID need each other: set both.',
    'SIGN_IN_SCOPE also needs SIGN_IN_URL.',
  ]);
  for (const checked of [{}, { AUTH_SECRET: SECRET }]) {
    expect(problemsOf({ ...checked, SIGN_IN_URL, SIGN_IN_CLIENT_ID: 'web' })).toEqual([
      'AUTH_JWKS_URL is required with SIGN_IN_URL: the keys that the provider signs tokens with.',
    ]);
  }
  expect(problemsOf({ ...PROVIDER, SIGN_IN_SCOPE: 'profile email' })[0]).toMatch(
    /^SIGN_IN_SCOPE must be a list/,
  );
});

test.each([
  'http://id.example.com',
  'https://id.example.com/?a=b',
  'https://a:b@id.example.com',
  'id.example.com',
  // In the page's policy they would mean something else.
  'https://a;script-src',
  'https://*',
  'https://a,b',
])('SIGN_IN_URL=%s: is refused', (SIGN_IN_URL) => {
  expect(problemsOf({ ...PROVIDER, SIGN_IN_URL })).toEqual([
    'SIGN_IN_URL must be an https: URL without a query, or an http: URL of this machine.',
  ]);
});

test.each([
  'http://localhost:8080/realms/chat',
  'http://127.0.0.1:9000',
  'https://id.example.com/realms/chat',
  'https://集い.example:8443/',
  'http://[::1]:9000',
])('SIGN_IN_URL=%s: is accepted', (SIGN_IN_URL) => {
  expect(problemsOf({ ...PROVIDER, SIGN_IN_URL })).toEqual([]);
});
