/** The part of the package that is used. It has no types of its own. */
declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  export interface EncryptOptions {
    readonly version: 'aes128gcm';
    /** The receiver's public key, in base64url. */
    readonly dh: string;
    /** The sender's key, made for this message alone. */
    readonly privateKey: ECDH;
    /** In base64url. */
    readonly authSecret: string;
  }

  export function encrypt(plaintext: Buffer, options: EncryptOptions): Buffer;
}
