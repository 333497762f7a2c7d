import { createECDH, type ECDH, randomBytes } from 'node:crypto';

/** What a browser gives to the page that subscribes. */
export interface Browser {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** What it keeps to itself. */
export interface BrowserKeys {
  readonly ecdh: ECDH;
  readonly auth: Buffer;
}

export function newBrowserKeys(): BrowserKeys {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  return { ecdh, auth: randomBytes(16) };
}

export const newBrowser = (endpoint: string, { ecdh, auth } = newBrowserKeys()): Browser => ({
  endpoint,
  p256dh: ecdh.getPublicKey('base64url'),
  auth: auth.toString('base64url'),
});
