import { createHash } from 'node:crypto';
import { isStampKey } from '../../dynamo/keys.ts';

/** A stamp's picture, ready to be served. */
export interface Picture {
  /** The stamp that it shows. */
  readonly key: string;
  /** The path at which it is served. It contains a hash of the content, so clients can cache it forever. */
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

interface ImageFormat {
  readonly contentType: string;
  /** Whether the content is of the type that the file's name says. Checks only the first bytes. */
  readonly matches: (body: Buffer) => boolean;
}

const has = (body: Buffer, at: number, text: string) =>
  body.toString('latin1', at, at + text.length) === text;

const formats: ReadonlyMap<string, ImageFormat> = new Map([
  // Drawing programs write an XML declaration or a comment before the tag.
  ['svg', { contentType: 'image/svg+xml', matches: (body: Buffer) => body.includes('<svg') }],
  ['png', { contentType: 'image/png', matches: (body: Buffer) => has(body, 0, '\x89PNG\r\n\x1a\n') }],
  [
    'webp',
    { contentType: 'image/webp', matches: (body: Buffer) => has(body, 0, 'RIFF') && has(body, 8, 'WEBP') },
  ],
  ['gif', { contentType: 'image/gif', matches: (body: Buffer) => has(body, 0, 'GIF8') }],
]);

const extensions = [...formats.keys()].map((extension) => `.${extension}`).join(', ');

/**
 * Parses a file's name. If it breaks a rule, returns the reason, as the end of a sentence that begins with the name.
 */
export function pictureName(file: string): PictureName | string {
  const dot = file.lastIndexOf('.');
  const [key, extension] = [file.slice(0, Math.max(0, dot)), file.slice(dot + 1)];
  if (!formats.has(extension)) return `does not end with one of ${extensions}`;
  // Counts are stored in an object by key, in which `__proto__` would not work.
  if (!isStampKey(key) || !/^[a-z0-9]/.test(key)) {
    return 'is not named with 1 to 40 of a-z, 0-9, "-" and "_", beginning with a letter or digit';
  }
  return { key, extension };
}

const HASH_DIGITS = 16;

/** A picture from a file's content. If it breaks a rule, returns the reason, like `pictureName`. */
export function pictureOf({ key, extension }: PictureName, body: Buffer): Picture | string {
  if (body.length > PICTURE_MAX_BYTES) return tooLarge;
  const kind = formats.get(extension);
  if (kind?.matches(body) !== true) return `does not contain what its name says, ${extension}`;
  const hash = createHash('sha256').update(body).digest('hex').slice(0, HASH_DIGITS);
  return { key, path: `/stamps/${key}.${hash}.${extension}`, contentType: kind.contentType, body };
}
