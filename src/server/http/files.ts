import type { IncomingMessage } from 'node:http';
import { defined } from '../../core/defined.ts';
import { acceptedEncodings, type Encoding } from './encoding.ts';
import type { Routes } from './httpListener.ts';

/** A file that is served from memory. */
export interface ServedFile {
  readonly path: string;
  /** For what browsers ask for by its path: the content changes. Paths of others contain a hash of the content. */
  readonly changes?: boolean;
  readonly contentType: string;
  readonly body: Buffer;
  /** The body compressed, for clients that accept the encoding. */
  readonly encoded?: Readonly<Partial<Record<Encoding, Buffer>>>;
}

const headers = {
  // The files are not secret, and a client may be served from another origin.
  'cross-origin-resource-policy': 'cross-origin',
};

/** https://www.rfc-editor.org/rfc/rfc8246 */
const FOREVER = 'public, max-age=31536000, immutable';
/** An SVG that is opened by itself is a document. It may draw, but run and load nothing. */
const DRAWS = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";
/**
 * A service worker runs outside of a page, so it needs a policy of its own, in which it runs. It requests files of this
 * server.
 */
const RUNS =
  "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A route for each file. Any other path is not found, so no path from a request is ever opened on disk. */
export const fileRoutes = (files: readonly ServedFile[]): Routes =>
  Object.fromEntries(
    files.map((file) => [
      file.path,
      (request, response) => {
        const { body, encoding } = bodyFor(file, request);
        if (file.encoded !== undefined) response.appendHeader('vary', 'accept-encoding');
        response.writeHead(200, {
          ...headers,
          'cache-control': file.changes === true ? 'no-cache' : FOREVER,
          'content-security-policy': file.changes === true ? RUNS : DRAWS,
          'content-type': file.contentType,
          'content-length': body.length,
          ...defined({ 'content-encoding': encoding }),
        });
        response.end(request.method === 'HEAD' ? undefined : body);
      },
    ]),
  );

/** The body in the best encoding that the client accepts. */
function bodyFor({ body, encoded = {} }: ServedFile, { headers }: IncomingMessage) {
  for (const encoding of acceptedEncodings(headers['accept-encoding'])) {
    const compressed = encoded[encoding];
    if (compressed !== undefined) return { body: compressed, encoding };
  }
  return { body, encoding: undefined };
}
