import { createHash } from 'node:crypto';
import { isStampKey } from '../../dynamo/keys.ts';

/** A stamp's picture, ready to be served. */
export interface Picture {
  /** The stamp that it shows. */
  readonly key: string;
  /** Where it is served. It names the content, so whoever has it never needs to ask again. */
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
}

export interface PictureName {
  readonly key: string;
  readonly extension: string;
}

const KIB = 1_024;
export const PICTURE_MAX_BYTES = 256 * KIB;
export const tooLarge = `is larger than ${PICTURE_MAX_BYTES / KIB} KiB`;

interface Kind {
  readonly contentType: string;
  /** Whether a file is what its name says, as far as its first bytes tell. */
  readonly fits: (body: Buffer) => boolean;
}

const has = (body: Buffer, at: number, text: string) =>
  body.toString('latin1', at, at + text.length) === text;

const kinds: ReadonlyMap<string, Kind> = new Map([
  // Behind an XML declaration or a comment, as programs that draw write them.
  ['svg', { contentType: 'image/svg+xml', fits: (body: Buffer) => body.includes('<svg') }],
  ['png', { contentType: 'image/png', fits: (body: Buffer) => has(body, 0, '\x89PNG\r\n\x1a\n') }],
  [
    'webp',
    { contentType: 'image/webp', fits: (body: Buffer) => has(body, 0, 'RIFF') && has(body, 8, 'WEBP') },
  ],
  ['gif', { contentType: 'image/gif', fits: (body: Buffer) => has(body, 0, 'GIF8') }],
]);

const extensions = [...kinds.keys()].map((extension) => `.${extension}`).join(', ');

/** A file's name taken apart; of one that breaks a rule, which: an end for the sentence that names the file. */
export function pictureName(file: string): PictureName | string {
  const dot = file.lastIndexOf('.');
  const [key, extension] = [file.slice(0, Math.max(0, dot)), file.slice(dot + 1)];
  if (!kinds.has(extension)) return `does not end with one of ${extensions}`;
  // Counts are kept in a map by key, where `__proto__` would not count.
  if (!isStampKey(key) || !/^[a-z0-9]/.test(key)) {
    return 'is not named with 1 to 40 of a-z, 0-9, "-" and "_", beginning with a letter or digit';
  }
  return { key, extension };
}

const HASH_DIGITS = 16;

/** A file's content as a picture; of one that breaks a rule, which, as `pictureName` does. */
export function pictureOf({ key, extension }: PictureName, body: Buffer): Picture | string {
  if (body.length > PICTURE_MAX_BYTES) return tooLarge;
  const kind = kinds.get(extension);
  if (kind?.fits(body) !== true) return `does not hold what its name says, ${extension}`;
  const hash = createHash('sha256').update(body).digest('hex').slice(0, HASH_DIGITS);
  return { key, path: `/stamps/${key}.${hash}.${extension}`, contentType: kind.contentType, body };
}
