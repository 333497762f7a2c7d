import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** A page of the server's own. */
export interface Page {
  readonly html: Buffer;
  /** For large pages. */
  readonly gzipped?: Buffer;
  /** The Content-Security-Policy under which its scripts, and no others, run. */
  readonly policy: string;
}

const compress = promisify(gzip);
const COMPRESSED_FROM_BYTES = 16_384;

/** What a page may load besides its inline scripts. */
export type PageKind =
  /** Nothing: all of it is in the file. Its editor makes styles as it goes, and has fonts in them. */
  | 'self-contained'
  /** Scripts, styles and pictures of this server; no style that is written into the page. */
  | 'with-files';

const SOURCES: Readonly<Record<PageKind, Readonly<Record<'script' | 'worker' | 'style' | 'font', string>>>> =
  {
    'self-contained': { script: '', worker: 'blob:', style: "'unsafe-inline'", font: 'data:' },
    'with-files': { script: "'self'", worker: "'none'", style: "'self'", font: "'none'" },
  };

/**
 * Makes a page ready to be sent. Its inline scripts are allowed by their hashes, so a page that lets
 * foreign text slip into it does not run that. Connections go to the page's own origin.
 */
export async function createPage(html: string, kind: PageKind = 'self-contained'): Promise<Page> {
  const inline = [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => hashOf(script));
  const sources = SOURCES[kind];
  const scripts = [sources.script, ...inline].filter((source) => source !== '');
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.join(' ') || "'none'"}`,
    `worker-src ${sources.worker}`,
    `style-src ${sources.style}`,
    "img-src 'self' data:",
    `font-src ${sources.font}`,
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
