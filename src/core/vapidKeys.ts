import { createECDH } from 'node:crypto';

/** How this server identifies itself at push services: https://www.rfc-editor.org/rfc/rfc8292 */
export interface VapidKeys {
  /** A private key on P-256: 32 bytes in base64url. */
  readonly privateKey: string;
  /** A `mailto:` or `https:` address at which a push service finds the operator. */
  readonly subject: string;
}

export const VAPID_KEY_BYTES = 32;

/** The public key: 65 bytes. Throws if the private key is not a number that P-256 allows. */
export function vapidPublicKey(privateKey: string): Buffer {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  return ecdh.getPublicKey();
}

export function newVapidKey(): Buffer {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  // Node leaves out leading zeros.
  return Buffer.concat([Buffer.alloc(VAPID_KEY_BYTES), ecdh.getPrivateKey()]).subarray(-VAPID_KEY_BYTES);
}

export function isVapidKey(text: string): boolean {
  if (!/^[A-Za-z0-9_-]{43}$/.test(text)) return false;
  try {
    return vapidPublicKey(text).length === 65;
  } catch {
    return false;
  }
}

/** Apple refuses subjects that only this machine could reach. */
export function isVapidSubject(text: string): boolean {
  if (/^mailto:[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)) return !isLocal(text.slice(text.indexOf('@') + 1));
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' && hostname.includes('.') && !isLocal(hostname);
}

const isLocal = (host: string): boolean =>
  /(^|\.)(localhost|local|invalid|internal)$/i.test(host) || /^[\d.]+$/.test(host) || host.includes(':');
