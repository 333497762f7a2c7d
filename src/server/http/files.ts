import type { IncomingMessage } from 'node:http';
import type { Routes } from './httpListener.ts';

/** A file that is served from memory, under a path that names its content. */
export interface ServedFile {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** The same, compressed; which is sent is the client's choice. */
  readonly encoded?: Readonly<Partial<Record<Encoding, Buffer>>>;
}

/** Best first. */
const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

const headers = {
  // The path changes when the content does: https://www.rfc-editor.org/rfc/rfc8246
  'cache-control': 'public, max-age=31536000, immutable',
  // An SVG opened by itself is a document: it may draw, and do nothing else, whatever is in it.
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
  // Nothing in it is anybody's secret, and clients may live on another origin.
  'cross-origin-resource-policy': 'cross-origin',
};

/** A route for each file: what is not one of them is not found, so no path ever reaches a disk. */
export const fileRoutes = (files: readonly ServedFile[]): Routes =>
  Object.fromEntries(
    files.map((file) => [
      file.path,
      (request, response) => {
        const { body, encoding } = chosen(file, request);
        response.writeHead(200, {
          ...headers,
          'content-type': file.contentType,
          'content-length': body.length,
          ...(file.encoded === undefined ? {} : { vary: 'accept-encoding' }),
          ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
        });
        response.end(request.method === 'HEAD' ? undefined : body);
      },
    ]),
  );

function chosen({ body, encoded = {} }: ServedFile, { headers }: IncomingMessage) {
  const accepted = new Set(String(headers['accept-encoding'] ?? '').split(/\s*,\s*/));
  for (const encoding of ENCODINGS) {
    const compressed = encoded[encoding];
    if (compressed !== undefined && accepted.has(encoding)) return { body: compressed, encoding };
  }
  return { body, encoding: undefined };
}
