import type { Routes } from './httpListener.ts';

/** A file that is served from memory, under a path that names its content. */
export interface ServedFile {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
}

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
    files.map(({ path, contentType, body }) => [
      path,
      (request, response) => {
        response.writeHead(200, {
          ...headers,
          'content-type': contentType,
          'content-length': body.length,
        });
        response.end(request.method === 'HEAD' ? undefined : body);
      },
    ]),
  );
