import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** A page of the server's own, with its scripts inside. */
export interface Page {
  readonly html: Buffer;
  /** For large pages. */
  readonly gzipped?: Buffer;
  /** The Content-Security-Policy under which its scripts, and no others, run. */
  readonly policy: string;
}

const compress = promisify(gzip);
const COMPRESSED_FROM_BYTES = 16_384;

/**
 * Makes a page ready to be sent. Its inline scripts are allowed by their hashes, so a page that lets
 * foreign text slip into it does not run that. Styles may be inline (GraphiQL's editor makes them as it
 * goes), images and fonts may be data, and connections go to the page's own origin.
 */
export async function createPage(html: string): Promise<Page> {
  const scripts = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => hashOf(script));
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.join(' ') || "'none'"}`,
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    'font-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const bytes = Buffer.from(html);
  if (bytes.length < COMPRESSED_FROM_BYTES) return { html: bytes, policy };
  return { html: bytes, gzipped: await compress(bytes), policy };
}

const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

export function sendPage(request: IncomingMessage, response: ServerResponse, page: Page): void {
  const zipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '') ? page.gzipped : undefined;
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': page.policy,
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // It may show a token of this very run.
    'cache-control': 'no-store',
    vary: 'accept-encoding',
    ...(zipped === undefined ? {} : { 'content-encoding': 'gzip' }),
    'content-length': (zipped ?? page.html).length,
  });
  response.end(request.method === 'HEAD' ? undefined : (zipped ?? page.html));
}
