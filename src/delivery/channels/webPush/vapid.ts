import { importJWK, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import { type VapidKeys, vapidPublicKey } from '../../../core/vapidKeys.ts';

/** This server's identity at push services. https://www.rfc-editor.org/rfc/rfc8292 */
export interface Vapid {
  /** The key that browsers subscribe with: 65 bytes in base64url. */
  publicKey(): Promise<string>;
  /** The header `Authorization` for an origin. */
  authorization(origin: string): Promise<string>;
}

/** Push services refuse tokens of more than a day. */
const TOKEN_S = 12 * 3_600;
/** A token is used for half of its life, so that a difference between clocks does not matter. */
const REUSED_MS = (TOKEN_S / 2) * 1_000;
const ORIGINS_MAX = 1_000;

/** `load` is called once, and again after it rejected. */
export function createVapid(load: () => Promise<VapidKeys>, now: () => number): Vapid {
  const tokens = new LRUCache<string, string>({ max: ORIGINS_MAX, ttl: REUSED_MS, perf: { now } });
  let loaded: ReturnType<typeof importKeys> | undefined;

  const keys = () => {
    loaded ??= load()
      .then(importKeys)
      .catch((error: unknown) => {
        loaded = undefined;
        throw error;
      });
    return loaded;
  };

  return {
    publicKey: async () => (await keys()).publicKey,
    async authorization(origin) {
      const { key, publicKey, subject } = await keys();
      let token = tokens.get(origin);
      if (token === undefined) {
        token = await new SignJWT()
          .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
          .setAudience(origin)
          .setExpirationTime(Math.floor(now() / 1_000) + TOKEN_S)
          .setSubject(subject)
          .sign(key);
        tokens.set(origin, token);
      }
      return `vapid t=${token}, k=${publicKey}`;
    },
  };
}

async function importKeys({ privateKey, subject }: VapidKeys) {
  const point = vapidPublicKey(privateKey);
  const key = await importJWK(
    {
      kty: 'EC',
      crv: 'P-256',
      d: privateKey,
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
    'ES256',
  );
  return { key, publicKey: point.toString('base64url'), subject };
}
