/** Cursors that only this system can read: their positions name what the viewer may not see. */
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Every position takes this many bytes, so that the length of a cursor says nothing about it. */
const POSITION_BYTES = 240;

export interface CursorCipher {
  /** The same position of a list always has the same cursor. */
  seal(list: string, position: string): string;
  /** Undefined for any text that `seal` did not return for this list. */
  open(list: string, cursor: string): string | undefined;
}

/** `secret`: 32 bytes that all servers have. */
export function createCursorCipher(secret: Uint8Array): CursorCipher {
  const [key, nonceKey] = ['cursor', 'nonce'].map((use) => createHmac('sha256', secret).update(use).digest());
  if (key === undefined || nonceKey === undefined) throw new Error('There is no key.');
  /** Made of what is encrypted, so no two texts have the same. */
  const nonceOf = (list: string, position: Uint8Array): Buffer =>
    createHmac('sha256', nonceKey)
      .update(`${list.length}:${list}`)
      .update(position)
      .digest()
      .subarray(0, NONCE_BYTES);

  return {
    seal(list, position) {
      const text = Buffer.from(position);
      if (text.length > POSITION_BYTES) throw new Error('A position is too long for a cursor.');
      const nonce = nonceOf(list, text);
      const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(list),
      );
      const sealed = cipher.update(Buffer.concat([text], POSITION_BYTES));
      return Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()]).toString('base64url');
    },
    open(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      if (bytes.length !== NONCE_BYTES + POSITION_BYTES + TAG_BYTES) return undefined;
      const tag = bytes.subarray(-TAG_BYTES);
      const cipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(list))
        .setAuthTag(tag);
      try {
        const text = Buffer.concat([cipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), cipher.final()]);
        const end = text.indexOf(0);
        return text.toString('utf8', 0, end === -1 ? text.length : end);
      } catch {
        return undefined;
      }
    },
  };
}
