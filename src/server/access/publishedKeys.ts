import {
  type CryptoKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type FlattenedJWSInput,
  flattenedVerify,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import { createHealth } from '../../core/health.ts';
import type { OutageLog } from '../../core/log.ts';

const TIMEOUT_MS = 2_000;
const BYTES_MAX = 1_048_576;
/** Tokens with unknown keys make the server fetch the keys again at most this often. */
const COOLDOWN_MS = 5_000;
/** After a fetch that failed, the next one waits this long. */
const RETRY_MS = 1_000;
/** Keys that are older are fetched again. So a key that the provider removes is valid for this long at most. */
const AGE_MAX_MS = 600_000;
/** If they cannot be fetched again, the keys that were fetched last stay valid for this long. */
const KEPT_MS = 86_400_000;

/** HMAC is not among them: a published key must not be usable as a shared secret. */
export const ASYMMETRIC = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

export interface PublishedKeysOptions {
  readonly url: string;
  readonly log: OutageLog;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Finds the key for a token among those that an identity provider publishes. While the provider is down, or publishes
 * something that is not a set of keys, the last set counts. Throws what jose throws about the token, and the error of
 * the fetch if there are no keys, if they are a day old, or if the token names another key.
 */
export function createPublishedKeys({ url, log, now }: PublishedKeysOptions): JWTVerifyGetKey {
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let failed: { readonly error: unknown; readonly at: number } | undefined;
  // Also if the clock was set back meanwhile.
  const isWithin = (ms: number, at: number) => Math.abs(now() - at) < ms;
  const health = createHealth({
    log,
    down: 'The keys that verify tokens cannot be fetched',
    up: 'The keys that verify tokens are fetched again',
    fields: { url },
  });

  const keySet = createRemoteJWKSet(new URL(url), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: COOLDOWN_MS,
    // `refresh` looks at their age: jose would refuse all tokens while it cannot fetch old keys again.
    cacheMaxAge: Number.POSITIVE_INFINITY,
    async [customFetch](...request) {
      if (failed !== undefined && isWithin(RETRY_MS, failed.at)) throw failed.error;
      try {
        const fetched = Response.json(await fetchKeySet(...request));
        fetchedAt = now();
        failed = undefined;
        health.worked();
        return fetched;
      } catch (error) {
        failed = { error, at: now() };
        health.failed(error);
        throw error;
      }
    },
  });

  /** Throws if there are no keys that may be used. */
  async function refresh(): Promise<void> {
    if (isWithin(AGE_MAX_MS, fetchedAt)) return;
    // Requests do not wait again for a provider that has just failed.
    const hasJustFailed = failed !== undefined && isWithin(AGE_MAX_MS, failed.at);
    // Its failure is known by `failed`.
    const reloaded = keySet.reload().catch(() => undefined);
    if (!hasJustFailed || !isWithin(KEPT_MS, fetchedAt)) await reloaded;
    if (failed !== undefined && !isWithin(KEPT_MS, fetchedAt)) throw failed.error;
  }

  return async (header, token) => {
    await refresh();
    try {
      return await keySet(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      // Several keys without a `kid`, as during a rotation: the one that verifies the token is the right one.
      for await (const key of error) if (await verifies(token, key)) return key;
      throw new errors.JWKSNoMatchingKey();
    }
  };
}

/** Throws if the response is not a set of keys of 1 MiB at most, or has no key. */
async function fetchKeySet(...[url, init]: Parameters<FetchImplementation>): Promise<JSONWebKeySet> {
  const response = await fetch(url, init);
  if (response.status !== 200) throw new Error(`The identity provider responded with ${response.status}.`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > BYTES_MAX) throw new Error('The keys of the identity provider have more than 1 MiB.');
    chunks.push(chunk);
  }
  const keySet = JSON.parse(new TextDecoder().decode(Buffer.concat(chunks))) as JSONWebKeySet;
  createLocalJWKSet(keySet);
  if (keySet.keys.length === 0) throw new Error('The identity provider publishes no key.');
  return keySet;
}

const verifies = (token: FlattenedJWSInput, key: CryptoKey) =>
  flattenedVerify(token, key, { algorithms: ASYMMETRIC }).then(
    () => true,
    () => false,
  );
