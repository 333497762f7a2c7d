import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, SignJWT } from 'jose';
import { onTestFinished, vi } from 'vitest';
import { CLOCK_TOLERANCE_S } from '../../../src/server/access/tokenExpiry.ts';

export const SECRET = 'a secret of thirty-two bytes or more';
const secretKey = new TextEncoder().encode(SECRET);

export interface TokenOptions {
  readonly claims?: Record<string, unknown>;
  /** Seconds from now; null leaves `exp` out. */
  readonly expiresIn?: number | null;
  readonly key?: Uint8Array | GenerateKeyPairResult['privateKey'];
  readonly header?: Record<string, unknown>;
}

/** A token for Aki that is signed with `SECRET` and valid for a minute. Each part of it can be replaced. */
export function tokenOf({ claims = {}, expiresIn = 60, key = secretKey, header = {} }: TokenOptions = {}) {
  const expiry = expiresIn === null ? {} : { exp: Math.floor(Date.now() / 1_000) + expiresIn };
  return new SignJWT({ sub: 'aki', preferred_username: 'aki', name: 'Aki', ...expiry, ...claims })
    .setProtectedHeader({ alg: 'HS256', ...header })
    .sign(key);
}

/** Milliseconds from the opening of a connection to its end, by a token of `endingToken`. */
export const ENDING_MS = 200;

/**
 * A token that has expired, and is refused in 200 ms. Until the test is finished, the date does not change, so the token
 * is accepted however slow the machine is. Timers run. Call it before the server starts.
 */
export function endingToken() {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const seconds = Math.ceil(Date.now() / 1_000);
  vi.setSystemTime(seconds * 1_000 - ENDING_MS);
  return tokenOf({ claims: { exp: seconds - CLOCK_TOLERANCE_S } });
}

/** An identity provider that publishes the key of an RSA pair. Tests can make it fail. */
export async function startIdentityProvider() {
  const pair = await generateKeyPair('RS256', { extractable: true });
  let keys = [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }];
  let broken = false;
  let requests = 0;
  const server = createServer((_request, response) => {
    requests++;
    response.statusCode = broken ? 500 : 200;
    response.end(JSON.stringify({ keys }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  return {
    url,
    pair,
    requests: () => requests,
    breakDown: (down = true) => {
      broken = down;
    },
    publish: (next: typeof keys) => {
      keys = next;
    },
    keys: () => keys,
    stop: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
