import { createHash, randomBytes, randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 80 random bits in 16 characters of Crockford's base32, lower case. */
export function newId(): string {
  if (next === random.length) {
    randomFillSync(random);
    next = 0;
  }
  next += ID_BYTES;
  return base32(random.subarray(next - ID_BYTES, next), 16);
}

const ID_BYTES = 10;
/** Drawn for many ids at once: one draw costs as much as the rest of a small request's own work. */
const random = new Uint8Array(ID_BYTES * 256);
let next = random.length;

/** 130 random bits in 26 characters, which cannot be guessed. */
export const newSecret = (): string => base32(randomBytes(17), 26);

/** Always the same id for the same text, which cannot be recovered from it: 130 bits in 26 characters. */
export const idFrom = (text: string): string => base32(createHash('sha256').update(text).digest(), 26);

/** Without `+=`: V8 would keep a text of 26 characters as a chain of 15 objects. */
function base32(bytes: Uint8Array, length: number): string {
  let written = 0;
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5 && written < length) {
      bits -= 5;
      characters[written++] = ALPHABET.charCodeAt((value >>> bits) & 31);
    }
    value &= (1 << bits) - 1;
  }
  return characters.toString('latin1', 0, written);
}

const characters = Buffer.alloc(26);
